"""Every number that the paper prints in an example or footnote, beside ours."""

from decimal import Decimal
from typing import NamedTuple

import numpy as np
import polars as pl

import surpeer.core as core
from surpeer.core.shapes import FloatArray
from surpeer.experiments.state_priors import FiniteStates

CLEAN_STATES = {"alpha": (0.8, 0.2), "beta": (0.5, 0.5), "gamma": (0.2, 0.8)}
PRIOR = FiniteStates(tuple(CLEAN_STATES.values()), (1 / 3, 1 / 3, 1 / 3))
REJECT_UNREAD = (0.5, (1.0, 0.0))  # noise level and bias
ACCEPT_UNREAD = (0.5, (0.0, 1.0))

AGREES, DIFFERS = "yes", "no"


class Example(NamedTuple):
    """A printed number and what it should be."""

    place: str
    quantity: str
    printed: str
    """Empty where the paper gives a formula and no number."""
    exact: float
    note: str = ""


def example_table() -> pl.DataFrame:
    """`examples.csv`: printed and exact values; `agrees` says whether one is the other, rounded as printed."""
    rows = [
        *_introduction(),
        *_model(),
        *_noise(),
        *_appendix_a(),
        *_appendix_b(),
    ]
    return pl.DataFrame([{**row._asdict(), "agrees": _agrees(row)} for row in rows]).select(
        "place", "quantity", "printed", "exact", "agrees", "note"
    )


def state_table() -> pl.DataFrame:
    """`states.csv`: the model of the paper's figures: three types of papers, clean and through two noises."""
    noises = {"none": (0.0, (0.5, 0.5)), "negative": REJECT_UNREAD, "positive": ACCEPT_UNREAD}
    rows = []
    for name, noise in noises.items():
        M = core.noise_matrix(*noise)
        joint = core.noisy_joint(PRIOR.joint, M)
        for (kind, clean), weight in zip(CLEAN_STATES.items(), PRIOR.weights, strict=True):
            seen = core.noisy_state(clean, M)
            rows.append(
                {
                    "noise": name,
                    "type": kind,
                    "probability": weight,
                    "reject": float(seen[0]),
                    "accept": float(seen[1]),
                    "surprisal_score": float(core.surprisal_score(seen, joint, [0, 1])),
                }
            )
    return pl.DataFrame(rows)


def _agrees(row: Example) -> str:
    if not row.printed:
        return ""
    digits = Decimal(row.printed).as_tuple().exponent
    half_unit = 0.5 * 10.0 ** int(digits)
    return AGREES if abs(row.exact - float(row.printed)) <= half_unit * (1 + 1e-9) else DIFFERS


def _introduction() -> list[Example]:
    U = PRIOR.joint
    cold = core.noise_matrix(0.75, [0.5, 0.5])
    seen = core.noisy_state([0.1, 0.9], cold)
    hot_score = core.surprisal_score([0.2, 0.8], U, [0, 1])
    cold_score = core.surprisal_score(seen, core.noisy_joint(U, cold), [0, 1])
    proof = "with the prior of Appendix A; any other with q = (0.5, 0.5) gives the same order"
    contour = core.joint_from_predictions([[0.6, 0.4], [0.35, 0.65]])
    three = "P01 = 0.4, P11 = 0.65, chosen by us"
    return [
        Example("peer review example", "mean of 4 accepts, 1 reject", "0.8", float(core.mean_rating([1, 4], [0, 1]))),
        Example("peer review example", "mean of 3 accepts, 2 rejects", "0.6", float(core.mean_rating([2, 3], [0, 1]))),
        Example(
            "hot and cold topic", "accepts of the cold paper, seen", "0.6", float(seen[1]), "level 0.75, bias even"
        ),
        Example("hot and cold topic", "score of the hot paper", "", float(hot_score), proof),
        Example("hot and cold topic", "score of the cold paper", "", float(cold_score), proof),
        Example("SP footnote", "popularity of reject", "", float(core.popularity([0.15, 0.85], [0.1, 0.9])[0])),
        Example("SP footnote", "popularity of accept", "", float(core.popularity([0.15, 0.85], [0.1, 0.9])[1])),
        Example(
            "SP footnote",
            "surprisingly popular signal (0 reject)",
            "0",
            float(core.surprisingly_popular([0.15, 0.85], [0.1, 0.9])),
        ),
        Example(
            "three reviewers",
            "score of 2 accepts, 1 reject",
            "",
            float(core.surprisal_score([1 / 3, 2 / 3], contour, [0, 1])),
            three,
        ),
        Example(
            "three reviewers",
            "score of 1 accept, 2 rejects",
            "",
            float(core.surprisal_score([2 / 3, 1 / 3], contour, [0, 1])),
            three,
        ),
    ]


