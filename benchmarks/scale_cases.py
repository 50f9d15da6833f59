"""The cases of `scale.py`: each is a function that measures and yields lines of the table, with their targets."""

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import product

import polars as pl
from scale_bench import Bench, Line
from scale_contenders import others
from scale_data import ROW_GROUP, Venue, pieces
from scale_timing import in_turns, outside

import surpeer
from surpeer.core.venue import FIT_PAPERS
from surpeer.engines.memory import DATABASE, PER_SUM_OF_QUERY, least_memory, least_to_read
from surpeer.engines.sums import number_of_sums, plain_form
from surpeer.io.review_files import find_review_files

LINEAR = 1.05
"""Time that grows as the number of reviews to this power is called linear: 26% more per review at 100 times as many."""


def binary(bench: Bench) -> Iterator[Line]:
    """Two levels, whole numbers as ids, shuffled."""
    for ids in ("dense", "sparse"):
        venue, name = Venue(bench.rows(20), ids=ids), f"{ids} ids, shuffled"
        yield from _against_read(bench, venue, name, 10, grouped=1.15)
        if find_spec("numba") is not None:
            yield from _by_loops(bench, venue, name)


def in_order(bench: Bench) -> Iterator[Line]:
    """Reviews of a paper next to each other."""
    yield from _against_read(bench, Venue(bench.rows(20), order="sorted"), "sorted", 4)
    yield from _against_read(bench, Venue(bench.rows(20), ids="sparse", order="sorted"), "sorted, sparse ids", 4)


def text(bench: Bench) -> Iterator[Line]:
    """Ids that are text."""
    yield from _against_read(bench, Venue(bench.rows(20), ids="text"), "text as ids", 12)


def csv(bench: Bench) -> Iterator[Line]:
    """A table as text."""
    yield from _against_read(bench, Venue(bench.rows(20), ending="csv"), "CSV", 2.5)


def reviewers(bench: Bench) -> Iterator[Line]:
    """Also looks whether a review is there twice."""
    yield from _against_read(bench, Venue(bench.rows(20), reviewers=True), "with reviewers", None)


