"""`surpeer`: how the command begins. The commands are in surpeer.cli.commands, loaded once signals are heeded."""

import os
import signal
import sys

from surpeer.cli.beginning import stop_at_once_on_signals


def main() -> None:
    """Entry point of the installed command."""
    stop_at_once_on_signals()
    if hasattr(signal, "SIGPIPE"):  # `surpeer score ... | head` ends like any other command, without a word
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 (closed by the caller: nobody listens)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # ids are unicode whatever the locale says
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if any(word.split("=")[0] == "--memory" for word in sys.argv):
        from surpeer.engines.memory import have_libraries_keep_little

        have_libraries_keep_little()  # now: the modules of a command load polars before its options are read
    from surpeer.cli.commands import app

    app()
