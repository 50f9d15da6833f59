"""Every cell of the grid at a glance: one method against the mean, in standard errors. Readable without colours."""

import polars as pl

from surpeer.experiments.bench.gaps import POINTS, names
from surpeer.experiments.bench.markup import Entry, Row, table
from surpeer.experiments.bench.targets import DOUBT, in_errors

MUCH = 10.0
"""Standard errors above the mean that get the darkest shade."""


def heat_map(accuracy: pl.DataFrame, method: str) -> str:
    """A block for each kind of forecasts: rows are levels, prior and bias, columns are reviewers and papers."""
    mine = accuracy.filter(pl.col("method") == method).with_columns(errors=in_errors())
    blocks = [
        f"<figure><figcaption>{kind} forecasts</figcaption>{_block(mine.filter(pl.col('forecasts') == kind))}</figure>"
        for kind in names(mine, "forecasts")
    ]
    return '<div class="blocks">' + "\n".join(blocks) + "</div>"


def _block(part: pl.DataFrame) -> str:
    columns = part.select("papers", "reviewers").unique(maintain_order=True).sort("papers", maintain_order=True).rows()
    rows = part.select("K", "prior", "bias").unique(maintain_order=True).rows()
    cells = {
        (cell["K"], cell["prior"], cell["bias"], cell["papers"], cell["reviewers"]): _entry(cell)
        for cell in part.iter_rows(named=True)
    }
    sizes = [papers for papers, _ in columns]
    groups = [("papers", 1), *((str(papers), sizes.count(papers)) for papers in sorted(set(sizes)))]
    headings = ["reviewers", *(_short(reviewers) for _, reviewers in columns)]
    lines: list[Row] = [
        [f"K={levels} {prior} {bias}", *(cells[levels, prior, bias, *column] for column in columns)]
        for levels, prior, bias in rows
    ]
    return table(headings, lines, "heat", groups)


def _entry(cell: dict[str, object]) -> Entry:
    above, error = (POINTS * float(str(cell[name])) for name in ("above_mean", "above_mean_error"))
    errors = float(str(cell["errors"]))
    hint = f"{above:+.2f} points, standard error {error:.2f}" + (", held out" if cell["held_out"] else "")
    kind = shade(errors) + (" held" if cell["held_out"] else "")
    return Entry("=" if error == 0 else _rounded(errors), kind, hint)


def shade(errors: float) -> str:
    """The class of a cell in the style sheet."""
    if errors < -DOUBT:
        return "below"
    if errors <= DOUBT:
        return "level"
    return "above" if errors <= MUCH else "far"


def _rounded(errors: float) -> str:
    return "0" if abs(errors) < 0.5 else f"{errors:+.0f}".replace("-", "−")


def _short(reviewers: str) -> str:
    return "mix" if reviewers == "mixed" else reviewers
