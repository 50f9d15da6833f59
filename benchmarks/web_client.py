"""Many connections at once, with as little work for each request as Python allows: the server is to be measured."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Answer(NamedTuple):
    """What came back."""

    status: int
    head: bytes
    body: bytes

    def cookies(self) -> dict[str, str]:
        lines = [line for line in self.head.split(b"\r\n") if line.lower().startswith(b"set-cookie:")]
        pairs = [line.split(b":", 1)[1].split(b";", 1)[0].strip().decode().partition("=") for line in lines]
        return {name: value for name, _, value in pairs}


class Connection:
    """One connection to the server, kept open, opened again when the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> Answer:
        """Send a request and wait for the answer. A connection that the server closed before is opened again, as
        browsers do it; one that closes in the middle of an answer is an error."""
        for attempt in (1, 2):
            fresh = self.streams is None
            reader, writer = self.streams or await asyncio.open_connection("127.0.0.1", self.port)
            self.streams = reader, writer
            try:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                break
            except (asyncio.IncompleteReadError, ConnectionError) as error:
                self.close()
                if fresh or attempt == 2 or (isinstance(error, asyncio.IncompleteReadError) and error.partial):
                    raise
        return await self._answer(reader, head)

    async def _answer(self, reader: asyncio.StreamReader, head: bytes) -> Answer:
        lower = head.lower()
        at = lower.find(b"content-length:")
        if at < 0:
            raise ValueError(f"an answer without a length: {head!r}")
        body = await reader.readexactly(int(lower[at + 15 : lower.index(b"\r\n", at)]))
        if b"connection: close" in lower:
            self.close()
        return Answer(int(head[9:12]), head, body)

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None


def get(path: str, cookies: dict[str, str]) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {_joined(cookies)}\r\n\r\n".encode()


def post(path: str, cookies: dict[str, str], body: str) -> bytes:
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {_joined(cookies)}\r\n{kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def _joined(cookies: dict[str, str]) -> str:
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def at_once(
    port: int, work: Sequence[T], concurrent: int, do: Callable[[Connection, T], Awaitable[None]]
) -> tuple[float, list[str]]:
    """Do everything in the list over so many connections; the seconds it took, and what went wrong."""
    errors: list[str] = []

    async def one_connection(waiting: list[T]) -> None:
        connection = Connection(port)
        while waiting:
            task = waiting.pop()
            try:
                await do(connection, task)
            except Exception as error:
                errors.append(repr(error)[:500])
                connection.close()
        connection.close()

    async def everything() -> float:
        waiting = list(work)[::-1]
        begin = time.perf_counter()
        await asyncio.gather(*(one_connection(waiting) for _ in range(concurrent)))
        return time.perf_counter() - begin

    return asyncio.run(everything()), errors
