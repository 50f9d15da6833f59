"""From pairwise comparisons to one order, with the fewest broken comparisons.

The pairwise rule (surpeer.core.order) is a total order among the papers with a defined score, by score, and a total
order by mean in every comparison with an undefined one. The two can contradict each other in a cycle: A over B by
score, B over C and C over A by mean. Then no order keeps every comparison, and some must be broken.

1. Papers that agree in score and in mean are one kind, and stand together; a kind counts as often as it has papers.
2. Kinds are split into components: every paper of one component beats every paper of the next, so the order of
   components is certain. In a venue without cycles each component is one kind or a set of ties, and that is all.
3. A component with contradictions is put in the order that breaks the fewest comparisons. With up to EXACT_SIZE kinds
   the best order is found by dynamic programming over subsets. For larger ones there are two orders:
   by score with every undefined kind inserted at its best place, and by mean throughout (blends of the two were tried,
   and are worse); up to IMPROVED_SIZE kinds, single kinds are moved as long as that mends something; the better of the
   two is taken. If the comparisons have no strict cycle, the first of them breaks none.
4. Neighbours that the rule ties with each other share a place.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from surpeer.core.order import Contest
from surpeer.core.shapes import FloatArray, IntArray

EXACT_SIZE = 10
IMPROVED_SIZE = 500

# Kinds are looked up in a table when it has at most so many entries for each paper, and found by sorting otherwise.
KEYS_PER_PAPER = 8


@dataclass(frozen=True, slots=True)
class TotalOrder:
    """The place of every paper, (n,) arrays."""

    place: IntArray
    """From 0, ties share the lowest: 0, 1, 1, 3."""
    broken: IntArray
    """How many other papers it stands on the wrong side of, by the pairwise rule. Zeros without cycles."""


def total_order(contest: Contest) -> TotalOrder:
    """The order of all papers of a contest. Takes O(n log n) when there is no cycle."""
    kind_of, kinds, weight = _kinds(contest)
    order, starts = components(kinds, weight)
    above = np.concatenate([[0], np.cumsum(weight[order])])  # papers above each position
    place = np.zeros(len(kinds), dtype=np.int64)
    place[order] = np.repeat(above[starts[:-1]], np.diff(starts))
    broken = np.zeros(len(kinds), dtype=np.int64)
    for start, stop in pairwise(starts.tolist()):
        members = order[start:stop]
        if stop - start > 1 and not _all_tied(kinds.take(members)):
            component, weights = kinds.take(members), weight[members]
            sequence = fewest_broken(component, weights)
            place[members] += _shared_places(component, weights, sequence)
            broken[members[sequence]] = broken_comparisons(component.take(sequence), weights[sequence])
    return TotalOrder(place[kind_of], broken[kind_of])


def _kinds(contest: Contest) -> tuple[IntArray, Contest, IntArray]:
    """The kind of each paper (n,), the kinds in an order that does not depend on that of the papers, their sizes."""
    means = int(contest.mean.max(initial=-1)) + 1
    key = (np.where(contest.defined, contest.score, -1) + 1) * means + contest.mean
    papers_with = np.bincount(key) if key.max(initial=0) < KEYS_PER_PAPER * len(key) else None
    if papers_with is None:
        present, kind_of, weight = np.unique(key, return_inverse=True, return_counts=True)
    else:  # the same, without sorting
        present = np.flatnonzero(papers_with)
        kind_of, weight = (np.cumsum(papers_with > 0) - 1)[key], papers_with[present]
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


def fewest_broken(contest: Contest, weight: IntArray) -> IntArray:
    """The order of kinds that breaks the fewest comparisons, exactly for few kinds and nearly for many."""
    candidates = [_by_score_with_insertions(contest, weight), _by_mean(contest)]
    if len(contest) <= IMPROVED_SIZE:
        lost = _lost_pairs(contest, weight)
        candidates = [_improve(order, lost) for order in candidates]
        if len(contest) <= EXACT_SIZE:  # last, because among equals the others place ties better
            candidates.append(_best_of_all(lost))
    costs = [broken_comparisons(contest.take(order), weight[order]) @ weight[order] for order in candidates]
    return candidates[int(np.argmin(costs))]


def _lost_pairs(contest: Contest, weight: IntArray) -> FloatArray:
    """(n, n): comparisons that are broken when the kind of the row stands above that of the column."""
    return np.where(contest.beats().T, np.outer(weight, weight), 0).astype(np.float64)


def _best_of_all(lost: FloatArray) -> IntArray:
    """The best order by dynamic programming: a set of kinds at the top costs what its last kind lets be broken."""
    size = len(lost)
    sets = np.arange(1 << size)
    members = (sets[:, None] >> np.arange(size)) & 1  # (2^n, n)
    added = members @ lost  # (2^n, n): cost of putting a kind right below a set
    cost, last = np.zeros(len(sets)), np.zeros(len(sets), dtype=np.int64)
    for chosen in sets[1:]:
        ends = np.flatnonzero(members[chosen])
        without = chosen & ~(1 << ends)
        totals = cost[without] + added[without, ends]
        best = int(np.argmin(totals))
        cost[chosen], last[chosen] = totals[best], ends[best]
    sequence, chosen = [], int(sets[-1])
    while chosen:
        sequence.append(int(last[chosen]))
        chosen &= ~(1 << sequence[-1])
    return np.array(sequence[::-1])


def _by_mean(contest: Contest) -> IntArray:
    return np.asarray(np.lexsort((contest.score, ~contest.defined, contest.mean)))


def _by_score_with_insertions(contest: Contest, weight: IntArray) -> IntArray:
    """Defined kinds by score, then mean; each undefined one where it breaks the fewest comparisons with them.

    Of equally good places it gets the middle one. A lower mean never has an earlier best place, so the places are found
    by divide and conquer, and the undefined kinds stay sorted among themselves.
    """
    ranked = np.flatnonzero(contest.defined)
    ranked = ranked[np.lexsort((contest.mean[ranked], contest.score[ranked]))]
    loose = np.flatnonzero(~contest.defined)
    loose = loose[np.argsort(contest.mean[loose], kind="stable")]
    means, weights = contest.mean[ranked], weight[ranked]
    insert_at = np.zeros(len(loose), dtype=np.int64)
    todo = [(0, len(loose), 0, len(ranked))]
    while todo:
        first, stop, low, high = todo.pop()
        if first == stop:
            continue
        middle = (first + stop) // 2
        passing = np.sign(means[low:high] - contest.mean[loose[middle]]) * weights[low:high]
        costs = np.concatenate([[0], np.cumsum(passing)])
        first_best, last_best = int(np.argmin(costs)), len(costs) - 1 - int(np.argmin(costs[::-1]))
        insert_at[middle] = low + (first_best + last_best + 1) // 2
        todo.append((first, middle, low, int(insert_at[middle])))
        todo.append((middle + 1, stop, int(insert_at[middle]), high))
    return np.insert(ranked, insert_at, loose)


def _improve(sequence: IntArray, lost: FloatArray) -> IntArray:
    """Move single kinds to their best place until no move mends anything."""
    # (n, n): what it costs when the kind of the column moves from below that of the row to above it.
    change = lost.T - lost
    while True:
        places = np.cumsum(change[np.ix_(sequence, sequence)], axis=1)  # each kind's cost of every place, all at once
        now = np.diagonal(places)
        to_move = sequence[np.minimum(places.min(axis=1), 0) < now]
        if not len(to_move):
            return sequence
        for item in to_move.tolist():
            here = int(np.flatnonzero(sequence == item)[0])
            others = np.delete(sequence, here)
            costs = np.concatenate([[0.0], np.cumsum(change[item, others])])
            best = int(np.argmin(costs))
            if costs[best] < costs[here]:
                sequence = np.insert(others, best, item)


def _shared_places(contest: Contest, weight: IntArray, sequence: IntArray) -> IntArray:
    """Places from 0 for kinds in this order; a run of kinds that all tie with each other shares its first place."""
    defined, score, mean = (array[sequence].tolist() for array in (contest.defined, contest.score, contest.mean))
    places = np.zeros(len(sequence), dtype=np.int64)
    run: list[int] = []
    above = place = 0
    for position, item in enumerate(sequence.tolist()):
        tied = all(
            score[position] == score[other] if defined[position] and defined[other] else mean[position] == mean[other]
            for other in run
        )
        if not tied:
            run = []
        if not run:
            place = above
        run.append(position)
        places[item] = place
        above += int(weight[item])
    return places


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