def duckdb(bench: Bench) -> Iterator[Line]:
    """The other engine on this machine: its time, and its memory where as little as possible is allowed."""
    if find_spec("duckdb") is None:
        print("duckdb is not installed: not compared with it", file=sys.stderr)
        return
    best = bench.in_turns(Venue(bench.rows(20)), "surprisal", "surprisal, duckdb")
    theirs = best["surprisal, duckdb"]
    yield Line("engine duckdb / engine polars", theirs.seconds / best["surprisal"].seconds, run=theirs)
    venues = [
        *(
            Venue(bench.rows(3), ids=ids, title=letters, group=1 << 17)
            for ids in ("dense", "text")
            for letters in (0, 80)
        ),
        Venue(bench.rows(1.5), title=640, group=1 << 17),
        *(Venue(bench.rows(3), levels=levels, ids="sparse", per_paper=1) for levels in (2, 4)),
        Venue(bench.rows(2), levels=10),
    ]
    for venue, (method, papers) in product(venues, (("mean", 0), ("venue", FIT_PAPERS))):
        sums = number_of_sums(plain_form(venue.levels, moments=papers > 0))
        least = least_memory(venue.levels, papers, database=DATABASE + sums * PER_SUM_OF_QUERY)
        megabytes = -(-least // 1_000_000)
        run = bench.largest_command(venue, method, "--memory", f"{megabytes}MB", "--engine", "duckdb")
        what = f"duckdb, {method}, {venue.name}: peak / --memory {megabytes}MB"
        yield Line(what, run.megabytes / megabytes, "x", 1, run=run)


def _against_read(
    bench: Bench, venue: Venue, name: str, limit: float | None, grouped: float | None = None
) -> Iterator[Line]:
    best = bench.in_turns(venue, "read", "group-by", "surprisal")
    ours, bare = best["surprisal"], best["read"]
    yield Line(f"{name}: bare read", bare.seconds, "s", run=bare)
    yield Line(f"{name}: bare group-by", best["group-by"].seconds, "s", run=best["group-by"])
    yield Line(f"{name}: score / bare group-by", ours.seconds / best["group-by"].seconds, "x", grouped, run=ours)
    yield Line(f"{name}: score / bare read", ours.seconds / bare.seconds, "x", limit, run=ours)
    command = bench.command(venue)
    yield Line(f"{name}: command / bare read", command.seconds / bare.seconds, run=command)


def _by_loops(bench: Bench, venue: Venue, name: str) -> Iterator[Line]:
    """The same for those who have the extra `fast`, and many runs."""
    best = bench.in_turns(venue, "read", "group-by", "surprisal, compiled")
    ours = best["surprisal, compiled"]
    for bare, limit in (("group-by", 1.15), ("read", 10)):
        ratio = ours.seconds / best[bare].seconds
        yield Line(f"{name}, compiled: score / bare {bare}", ratio, "x", limit, run=ours)


def four_levels(bench: Bench) -> Iterator[Line]:
    """Four levels: four reviews of each paper, of which few have all levels, and sixteen, of which most have."""
    for per_paper in (4, 16):
        venue = Venue(bench.rows(8), levels=4, per_paper=per_paper)
        name = f"four levels, {per_paper} reviews each"
        yield from _against_read(bench, venue, name, 10)
        best = bench.in_turns(venue, "group-by", "group-by with products", "venue")
        for bare in ("group-by", "group-by with products"):
            ratio = best["venue"].seconds / best[bare].seconds
            yield Line(f"{name}: venue / bare {bare}", ratio, "x", 4, run=best["venue"])
        command = bench.command(venue, "venue")
        yield Line(f"{name}: venue, command / bare group-by", command.seconds / best["group-by"].seconds, run=command)


def out_of_core(bench: Bench) -> Iterator[Line]:
    """With little memory, against all that there is."""
    venue, limit = Venue(bench.rows(100)), f"{bench.memory}MB"
    for method in ("surprisal", "venue"):
        free, little = bench.commands_in_turns(venue, method, (), ("--memory", limit))
        yield Line(f"{method}, all memory: command", free.seconds, "s", run=free)
        yield Line(
            f"{method}, --memory {limit}: command / with all memory",
            little.seconds / free.seconds,
            "x",
            1.3,
            run=little,
        )
        yield Line(f"{method}, --memory {limit}: peak", little.megabytes, "MB", bench.memory, run=little)


def least(bench: Bench) -> Iterator[Line]:
    """With as little memory as the venue method can be asked to take."""
    for levels in (2, 3, 4, 5, 7, 10):
        megabytes = -(-least_memory(levels, FIT_PAPERS) // 1_000_000)
        for ids in ("dense", "text"):
            venue = Venue(bench.rows(3), levels=levels, ids=ids)
            run = bench.largest_command(venue, "venue", "--memory", f"{megabytes}MB")
            what = f"venue, {levels} levels, {ids} ids: peak / --memory {megabytes}MB, the least"
            yield Line(what, run.megabytes / megabytes, "x", 1, run=run)


def titles(bench: Bench) -> Iterator[Line]:
    """Rows that are wide because of their texts, in small groups and in large ones, which have dictionaries of them;
    and where these texts are categories, with ids that are texts, too. From the least memory on; less is refused."""
    kinds = ((80, 4.0, False), (640, 1.5, False), (80, 4.0, True))
    for (letters, millions, categories), group in product(kinds, (1 << 17, ROW_GROUP)):
        ids = "text" if categories else "dense"
        venue = Venue(bench.rows(millions), ids=ids, title=letters, group=group, categories=categories)
        held = find_review_files(venue.file_in(bench.folder)).held_while_reading().bytes
        least = -(-least_to_read(held) // 1_000_000)
        for megabytes in sorted({least, *(some for some in (384, 512, 700, 1000) if some > least)}):
            run = bench.largest_command(venue, "surprisal", "--memory", f"{megabytes}MB")
            are = "categories" if categories else "titles"
            what = f"{are} of {letters} letters, groups of {group:,}: peak / --memory {megabytes}MB"
            yield Line(what, run.megabytes / megabytes, "x", 1, run=run)


def validate(bench: Bench) -> Iterator[Line]:
    """`surpeer validate` with little memory, and with the least."""
    venues = [
        (Venue(bench.rows(100), reviewers=True), 512),
        *((Venue(bench.rows(20), ids=ids, reviewers=True), 384) for ids in ("dense", "sparse", "text")),
        (Venue(bench.rows(20), ids="text", ending="csv"), 384),
        (Venue(bench.rows(5), levels=20), 384),
    ]
    for venue, megabytes in venues:
        run = bench.largest_check(venue, "--memory", f"{megabytes}MB")
        what = f"{venue.name}: peak / --memory {megabytes}MB"
        yield Line(what, run.megabytes / megabytes, "x", 1, run=run)


def growth(bench: Bench) -> Iterator[Line]:
    """From 1M to 100M reviews, four of each paper: the whole command, and how it grows beyond its start."""
    sizes = [bench.rows(millions) for millions in (1, 3, 10, 30, 100)]
    bytes_of_file = Venue(sizes[-1]).file_in(bench.folder).stat().st_size
    yield Line(f"{sizes[-1]:,} reviews in Parquet, per review", bytes_of_file / sizes[-1], "bytes")
    for method in ("surprisal", "venue"):
        begin = bench.command(Venue(12), method)
        runs = [bench.command(Venue(rows), method) for rows in sizes]
        for rows, run in zip(sizes, runs, strict=True):
            yield Line(f"{method}, {rows:,} reviews: command", run.seconds, "s", run=run)
        seconds = [max(run.seconds - begin.seconds, 1e-3) for run in runs]
        memory = [max(run.megabytes - begin.megabytes, 1.0) for run in runs]
        yield Line(f"{method}: time grows as reviews to the power", _power(sizes, seconds), "", LINEAR)
        yield Line(
            f"{method}: time, from the last size but one to the last", _power(sizes[-2:], seconds[-2:]), "", LINEAR
        )
        yield Line(f"{method}: memory grows as papers to the power", _power(sizes, memory), "", LINEAR)
        yield Line(f"{method}: microseconds per review, largest", 1e6 * seconds[-1] / sizes[-1], "us")
        yield Line(f"{method}: memory per paper, largest", memory[-1] * 1e6 / (sizes[-1] / 4), "bytes")


def _power(sizes: list[int], taken: list[float]) -> float:
    return math.log(taken[-1] / taken[0]) / math.log(sizes[-1] / sizes[0])


def shapes(bench: Bench) -> Iterator[Line]:
    """As many reviews, with more levels or of fewer papers."""
    for levels, per_paper in ((2, 4), (4, 4), (10, 4), (2, 1), (2, 16), (2, 64)):
        venue = Venue(bench.rows(8), levels=levels, per_paper=per_paper)
        for method in ("surprisal", "venue"):
            run = bench.command(venue, method)
            yield Line(
                f"{method}, {venue.rows:,} reviews, {levels} levels, {per_paper} each: command",
                run.seconds,
                "s",
                run=run,
            )


def start(bench: Bench) -> Iterator[Line]:
    """A file of twelve reviews."""
    path = bench.folder / "tiny.csv"
    next(pieces(Venue(12))).write_csv(path)
    run = min(outside("-m", "surpeer", "score", path) for _ in range(bench.repeats + 3))
    yield Line("surpeer score on a tiny file", run.seconds, "s", 0.7, run=run)


def thousand(bench: Bench) -> Iterator[Line]:
    """A thousand papers from Python: reviews that are read already, and from a table."""
    table = next(pieces(Venue(4000)))
    reviews = surpeer.Reviews.from_table(table, surpeer.Scale(["0", "1"]))
    for method in surpeer.METHODS:
        calls: dict[str, Callable[[], object]] = {
            "score": lambda method=method: surpeer.score(surpeer.build_matrices(reviews), method),  # type: ignore[misc]
            "calibrate": lambda method=method: surpeer.calibrate(reviews, method),  # type: ignore[misc]
        }
        for name, run in in_turns(calls, 20 * bench.repeats).items():
            yield Line(f"1,000 papers, {method}: {name}", 1e3 * run.seconds, "ms", 2 if name == "score" else None)
    whole = {"table": lambda: surpeer.Reviews.from_table(table, surpeer.Scale(["0", "1"]))}
    yield Line("1,000 papers: Reviews.from_table", 1e3 * in_turns(whole, 20 * bench.repeats)["table"].seconds, "ms")


def other_tools(bench: Bench) -> Iterator[Line]:
    """What people use for small tables, per row: on the same file; on fewer rows, where they are faster per row because
    all fits into the processor's cache, so that there reading our file is not much faster per row, let alone scoring;
    and, of what would take hours on the file, on fewer rows only. Ours is with compiled loops where numba is installed,
    each warm, ours just before and after theirs."""
    venue, found = Venue(bench.rows(20)), others()
    ours, read = bench.call("surprisal, compiled", venue), bench.call("read", venue)
    names = {"crowd-kit": "MajorityVote of crowd-kit", "pandas": "groupby-apply of pandas"}
    targets = (("crowd-kit", venue.rows, 20), ("crowd-kit", 400_000, None), ("pandas", 40_000, 1000))
    for name, rows, limit in targets:
        if name not in found:
            print(f"{name} is not installed: not compared with it", file=sys.stderr)
            continue
        same = rows == venue.rows
        table = pl.read_parquet(venue.file_in(bench.folder)) if same else next(pieces(Venue(rows)))
        before = in_turns({"ours": ours}, bench.repeats)["ours"]
        theirs = in_turns({name: partial(found[name], table)}, 1)[name]
        after = in_turns({"ours": ours}, bench.repeats)["ours"]
        what, per_row = names[name] + (" on the same file" if same else f" on {rows:,} rows"), theirs.seconds / rows
        ratio = per_row / (min(before, after).seconds / venue.rows)
        yield Line(f"{what} / score, per row", ratio, "x", limit, at_least=True, run=theirs)
        if limit is None:
            bare = in_turns({"read": read}, bench.repeats)["read"]
            yield Line(f"{what} / bare read, per row", per_row / (bare.seconds / venue.rows), "x", run=bare)


CASES: dict[str, Callable[[Bench], Iterator[Line]]] = {
    "binary": binary,
    "sorted": in_order,
    "levels": four_levels,
    "text": text,
    "csv": csv,
    "out-of-core": out_of_core,
    "least": least,
    "titles": titles,
    "validate": validate,
    "others": other_tools,
    "start": start,
    "thousand": thousand,
    "growth": growth,
    "shapes": shapes,
    "reviewers": reviewers,
    "duckdb": duckdb,
}
