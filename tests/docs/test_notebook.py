"""The notebook for researchers holds what it gives when it is run."""

import pytest
import run_notebook


@pytest.mark.filterwarnings("default")  # of the kernel's own machinery
def test_the_notebook_gives_what_it_shows() -> None:
    shown = run_notebook.read(run_notebook.NOTEBOOK, as_version=4)
    fresh = run_notebook.executed()
    assert run_notebook.texts(fresh) == run_notebook.texts(shown), "run tools/run_notebook.py"


def test_every_result_is_kept_and_none_is_an_error_or_a_warning() -> None:
    shown = run_notebook.read(run_notebook.NOTEBOOK, as_version=4)
    code = [cell for cell in shown.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {"stream", "display_data", "execute_result"}
    assert [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"] == []


def test_results_hold_no_path_of_a_machine() -> None:
    text = run_notebook.NOTEBOOK.read_text()
    assert "/home/" not in text
    assert "/tmp/" not in text
