"""How well surpeer ranks papers beside what people use today, on made-up venues where different things go wrong.

    python benchmarks/tools_today.py [--seed 1] [--venues workshop=60 panel=20 conference=6] [--levels 5 2 10]
                                     [--slow-venues 3] [--slow-levels 5 2] [--real FOLDER] [--output FOLDER]
                                     [--only WORD]

Prints, for every kind of venue, the share of pairs of papers that the mean rating puts in the right order (ties count
one half), and by how many points (hundredths) other tools are above it, over the same pairs, each with its standard
error over venues. Then the time that each tool takes. Tables are Markdown. Slow tools see the first venues only, not
on all scales. With --real, also questions with a known answer (the folder that `surpeer bench accuracy --real` reads).
With --output, all numbers as a CSV file, and a picture. crowd-kit is measured where it is installed. `other_tools` has
the tools and the venues.
"""

import argparse
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from other_tools import crowd_kit
from other_tools.averages import mean_rating
from other_tools.registry import BASELINE, Scored, Tool, tools
from other_tools.studies import real_venues
from other_tools.worlds import SIZES, WORLDS, Size, Venue, draw_venue

from surpeer.core.shapes import FloatArray
from surpeer.experiments.bench.grid import generator
from surpeer.experiments.bench.judging import choose_pairs, rightness

POINTS = 100
TIMED = Size(400, 5, 5)
PANELS = 40
"""Random panels drawn from each real study."""
SCHEMA = {"venue": pl.String, "levels": pl.Int64, "world": pl.String, "tool": pl.String, "venues": pl.Int64}
SCHEMA |= dict.fromkeys(("accuracy", "accuracy_error", "above_mean", "above_mean_error"), pl.Float64)
Row = tuple[object, ...]


def accuracy(venue: Venue, scored: Scored, rng: np.random.Generator) -> float:
    """Share of pairs in the right order; ties of scores count one half, papers of equal quality are not compared."""
    pairs = choose_pairs(rng, len(venue.quality))
    right = rightness(pairs, *scored, mean_rating(venue.reviews), venue.quality)
    return float(right[venue.quality[pairs.a] != venue.quality[pairs.b]].mean())


def judge(venues: Iterable[Venue], chosen: Sequence[Tool], slow_venues: int, seed: int) -> dict[str, FloatArray]:
    """Accuracy of every tool on every venue, in order; slow tools on the first ones only."""
    found: dict[str, list[float]] = {}
    for at, venue in enumerate(venues):
        for tool in chosen:
            left_out = (tool.is_slow and at >= slow_venues) or len(venue.quality) > tool.most_papers
            scored = None if left_out else tool.function(venue.reviews)
            if scored is not None:
                found.setdefault(tool.name, []).append(accuracy(venue, scored, generator(seed, "pairs", at)))
    return {name: np.array(numbers) for name, numbers in found.items()}


def summary(found: dict[str, FloatArray]) -> list[Row]:
    """For each tool: its name, venues, accuracy and points above the mean rating over the same venues, with errors."""
    rows: list[Row] = []
    for name, numbers in found.items():
        above = POINTS * (numbers - found[BASELINE][: len(numbers)])
        rows.append((name, len(numbers), *mean_and_error(POINTS * numbers), *mean_and_error(above)))
    return rows


def mean_and_error(numbers: FloatArray) -> tuple[float, float]:
    spread = float(numbers.std(ddof=1)) if len(numbers) > 1 else np.nan
    return float(numbers.mean()), spread / float(np.sqrt(len(numbers)))


def made_up(size: str, levels: int, chosen: Sequence[Tool], options: argparse.Namespace) -> list[Row]:
    """One kind of venue in every world."""
    rows: list[Row] = []
    for world in WORLDS:
        names = f"{size} {levels} {world.name}"
        venues = (
            draw_venue(world, SIZES[size], levels, generator(options.seed, names, at))
            for at in range(options.venues[size])
        )
        slow_venues = options.slow_venues if levels in options.slow_levels else 0
        found = judge(venues, chosen, slow_venues, options.seed)
        rows += [(size, levels, world.name, *row) for row in summary(found)]
    return rows


