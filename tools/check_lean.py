"""Run the installed command as a user has it: with the package's own dependencies and nothing else."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

NOT_NEEDED = (
    "django",
    "gunicorn",
    "hypothesis",
    "jinja2",
    "matplotlib",
    "ninja",
    "openpyxl",
    "openreview",
    "pandas",
    "psycopg",
    "pyarrow",
    "pytest",
    "vl_convert",
    "xlrd",
    "xlsxwriter",
)
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def main() -> None:
    present = [name for name in NOT_NEEDED if importlib.util.find_spec(name)]
    if present:
        sys.exit(f"this environment is not lean: it has {', '.join(present)}")
    surpeer = Path(sys.executable).parent / "surpeer"
    with tempfile.TemporaryDirectory() as folder:
        demo = Path(folder, "demo")
        run(surpeer, "demo", "--output", demo)
        for ending in ("csv", "json", "parquet", "txt"):
            run(surpeer, "score", demo / "reviews.csv", "--output", Path(folder, f"ranking.{ending}"))
        run(surpeer, "explain", demo / "reviews.csv", "Paper 01")
        run(surpeer, "validate", demo / "reviews.csv")
        run(surpeer, "methods")
        run(surpeer, "platforms")
        run(surpeer, "form", "hotcrp", "--levels", "1..4", "--output", Path(folder, "form.json"))
        export, form = EXAMPLES / "hotcrp-reviews.csv", EXAMPLES / "hotcrp-form.json"
        run(surpeer, "score", export, "--form", form, "--to", "hotcrp", "--output", Path(folder, "tags.csv"))
        run(surpeer, "convert", EXAMPLES / "openreview-notes.json", "--output", Path(folder, "reviews.csv"))
        fail("surpeer[excel]", surpeer, "score", export, "--to", "xlsx", "--output", Path(folder, "ranking.xlsx"))
        fail("surpeer[openreview]", surpeer, "score", "openreview:Example.org/2026/Workshop")
        reviews, page, picture = demo / "reviews.csv", Path(folder, "report.html"), Path(folder, "moved.svg")
        fail("surpeer[report]", surpeer, "report", reviews, "--output", page)
        fail("surpeer[report]", surpeer, "plot", "moved", reviews, "--output", picture)
        fail("surpeer[web]", surpeer, "serve", "--demo")
        fail("surpeer[web]", surpeer, "backup", Path(folder, "backup.zip"))
        fail("surpeer[web]", surpeer, "restore", Path(folder, "backup.zip"))
        run(surpeer, "plan", "--accuracy", "0.7", "--output", Path(folder, "plan.csv"))
        run(surpeer, "reproduce", "--quick", "--no-figures", "--output", Path(folder, "reproduction"))
    print("the command runs with nothing but its own dependencies")


def run(*command: object) -> None:
    finished = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if finished.returncode != 0 or "Traceback" in finished.stderr:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{finished.stdout}\n{finished.stderr}")


def fail(message: str, *command: object) -> None:
    """A command that needs an extra says so."""
    finished = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if finished.returncode != 2 or message not in finished.stderr:
        sys.exit(f"{' '.join(map(str, command))} does not ask for {message}:\n{finished.stdout}\n{finished.stderr}")


if __name__ == "__main__":
    main()
