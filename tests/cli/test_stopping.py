"""Signals become a KeyboardInterrupt, once, and everything is as before afterwards."""

import os
import signal
import threading
import time

import pytest

from surpeer.cli.stopping import orderly_stop

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


def test_nothing_is_left_open() -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    threads = threading.active_count()
    for _ in range(5):
        with orderly_stop():
            pass
    assert (len(os.listdir("/proc/self/fd")) if before else 0) == before
    assert threading.active_count() == threads
