"""The server's own log: it must not open any doors, and what was refused is one line, not a page."""

import logging
import re

SECRET_IN_PATH = re.compile(r"((?:^|[\s'\"]|//[^/\s]+)/(?:r|join|password/reset/[^/\s]+)/)[^/\s'\"]+")


class WithoutSecrets(logging.Filter):
    """Replaces the secret of a personal link, an invitation or a new password."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, some of them changed."""
        said = record.getMessage()
        hidden = SECRET_IN_PATH.sub(r"\1(secret)", said)
        if hidden != said:
            record.msg, record.args = hidden, ()
        return True


FAULT = 500  # from here on the status of an answer says that the server is at fault


class RefusalsInOneLine(logging.Filter):
    """Takes out where in the program a request was refused: that is nobody's fault here, and the line says which."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, some of them changed."""
        if getattr(record, "status_code", FAULT) < FAULT:
            record.exc_info = record.exc_text = None
        return True
