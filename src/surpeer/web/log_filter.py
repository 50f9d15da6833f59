"""The server's own log must not open any doors: secrets in addresses are left out of it."""

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
