"""The tables as one page that can be opened anywhere: it loads nothing and is readable in black and white."""

from collections.abc import Iterator
from importlib.metadata import version

import polars as pl

from surpeer.experiments.bench.cells import BASELINE, ORACLE
from surpeer.experiments.bench.gaps import POINTS, gap_table, names
from surpeer.experiments.bench.grid import Grid
from surpeer.experiments.bench.heat_map import MUCH, heat_map
from surpeer.experiments.bench.markup import Entry, Row, paragraph, section, table
from surpeer.experiments.bench.page_style import STYLE
from surpeer.experiments.bench.real_text import real_section
from surpeer.experiments.bench.reliability_text import reliability_section
from surpeer.experiments.bench.targets import (
    DOUBT,
    Target,
    below_mean,
    by_chance,
    real_targets,
    simulated_targets,
)

BREAKDOWN = ("held_out", "papers", "K", "reviewers", "prior", "bias")
IN_ORDER = ("held_out", "papers", "K")
WORDS = {True: "held out", False: "not held out"}


def summary_page(tables: dict[str, pl.DataFrame], grid: Grid, seed: int, method: str) -> str:
    """All of it. `method` is the one that is judged by the targets; the others are shown beside it."""
    accuracy, real = tables["accuracy"], tables.get("real")
    parts = [
        _introduction(accuracy, grid, seed),
        section(f"Targets for {method}", *_targets(accuracy, real, method)),
        section("Gap to the oracle, in points", *_gaps(accuracy, "below_oracle", method)),
        section("Gain over the mean rating, in points", *_gaps(accuracy, "above_mean", method)),
        section(f"Where {method} is far from the oracle, in points", *_breakdown(accuracy, method)),
        section(f"{method} against the mean, cell by cell", *_map(accuracy, method)),
        section(f"Cells where {method} is below the mean", *_cells_below(accuracy, method)),
        reliability_section(tables["reliability"]),
        real_section(real, method),
    ]
    title = f"Accuracy benchmark of surpeer: {method}"
    head = f'<meta charset="utf-8"><title>{title}</title><meta name="viewport" content="width=device-width">'
    body = "\n".join([f"<h1>{title}</h1>", *parts])
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _introduction(accuracy: pl.DataFrame, grid: Grid, seed: int) -> str:
    cells = accuracy.filter(pl.col("method") == BASELINE)
    made = "; ".join(f"{count} of {papers} papers" for papers, count in sorted(grid.venues.items()))
    return paragraph(
        f"{cells.height} kinds of made-up venues ({cells['held_out'].sum()} of them held out) on the {grid.name} grid, "
        f"seed {seed}, surpeer {version('surpeer')}. Venues of each kind: {made}. Accuracy is how often a "
        "method puts two random papers of a venue "
        "in the right order; a point is one hundredth of it. The oracle knows the prior, the noise level and the bias "
        "of every paper, which no method does. Every number is in the CSV files beside this page."
    )


def _targets(accuracy: pl.DataFrame, real: pl.DataFrame | None, method: str) -> Iterator[str]:
    parts = [simulated_targets(accuracy.filter(pl.col("held_out") == held), method) for held in (False, True)]
    rows: list[Row] = [[rest.demand, *_verdict(rest), *_verdict(held)] for rest, held in zip(*parts, strict=True)]
    yield table(["made-up venues", "other cells", "", "held-out cells", ""], rows, "targets")
    on_people: list[Row] = [[target.demand, *_verdict(target)] for target in real_targets(real, method)]
    yield table(["real people", "random panels", ""], on_people, "targets")


def _verdict(target: Target) -> tuple[Entry, Entry]:
    words = {True: "reached", False: "NOT reached", None: "not judged"}[target.reached]
    return Entry(target.found), Entry(words, {True: "yes", False: "no", None: "open"}[target.reached])


def _gaps(accuracy: pl.DataFrame, what: str, method: str) -> Iterator[str]:
    kinds = names(accuracy, "forecasts")
    found = gap_table(accuracy, "method", "forecasts")
    largest = float(found.select(pl.col(what).max()).item())
    rows: list[Row] = []
    for name in names(accuracy, "method"):
        if name == (ORACLE if what == "below_oracle" else BASELINE):
            continue
        by_kind = {row["forecasts"]: row for row in found.filter(pl.col("method") == name).iter_rows(named=True)}
        cells = [
            Entry(_average_and_worst(by_kind[kind], what), "bar", "", by_kind[kind][what] / max(largest, 1e-9))
            for kind in kinds
        ]
        rows.append([f"{name} ◂" if name == method else name, *cells])
    end = "highest gap" if what == "below_oracle" else "lowest gain"
    yield paragraph(f"Average over all cells, in parentheses the worst cell ({end}); bars show the averages.")
    yield table(["method", *kinds], rows)


def _breakdown(accuracy: pl.DataFrame, method: str) -> Iterator[str]:
    mine = accuracy.filter(pl.col("method") == method)
    kinds = names(mine, "forecasts")
    rows: list[Row] = []
    for column in BREAKDOWN:
        parts = mine.group_by(column, maintain_order=True)
        for (value,), part in sorted(parts, key=lambda found: found[0]) if column in IN_ORDER else parts:
            by_kind = {row["forecasts"]: row for row in gap_table(part, "forecasts").iter_rows(named=True)}
            title = WORDS[bool(value)] if column == "held_out" else f"{column} {value}"
            rows.append([title, *(_average_and_worst(by_kind[kind], "below_oracle") for kind in kinds)])
    yield paragraph("Average gap, in parentheses the worst cell.")
    yield table(["cells", *kinds], rows)


def _average_and_worst(row: dict[str, float], what: str) -> str:
    average, worst = (round(row[name], digits) + 0.0 for name, digits in ((what, 2), (f"worst_{what}", 1)))
    return f"{average:.2f} ({worst:.1f})"


def _map(accuracy: pl.DataFrame, method: str) -> Iterator[str]:
    yield paragraph(
        f"Difference to the mean in standard errors: white on black is below by more than {DOUBT:g}, plain is within "
        f"{DOUBT:g}, light shade is above, darker shade above by more than {MUCH:g}; = where every pair is decided "
        "alike. Underlined cells were held out. Columns: papers of the venue and reviewers per paper (mix: 2 to 8)."
    )
    yield heat_map(accuracy, method)


def _cells_below(accuracy: pl.DataFrame, method: str) -> Iterator[str]:
    mine = accuracy.filter(pl.col("method") == method)
    below, cells = below_mean(accuracy, method), mine.height
    yield paragraph(
        f"{below.height} of {cells} cells are below by more than {DOUBT:g} standard errors. If methods "
        f"were equally good in every cell, chance alone would put about {by_chance(mine):.0f} there."
    )
    if below.is_empty():
        return
    rows = [
        [
            f"K={cell['K']}, {cell['reviewers']} reviewers, {cell['prior']}, bias {cell['bias']}, {cell['forecasts']}",
            str(cell["papers"]),
            f"{POINTS * cell['above_mean']:+.2f}",
            f"{POINTS * cell['above_mean_error']:.2f}",
            f"{cell['errors']:.1f}",
            "held out" if cell["held_out"] else "",
        ]
        for cell in below.iter_rows(named=True)
    ]
    yield table(["cell", "papers", "points above mean", "standard error", "in errors", ""], rows)
