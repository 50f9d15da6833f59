"""Run the installed command as a user has it: with the package's own dependencies and nothing else."""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

NOT_NEEDED = ("pandas", "pyarrow", "pytest", "matplotlib", "hypothesis")


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
        run(surpeer, "plan", "--accuracy", "0.7", "--output", Path(folder, "plan.csv"))
        run(surpeer, "reproduce", "--quick", "--no-figures", "--output", Path(folder, "reproduction"))
    print("the command runs with nothing but its own dependencies")


def run(*command: object) -> None:
    finished = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if finished.returncode != 0 or "Traceback" in finished.stderr:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{finished.stdout}\n{finished.stderr}")


if __name__ == "__main__":
    main()
