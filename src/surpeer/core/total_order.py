"""From pairwise comparisons to one order, with the fewest broken comparisons.

The pairwise rule (surpeer.core.order) is a total order among the papers with a defined score, by score, and a total
order by mean in every comparison with an undefined one. The two can contradict each other in a cycle: A over B by
score, B over C and C over A by mean. Then no order keeps every comparison, and some must be broken.

1. Papers that agree in score and in mean are one kind, and stand together; a kind counts as often as it has papers.
2. Kinds are split into components: every paper of one component beats every paper of the next, so the order of
   components is certain. In a venue without cycles each component is one kind or a set of ties, and that is all.
3. A component with contradictions is put in the order that breaks the fewest comparisons. There are two orders to begin
   with: by score with every undefined kind inserted at its best place (surpeer.core.insertions), and by mean throughout
   (blends of the two were tried, and are worse). Up to IMPROVED_SIZE kinds, kinds are moved as long as that mends
   something (surpeer.core.slots), beginning with the better of the two, and with the other one, too, unless it breaks
   more than FAR_WORSE times as many comparisons; larger components stay in the better of the two orders. If the
   comparisons have no strict cycle, the first of them breaks none. Where something is broken in up to EXACT_SIZE kinds,
   the best order is found by dynamic programming over subsets.
4. Neighbours that the rule ties with each other share a place: those with the same score, and an undefined kind with
   one neighbour of the same mean.

For hundreds of thousands of papers a simpler form of this rule holds (surpeer.core.places says from which number on),
which needs no more than a few passes over the papers in the order of their scores: surpeer.core.many_places.
"""

from dataclasses import dataclass

import numpy as np

from surpeer.core.insertions import best_insertions, best_places, broken_by_mean
from surpeer.core.order import Contest
from surpeer.core.shapes import BoolArray, FloatArray, IntArray
from surpeer.core.slots import Slots, State, ranked_and_loose

EXACT_SIZE = 10
IMPROVED_SIZE = 500
FAR_WORSE = 2

# Kinds are looked up in a table when it has at most so many entries for each paper, and found by sorting otherwise.
KEYS_PER_PAPER = 8


@dataclass(frozen=True, slots=True)
class TotalOrder:
    """The place of every paper, (n,) arrays."""

    place: IntArray
    """From 0, ties share the lowest: 0, 1, 1, 3."""
    broken: IntArray
    """How many other papers it stands on the wrong side of, by the pairwise rule. Zeros without cycles."""


def total_order(contest: Contest, papers: IntArray | None = None) -> TotalOrder:
    """The order of all papers of a contest. Takes O(n log n) when there is no cycle.

    papers : (n,) how many papers each entry of the contest stands for; one if it is left out
    """
    kind_of, kinds, weight = _kinds(contest, np.ones(len(contest), dtype=np.int64) if papers is None else papers)
    order, starts = components(kinds, weight)
    above = np.concatenate([[0], np.cumsum(weight[order])])  # papers above each position
    place = np.zeros(len(kinds), dtype=np.int64)
    place[order] = np.repeat(above[starts[:-1]], np.diff(starts))
    broken = np.zeros(len(kinds), dtype=np.int64)
    several = np.flatnonzero(np.diff(starts) > 1)
    for start, stop in zip(starts[several].tolist(), starts[several + 1].tolist(), strict=True):
        members = order[start:stop]
        component, weights = kinds.take(members), weight[members]
        if not _all_tied(component):
            sequence, broken[members] = fewest_broken(component, weights)
            place[members] += _shared_places(component, weights, sequence)
    return TotalOrder(place[kind_of], broken[kind_of])


def _kinds(contest: Contest, papers: IntArray) -> tuple[IntArray, Contest, IntArray]:
    """The kind of each entry (n,), the kinds in an order that does not depend on that of the papers, their sizes."""
    means = int(contest.mean.max(initial=-1)) + 1
    key = (np.where(contest.defined, contest.score, -1) + 1) * means + contest.mean
    if key.max(initial=0) < KEYS_PER_PAPER * len(key):
        with_key = np.bincount(key, minlength=1)
        present = np.flatnonzero(with_key)
        kind_of = (np.cumsum(with_key > 0) - 1)[key]
    else:  # the same by sorting
        present, kind_of = np.unique(key, return_inverse=True)
    weight = np.bincount(kind_of, papers, minlength=len(present)).astype(np.int64)
    score = present // max(means, 1) - 1
    return kind_of, Contest(np.maximum(score, 0), present % max(means, 1), score >= 0), weight


