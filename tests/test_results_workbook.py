"""Rankings and decisions as a workbook: numbers as numbers, texts as texts, and a reason for every place."""

import io
import re
import sys
import zipfile

import numpy as np
import polars as pl
import pytest

from surpeer.core.status import Status
from surpeer.decisions import Decisions, decide
from surpeer.errors import InputError
from surpeer.explanation import explain
from surpeer.io.content import Sheet
from surpeer.io.extras import needs_extra
from surpeer.io.results_sentences import expected_means, sentences_of
from surpeer.io.results_workbook import COLUMNS, about, write_workbook
from surpeer.io.workbook import read_workbook
from surpeer.pipeline import calibrate
from surpeer.probability_text import probability_text
from surpeer.ranking import FLAGS, Ranking
from surpeer.reviews import Reviews
from surpeer.scale import Scale
from surpeer.scores import METHODS

HOSTILE = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "https://example.org",
    "\tx",
    "12",
    "_x0041_",
    "x" * 40000,
]


def venue(papers: list[object], seed: int = 1, track: bool = False) -> Reviews:
    """Three levels, four reviews a paper; forecasts that follow the bias of the paper."""
    rng = np.random.default_rng(seed)
    count = len(papers)
    bias = np.repeat(rng.normal(size=count), 4)
    rating = np.clip(np.round(2 + 0.7 * bias + rng.normal(size=4 * count)), 1, 3).astype(int)
    high = np.clip(0.4 + 0.2 * bias + 0.1 * (rating - 2), 0.05, 0.6)
    frame = pl.DataFrame(
        {
            "paper": pl.Series([paper for paper in papers for _ in range(4)]),
            "rating": rating.astype(str),
            "p_1": 0.7 - high,
            "p_2": np.full(4 * count, 0.3),
            "p_3": high,
        }
    )
    if track:
        frame = frame.with_columns(pl.Series("track", ["Main"] * (2 * count) + ["Demos"] * (2 * count)))
    return Reviews.from_table(frame, Scale(["1", "2", "3"], labels=["reject", "weak", "accept"]))


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return calibrate(venue([f"P{at:02}" for at in range(40)]))


@pytest.fixture(scope="module")
def decisions(ranking: Ranking) -> Decisions:
    return decide(ranking, 10)


def written(results: Ranking | Decisions) -> bytes:
    stream = io.BytesIO()
    write_workbook(results, stream)
    return stream.getvalue()


def sheets_of(results: Ranking | Decisions) -> dict[str, Sheet]:
    return {sheet.name: sheet for sheet in read_workbook("results.xlsx", written(results))}


def part(results: Ranking | Decisions, name: str) -> str:
    return zipfile.ZipFile(io.BytesIO(written(results))).read(name).decode()


def test_papers_are_those_of_the_table(ranking: Ranking) -> None:
    sheets = sheets_of(ranking)
    assert list(sheets) == ["Papers", "Explanations", "About"]
    header, *rows = sheets["Papers"].rows
    assert header == [COLUMNS[name].heading for name in ranking.table.columns] + ["what the flags mean"]
    assert len(rows) == 40
    for row, paper in zip(rows, ranking, strict=True):
        assert row[:3] == [str(paper["rank"]), paper["paper"], str(paper["reviews"])]
        for at, name in ((3, "mean"), (4, "score"), (5, "standard_error"), (6, "own_share")):
            assert float(row[at]) == pytest.approx(paper[name], rel=1e-14)
        assert row[7] == "finite"
        flags = paper["flags"]
        assert isinstance(flags, list)
        assert row[8:] == ([", ".join(flags), "; ".join(FLAGS[flag] for flag in flags)] if flags else [])


def test_decisions(decisions: Decisions) -> None:
    header, *rows = sheets_of(decisions)["Papers"].rows
    assert header[6:10] == ["P(accept)", "P(better than cut)", "proposal", "reason"]
    assert [row[8] for row in rows] == decisions.table["proposal"].to_list()


