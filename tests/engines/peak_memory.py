"""What the whole command takes of memory."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = """
import atexit, sys
from pathlib import Path
from surpeer.cli.main import main
atexit.register(lambda: print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]))
main()
"""

told = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="where memory is not told")


def peak_of(*arguments: object, code: int = 0) -> int:
    """Bytes that the command has had, which ends with this exit code."""
    command = [sys.executable, "-c", COMMAND, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return int(done.stdout.splitlines()[-1]) * 1024
