"""What differs from one deployment to another: read from the environment here and nowhere else."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from surpeer.errors import InputError

DATA, PUBLIC_URL, DATABASE_URL, SECRET = "SURPEER_DATA", "SURPEER_URL", "DATABASE_URL", "SURPEER_SECRET_KEY"
MAIL_HOST, MAIL_PORT = "EMAIL_HOST", "EMAIL_PORT"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
KEY_FILE = "secret-key"


@dataclass(frozen=True)
class Deployment:
    """Where one installation keeps its data, and by which address people reach it."""

    data: Path
    """The folder of the embedded database, the key, mails that were not sent, and collected static files."""
    public_url: str | None
    """The address in links, such as https://review.example.org; none where it runs on this machine for this machine."""
    database_url: str | None
    """Of a PostgreSQL server; none for the embedded database."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Deployment":
        return cls(
            data=Path(environment.get(DATA) or default_folder(environment)),
            public_url=_checked_url(environment.get(PUBLIC_URL, "").strip()) or None,
            database_url=_checked_database(environment.get(DATABASE_URL, "").strip()) or None,
        )

    @property
    def https(self) -> bool:
        """Whether people reach it over an encrypted connection, so that cookies can be confined to one."""
        return self.public_url is not None and self.public_url.startswith("https://")

    @property
    def hosts(self) -> list[str]:
        """The names that requests may ask for."""
        if self.public_url is None:
            return list(LOOPBACK)
        return [urlsplit(self.public_url).hostname or "", *LOOPBACK]

    def secret_key(self, environment: Mapping[str, str] = os.environ) -> str:
        """The key that signs sessions; empty before `prepare` has been here."""
        given = environment.get(SECRET)
        path = self.data / KEY_FILE
        return given or (path.read_text(encoding="ascii").strip() if path.is_file() else "")

    def prepare(self) -> None:
        """Make the folder, and a key of its own, which nobody else may read."""
        try:
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self.secret_key():
                _write_new(self.data / KEY_FILE, secrets.token_urlsafe(64))
        except OSError as error:
            raise InputError(f"{self.data}: cannot be used as the folder of the data: {error.strerror}") from None


def mail_port(environment: Mapping[str, str] = os.environ) -> int:
    """The port of the mail server; that of submission where none is named."""
    given = environment.get(MAIL_PORT, "").strip() or "587"
    if not given.isascii() or not given.isdigit() or not 0 < int(given) < 65536:
        raise InputError(f"{MAIL_PORT}: found {given!r}, expected the number of a port, such as 587 or 465")
    return int(given)


def default_folder(environment: Mapping[str, str]) -> Path:
    """Where programs of this user keep their data."""
    shared = environment.get("XDG_DATA_HOME") or Path(environment.get("HOME") or Path.home()) / ".local" / "share"
    return Path(shared) / "surpeer"


def _write_new(path: Path, text: str) -> None:
    """Two servers that start at once must end up with one key: who comes second keeps the first one's."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
    except FileExistsError:
        return


def _checked_url(text: str) -> str:
    """The address without a slash at its end."""
    url = text.rstrip("/")
    parts = urlsplit(url)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query):
        expected = "the address by which people reach the application, without a path, as in https://review.example.org"
        raise InputError(f"{PUBLIC_URL}: found {text!r}, expected {expected}")
    return url


def _checked_database(url: str) -> str:
    """The message does not repeat the address: a password may be in it."""
    if url and urlsplit(url).scheme not in ("postgres", "postgresql"):
        expected = "that of a PostgreSQL database, as in postgresql://user:password@host/name"
        raise InputError(f"{DATABASE_URL}: found an address of another kind, expected {expected}")
    return url