def test_numbers_are_numbers_and_the_header_stays_in_sight(decisions: Decisions) -> None:
    sheet = part(decisions, "xl/worksheets/sheet1.xml")
    assert '<pane xSplit="2" ySplit="1" topLeftCell="C2" activePane="bottomRight" state="frozen"/>' in sheet
    assert '<autoFilter ref="A1:L41"/>' in sheet
    assert re.search(r'<c r="A2" s="\d+"><v>1</v></c><c r="B2" s="\d+" t="s">', sheet)
    formats = part(decisions, "xl/styles.xml")
    assert 'formatCode="0.000"' in formats
    assert 'formatCode="0.0%"' in formats


def test_the_same_results_are_the_same_bytes(ranking: Ranking) -> None:
    assert written(ranking) == written(ranking)


def test_nothing_is_a_formula_or_a_link() -> None:
    reviews = venue(HOSTILE)
    ranking = calibrate(reviews)
    data = written(ranking)
    archive = zipfile.ZipFile(io.BytesIO(data))
    for name in archive.namelist():
        assert b"<f>" not in archive.read(name)
        assert b"<hyperlink" not in archive.read(name)
    shown = [row[1] for row in read_workbook("x", data)[0].rows[1:]]
    assert shown == [str(paper).strip()[:32767] for paper in ranking.table["paper"]]


def test_whole_numbers_are_numbers_unless_digits_would_be_lost() -> None:
    sheet = part(calibrate(venue([7, 12])), "xl/worksheets/sheet1.xml")
    assert sorted(re.findall(r'<c r="B[23]" s="\d+"><v>(\d+)</v></c>', sheet)) == ["12", "7"]
    long_ids = [12345678901234567, 12345678901234568]
    rows = sheets_of(calibrate(venue(long_ids)))["Papers"].rows[1:]
    assert sorted(row[1] for row in rows) == [str(paper) for paper in long_ids]


def test_scores_that_are_not_finite() -> None:
    table = {"paper": ["A", "A", "B", "B", "C", "C"], "rating": ["1", "1", "0", "0", "0", "1"], "prediction": [0.6] * 6}
    ranking = calibrate(Reviews.from_table(table), "surprisal")
    rows = {row[1]: row for row in sheets_of(ranking)["Papers"].rows[1:]}
    assert (rows["A"][4], rows["B"][4], rows["C"][4]) == ("inf", "-inf", "")
    words = dict(zip(ranking.table["paper"], sentences_of(ranking), strict=True))
    assert words["A"].startswith("Mean rating 1.00 from 2 reviews. Everybody gave the higher rating")
    assert "Everybody gave the lower rating, which puts it below every finite score." in words["B"]
    assert "It has no score, because its reviewers' predictions contradict each other" in words["C"]
    assert "decided every comparison" not in words["C"]


@pytest.mark.parametrize("method", METHODS)
def test_every_paper_has_its_sentences(method: str) -> None:
    ranking = calibrate(venue([f"P{at}" for at in range(30)]), method)
    texts = sentences_of(ranking)
    assert len(texts) == 30
    for text, paper in zip(texts, ranking, strict=True):
        assert text.startswith(f"Mean rating {paper['mean']:.2f} from 4 reviews")
        flags = paper["flags"]
        assert isinstance(flags, list)
        for flag in set(flags) - {"ranked_by_mean"}:
            assert FLAGS[flag][1:] in text
    rows = sheets_of(ranking)["Explanations"].rows
    assert rows[0] == ["rank", "paper", "why it stands there"]
    assert [row[2] for row in rows[1:]] == texts


def test_expected_means_are_those_of_the_explanations(ranking: Ranking) -> None:
    expected = expected_means(ranking.scores)
    assert ranking.scores.outcome.tracks[0].fit.trust.follows
    for at in (0, 7, 39):
        explained = explain(ranking, ranking.scores.papers[at]).venue
        assert explained is not None
        assert expected[at] == pytest.approx(explained.expected_mean, rel=1e-12)


