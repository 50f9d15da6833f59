"""Signals become a KeyboardInterrupt, once, and everything is as before afterwards."""

import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from surpeer.cli.beginning import STOPPED
from surpeer.cli.failure import exit_codes
from surpeer.cli.stopping import orderly_stop, too_late
from surpeer.errors import InputError

NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def handlers() -> list[object]:
    return [signal.getsignal(number) for number in NUMBERS]


@pytest.fixture(autouse=True)
def _signals_are_heeded() -> object:
    """Also where the tests run in the background, or were started by nohup."""
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, hang_up)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_each_signal_has_its_exit_code(number: int, code: int) -> None:
    before = handlers()
    with orderly_stop() as stop:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
            time.sleep(10)
        assert stop.exit_code == code
    assert handlers() == before


def test_signals_while_tidying_up_change_nothing() -> None:
    tidied = []
    with orderly_stop() as stop:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        except KeyboardInterrupt:
            for number in NUMBERS:
                os.kill(os.getpid(), number)
                time.sleep(0.05)
            try:
                raise ValueError
            except ValueError:  # the interruption is behind this one
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.05)
                tidied.append(True)
        assert (tidied, stop.exit_code) == ([True], 143)
        with pytest.raises(KeyboardInterrupt):  # it is over: the next one counts
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)


def called_by_polars(number: int) -> object:
    """Whether a signal that comes while polars calls a function of its own lets it come to its end."""
    module = {"__name__": "polars.io.scan_options.cast_options", "os": os, "time": time}
    source = "def defaults(number):\n    os.kill(os.getpid(), number)\n    time.sleep(0)\n    return 'done'"
    exec(source, module)
    return module["defaults"](number)  # type: ignore[operator]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("ignored", [False, True])
def test_polars_is_not_interrupted_where_it_calls_python(number: int, code: int, ignored: bool) -> None:
    if ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if number == signal.SIGINT:
            pytest.skip("nothing comes")
    done = []
    with orderly_stop() as stop:
        with pytest.raises(KeyboardInterrupt):
            done.append(called_by_polars(number))
            time.sleep(10)
        assert (done, stop.exit_code) == (["done"], code)
        with pytest.raises(KeyboardInterrupt):  # it is over: the next one counts
            os.kill(os.getpid(), number)
            time.sleep(10)


def dropped_while_a_signal_comes(number: int) -> Iterator[int]:
    """A generator that nobody needs after its first item, and that waits for something in the end."""
    try:
        yield 1
    finally:
        os.kill(os.getpid(), number)
        time.sleep(0.3)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("stopped_already", [False, True])
def test_a_signal_that_comes_while_a_generator_is_closed(
    number: int, code: int, stopped_already: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python loses the KeyboardInterrupt there, with a traceback on the screen."""
    hook = sys.unraisablehook
    with pytest.raises(typer.Exit) as ended, exit_codes():
        for _ in dropped_while_a_signal_comes(number):
            if stopped_already:
                raise KeyboardInterrupt
            break
        time.sleep(10)
    assert ended.value.exit_code == (code if not stopped_already or number == signal.SIGTERM else 130)
    assert capsys.readouterr().err == f"{STOPPED}\n"
    assert sys.unraisablehook is hook


def test_other_errors_that_nobody_can_catch_are_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.append(what.exc_value))

    class Dropped:
        def __del__(self) -> None:
            raise ValueError("lost")

    with orderly_stop():
        Dropped()
    assert list(map(str, told)) == ["lost"]


def test_modules_are_loaded_to_their_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would end by SIGINT in the end, whatever was done about an interruption of code made of text."""
    name = "surpeer_test_of_stopping"
    (tmp_path / f"{name}.py").write_text("import os\nexec('os.kill(os.getpid(), 2)\\nlist(range(9))')\nLOADED = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    loaded = []
    with orderly_stop(), pytest.raises(KeyboardInterrupt):
        loaded.append(importlib.import_module(name).LOADED)
        time.sleep(10)
    assert loaded == [True]


def test_a_result_that_is_about_to_be_put_in_place_is_not_stopped() -> None:
    with orderly_stop() as stop:
        too_late()
        for number in NUMBERS:
            os.kill(os.getpid(), number)
            time.sleep(0.05)
        assert stop.signal is None


def test_a_command_that_failed_says_why_even_if_it_is_stopped_then() -> None:
    with pytest.raises(typer.Exit) as ended, exit_codes():
        raise InputErrorThatComesWithASignal("no such file")
    assert ended.value.exit_code == 2


class InputErrorThatComesWithASignal(InputError):
    """Ctrl-C while the message is written."""

    def __str__(self) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return super().__str__()


def run(code: str, *arguments: str) -> tuple[int, str, str]:
    """The command in a process of its own, with something that happens beside it."""
    heed = "import signal\nsignal.signal(2, signal.default_int_handler)\nsignal.signal(1, signal.SIG_DFL)\n"
    begin = f"from surpeer.cli.main import main\nsys.argv = {['surpeer', *arguments]!r}\nmain()\n"
    done = subprocess.run([sys.executable, "-c", heed + code + begin], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("number", NUMBERS)
def test_a_command_that_is_stopped_while_it_is_loaded_says_so(number: int) -> None:
    code = f"""
import os, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "typer":
            os.kill(os.getpid(), {int(number)})
sys.meta_path.insert(0, Finder())
"""
    assert run(code, "methods") == (128 + number, "", f"{STOPPED}\n")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_command_that_is_stopped_when_all_is_done_is_done(number: int) -> None:
    code = f"import atexit, os, sys, time\natexit.register(lambda: (os.kill(os.getpid(), {int(number)}), time.sleep(0.01)))\n"
    exit_code, printed, said = run(code, "methods")
    assert (exit_code, said) == (0, "")
    assert "surprisal" in printed


def test_somebody_else_may_take_over() -> None:
    heard = []

    def theirs(number: int, _: object) -> None:  # as Spark does
        heard.append(number)
        raise KeyboardInterrupt

    with orderly_stop() as stop:
        signal.signal(signal.SIGINT, theirs)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1)
            time.sleep(1)
        time.sleep(0.5)
    assert (heard, stop.exit_code) == ([signal.SIGINT], 143)


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # nohup
    try:
        with orderly_stop() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(0.05)
            assert stop.signal is None
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_job_in_the_background_that_ignores_ctrl_c_can_be_ended() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with orderly_stop() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        assert stop.exit_code == 143
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_in_another_thread_nothing_happens() -> None:
    seen = []

    def run() -> None:
        before = handlers()
        with orderly_stop() as stop:
            seen.append((handlers() == before, stop.signal))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [(True, None)]


OPEN_AND_CLOSE = """
import os, threading
from surpeer.cli.stopping import orderly_stop

def open_now():
    return os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []

before, threads = open_now(), threading.active_count()
for _ in range(5):
    with orderly_stop():
        pass
assert open_now() == before, (before, open_now())
assert threading.active_count() == threads
print("nothing is left")
"""


def test_nothing_is_left_open() -> None:
    """In a process of its own: what other tests left behind may be closed at any time."""
    ended = subprocess.run([sys.executable, "-c", OPEN_AND_CLOSE], capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("nothing is left\n", "")
