"""Clients that go away before they are answered take nobody with them."""

import socket
from pathlib import Path

from web.running import RunningServer

CLIENTS = 20


def go_away(server: RunningServer) -> None:
    """Ask for some pages and be gone when they come: what is sent after the first finds nobody."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(b"GET /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 3)


def test_a_client_that_goes_away_ends_no_worker(tmp_path: Path) -> None:
    with RunningServer.started(tmp_path / "data", options=("--workers", "1")) as server:
        for _ in range(CLIENTS):
            go_away(server)
            server.wait_until_ready()
        assert "was sent SIG" not in server.text
        assert "Traceback" not in server.text