def test_words_for_ratings_and_scores(ranking: Ranking) -> None:
    expected = expected_means(ranking.scores)[ranking.order]
    for text, paper, mean in zip(sentences_of(ranking), ranking, expected, strict=True):
        given, score = paper["mean"], paper["score"]
        assert isinstance(given, float)
        assert isinstance(score, float)
        if abs(given - mean) >= 0.005:
            side = "higher" if given > mean else "lower"
            assert f", {abs(given - mean):.2f} {side} than predictions led one to expect ({mean:.2f})." in text
        if abs(score) >= 0.005:
            assert f"{'better' if score > 0 else 'worse'} than a typical paper" in text
            thin = abs(score) < float(str(paper["standard_error"]))
            assert ("though the evidence is thin" in text) is thin


def test_words_for_proposals(decisions: Decisions) -> None:
    for text, paper in zip(sentences_of(decisions), decisions, strict=True):
        chance, proposal, reason = paper["p_accept"], str(paper["proposal"]), paper["reason"]
        assert isinstance(chance, float)
        assert text.startswith(f"{proposal.capitalize()}: ")
        if reason == "incoherent_forecasts":
            assert "predictions contradict each other, whatever its probability." in text
        else:
            assert f"it belongs among the best 10 with a probability of {probability_text(chance)}" in text
            assert ("which is not certain enough" in text) is (reason == "undecided" and 0.2 < chance < 0.8)


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "<0.1%"),
        (0.0009, "<0.1%"),
        (0.001, "0.1%"),
        (0.5, "50.0%"),
        (0.999, "99.9%"),
        (0.99901, ">99.9%"),
        (1.0, ">99.9%"),
        (None, "-"),
    ],
)
def test_probabilities_are_never_quite_0_or_100(chance: float | None, text: str) -> None:
    assert probability_text(chance) == text


def test_every_status_has_a_meaning(ranking: Ranking) -> None:
    told = dict(about(ranking))
    assert [told[status.label] for status in Status] == [status.meaning for status in Status]
    assert len({status.meaning for status in Status}) == len(Status)


def test_a_tie_at_the_line_is_said() -> None:
    rng = np.random.default_rng(0)
    ratings = np.repeat(rng.integers(1, 4, size=30), 4).astype(str)
    table = {"paper": np.repeat(np.arange(30), 4), "rating": ratings, "expected": np.full(120, 2.0)}
    ranking = calibrate(Reviews.from_table(table, Scale(["1", "2", "3"])))
    places = int(np.flatnonzero(np.diff(ranking.rank) == 0)[0]) + 1  # the line goes through the first tie
    texts = sentences_of(decide(ranking, places, certainty=0.5))
    assert "but it shares its rank with a paper on the other side of the cut." in texts[places]


def test_about(decisions: Decisions, ranking: Ranking) -> None:
    told = [(name, text) for name, text in about(decisions) if name]
    facts = dict(told)
    assert facts["papers"] == "40 with 160 reviews"
    assert facts["method"].startswith("venue: ")
    assert facts["levels, lowest first"] == "reject, weak, accept"
    assert facts["what levels count"] == "1, 2, 3"
    assert facts["places"] == "10 papers can be accepted; accept and reject are proposed where they are 80% certain"
    assert facts["predictions"].startswith("followed with weight ")
    assert all(flag in facts for flag in FLAGS)
    assert "status" not in facts
    assert "missing_signal" in dict(about(ranking))
    assert [row[:2] for row in sheets_of(decisions)["About"].rows if row] == [list(pair) for pair in told]


def test_about_tracks() -> None:
    ranking = calibrate(venue([f"P{at}" for at in range(20)], track=True))
    facts = dict(about(ranking))
    assert {"predictions of track Main", "predictions of track Demos"} <= set(facts)
    assert sheets_of(ranking)["Papers"].rows[0][:3] == ["rank", "paper", "track"]


def test_without_xlsxwriter(monkeypatch: pytest.MonkeyPatch, ranking: Ranking) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    stream = io.BytesIO()
    with pytest.raises(InputError, match=r"needs xlsxwriter, which is not installed: pip install 'surpeer\[excel\]'"):
        write_workbook(ranking, stream)
    assert not stream.getvalue()


def test_an_import_that_fails_for_another_reason_is_not_hidden() -> None:
    with (
        pytest.raises(ImportError, match="broken"),
        needs_extra("xlsxwriter", "a workbook needs it", "excel", "write CSV"),
    ):
        raise ImportError("broken", name="zlib")
