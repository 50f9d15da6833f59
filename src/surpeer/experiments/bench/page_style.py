"""How the page looks. Shades differ in brightness, so that print without colours keeps them apart."""

STYLE = """
body{font:15px/1.45 system-ui,sans-serif;color:#111;background:#fff;max-width:1180px;margin:2em auto;padding:0 1em}
h1{font-size:1.6em;margin-bottom:.3em}h2{font-size:1.15em;margin:1.8em 0 .4em;border-bottom:1px solid #999}
p{margin:.4em 0;max-width:60em}
table{border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums}
th,td{white-space:nowrap;padding:.2em .7em;border-bottom:1px solid #ddd;text-align:right;vertical-align:top}
th[scope=row],thead th:first-child{text-align:left;font-weight:normal}
thead th{border-bottom:1px solid #666;font-weight:600}
td.bar{min-width:6.5em}td.bar i{display:block;height:5px;background:#4a7fb0;margin:2px 0 0;border-radius:1px}
table.targets td,table.targets th{text-align:left;white-space:normal}
td.no{background:#111;color:#fff;font-weight:600}td.open{color:#666;font-style:italic}
table.targets td.yes,table.targets td.no,table.targets td.open{white-space:nowrap}
.blocks{display:flex;flex-wrap:wrap;gap:1.2em}
figure{margin:0}figcaption{font-weight:600;margin:.4em 0 0}
table.heat{font-size:11px;line-height:1.25}
table.heat th,table.heat td{padding:1px 4px;border:1px solid #e4e4e4;text-align:center}
table.heat th[scope=row]{text-align:left;white-space:nowrap}
table.heat thead th{font-weight:normal}table.heat td{min-width:17px}
td.below{background:#000;color:#fff;font-weight:700}td.level{background:#fff}
td.above{background:#d6e6f2}td.far{background:#93bcdc}
table.heat td.held{text-decoration:underline}
@media print{body{max-width:none;margin:0}td.bar i,td.below,td.above,td.far,td.no{print-color-adjust:exact}}
"""
