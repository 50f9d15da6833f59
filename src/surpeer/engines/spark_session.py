"""A Spark session for the command line: quiet, with settings that suit us, and gone without a trace in the end.

A session that is there already (a notebook, a job started by spark-submit) is used as it is.
"""

import contextlib
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surpeer.engines.spark_failures import log_of_start, spark_failures
from surpeer.errors import InputError, quoted
from surpeer.io.extras import needs_extra

if TYPE_CHECKING:
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

OLDEST_JAVA = 17
JAVA_SECONDS = 60

SETTINGS = {
    "spark.app.name": "surpeer",
    "spark.sql.caseSensitive": "true",  # Paper and paper are two columns
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.executorEnv.POLARS_MAX_THREADS": "1",  # Spark has a process for every core
    "spark.executorEnv.OMP_NUM_THREADS": "1",
}
"""For every session that is started here."""

ON_THIS_MACHINE = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": str(max(8, 4 * (os.cpu_count() or 1))),  # Spark's 200 are for many machines
}
"""Also for masters that start with `local`: nothing listens to other machines."""


@contextmanager
def spark_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> Iterator["SparkSession"]:
    """The session that runs, or one that is stopped in the end.

    master : where to run, such as spark://host:7077, yarn or local[4]; without it what Spark's own configuration says,
        or all cores of this machine
    settings : of Spark, in addition to SETTINGS or instead of them
    """
    _check_pyspark()
    running = _running_session(master)
    if running is not None:
        yield running
        return
    check_java()
    folder = Path(tempfile.mkdtemp(prefix="surpeer-spark-"))
    try:
        session = _start(_master_of(master), settings or {}, folder)
        try:
            yield session
        finally:
            _stop(session)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_pyspark() -> None:
    otherwise = "leave out --engine spark"
    for module in ("pyspark", "pyarrow", "pandas"):  # Spark asks for pandas, though nothing passes through it
        with needs_extra(module, f"Spark needs {module}", "spark", otherwise):
            __import__(module)


def _running_session(master: str | None) -> "SparkSession | None":
    from pyspark.sql import SparkSession

    if "PYSPARK_GATEWAY_PORT" in os.environ:  # started by spark-submit
        return SparkSession.builder.getOrCreate()
    session = SparkSession.getActiveSession()
    if session is not None and master not in (None, session.sparkContext.master):
        raise InputError(
            f"master {quoted(master)}: a Spark session on {quoted(session.sparkContext.master)} is running already; "
            "stop it, or leave out the master"
        )
    return session


def _master_of(master: str | None) -> str | None:
    if master is not None or "SPARK_HOME" in os.environ or "SPARK_CONF_DIR" in os.environ:
        return master
    return "local[*]"


def check_java() -> None:
    """Say what is missing before Spark does, in many words, that Java is."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin") if home else None)
    needed = f"Spark needs Java {OLDEST_JAVA} or newer"
    advice = f"install it (on Debian: apt install openjdk-{OLDEST_JAVA}-jre-headless) or set JAVA_HOME to where it is"
    if java is None:
        where = f"in JAVA_HOME, which is {quoted(home)}" if home else "on this machine"
        raise InputError(f"{needed}, and there is no java {where}; {advice}")
    try:
        said = subprocess.run(  # noqa: S603
            [java, "-version"], capture_output=True, text=True, timeout=JAVA_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{needed}, and {java} does not run: {error}") from None
    version = java_version(said.stderr + said.stdout)
    if version is not None and version < OLDEST_JAVA:
        raise InputError(f"{needed}, and {java} is Java {version}; {advice}")


def java_version(said: str) -> int | None:
    """The number of the version in what `java -version` says, None where there is none.

    >>> java_version('openjdk version "17.0.15" 2025-04-15'), java_version('java version "1.8.0_302"')
    (17, 8)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found.group(1)) if found else None


def _start(master: str | None, settings: Mapping[str, str], folder: Path) -> "SparkSession":
    from pyspark import SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    conf = _configuration(master, settings, folder)
    _keep_quiet()
    log = folder / "spark.log"
    with _environment(master), log_of_start(master, log), open(log, "wb") as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        there: Any = SparkContext._gateway  # of a session that was stopped
        gateway = there or launch_gateway(conf, {"stdout": stream, "stderr": stream})  # type: ignore[no-untyped-call]
        try:
            with spark_failures():
                SparkContext(conf=conf, gateway=gateway)
                return SparkSession.builder.getOrCreate()
        except BaseException:
            _close(gateway)
            raise


def _keep_quiet() -> None:
    """No pages of Java and no tracebacks on standard error, beside the error that we raise."""
    from pyspark import accumulators

    logging.getLogger("DataFrameQueryContextLogger").setLevel(logging.CRITICAL)
    for name in ("AccumulatorTCPServer", "AccumulatorUnixServer"):
        server = getattr(accumulators, name, None)
        if server is not None:
            server.handle_error = lambda *_: None  # which prints that Java is gone


@contextmanager
def _environment(master: str | None) -> Iterator[None]:
    """What Spark is told by variables, on this machine: the Python that runs, and to listen to nobody else."""
    there = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    added = {name: value for name, value in there.items() if name not in os.environ and _is_local(master)}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            del os.environ[name]


def _is_local(master: str | None) -> bool:
    return master is not None and master.startswith("local")


def _configuration(master: str | None, settings: Mapping[str, str], folder: Path) -> "SparkConf":
    from pyspark import SparkConf

    conf = SparkConf()
    chosen = SETTINGS | {"spark.sql.warehouse.dir": str(folder / "warehouse")}
    if master is not None:
        conf.setMaster(master)
        if _is_local(master):
            chosen |= ON_THIS_MACHINE
            if "SPARK_LOCAL_DIRS" not in os.environ:
                chosen["spark.local.dir"] = str(folder)
    for key, value in (chosen | dict(settings)).items():
        conf.set(key, value)
    return conf


def _stop(session: "SparkSession") -> None:
    gateway = session.sparkContext._gateway
    with contextlib.suppress(Exception):  # a session that was lost cannot be stopped
        session.stop()
    _close(gateway)


def _close(gateway: Any) -> None:
    """End the Java process behind a session, so that another one can be started."""
    from pyspark import SparkContext

    with contextlib.suppress(Exception):
        gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None
    process = getattr(gateway, "proc", None)
    if process is not None:
        process.stdin.close()
        try:
            process.wait(timeout=JAVA_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
