"""Decisions and comparisons of two papers -> the text that `surpeer decide` and `surpeer compare` print."""

from collections.abc import Mapping

from surpeer.cli.paper_pair import Pair, Side
from surpeer.cli.table_legend import flag_words, flags_in, legend
from surpeer.cli.tables import plain_table, render, score_text, title_text
from surpeer.decisions import Decisions
from surpeer.errors import counted, printable
from surpeer.probability_text import percent_text, probability_text
from surpeer.proposals import Proposal, Reason

HEADINGS = ("rank", "paper", "mean", "score", "error", "P(accept)", "proposal", "reason", "flags")
COLUMNS = ("rank", "paper", "mean", "score", "standard_error", "p_accept", "proposal", "reason", "flags")

# From this probability on, the verdict is in these words.
VERDICTS = (
    (0.975, "{ahead} is almost certainly better than {behind}"),
    (0.9, "{ahead} is very probably better than {behind}"),
    (0.75, "{ahead} is probably better than {behind}"),
    (0.6, "{ahead} is slightly more likely than not to be the better one"),
    (0.0, "The reviews cannot tell them apart"),
)


def decisions_text(decisions: Decisions, for_terminal: bool) -> str:
    """The table and what it comes to."""
    frame = decisions.table_with_joined_flags(" ").select(COLUMNS)
    title_column = decisions.ranking.title_column
    titles = [[title_text(title)] for title in title_column.get("title", ())] or [[] for _ in range(len(decisions))]
    rows = [
        (
            str(rank),
            printable(str(paper)),
            *title,
            f"{mean:.3f}",
            score_text(score),
            score_text(error),
            probability_text(chance),
            *words,
            flags or "",
        )
        for title, (rank, paper, mean, score, error, chance, *words, flags) in zip(
            titles, frame.iter_rows(), strict=True
        )
    ]
    headings = (*HEADINGS[:2], *title_column, *HEADINGS[2:])
    right, fold = ("rank", "mean", "score", "error", "P(accept)"), ("paper", "title", "flags")
    table = plain_table(headings, rows, right=right, fold=fold)
    return render(table, for_terminal) + _legend(decisions) + "\n" + decisions_summary(decisions) + "\n"


def _legend(decisions: Decisions) -> str:
    """What the words of the table mean."""
    certainty = percent_text(decisions.certainty)
    best = "the best" if decisions.places == 1 else f"one of the best {decisions.places:,}"
    words = {"P(accept)": f"probability that the paper is truly {best}"}
    reasons = {
        Reason.LIKELY: f"on this side of the cut with a probability of at least {certainty}",
        Reason.UNDECIDED: f"less certain than {certainty}, or tied with a paper on the other side of the cut",
        Reason.NO_SCORE: "without a score no probability is known",
    }
    words |= {reason.label: meaning for reason, meaning in reasons.items() if reason in decisions.reason}
    return legend(words | flag_words(flags_in(decisions.ranking)))


def decisions_summary(decisions: Decisions) -> str:
    """`12 accept, 9 discuss, 27 reject; 15 places for 48 papers, 3 still open; certainty 80%`."""
    counts = {kind: decisions.count(kind) for kind in Proposal}
    return summary_text(counts, decisions.places, len(decisions), decisions.certainty)


def summary_text(counts: Mapping[Proposal, int], places: int, papers: int, certainty: float) -> str:
    """The same from numbers of papers."""
    each = ", ".join(f"{counts[kind]:,} {kind.label}" for kind in Proposal)
    left = f"{places - counts[Proposal.ACCEPT]:,} still open"
    for_papers = f"{counted(places, 'place')} for {papers:,} papers"
    return f"{each}; {for_papers}, {left}; certainty {percent_text(certainty)}"


def pair_text(pair: Pair) -> str:
    """The verdict, then what it rests on, side by side."""
    lines = [verdict(pair) + ".", f"(by the method {pair.method})", ""]
    lines += _side_by_side(pair.a, pair.b)
    lines += legend(flag_words([*pair.a.flags, *pair.b.flags])).splitlines()
    if pair.probability is not None:
        a, b = pair.a.score.paper, pair.b.score.paper
        lines += ["", f"Probability that {a} is better than {b}: {probability_text(pair.probability)}"]
    else:
        known = ", ".join(pair.methods_with_errors)
        advice = f"; --method {known} gives one" if known else ""
        lines += ["", f"No probability: {pair.why_no_probability}{advice}"]
    return "\n".join(printable(line) for line in lines) + "\n"


def verdict(pair: Pair) -> str:
    """Who is ahead and how surely, in words."""
    if pair.probability is None:
        if pair.rule == 0.5:
            return f"{pair.a.score.paper} and {pair.b.score.paper} tie by {pair.decided_by}"
        ahead, behind = (pair.a, pair.b) if pair.rule == 1 else (pair.b, pair.a)
        return f"{ahead.score.paper} is ahead of {behind.score.paper} by {pair.decided_by}"
    ahead, behind = (pair.a, pair.b) if pair.probability >= 0.5 else (pair.b, pair.a)
    chance = max(pair.probability, 1 - pair.probability)
    words = next(words for least, words in VERDICTS if chance >= least)
    return words.format(ahead=ahead.score.paper, behind=behind.score.paper)


def _side_by_side(a: Side, b: Side) -> list[str]:
    rows = [
        ("", str(a.score.paper), str(b.score.paper)),
        ("rank", str(a.rank), str(b.rank)),
        ("score", _score(a), _score(b)),
        ("mean rating", f"{a.score.mean:.3f}", f"{b.score.mean:.3f}"),
        ("reviews", str(a.score.reviews), str(b.score.reviews)),
        ("predictions", str(a.forecasts), str(b.forecasts)),
        ("mean rating predicted", _expected(a), _expected(b)),
        ("mean minus predicted", _surprise(a), _surprise(b)),
        ("flags", " ".join(a.flags) or "-", " ".join(b.flags) or "-"),
    ]
    names, first = max(len(row[0]) for row in rows), max(len(printable(row[1])) for row in rows)
    return [f"{name:<{names}}  {printable(left):<{first}}  {right}".rstrip() for name, left, right in rows]


def _score(side: Side) -> str:
    if side.score.standard_error is None:
        return f"{score_text(side.score.value)} ({side.score.status.label})"
    return f"{score_text(side.score.value)} ± {score_text(side.score.standard_error)}"


def _expected(side: Side) -> str:
    return "-" if side.expected is None else f"{side.expected:.3f}"


def _surprise(side: Side) -> str:
    return "-" if side.expected is None else f"{side.score.mean - side.expected:+.3f}"
