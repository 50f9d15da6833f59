"""Write docs/reference/python*.md from the public names and their docstrings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType

from public_names import describe

import surpeer
import surpeer.core
import surpeer.experiments

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOT_EDITED = "Written from the docstrings by `tools/write_python_reference.py`; do not edit."
ARRAYS = "`FloatArray`, `IntArray` and `BoolArray` are numpy arrays; `ArrayLike` is all that numpy makes an array of."


PYTHON = """\
What `import surpeer` offers. The formulas of the paper are in [`surpeer.core`](python-core.md), its experiments and the
planning of venues in [`surpeer.experiments`](python-experiments.md).

```python
import surpeer

ranking = surpeer.calibrate(surpeer.read_reviews("examples/workshop.csv"))
print(ranking.table)
print(ranking.scores["W03"].value)
decisions = surpeer.decide(ranking, 0.25)
print(decisions.count("discuss"), decisions.table)
```"""

PICTURES = """\
What `plot()` of a ranking, of decisions or of an explanation gives. A notebook shows it. (`Drawing` in the signatures
of `plot` is what a `Picture` has: `spec`, `svg`, `png`, `save`.)"""

VALUES = """\
Each is made from the one before. `Scores` has arrays with an entry for every paper; `scores["W03"]` is a `Score`, whose
fields say the same of that paper alone, and are None where the method does not know them."""

PARTS = """\
Seldom needed by name: what fields of the values above hold. They are imported from where they stand."""

MADE_UP = """\
Venues whose truth is known, for a first look and for the [notebook](../notebooks/researchers.ipynb)."""

EXPLANATIONS = """\
A notebook shows an explanation as a table. The text that `surpeer explain` prints:

```python
from surpeer.cli.explanation_text import explanation_text

print(explanation_text(surpeer.explain(ranking, "W07")))
```"""

ERRORS = """\
[Error messages](errors.md#in-python) has the tree, and an example that goes through `problems`."""

CORE = """\
One function for each definition, claim and theorem of the paper (Lu and Kong, NeurIPS 2023). Arrays in, arrays out, any
number of leading axes; `surpeer.core` needs numpy and scipy alone. K is the number of levels, called signals in the
paper; `...` stands for any leading axes.

```python
import numpy as np
from surpeer import core

U = np.array([[0.31, 0.19], [0.19, 0.31]])  # the joint of the paper's example
M = core.noise_matrix([0.0, 0.3, 0.6], [0.0, 1.0])  # three noises at once: (3, 2, 2)
seen = core.noisy_state([0.2, 0.8], M)  # (3, 2)
scores = core.surprisal_score(seen, core.noisy_joint(U, M), [0, 1])  # (3,)
assert np.allclose(scores, scores[0])  # the noise does not matter
```"""

EXPERIMENTS = """\
How often methods are right, exactly or by sampling, and how many reviewers a venue needs
([how accuracy is computed](../explanation/experiments.md))."""


@dataclass(frozen=True)
class Page:
    """One page of the reference."""

    file: str
    title: str
    module: ModuleType
    head: str
    groups: Mapping[str, tuple[str, ...]]
    """Names under headings; whatever else is public comes last. A name with its module is not public."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """What stands below some of the headings."""


PAGES = (
    Page(
        "python.md",
        "Python",
        surpeer,
        PYTHON,
        {
            "From a file to a decision": ("read_reviews", "calibrate", "decide", "explain"),
            "Reviews larger than memory": ("score_files", "FilesResult", "load_loops", "score_on_spark"),
            "A report": ("write_report", "Origin"),
            "Pictures": ("Picture",),
            "The steps of `calibrate`": ("build_matrices", "score", "rank", "METHODS"),
            "Two papers": ("compare", "probability_better"),
            "Scales": ("Scale", "PRESETS", "read_scale"),
            "Values": ("Reviews", "Matrices", "Scores", "Score", "Status", "Ranking"),
            "Proposals": ("Decisions", "Proposal", "Reason"),
            "Explanations": ("Explanation",),
            "Parts of these values": (
                "surpeer.explanation.VenueExplanation",
                "surpeer.core.venue.Parts",
                "surpeer.core.venue.Trust",
                "surpeer.scores.method.Outcome",
                "surpeer.scores.method.Method",
            ),
            "Made-up venues": (
                "surpeer.demo.make_venue",
                "surpeer.demo.Venue",
                "surpeer.demo.pairwise_accuracy",
            ),
            "Errors": (
                "SurpeerError",
                "InputError",
                "ReviewProblems",
                "Problem",
                "ScaleError",
                "UnknownName",
                "ArrayError",
            ),
        },
        {
            "Pictures": PICTURES,
            "Values": VALUES,
            "Explanations": EXPLANATIONS,
            "Parts of these values": PARTS,
            "Made-up venues": MADE_UP,
            "Errors": ERRORS,
        },
    ),
    Page(
        "python-core.md",
        "Python: the formulas",
        surpeer.core,
        CORE,
        {
            "The model": (
                "prior_from_predictions",
                "joint_from_predictions",
                "predictions_from_joint",
                "joint_from_dirichlet",
            ),
            "Noise": ("noise_matrix", "noise_level_and_bias", "noisy_state", "noisy_joint"),
            "Scores": ("surprisal_vector", "surprisal_score", "noise_scale", "sp_inspired_score"),
            "Bounds": ("error_bound_binary", "error_bound_general"),
        },
    ),
    Page(
        "python-experiments.md",
        "Python: the experiments",
        surpeer.experiments,
        EXPERIMENTS,
        {
            "Exact": ("accuracy", "accuracies", "error_probability", "ties_on_curve", "Tie", "METHODS"),
            "By sampling": ("sample_accuracy", "sample_accuracies", "Estimate", "Dirichlet", "FiniteStates"),
            "How people predict": ("LogNoise", "Conservative", "FalseConsensus"),
            "Planning": ("plan_exactly", "plan_by_sampling", "Plan", "PaperKind"),
        },
    ),
)


def public_names(module: ModuleType) -> list[str]:
    """What a module exports, without modules and private names."""
    return [
        name
        for name in module.__all__
        if not name.startswith("_") and not isinstance(getattr(module, name), ModuleType)
    ]


def write_page(page: Page) -> str:
    """The whole page as text."""
    grouped = [name for names in page.groups.values() for name in names]
    others = tuple(name for name in public_names(page.module) if name not in grouped)
    parts = [f"# {page.title}", NOT_EDITED, page.head, ARRAYS]
    for heading, names in [*page.groups.items(), *([("More", others)] if others else [])]:
        parts += [f"## {heading}", page.texts.get(heading, "")]
        for name in names:
            parts += _entry(name, page.module)
    return "\n\n".join(part for part in parts if part) + "\n"


def _entry(name: str, module: ModuleType) -> list[str]:
    """The heading and the paragraphs of one name; of one that is not public also where it is."""
    home, _, last = name.rpartition(".")
    if not home:
        return [f"### {name}", *describe(name, getattr(module, name), module)]
    module = import_module(home)
    return [f"### {last}", f"`from {home} import {last}`", *describe(last, getattr(module, last), module)]


def main() -> None:
    for page in PAGES:
        (FOLDER / page.file).write_text(write_page(page), encoding="utf-8")


if __name__ == "__main__":
    main()