def components(contest: Contest, weight: IntArray) -> tuple[IntArray, IntArray]:
    """Kinds grouped so that each group beats all later ones: their order (n,), and where the groups start (g + 1,).

    A prefix of the kinds, sorted by wins, is closed exactly when its papers have all the wins that are possible.
    """
    wins = twice_wins(contest, weight)
    order = np.argsort(-wins, kind="stable")
    taken = np.cumsum(weight[order])
    possible = taken * (taken - 1) + 2 * taken * (weight.sum() - taken)
    closed = np.flatnonzero(np.cumsum((wins * weight)[order]) == possible) + 1
    return order, np.concatenate([[0], closed])


def twice_wins(contest: Contest, weight: IntArray) -> IntArray:
    """For a paper of each kind, two for each paper that it beats and one for each that it ties with: (n,)."""
    defined = contest.defined
    wins = _twice_wins_in(contest.mean, weight)
    among_defined = _twice_wins_in(contest.score[defined], weight[defined])
    by_mean_among_defined = _twice_wins_in(contest.mean[defined], weight[defined])
    wins[defined] += among_defined - by_mean_among_defined
    return np.asarray(wins - 1)  # the tie with itself


def _twice_wins_in(classes: IntArray, weight: IntArray) -> IntArray:
    """2 * (papers with a worse class) + (papers with the same class)."""
    per_class = np.bincount(classes, weights=weight).astype(np.int64)
    not_worse = np.cumsum(per_class)
    return np.asarray((2 * (weight.sum() - not_worse) + per_class)[classes])


def _all_tied(contest: Contest) -> bool:
    """Nobody beats anybody: one mean class wherever a mean decides, one score class wherever a score does."""
    scores, means = contest.score[contest.defined], contest.mean
    one_mean = bool((means == means[0]).all()) or bool(contest.defined.all())
    return one_mean and bool((scores == scores[:1]).all())


def fewest_broken(contest: Contest, weight: IntArray) -> tuple[IntArray, IntArray]:
    """The order of kinds that breaks the fewest comparisons, exactly for few kinds and nearly for many.

    And, for a paper of each kind, how many papers are then on its wrong side.
    """
    if len(contest) > IMPROVED_SIZE:
        order = _better_of_two(contest, weight)
        return order, _broken_in(contest, weight, order)
    slots = Slots.of(contest, weight)
    best = _improved(slots)
    if best.total > 0 and len(contest) <= EXACT_SIZE:
        exact = _best_of_all(_lost_pairs(contest, weight))
        broken = _broken_in(contest, weight, exact)
        if broken @ weight < 2 * best.total:
            return exact, broken
    return slots.sequence(best.slot), slots.broken(best)


def _broken_in(contest: Contest, weight: IntArray, order: IntArray) -> IntArray:
    """(n,) for a paper of each kind, how many papers this order puts on its wrong side."""
    broken = np.empty(len(order), dtype=np.int64)
    broken[order] = broken_comparisons(contest.take(order), weight[order])
    return broken


def _improved(slots: Slots) -> State:
    """The better of the two orders to begin with, or the other one if that ends better."""
    starts = sorted((slots.state(slot) for slot in (slots.by_score(), slots.by_mean())), key=lambda state: state.total)
    results = [slots.improved(state) for state in starts if state.total <= FAR_WORSE * starts[0].total]
    return min(results, key=lambda state: state.total)


def _lost_pairs(contest: Contest, weight: IntArray) -> FloatArray:
    """(n, n): comparisons that are broken when the kind of the row stands above that of the column."""
    return np.where(contest.beats().T, np.outer(weight, weight), 0).astype(np.float64)


def _best_of_all(lost: FloatArray) -> IntArray:
    """The best order by dynamic programming: a set of kinds at the top costs what its last kind lets be broken."""
    size = len(lost)
    sets = np.arange(1 << size)
    members = ((sets[:, None] >> np.arange(size)) & 1).astype(np.bool_)  # (2^n, n)
    added = members @ lost  # (2^n, n): cost of putting a kind right below a set
    cost, last = np.zeros(len(sets)), np.zeros(len(sets), dtype=np.int64)
    sizes = members.sum(axis=1)
    for chosen in (np.flatnonzero(sizes == number) for number in range(1, size + 1)):  # all sets of one size at once
        without = chosen[:, None] & ~(1 << np.arange(size))
        totals = np.where(members[chosen], cost[without] + added[without, np.arange(size)], np.inf)
        last[chosen], cost[chosen] = totals.argmin(axis=1), totals.min(axis=1)
    sequence, rest = [], int(sets[-1])
    while rest:
        sequence.append(int(last[rest]))
        rest &= ~(1 << sequence[-1])
    return np.array(sequence[::-1])


