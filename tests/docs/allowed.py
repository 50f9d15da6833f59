"""Commands in blocks `sh` that the tests do not run, each with the reason; their options are checked all the same."""

import re

NOT_RUN = {
    r"make( |$)": "builds an environment, or runs these very tests; the target must exist",
    r"pip install ": "changes the environment, and needs the network; the extras must exist",
    r"export [A-Z_]+=": "sets the reader's own name and password",
    r"surpeer \w+ openreview:": "needs the network and a secret; tests/platforms/test_openreview_live.py has a server",
    r"surpeer \w+ .*--engine spark": "needs a cluster; tests/engines/test_spark_files.py runs it on this machine",
    r"surpeer bench ": "takes minutes; tests/cli/test_bench.py runs it on a small grid",
    r"surpeer serve( |$)": "serves until it is stopped; tests/web/test_demo.py starts it",
    r"surpeer backup ": "needs a venue in the browser; tests/web/test_backup.py has one",
    r"surpeer reproduce ": "takes half a minute; tests/experiments/test_reproduction.py runs it on a small grid",
}

NOT_WRITTEN_BY_HAND = {
    "docs/reference/command-line.md": "texts of the commands; test_references.py compares them",
    "docs/reference/python.md": "examples of docstrings, which pytest runs where they stand",
    "docs/reference/python-core.md": "the same",
    "docs/reference/python-experiments.md": "the same",
}
"""Generated pages: `text` may hold commands, and `pycon` was run already."""


def reason_not_to_run(command: str) -> str | None:
    """Why a command is not run, None if it is."""
    return next((reason for pattern, reason in NOT_RUN.items() if re.match(pattern, command)), None)
