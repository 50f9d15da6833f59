"""Notes as OpenReview's API gives them; venues, ids and values are invented."""

from typing import Any

VENUE = "Example.org/2026/Conference"


def v2(number: int, kind: str = "Official_Review", by: str = "Reviewer_aB1c", **fields: Any) -> dict[str, Any]:
    """A reply to submission `number`, as API v2 gives it."""
    return {
        "id": f"{kind}-{number}-{by}",
        "forum": f"forum{number}",
        "replyto": f"forum{number}",
        "number": 77,
        "tcdate": 1_764_000_000_000,
        "tmdate": 1_764_000_000_000 + number,
        "domain": VENUE,
        "invitations": [f"{VENUE}/Submission{number}/-/{kind}", f"{VENUE}/-/Edit"],
        "parentInvitations": f"{VENUE}/-/{kind}",
        "signatures": [f"{VENUE}/Submission{number}/{by}"],
        "content": {name: {"value": value} for name, value in fields.items()},
    }


def submission(number: int, *replies: dict[str, Any], status: str = "Submission", **fields: Any) -> dict[str, Any]:
    return {
        "id": f"forum{number}",
        "forum": f"forum{number}",
        "number": number,
        "invitations": [f"{VENUE}/-/Submission", f"{VENUE}/-/Edit"],
        "signatures": [f"{VENUE}/Submission{number}/Authors"],
        "content": {
            "title": {"value": "A title"},
            "venueid": {"value": f"{VENUE}/{status}"},
            **{name: {"value": value} for name, value in fields.items()},
        },
        "details": {"directReplies": list(replies)},
    }


def v1(number: int, kind: str = "Official_Review", by: str = "AnonReviewer1", **fields: Any) -> dict[str, Any]:
    return {
        "id": f"old-{kind}-{number}-{by}",
        "original": None,
        "ddate": None,
        "forum": f"forum{number}",
        "replyto": f"forum{number}",
        "invitation": f"{VENUE}/Paper{number}/-/{kind}",
        "signatures": [f"{VENUE}/Paper{number}/{by}"],
        "content": fields,
    }