def real(folder: Path, chosen: Sequence[Tool], options: argparse.Namespace) -> list[Row]:
    """Every study with its whole crowd, and with random panels."""
    rows: list[Row] = []
    for people in (None, 8):
        for name, venues in real_venues(folder, people, 1 if people is None else PANELS, options.seed):
            found = judge(venues, chosen, options.slow_venues, options.seed)
            crowd = "everybody" if people is None else f"panels of {people}"
            rows += [(crowd, 2, name, *row) for row in summary(found)]
    return rows


def print_table(title: str, rows: list[Row], chosen: Sequence[Tool]) -> None:
    """One column for each world, one line for each tool."""
    worlds = list(dict.fromkeys(str(row[2]) for row in rows))
    cells = {(row[3], row[2]): row for row in rows}
    print(f"\n{title}\n\n| | {' | '.join(worlds)} |\n|---|{'---|' * len(worlds)}", flush=True)
    for tool in chosen:
        texts = [cell_text(cells.get((tool.name, world))) for world in worlds]
        print(f"| {tool.name} | {' | '.join(texts)} |", flush=True)


def cell_text(row: Row | None) -> str:
    """Accuracy for the mean rating, points above it for the others."""
    if row is None:
        return "-"
    sign, (number, error) = ("", row[5:7]) if row[3] == BASELINE else ("+", row[7:9])
    assert isinstance(number, float)
    return f"{number:{sign}.1f}" if error != error else f"{number:{sign}.1f} ± {error:.1f}"


def print_times(chosen: Sequence[Tool], seed: int) -> None:
    """Of the processor, on five levels; the best of three, of slow tools the only one, with everything loaded."""
    small, venue = (draw_venue(WORLDS[0], size, 5, generator(seed, "time", 0)) for size in (Size(12, 5, 6), TIMED))
    thousands = len(venue.reviews.rating) / 1000
    print(f"\nMilliseconds of the processor for 1,000 reviews ({TIMED.words}; 5 levels)\n\n| tool | ms |\n|---|---|")
    for tool in chosen:
        tool.function(small.reviews)
        seconds = []
        for _ in range(1 if tool.is_slow else 3):
            start = time.process_time()
            tool.function(venue.reviews)
            seconds.append(time.process_time() - start)
        print(f"| {tool.name} | {1000 * min(seconds) / thousands:,.1f} |", flush=True)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--venues", nargs="*", default=["workshop=60", "panel=20", "conference=6"])
    parser.add_argument("--levels", nargs="*", type=int, default=[5, 2, 10])
    parser.add_argument("--slow-venues", type=int, default=3)
    parser.add_argument("--slow-levels", nargs="*", type=int, default=[5, 2])
    parser.add_argument("--real", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--only", default="", help="tools whose name has this in it, beside the mean rating")
    options = parser.parse_args(arguments)
    counts = dict(text.partition("=")[::2] for text in options.venues)
    if not all(name in SIZES and count.isdecimal() and int(count) for name, count in counts.items()):
        parser.error(f"--venues: found {' '.join(options.venues)}, expected NAME=NUMBER with {', '.join(SIZES)}")
    if not all(2 <= levels <= 20 for levels in options.levels):
        parser.error(f"--levels: found {options.levels}, expected numbers from 2 to 20")
    options.venues = {name: int(count) for name, count in counts.items()}
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = parsed(arguments)
    chosen = [tool for tool in tools() if options.only in tool.name or tool.name == BASELINE]
    if not crowd_kit.is_installed():
        print("crowd-kit is not installed and left out: pip install crowd-kit 'scikit-learn<1.7'")
    rows: list[Row] = []
    for levels in options.levels:
        for size in options.venues:
            made = made_up(size, levels, chosen, options)
            print_table(f"{size}, {levels} levels ({SIZES[size].words}; {options.venues[size]} venues)", made, chosen)
            rows += made
    if options.real:
        found = real(options.real, chosen, options)
        for crowd in dict.fromkeys(row[0] for row in found):
            print_table(f"real votes, {crowd}", [row for row in found if row[0] == crowd], chosen)
        rows += found
    print_times(chosen, options.seed)
    if options.output:
        from other_tools.picture import write_picture

        options.output.mkdir(parents=True, exist_ok=True)
        table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
        table.write_csv(options.output / "tools-today.csv")
        write_picture(table, options.output / "tools-today.svg")


if __name__ == "__main__":
    main()
