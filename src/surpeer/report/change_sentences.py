"""What one changed rating would do to each paper, in words."""

from surpeer.decisions import Decisions, ranking_of
from surpeer.probability_text import probability_text
from surpeer.proposals import Proposal, Reason
from surpeer.ranking import Ranking
from surpeer.what_if import ChangedRating


def change_sentences(changed: ChangedRating, results: Ranking | Decisions) -> list[str | None]:
    """One sentence for each row of the ranking; None where no rating can be changed so."""
    ranking = ranking_of(results)
    labels = ranking.scores.matrices.scale.different_labels
    nothing = [""] * len(ranking)
    rows = zip(
        changed.possible.tolist(),
        changed.level.tolist(),
        changed.changed.tolist(),
        changed.rank.tolist(),
        ranking.rank.tolist(),
        _proposals(changed, results) if isinstance(results, Decisions) else nothing,
        strict=True,
    )
    return [
        f"{_change(labels, level, to)} {_place(rank, now)}{proposal}." if possible else None
        for possible, level, to, rank, now, proposal in rows
    ]


def _change(labels: tuple[str, ...], level: int, to: int) -> str:
    if len(labels) == 2:
        return f"With one {labels[1]} {'more' if to > level else 'less'}"
    which = "lowest" if to > level else "highest"
    return f"If the {which} rating were {labels[to]} instead of {labels[level]}"


def _place(rank: int, now: int) -> str:
    return f"it would stay at rank {rank:,}" if rank == now else f"it would be at rank {rank:,} instead of {now:,}"


def _proposals(changed: ChangedRating, decisions: Decisions) -> list[str]:
    if changed.proposal is None or changed.probability is None:
        return [""] * len(decisions)
    rows = zip(
        changed.proposal.tolist(),
        decisions.proposal.tolist(),
        decisions.reason.tolist(),
        changed.probability.tolist(),
        strict=True,
    )
    return [
        f": {changed_proposal(Proposal(new), Proposal(old), Reason(why), chance)}" for new, old, why, chance in rows
    ]


def changed_proposal(new: Proposal, old: Proposal, why: Reason, chance: float) -> str:
    """What would be proposed instead, if anything."""
    kind = f"still {new.label}" if new == old else f"{new.label} instead of {old.label}"
    likely = f"with a chance of {probability_text(chance)}"
    if why == Reason.INCOHERENT_FORECASTS and new == old:  # whatever the chance
        return f"{kind}, because {why.meaning}; {likely}"
    return f"{kind}, {likely}"
