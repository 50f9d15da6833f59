"""Tables -> REPRODUCTION.md: which statements of the paper hold, to which precision, and which do not."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

import polars as pl

from surpeer.experiments import statements as said
from surpeer.experiments.comparing import METHODS
from surpeer.experiments.curves import average_table
from surpeer.experiments.large_panels import LEVEL_A, LEVEL_B
from surpeer.experiments.settings import BIASES, FULL, LEVELS_A, PRIORS, REVIEWERS, Effort, beta_text
from surpeer.experiments.theorems import TOLERANCE

Tables = dict[str, pl.DataFrame]
WIDTH = 120
NO_BREAK = "\0"


def reproduction_text(tables: Tables, effort: Effort, pictures: bool = True) -> str:
    """The whole page, with or without its pictures."""
    blocks = [
        *_head(effort),
        *_statements(tables["statements"]),
        *_accuracy(tables["accuracy"]),
        *_popular(tables["statements"]),
        *_large_panels(tables["large_panels"]),
        *_jumps(tables["jumps"]),
        *_sampled(tables["sampled"], effort),
        *_contours(tables["contours"]),
        *_examples(tables["examples"]),
        *_bounds(tables["bounds"], effort),
        *_theorems(tables["theorems"]),
    ]
    return "\n\n".join(block for block in blocks if pictures or not block.startswith("![")) + "\n"


def _head(effort: Effort) -> Iterator[str]:
    grid = ", ".join(f"{float(level):g}" for level in effort.levels_b[:2]) + f", ..., {float(effort.levels_b[-1]):g}"
    option = "" if effort is FULL else " --quick"
    yield "# The paper, reproduced"
    yield _words(
        "Y. Lu and Y. Kong, \"Calibrating 'Cheap Signals' in Peer Review without a Prior\", NeurIPS 2023. Made by",
        f"`surpeer reproduce --output DIR{option}`: this page, the tables, and the pictures that are drawn from them.",
    )
    yield _words(
        "Two papers of random quality are reviewed by n people each. Accuracy is the probability that a method puts",
        "them in the order of their true quality, a tie counting one half.",
        f"n = {_listed(REVIEWERS)}; qualities from {_listed(f'Beta({beta_text(prior)})' for prior in PRIORS)};",
        f"noise level of paper A (lambda_a) {_listed(f'{float(level):g}' for level in LEVELS_A)},",
        f"of paper B (lambda_b) {grid};",
        "biases opposite (A towards accept, B towards reject) or the same (both towards accept).",
    )
    yield _words(
        "Accuracy is exact: with Bayesian reviewers it is a finite sum over vote counts, every term of which has a",
        "closed form, and ties are decided in fractions. What is left is the rounding of floats, below 1e-12.",
    )


def _statements(table: pl.DataFrame) -> Iterator[str]:
    beats, everywhere = _of(table, said.BEATS_MEAN), _of(table, said.BEATS_MEAN_EVERYWHERE)
    opposite, many = _of(table, said.MORE_IF_OPPOSITE), _of(table, said.MORE_IF_MANY)
    yield "## What the paper says of its experiment"
    yield _words(
        f'**"Outperforms or equals the baseline in all cases": {_verdict(beats)}.**',
        "The advantage of the surprisal score, its accuracy less that of the mean rating:",
    )
    yield _findings(beats, "average advantage")
    yield _words("The same for every noise level of paper A on the grid of paper B, not only the paper's three:")
    yield _findings(everywhere, "average advantage")
    yield _words(
        f'**"More advantages under the opposite bias": {_verdict(opposite)}.**',
        "The advantage under opposite biases, less that under the same bias:",
    )
    yield _findings(opposite, "average difference")
    on_average = "it is larger" if (many["average"] > 0).all() else "it is not larger"
    yield _words(
        f'**"More advantages when the number of reviewers is higher": {_verdict(many)}.**',
        f"The advantage with {REVIEWERS[1]} reviewers, less that with {REVIEWERS[0]}. On average {on_average}; single",
        "points can go the other way because the curves jump at different levels.",
    )
    yield _findings(many, "average difference")
    yield _words(
        '**Footnote, "for the case of b = [1, 0] on both papers the result is exactly the same":',
        f"{_verdict(_of(table, said.MIRRORED))}, for all methods.** (As it must be: the three priors are symmetric.)",
    )


def _accuracy(table: pl.DataFrame) -> Iterator[str]:
    yield "## The accuracy figures"
    yield "![opposite biases](figures/accuracy-opposite.svg)"
    yield "![same bias](figures/accuracy-same.svg)"
    yield _words(
        "Dots are isolated values: at that one level two different vote counts tie. The oracle knows prior, level and",
        "bias, and for every pair of vote counts picks the paper that is more likely to be better: no method can do",
        "better. Averages over all points of the curves (`accuracy.csv`):",
    )
    yield _by_method(average_table(table))


def _popular(table: pl.DataFrame) -> Iterator[str]:
    known, infinite = _of(table, said.LIKE_SP), _of(table, said.LIKE_SP_INFINITE)
    yield "## The SP-inspired score"
    yield "![opposite biases](figures/sp-opposite.svg)"
    yield "![same bias](figures/sp-same.svg)"
    yield _words(
        '**"Roughly the same when the number of reviewers is small": it depends on what a unanimous paper scores,**',
        "which",
        "the paper does not say. With unanimous papers at plus and minus infinity (`sp_infinite`), as for the",
        "surprisal score, the two are alike. With the prior known, as a simulation knows it (`sp`), the SP-inspired",
        "score can tell unanimous papers apart and is better on average. Surprisal less SP; a point counts against the",
        f"statement where the two are more than {100 * said.ROUGHLY:g} percentage point apart. Unanimous at infinity:",
        f"{_verdict(infinite)}.",
    )
    yield _findings(infinite, "average difference")
    yield _words(f"Prior known: {_verdict(known)}.")
    yield _findings(known, "average difference")


def _large_panels(table: pl.DataFrame) -> Iterator[str]:
    yield "## Many reviewers"
    yield _words(
        "The surprisal score is invariant to the noise, so that with many reviewers it approaches certainty (Theorem",
        "2). Mean and SP-inspired score are not invariant and keep ranking some pairs wrong; under opposite biases the",
        "mean even gets worse. Beta(1,1),",
        f"lambda_a = {float(LEVEL_A):g}, lambda_b = {float(LEVEL_B):g} (`large_panels.csv`):",
    )
    yield _by_method(table.pivot(on="method", index=["bias", "n"], values="accuracy"))


def _jumps(table: pl.DataFrame) -> Iterator[str]:
    real = table.filter((pl.col("after") - pl.col("before")).abs() > said.ROUNDING)
    surprisal = real.filter(pl.col("method") == "surprisal")
    largest = surprisal.sort((pl.col("after") - pl.col("before")).abs(), maintain_order=True).row(-1, named=True)
    place = f"{largest['bias']}, n={largest['n']}, Beta({largest['prior']}), lambda_a={largest['lambda_a']}"
    few = table.filter(pl.col("n") == REVIEWERS[0])
    curves = len(BIASES) * len(PRIORS) * len(LEVELS_A)
    crossing = few.filter((pl.col("method") == "surprisal") & pl.col("tied_accepts").str.contains("1:2|2:1"))
    overtaken = crossing.select("bias", "prior", "lambda_a").n_unique()
    yield "## Where the curves jump"
    yield _words(
        "`jumps.csv` has every level of paper B at which two vote counts tie, as a fraction where it is rational, with",
        f"the accuracy before, at and after it: {len(table)} on all curves of the surprisal and the SP-inspired",
        f"scores, {len(real)} of which are jumps. The largest of the surprisal score is at lambda_b =",
        f"{largest['lambda_b_exact']} ({place}): {largest['before']:.6f} before, {largest['at']:.6f} at the level",
        f"itself, {largest['after']:.6f} after.",
    )
    yield _words(
        "**Footnote, \"1 accept's score can be higher than 2 accepts' score\":",
        f"so it is.** On {overtaken} of the {curves} curves with {REVIEWERS[0]} reviewers one accept overtakes two, or",
        "two one, at a level of paper B.",
    )


def _sampled(table: pl.DataFrame, effort: Effort) -> Iterator[str]:
    apart = table["errors_apart"].abs().to_numpy()
    yield "## Checked by sampling"
    yield _words(
        f"{len(table)} points, some on every curve and by every method, {effort.pairs:,} paper pairs each",
        f"(`sampled.csv`): the sampled accuracy is within {apart.max():.1f} standard errors of the exact one",
        f"everywhere, and within 2 at {(apart <= 2).mean():.1%} of the points, where 95.4% are to be expected. The",
        f"largest standard error is {table['standard_error'].to_numpy().max():.4f}.",
    )


def _contours(table: pl.DataFrame) -> Iterator[str]:
    undefined = (table["status"] != "finite").to_numpy().mean()
    yield "## The contours of the introduction"
    yield "![contours](figures/contours.svg)"
    yield _words(
        "The score of three reviewers as a function of what they predict (`contours.csv`). It is undefined where those",
        "who accept expect no more accepts than those who reject, and where one side is certain",
        f"({undefined:.0%} of the grid); such papers are compared by their mean rating.",
    )


def _examples(table: pl.DataFrame) -> Iterator[str]:
    printed = table.filter(pl.col("printed") != "")
    wrong = printed.filter(pl.col("agrees") == "no")
    columns = ["place", "quantity", "printed", "exact", "note"]
    yield "## Worked examples"
    yield "![the model](figures/states.svg)"
    yield "![printed and exact](figures/examples.svg)"
    yield _words(
        f"{len(printed) - len(wrong)} of the {len(printed)} numbers that the paper prints in examples and footnotes",
        "are right to the digits printed (`examples.csv`; the model of the first picture is in `states.csv`). The",
        "others:",
    )
    yield _table(columns, wrong.select(*columns[:3], pl.col("exact").round(6), "note").rows())
    yield "Other misprints are in the project's `paper/DEVIATIONS.md`."


def _bounds(table: pl.DataFrame, effort: Effort) -> Iterator[str]:
    rows = []
    for theorem, how in (("binary", "exact"), ("general", f"sampled, {effort.pairs_general:,} pairs each")):
        part = table.filter(pl.col("theorem") == theorem)
        useful = part.filter((pl.col("bound") < 1) & (pl.col("error") > 0))
        tightest = (useful["bound"] / useful["error"]).to_numpy().min()
        rows.append([theorem, how, len(part), part["holds"].sum(), len(part.filter(pl.col("bound") < 1)), tightest])
    yield "## The bounds of Theorems 2 and 3"
    yield "![bounds](figures/bounds.svg)"
    headings = [
        "theorem",
        "error probability",
        "settings",
        "below the bound",
        "bound below 1",
        "least bound / error among these",
    ]
    yield _table(headings, [[*row[:-1], f"{row[-1]:.2f}"] for row in rows])
    yield _words(
        "`bounds.csv` has every setting. The footnote that the bound of Theorem 2 does not depend on the biases is",
        "true of its exponential term only: the chances of a unanimous panel do depend on them (DEVIATIONS, D14).",
    )


def _theorems(table: pl.DataFrame) -> Iterator[str]:
    rows = []
    for (statement,), part in table.group_by("statement", maintain_order=True):
        levels = _listed(part["levels"].unique(maintain_order=True))
        settings = part.group_by("levels").agg(pl.col("settings").max())["settings"].sum()
        rows.append([statement, levels, f"{settings:,}", "holds" if part["holds"].all() else "FAILS"])
    yield "## Claims and theorems"
    yield _words(
        f"On random settings; differences below {TOLERANCE:.0e} (relative, for numbers above one) are counted as",
        "equal. `theorems.csv` has the largest difference of each.",
    )
    yield _table(["statement", "levels", "settings", ""], rows)


def _of(statements: pl.DataFrame, statement: str) -> pl.DataFrame:
    return statements.filter(pl.col("statement") == statement)


def _verdict(findings: pl.DataFrame) -> str:
    against, points = int(findings["against"].sum()), int(findings["points"].sum())
    return f"holds at all {points:,} points" if against == 0 else f"does not hold at {against:,} of {points:,} points"


def _findings(findings: pl.DataFrame, average: str) -> str:
    rows = []
    for row in findings.to_dicts():
        worst = [f"{row['worst']:+.5f}", row["worst_at"]] if row["against"] else ["none against", ""]
        counts = [f"{row[column]:,}" for column in ("points", "against", "equal")]
        rows.append([row["part"], *counts, f"{row['average']:+.5f}", *worst])
    return _table(["", "points", "against", "equal", average, "worst", "where"], rows)


def _by_method(wide: pl.DataFrame) -> str:
    rows = [[row["bias"], row["n"], *(f"{row[method]:.4f}" for method in METHODS)] for row in wide.to_dicts()]
    return _table(["bias", "n", *METHODS], rows)


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _words(*parts: str) -> str:
    """A paragraph, filled; code is not broken."""
    text = re.sub("`[^`]*`", lambda code: code.group().replace(" ", NO_BREAK), " ".join(parts))
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False).replace(NO_BREAK, " ")


def _listed(things: Iterable[object]) -> str:
    return ", ".join(str(thing) for thing in things)
