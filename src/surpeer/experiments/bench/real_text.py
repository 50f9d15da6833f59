"""The table of real data, for the page."""

import polars as pl

from surpeer.experiments.bench.gaps import POINTS, names
from surpeer.experiments.bench.markup import Row, paragraph, section, table
from surpeer.experiments.bench.studies import EXPECTED, FILES

TITLE = "Real votes with known truth"


def real_section(real: pl.DataFrame | None, method: str) -> str:
    """Area under the curve of every method, by study and number of people."""
    if real is None:
        listed = ", ".join(f"{file} (items in {item})" for file, item in FILES.items())
        return section(
            TITLE,
            paragraph(
                f"Not run. Ask the authors of Prelec, Seung and McCoy (Nature 541, 2017) for the data, put {listed}, "
                f"each with the columns {', '.join(EXPECTED)}, into one folder and add --real FOLDER."
            ),
        )
    text = (
        "Area under the curve (per cent): how often a random true item is ranked above a random false one. "
        f"Panels: mean of {int(str(real['panels'].max()))} random ones ± its standard error, given these people and "
        "items; all people is the whole crowd. The rival is the better one of mean and surprisal."
    )
    return section(TITLE, paragraph(text), _table(real, method))


def _table(real: pl.DataFrame, method: str) -> str:
    methods = names(real, "method")
    rows: list[Row] = []
    for (study, people), part in real.group_by("study", "people", maintain_order=True):
        by_method = {row["method"]: row for row in part.iter_rows(named=True)}
        areas = [_with_error(by_method[name]["auc"], by_method[name]["standard_error"], "") for name in methods]
        mine = by_method[method]
        above = _with_error(mine["above_rivals"], mine["above_rivals_error"], "+")
        rows.append([f"{study}, {people} people", *areas, above])
    return table(["study", *methods, f"{method} − rival"], rows)


def _with_error(number: float, error: float | None, sign: str) -> str:
    text = f"{round(POINTS * number, 1) + 0.0:{sign}.1f}"
    return text if error is None else f"{text} ± {POINTS * error:.1f}"
