"""Run docs/notebooks/researchers.ipynb from the top and keep its results in it."""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

read: Any = nbformat.read  # has no types
write: Any = nbformat.write
NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "notebooks" / "researchers.ipynb"


def executed(path: Path = NOTEBOOK) -> Any:
    """The notebook with fresh results, without what differs from run to run or from machine to machine."""
    notebook = read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False, coalesce_streams=True).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            for kind in [name for name in output.get("data", {}) if "vegalite" in name]:
                del output.data[kind]  # the picture is there as an image, too
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "mystnb"}  # words for pictures
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def texts(notebook: Any) -> list[list[str]]:
    """What each code cell printed or returned, as text; of pictures only that there is one."""
    return [[_text(output) for output in cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]


def _text(output: Any) -> str:
    if output.output_type == "stream":
        return str(output.text)
    pictures = sorted(kind for kind in output.data if kind.startswith("image/"))
    return str(pictures) if pictures else str(output.data["text/plain"])


if __name__ == "__main__":
    write(executed(), NOTEBOOK)