def _model() -> list[Example]:
    return [
        Example("model figure", "prior of reject", "0.5", float(PRIOR.joint.sum(axis=1)[0])),
        Example("model figure", "accepts of a paper with w = (0.2, 0.8)", "0.8", CLEAN_STATES["gamma"][1]),
    ]


def _noise() -> list[Example]:
    down = core.noisy_state(CLEAN_STATES["gamma"], core.noise_matrix(*REJECT_UNREAD))
    up = core.noisy_state(CLEAN_STATES["alpha"], core.noise_matrix(*ACCEPT_UNREAD))
    return [
        Example("noise figure (a)", "accepts seen, negative bias, w = (0.2, 0.8)", "0.4", float(down[1])),
        Example("noise figure (b)", "accepts seen, positive bias, w = (0.8, 0.2)", "0.6", float(up[1])),
    ]


def _appendix_a() -> list[Example]:
    U, M = PRIOR.joint, core.noise_matrix(*REJECT_UNREAD)
    seen = core.noisy_joint(U, M)
    clean, noisy = "Appendix A, clean", "Appendix A, noisy"
    misprint = "printed from the rounded U (DEVIATIONS D2)"
    state = CLEAN_STATES["gamma"]
    same = "the paper of type gamma; noise does not change it (Theorem 1)"
    return [
        *_entries(clean, "q", U.sum(axis=1), ["0.5", "0.5"]),
        *_entries(clean, "U", U, ["0.31", "0.19", "0.19", "0.31"]),
        *_entries(clean, "P", core.predictions_from_joint(U), ["0.62", "0.38", "0.38", "0.62"]),
        *_entries(noisy, "M", M, ["1", "0", "0.5", "0.5"]),
        *_entries(noisy, "U", seen, ["0.58", "0.17", "0.17", "0.08"]),
        *_entries(
            noisy, "P", core.predictions_from_joint(seen), ["0.77", "0.23", "0.68", "0.32"], {2: misprint, 3: misprint}
        ),
        Example(clean, "surprisal score", "", float(core.surprisal_score(state, U, [0, 1])), same),
        Example(
            noisy, "surprisal score", "", float(core.surprisal_score(core.noisy_state(state, M), seen, [0, 1])), same
        ),
    ]


def _appendix_b() -> list[Example]:
    certain = np.diag([0.5, 0.5])
    q = certain.sum(axis=1)
    consensus = (0.5, 0.3, 0.2)
    chosen = "q = (0.5, 0.3, 0.2), chosen by us: 1 / q - 1"
    return [
        *_entries("Appendix B, footnote", "covariance", certain - np.outer(q, q), ["0.25", "-0.25", "-0.25", "0.25"]),
        *(
            Example(
                "consensus example",
                f"invariant surprisal of state {state + 1}",
                "",
                float(core.invariant_surprisal(np.eye(3)[state], np.diag(consensus))),
                chosen,
            )
            for state in range(3)
        ),
    ]


def _entries(
    place: str, name: str, array: FloatArray, printed: list[str], notes: dict[int, str] | None = None
) -> list[Example]:
    """One row for each entry of a vector or matrix."""
    return [
        Example(place, name + "".join(map(str, at)), text, float(number), (notes or {}).get(position, ""))
        for position, ((at, number), text) in enumerate(zip(np.ndenumerate(array), printed, strict=True))
    ]
