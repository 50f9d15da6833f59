"""The demonstration is filled by a process of its own: `python -m surpeer.web.demo_filling` prints how to get in.

polars starts threads when it is first used, and a process that is forked afterwards waits for them for ever. So the
process that forks the workers must not use polars, and making up a venue does.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from surpeer.web.demo_venues import Demo  # which can be imported once Django is set up


def filled() -> "Demo":
    """Fill the empty database that the environment names, and wait until that is done."""
    from surpeer.web.demo_venues import Demo

    command = [sys.executable, "-m", __name__]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 - our own command
    return Demo(**json.loads(done.stdout))


def main() -> None:
    """Fill the database and print how to get in, as JSON."""
    django.setup()
    from surpeer.web.demo_venues import fill

    sys.stdout.write(json.dumps(asdict(fill())))


if __name__ == "__main__":
    main()
