"""Which module may import which: one place, checked on the syntax trees of src/surpeer.

A module imports from its own ring or from a lower one. Inside ring 1 imports follow the way of the data. The folders
of one outer ring ignore each other. Everybody may use surpeer.errors.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "surpeer"

RINGS: dict[str, int] = {
    "core": 0,
    "probability_text": 1,
    "typed_numbers": 1,
    "showing": 1,
    "proposals": 1,
    "scale": 1,
    "verdicts": 1,
    "columns": 1,
    "rating_cells": 1,
    "float_cells": 1,
    "distribution_cells": 1,
    "prediction_cells": 1,
    "prediction_units": 1,
    "prediction_rows": 1,
    "expected_cells": 1,
    "paper_cells": 1,
    "reviews": 1,
    "slips": 1,
    "paper_ids": 1,
    "plain_predictions": 1,
    "prediction_sums": 1,
    "prediction_counts": 1,
    "checked_rows": 1,
    "findings": 1,
    "paper_flags": 1,
    "deciding": 1,
    "id_hash": 1,
    "paper_statistics": 1,
    "matrices": 1,
    "scores": 1,
    "ranking": 1,
    "expectation": 1,
    "decisions": 1,
    "pipeline": 1,
    "explanation": 1,
    "what_if": 1,
    "ranking_notes": 1,
    "demo": 2,
    "experiments": 2,
    "io": 2,
    "engines": 3,
    "report": 3,
    "cli": 4,
    "web": 4,
}
WAY_OF_THE_DATA = [
    "probability_text",
    "typed_numbers",
    "showing",
    "proposals",
    "scale",
    "verdicts",
    "columns",
    "slips",
    "rating_cells",
    "float_cells",
    "distribution_cells",
    "prediction_units",
    "prediction_counts",
    "prediction_cells",
    "prediction_sums",
    "plain_predictions",
    "prediction_rows",
    "expected_cells",
    "paper_ids",
    "paper_cells",
    "checked_rows",
    "findings",
    "reviews",
    "id_hash",
    "paper_statistics",
    "matrices",
    "scores",
    "paper_flags",
    "ranking",
    "expectation",
    "deciding",
    "decisions",
    "pipeline",
    "explanation",
    "what_if",
    "ranking_notes",
]
WAY_INTO_REVIEWS = ["review_form", "workbook", "platforms", "intake"]  # folders of io, which import earlier ones only
CORE_MAY_USE = {"numpy", "scipy"}
BASE_MAY_USE = {"numpy", "scipy", "polars"}  # rings 1 to 3
MAY_ALSO_USE = {"engines": {"narwhals"}}
EVERYBODY_MAY_USE = {"errors"}
EXTRAS = {  # single files that need something else, as a rule an optional dependency
    "io/text_blocks.py": {"backports", "compression"},
    "experiments/figures.py": {"matplotlib"},
    "experiments/bench/figures.py": {"matplotlib"},
    "io/workbook/xlsx.py": {"openpyxl"},
    "io/workbook/xls.py": {"xlrd"},
    "io/results_workbook.py": {"xlsxwriter"},
    "io/row_groups.py": {"pyarrow"},
    "io/platforms/openreview/live.py": {"openreview"},
    "report/page.py": {"jinja2", "markupsafe", "vl_convert"},
    "report/picture.py": {"vl_convert"},
    "engines/compiled_loops.py": {"numba"},
    "engines/duckdb_engine.py": {"duckdb", "pyarrow"},
    **{
        f"engines/spark{part}.py": {"pyspark", "pyarrow", "py4j"}
        for part in (
            "",
            "_batches",
            "_checking",
            "_deciding",
            "_failures",
            "_files",
            "_heads",
            "_listing",
            "_notes",
            "_parquet",
            "_ranking",
            "_run",
            "_session",
            "_sums",
            "_text",
        )
    },
}


def problems() -> list[str]:
    return [problem for path in sorted(SOURCE.rglob("*.py")) for problem in _problems_of(path)]


def _problems_of(path: Path) -> Iterator[str]:
    part = path.relative_to(SOURCE).with_suffix("").parts[0]
    if part in ("__init__", "__main__", "errors"):
        return
    if part not in RINGS:
        yield f"{path.name}: {part} has no ring; give it one in tools/check_rings.py"
        return
    parts = path.relative_to(SOURCE).parts
    folder = parts[1] if len(parts) > 2 and parts[0] == "io" else None
    extras = EXTRAS.get(path.relative_to(SOURCE).as_posix(), set())
    for line, module in _imports(path):
        complaint = (
            None if module.split(".")[0] in extras else _complaint(part, module) or _io_complaint(folder, module)
        )
        if complaint:
            yield f"{path.relative_to(SOURCE.parent)}:{line}: {complaint}"


def _complaint(part: str, module: str) -> str | None:
    top, *rest = module.split(".")
    if top != "surpeer":
        return _foreign_complaint(part, top)
    other = rest[0] if rest else None
    if other is None:
        return None if RINGS[part] == 4 else f"{part} imports the package as a whole"
    if other in EVERYBODY_MAY_USE or other == part:
        return None
    if RINGS[other] > RINGS[part]:
        return f"{part} (ring {RINGS[part]}) imports {other} (ring {RINGS[other]})"
    if RINGS[other] == RINGS[part] == 1 and WAY_OF_THE_DATA.index(other) > WAY_OF_THE_DATA.index(part):
        return f"{part} comes before {other} on the way of the data"
    if RINGS[other] == RINGS[part] and RINGS[part] > 1:
        return f"{part} and {other} are of one ring and should ignore each other"
    return None


def _io_complaint(folder: str | None, module: str) -> str | None:
    names = module.split(".")
    other = names[2] if len(names) > 2 and names[:2] == ["surpeer", "io"] else None
    if folder not in WAY_INTO_REVIEWS or other not in WAY_INTO_REVIEWS:
        return None
    later = WAY_INTO_REVIEWS.index(other) > WAY_INTO_REVIEWS.index(folder)
    return f"io.{folder} comes before io.{other} on the way into reviews" if later else None


def _foreign_complaint(part: str, package: str) -> str | None:
    if package in sys.stdlib_module_names or RINGS[part] == 4:
        return None
    allowed = CORE_MAY_USE if RINGS[part] == 0 else BASE_MAY_USE | MAY_ALSO_USE.get(part, set())
    return None if package in allowed else f"{part} imports {package}, allowed are {', '.join(sorted(allowed))}"


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""


if __name__ == "__main__":
    found = problems()
    print("\n".join(found) or "every module is in its ring")
    sys.exit(bool(found))
