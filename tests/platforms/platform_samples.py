"""A small valid file of every format that we read. Ids, names and values are invented."""

import csv
import io
import itertools
import json
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import xlsxwriter

LEVELS = ("1", "2", "3", "4")
LETTERS = string.ascii_uppercase
RATINGS = ((4, 3, 2), (1, 2, 1), (4, 4, 3))
"""Of three papers by three reviewers."""
SHARES = (10, 20, 30, 40)
TYPED = "10 20 30 40"


@dataclass(frozen=True)
class Sample:
    """A file that can be read as it is."""

    name: str
    data: bytes
    platform: str | None = None
    """None for our own tables."""
    levels: tuple[str, ...] = LEVELS
    """What must be named, because the file does not say which levels there are."""


def table(rows: Sequence[Sequence[object]], separator: str = ",") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def rows_of(data: bytes, separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter=separator))


def document(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


Given = list[tuple[int, int, int]]
"""Paper from 1, reviewer from 1, rating."""


def given(ratings: Sequence[Sequence[int]] = RATINGS) -> Given:
    return [(paper, who, rating) for paper, row in enumerate(ratings, 1) for who, rating in enumerate(row, 1)]


def by_paper(reviews: Given) -> Iterator[tuple[int, Given]]:
    for paper, group in itertools.groupby(reviews, key=lambda review: review[0]):
        yield paper, list(group)


def own_table(reviews: Given, separator: str = ",") -> bytes:
    header = ["paper", "reviewer", "rating", *(f"p_{level}" for level in LEVELS)]
    return table([header, *([p, f"r{r}", s, *(share / 100 for share in SHARES)] for p, r, s in reviews)], separator)


def own_lines(reviews: Given) -> bytes:
    shares = {f"p_{level}": share / 100 for level, share in zip(LEVELS, SHARES, strict=True)}
    return b"\n".join(
        json.dumps({"paper": p, "reviewer": f"r{r}", "rating": s} | shares).encode() for p, r, s in reviews
    )


PREDICTED = [
    "Predicted % of 1 Reject",
    "Predicted % of 2 Weak reject",
    "Predicted % of 3 Weak accept",
    "Predicted % of 4 Accept",
]
POSITIONS = [share // 10 + 1 for share in SHARES]
COMMENT = 'A "quoted" word, a comma\nand a second line.'


def hotcrp_reviews(reviews: Given) -> bytes:
    header = ["paper", "title", "review", "reviewername", "email", "Overall merit", *PREDICTED, "Comments for authors"]
    rows = [
        [p, f"Title {p}", f"{p}{LETTERS[r - 1]}", f"Rev {r}", f"r{r}@example.org", s, *POSITIONS, COMMENT][: 11 - r % 2]
        for p, r, s in reviews
    ]
    return table([header, *rows])


def hotcrp_scores(reviews: Given) -> bytes:
    header = ["paper", "title", "review", "reviewername", "email", "OveMer", "Pre1Rej", "Pre2Wea", "Pre3Wea", "Pre4Acc"]
    rows = [
        [p, f"Title {p}", f"{p}{LETTERS[r - 1]}", f"Rev {r}", f"r{r}@example.org", s, *POSITIONS] for p, r, s in reviews
    ]
    return table([header, *rows])


def hotcrp_wide(reviews: Given) -> bytes:
    header = ["pid", "review", "email", "round", "submitted_at", "vtag", "Overall merit", *PREDICTED]
    rows = [
        [p, f"{p}{LETTERS[r - 1]}", f"r{r}@example.org", "R1", 1900000000 + r, 77, s, *POSITIONS] for p, r, s in reviews
    ]
    return table([header, *rows])


def hotcrp_narrow(reviews: Given) -> bytes:
    rows: list[list[object]] = [["pid", "review", "email", "round", "submitted_at", "vtag", "field", "format", "data"]]
    for p, r, s in reviews:
        start = [p, f"{p}{LETTERS[r - 1]}", f"r{r}@example.org", "", 1900000000 + r, 77]
        rows += [
            [*start, name, 0, value] for name, value in zip(["Overall merit", *PREDICTED], [s, *POSITIONS], strict=True)
        ]
    return table(rows)


def hotcrp_rest(reviews: Given) -> bytes:
    keywords = ["Pre1Rej", "Pre2Wea", "Pre3Wea", "Pre4Acc"]
    entries = [
        {
            "object": "review",
            "pid": p,
            "rid": 10 * p + r,
            "ordinal": LETTERS[r - 1],
            "rtype": 4,
            "status": "complete",
            "reviewer": f"<b>Rev</b> {r}",
            "reviewer_email": f"r{r}@example.org",
            "modified_at": 1900000000 + r,
            "OveMer": s,
            "ComAut": "Fine.\n",
            **dict(zip(keywords, POSITIONS, strict=True)),
        }
        for p, r, s in reviews
    ]
    return document({"ok": True, "reviews": entries})


VENUE = "Demo.example/2031/Conference"


def _note(paper: int, who: int, rating: object, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"note{paper}{who}",
        "forum": f"forum{paper}",
        "replyto": f"forum{paper}",
        "number": who,
        "cdate": 1900000000000 + who,
        "mdate": 1900000000000 + who,
        "invitations": [f"{VENUE}/Submission{paper}/-/Official_Review", f"{VENUE}/-/Edit"],
        "parentInvitations": f"{VENUE}/-/Official_Review",
        "signatures": [f"{VENUE}/Submission{paper}/Reviewer_a{who}"],
        "readers": [f"{VENUE}/Program_Chairs"],
        "content": {key: {"value": value} for key, value in {"rating": rating, **content}.items()},
    }


def openreview_notes(reviews: Given) -> bytes:
    shares = {f"predicted_share_{level}": share for level, share in zip(LEVELS, SHARES, strict=True)}
    return document({"notes": [_note(p, r, s, {"review": "Text", "confidence": 3, **shares}) for p, r, s in reviews]})


def openreview_submissions(reviews: Given) -> bytes:
    submissions = []
    for paper, group in by_paper(reviews):
        replies = [_note(p, r, f"{s}: words", {"predicted_distribution": TYPED}) for p, r, s in group]
        submissions.append(
            {
                "id": f"forum{paper}",
                "forum": f"forum{paper}",
                "number": paper,
                "invitations": [f"{VENUE}/-/Submission"],
                "content": {"title": {"value": f"Title {paper}"}, "venueid": {"value": f"{VENUE}/Submission"}},
                "details": {"directReplies": replies},
            }
        )
    return document(submissions)


def openreview_v1(reviews: Given) -> bytes:
    notes = [
        {
            "id": f"note{p}{r}",
            "forum": f"forum{p}",
            "replyto": f"forum{p}",
            "invitation": f"{VENUE}/Paper{p}/-/Official_Review",
            "number": r,
            "tcdate": 1900000000000,
            "signatures": [f"{VENUE}/Paper{p}/AnonReviewer{r}"],
            "content": {"review": "Text", "rating": f"{s}: words", "predicted_distribution": TYPED},
        }
        for p, r, s in reviews
    ]
    return document({"notes": notes})


def easychair_rows(reviews: Given) -> list[list[object]]:
    header = ["#", "submission #", "member #", "member name", "number", "version", "text", "scores", "total score",
              "reviewer first name", "reviewer last name", "reviewer email", "reviewer person #", "date", "time"]  # fmt: skip
    rows: list[list[object]] = [
        [10 * p + r, p, r, f"Rev {r}", r, 1, f"(PREDICTION)\n{TYPED}\n(REMARKS)\nFine.",
         f"Overall evaluation: {s}\nReviewer's confidence: 4", s, "", "", "", "", "2031-05-01", "10:00"]
        for p, r, s in reviews
    ]  # fmt: skip
    return [list[object](header), *rows]


def cmt_rows(reviews: Given) -> list[list[object]]:
    asked = [f"Q{at} (Predicted % of {level} - Value)" for at, level in enumerate(LEVELS, 2)]
    header = [
        "Paper ID",
        "Paper Title",
        "Reviewer Name",
        "Reviewer Email",
        "Q1 (Overall Rating)",
        "Q1 (Overall Rating - Value)",
    ]
    rows: list[list[object]] = [
        [p, f"Title {p}", f"Rev {r}", f"r{r}@example.org", f"Label {s}", s, *SHARES] for p, r, s in reviews
    ]
    return [["Demo 2031"], [], [*header, *asked], *rows]


def cmt_xml(reviews: Given) -> bytes:
    """XML Spreadsheet 2003, which CMT calls .xls."""
    rows = "".join(
        "<Row>" + "".join(f'<Cell><Data ss:Type="String"><![CDATA[{cell}]]></Data></Cell>' for cell in row) + "</Row>"
        for row in cmt_rows(reviews)
    )
    start = '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" '
    names = 'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Main"><Table>'
    return f"{start}{names}{rows}</Table></Worksheet></Workbook>".encode()


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    """An .xlsx file with one sheet, numbers as numbers."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        book.set_properties({"created": datetime(2031, 1, 1)})
        sheet = book.add_worksheet("Reviews")
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                (sheet.write_number if isinstance(cell, int | float) else sheet.write_string)(at, column, cell)
    return stream.getvalue()


def pretalx_rows(reviews: Given) -> list[list[object]]:
    header = [
        "Score",
        "Text",
        "Proposal ID",
        "Proposal title",
        "Created",
        "Reviewer name",
        "Reviewer email",
        "Predicted shares",
    ]
    rows: list[list[object]] = [
        [
            f"{s}.00",
            COMMENT,
            f"CODE{p}",
            f"Title {p}",
            "2031-05-01 10:00:00+00:00",
            f"Rev {r}",
            f"r{r}@example.org",
            TYPED,
        ]
        for p, r, s in reviews
    ]
    return [list[object](header), *rows]


def pretalx_json(reviews: Given) -> bytes:
    header, *rows = pretalx_rows(reviews)
    return document([dict(zip(map(str, header), row, strict=True)) for row in rows])


def pretalx_api(reviews: Given) -> bytes:
    question = {"id": 17, "question": {"en": "Predicted shares", "de": "Anteile"}, "variant": "string"}
    results = [
        {
            "id": 10 * p + r,
            "submission": {
                "code": f"CODE{p}",
                "title": f"Title {p}",
                "state": "submitted",
                "track": {"id": 1, "name": {"en": "Main"}},
            },
            "text": "Fine.",
            "score": f"{s}.00",
            "scores": [{"id": s, "category": {"id": 3, "name": {"en": "Merit"}}, "value": f"{s}.00", "label": "words"}],
            "answers": [{"id": 1, "question": question, "answer": TYPED, "options": []}],
            "user": {"code": f"U{r}", "name": f"Rev {r}", "email": f"r{r}@example.org"},
        }
        for p, r, s in reviews
    ]
    return document({"count": len(results), "next": None, "previous": None, "results": results})


def indico(reviews: Given) -> bytes:
    abstracts = [
        {
            "id": 1000 + paper,
            "friendly_id": paper,
            "title": f"Title {paper}",
            "state": "submitted",
            "accepted_track": None,
            "reviewed_for_tracks": [{"id": 5, "title": "Main", "code": "M"}],
            "reviews": [
                {
                    "id": 10 * p + r,
                    "user": {"id": r, "email": f"r{r}@example.org", "full_name": f"Rev {r}"},
                    "comment": "Fine.",
                    "created_dt": "2031-05-01T10:00:00+00:00",
                    "modified_dt": None,
                    "proposed_action": "accept",
                    "ratings": [{"question": 11, "value": s}, {"question": 12, "value": TYPED}],
                }
                for p, r, s in group
            ],
        }
        for paper, group in by_paper(reviews)
    ]
    questions = [
        {"id": 11, "no_score": False, "position": 1, "title": "Overall rating"},
        {"id": 12, "no_score": True, "position": 2, "title": "Predicted shares"},
    ]
    return document({"version": 1, "abstracts": abstracts, "questions": questions})


def revnorm(reviews: Given) -> bytes:
    return table([["Paper", "Reviewer", "Score"], *([f"P{p}", f"Rev {r}", s] for p, r, s in reviews)])


def hotcrp_form() -> dict[str, Any]:
    """The settings of the form that the samples of HotCRP belong to."""
    words = ["Reject", "Weak reject", "Weak accept", "Accept"]
    shares = [f"{share}%" for share in range(0, 101, 10)]
    fields = [("Overall merit", "radio", words), *((name, "dropdown", shares) for name in PREDICTED)]
    rf = [
        {
            "id": f"s{at:02}",
            "name": name,
            "order": at,
            "type": kind,
            "description": "",
            "required": True,
            "visibility": "au",
            "condition": "all",
            "values": [{"id": n, "symbol": n, "name": label, "order": n} for n, label in enumerate(labels, 1)],
        }
        for at, (name, kind, labels) in enumerate(fields, 1)
    ]
    return {"ok": True, "settings": {"rf": rf}}


def openreview_form() -> dict[str, Any]:
    """The content of the form that the notes of OpenReview belong to."""
    share = {"value": {"param": {"type": "integer", "enum": list(range(0, 101, 10)), "input": "select"}}}
    rating = {
        "value": {
            "param": {"type": "integer", "enum": [{"value": 4, "description": "accept"}, 3, 2, 1], "input": "radio"}
        }
    }
    return {"rating": {"order": 1, **rating}} | {f"predicted_share_{level}": {"order": 2, **share} for level in LEVELS}


COLUMN_MAP = {
    "paper": "Proposal ID",
    "reviewer": "Reviewer name",
    "rating": "Score",
    "levels": list(LEVELS),
    "predictions": "Predicted shares",
    "header_row": 1,
}


def samples(ratings: Sequence[Sequence[int]] = RATINGS) -> dict[str, Sample]:
    """A file of every format, with these ratings of papers by reviewers."""
    reviews = given(ratings)
    return {
        "table.csv": Sample("reviews.csv", own_table(reviews)),
        "table.tsv": Sample("reviews.tsv", own_table(reviews, "\t")),
        "table.jsonl": Sample("reviews.jsonl", own_lines(reviews)),
        "hotcrp reviews": Sample("demo-reviews.csv", hotcrp_reviews(reviews), "hotcrp"),
        "hotcrp scores": Sample("demo-scores.csv", hotcrp_scores(reviews), "hotcrp"),
        "hotcrp wide": Sample("wide.csv", hotcrp_wide(reviews), "hotcrp"),
        "hotcrp narrow": Sample("narrow.csv", hotcrp_narrow(reviews), "hotcrp"),
        "hotcrp rest": Sample("reviews.json", hotcrp_rest(reviews), "hotcrp"),
        "openreview notes": Sample("notes.json", openreview_notes(reviews), "openreview"),
        "openreview submissions": Sample("submissions.json", openreview_submissions(reviews), "openreview"),
        "openreview v1": Sample("notes1.json", openreview_v1(reviews), "openreview"),
        "easychair csv": Sample("review.csv", table(easychair_rows(reviews)), "easychair"),
        "easychair xlsx": Sample("easychair.xlsx", workbook(easychair_rows(reviews)), "easychair"),
        "cmt csv": Sample("Reviews.csv", table(cmt_rows(reviews)), "cmt"),
        "cmt xml": Sample("Reviews.xls", cmt_xml(reviews), "cmt"),
        "cmt xlsx": Sample("Reviews.xlsx", workbook(cmt_rows(reviews)), "cmt"),
        "pretalx csv": Sample("demo_reviews.csv", table(pretalx_rows(reviews)), "pretalx"),
        "pretalx json": Sample("demo_reviews.json", pretalx_json(reviews), "pretalx"),
        "pretalx api": Sample("api.json", pretalx_api(reviews), "pretalx"),
        "indico": Sample("abstracts.json", indico(reviews), "indico"),
        "revnorm": Sample("scores.csv", revnorm(reviews), "revnorm"),
    }


SAMPLES = samples()
