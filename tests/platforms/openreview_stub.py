"""A server on this machine that answers openreview-py as OpenReview does, for the few questions that we ask."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from openreview_samples import VENUE

USER, PASSWORD, TOKEN = "chair@example.org", "a secret word", "a-secret-token"  # of nobody


class Stub:
    """What the server knows, and what it was asked."""

    def __init__(self, notes: list[dict[str, Any]], form: dict[str, Any] | None = None, page: int = 1000) -> None:
        self.notes = sorted(notes, key=lambda note: note["id"])
        self.form, self.page = form, page
        self.group: dict[str, Any] | None = {
            "submission_name": {"value": "Submission"},
            "submission_id": {"value": f"{VENUE}/-/Submission"},
            "review_name": {"value": "Official_Review"},
            "review_rating": {"value": "rating"},
        }
        self.asked: list[str] = []
        self.fault = ""
        self.url = ""

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, Any]:
        if path == "/groups":
            if self.group is None or query["id"] != VENUE:
                return 404, {"name": "NotFoundError", "message": f"Group Not Found: {query['id']}"}
            return 200, {"groups": [{"id": VENUE, "content": self.group}]}
        if path == "/invitations":
            if self.form is None:
                return 403, {"name": "ForbiddenError", "message": "You do not have permission"}
            edit = {"invitation": {"edit": {"note": {"content": self.form}}}}
            return 200, {"invitations": [{"id": query["id"], "edit": edit}]}
        assert path == "/notes", path
        assert query["invitation"] == f"{VENUE}/-/Submission"
        assert query["details"] == "directReplies"
        known = [note for note in self.notes if self.fault == "again" or note["id"] > query.get("after", "")]
        return 200, {"notes": known[: min(self.page, int(query["limit"]))], "count": len(self.notes)}


class Handler(BaseHTTPRequestHandler):
    stub: Stub

    def log_message(self, *_: Any) -> None:
        pass

    def send(self, status: int, body: Any) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if isinstance(body, bytes) else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.stub.asked.append(f"POST {self.path}")
        if self.stub.fault == "second factor":
            self.send(
                200, {"mfaPending": True, "mfaPendingToken": "x", "mfaMethods": ["totp"], "preferredMethod": "totp"}
            )
        elif (asked["id"], asked["password"]) == (USER, PASSWORD):
            self.send(200, {"token": TOKEN, "user": {"profile": {"id": "~The_Chair1"}}})
        else:
            self.send(400, {"name": "Error", "message": f"Invalid username or password {asked['password']}"})

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.stub.asked.append(f"GET {parts.path}")
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.send(403, {"name": "ForbiddenError", "message": "You must be logged in"})
        elif self.stub.fault == "broken":
            self.send(200, b"<html>Maintenance</html>")
        elif self.stub.fault == "strange":
            self.send(200, {"something": "else"})
        elif self.stub.fault == "busy":
            self.send(503, {"name": "Error", "message": "Service unavailable"})
        else:
            self.send(*self.stub.answer(parts.path, {key: values[0] for key, values in parse_qs(parts.query).items()}))


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    handler = type("StubHandler", (Handler,), {"stub": stub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True, kwargs={"poll_interval": 0.01})
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
