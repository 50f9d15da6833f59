"""Write paper/REPRODUCTION.md and its pictures (as SVG) from a full run of `surpeer reproduce`."""

from pathlib import Path

from surpeer.experiments import figures
from surpeer.experiments.reproduction import PAGE, Reproduction
from surpeer.experiments.settings import FULL

FOLDER = Path(__file__).resolve().parent.parent / "paper"


def main() -> None:
    (FOLDER / "figures").mkdir(exist_ok=True)
    for step in Reproduction(FULL, figures).steps():
        made = step.make()
        if step.file == PAGE or step.file.endswith(".svg"):
            (FOLDER / step.file).write_bytes(made)


if __name__ == "__main__":
    main()