def by_mean(contest: Contest) -> IntArray:
    """All kinds by mean; those of the same mean by score, undefined ones last."""
    return np.asarray(np.lexsort((contest.score, ~contest.defined, contest.mean)))


def by_score_with_insertions(contest: Contest, weight: IntArray) -> IntArray:
    """Defined kinds by score, then mean; each undefined one where it breaks the fewest comparisons with them."""
    ranked, loose = ranked_and_loose(contest)
    return np.insert(ranked, best_places(contest.mean[ranked], weight[ranked], contest.mean[loose]), loose)


def _better_of_two(contest: Contest, weight: IntArray) -> IntArray:
    """By score with insertions, or by mean if that breaks fewer comparisons."""
    ranked, loose = ranked_and_loose(contest)
    means, weights = contest.mean[ranked], weight[ranked]
    found = best_insertions(means, weights, contest.mean[loose])
    cost, classes = int(found.broken @ weight[loose]), int(contest.mean.max()) + 1
    if cost <= broken_by_mean(means, weights, classes, cost):
        return np.insert(ranked, found.at, loose)
    return by_mean(contest)


def _shared_places(contest: Contest, weight: IntArray, sequence: IntArray) -> IntArray:
    """Places from 0 for kinds in this order; a run of kinds that all tie with each other shares its first place."""
    ordered = contest.take(sequence)
    starts = run_starts(ordered.score, ordered.mean, ordered.defined)
    above = np.cumsum(weight[sequence]) - weight[sequence]
    places = np.empty(len(sequence), dtype=np.int64)
    places[sequence] = above[starts][np.cumsum(starts) - 1]
    return places


def run_starts(score: IntArray, mean: IntArray, defined: BoolArray) -> BoolArray:
    """(n,) where a run of kinds begins that all tie with each other, from the first to the last.

    Neighbours with the same score are a run. An undefined kind joins a neighbour of the same mean if that is a run by
    itself, rather the one before it: any more would not all be tied with each other.
    """
    starts, same_mean = np.ones((2, len(mean)), dtype=np.bool_)
    starts[1:] = ~(defined[1:] & defined[:-1] & (score[1:] == score[:-1]))
    same_mean[1:] = mean[1:] == mean[:-1]
    alone = starts & defined & np.append(starts[1:], True)
    joins_before = ~defined & same_mean & np.append(False, alone[:-1])
    joins_after = alone & same_mean & np.append(False, ~(defined | joins_before)[:-1])
    return np.asarray(starts & ~joins_before & ~joins_after)


def broken_comparisons(contest: Contest, weight: IntArray) -> IntArray:
    """For a paper of each kind, how many papers the order in which they are given puts on its wrong side: (n,)."""
    defined = contest.defined
    broken = _inversions(contest.mean, weight)
    by_score = _inversions(contest.score[defined], weight[defined])
    by_mean_among_defined = _inversions(contest.mean[defined], weight[defined])
    broken[defined] += by_score - by_mean_among_defined
    return broken


def _inversions(classes: IntArray, weight: IntArray) -> IntArray:
    """For each position, the weight of strictly worse (larger) classes before it and strictly better ones after it.

    Bit by bit from the top: of two classes that first differ in this bit, the larger is the one that has it.
    """
    inverted = np.zeros(len(classes), dtype=np.int64)
    if (classes[1:] >= classes[:-1]).all():  # as scores are in an order by score
        return inverted
    for bit in range(int(classes.max(initial=0)).bit_length()):
        prefix = classes >> (bit + 1)
        order = np.argsort(prefix, kind="stable")
        has_bit, grouped, weights = (classes[order] >> bit) & 1, prefix[order], weight[order]
        larger = np.concatenate([[0], np.cumsum(weights * has_bit)])
        smaller = np.concatenate([[0], np.cumsum(weights * (1 - has_bit))])
        here = np.arange(len(order))
        start = np.searchsorted(grouped, grouped, side="left")
        stop = np.searchsorted(grouped, grouped, side="right")
        inverted[order] += np.where(has_bit, smaller[stop] - smaller[here], larger[here] - larger[start])
    return inverted
