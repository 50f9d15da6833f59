"""What goes wrong on a cluster -> one sentence instead of pages of Java."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from surpeer.errors import InputError, printable, quoted

SHOWN = 300  # characters of what Spark itself says

EXISTS = "there is something already: choose another folder, or remove it"

KNOWN: tuple[tuple[str, str], ...] = (
    (r"PATH_NOT_FOUND", "there is no such file or folder"),
    (
        r"ClassNotFoundException: Class org\.apache\.hadoop\.fs\.s3a",
        (
            "Spark reads s3a:// paths with the package hadoop-aws, which is not there: add it with the setting "
            "spark.jars.packages=org.apache.hadoop:hadoop-aws:{hadoop}"
        ),
    ),
    (r'No FileSystem for scheme "([^"]*)"', "Spark knows no paths that begin with {1}://"),
    (
        r"UnknownHostException: (\S+)",
        "there is no host {1}: check the address, and that the cluster's names are known on this machine",
    ),
    (
        r"(?:Call From \S+ to|Failed to connect to) (\S+)[^\n]*",
        "{1} cannot be reached: check the address, and that the server runs",
    ),
    (r"EOFException|Unexpected end of input stream", "a packed file is cut short; write or download it again"),
    (r"surpeer\.errors\.InputError: ([^\n]*)", "{1}"),
    (r"AccessControlException: ([^\n]*)", "no permission: {1}"),
    (r"FAILED_READ_FILE\.\w+\] [^\n]*?reading file (\S+?)\.(?: |$)", "the file {1} is damaged, or of another format"),
    (r"FileAlreadyExistsException|PATH_ALREADY_EXISTS", EXISTS),
    (
        r"ModuleNotFoundError: No module named '(surpeer|polars|numpy|scipy|pyarrow|narwhals)[.']?",
        (
            "{1} is not installed where the executors run: install surpeer[spark] there, or send an environment along "
            "with spark.archives"
        ),
    ),
    (r"PYTHON_VERSION_MISMATCH[^\n]*\] ([^\n]*)", "{1}; PYSPARK_PYTHON says which Python the executors use"),
    (r"Cannot run program \"([^\"]*)\"", "the executors have no program {1}; PYSPARK_PYTHON says which Python to use"),
    (
        r"Total size of serialized results|maxResultSize",
        (
            "the result is too large for the driver: raise spark.driver.maxResultSize and spark.driver.memory, or "
            "write it to a folder"
        ),
    ),
    (
        r"java\.lang\.OutOfMemoryError",
        "Java has too little memory: raise spark.driver.memory or spark.executor.memory",
    ),
    (r"No space left on device", "a disk is full; spark.local.dir says where Spark keeps what it sorts"),
    (
        r"ExecutorLostFailure|Python worker exited unexpectedly|exceeded the maximum number of attempts",
        (
            "executors were lost again and again, as when memory is short: raise spark.executor.memory or "
            "spark.executor.memoryOverhead, or spark.task.maxFailures where machines come and go"
        ),
    ),
    (
        r"stopped SparkContext|SparkContext was shut down|All masters are unresponsive",
        "the master cannot be reached, or sent us away: check its address, and that it runs",
    ),
    (
        r"Could not parse Master URL: '([^']*)'",
        "{1} is no master: expected local[2], spark://host:7077, yarn, k8s://...",
    ),
)
"""What Spark says (a pattern), and what we say; {1} is what the pattern found, {hadoop} Spark's version of Hadoop."""


@contextmanager
def spark_failures(what: str = "") -> Iterator[None]:
    """Around work on a cluster: its failures become an InputError of one sentence, which begins with `what`."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException, PythonException

    try:
        yield
    except (Py4JError, PySparkException, ConnectionError) as error:
        if isinstance(error, PythonException) and known_failure(str(error)) is None:
            raise  # a bug of ours, for which the traceback is needed
        raise InputError(f"{what}: {_sentence(error)}" if what else f"Spark: {_sentence(error)}") from None


def _sentence(error: Exception) -> str:
    known = known_failure(str(error))
    if known is not None:
        return known
    if isinstance(error, ConnectionError) or type(error).__name__ == "Py4JNetworkError":
        return "the driver of Spark is gone; its memory may have been too small (spark.driver.memory)"
    return _first_line(str(error))


def known_failure(text: str) -> str | None:
    """The sentence for the first of the KNOWN failures that a text speaks of."""
    for pattern, said in KNOWN:
        found = re.search(pattern, text)
        if found:
            first = found.group(1) if found.re.groups else ""
            return printable(said.replace("{1}", first).replace("{hadoop}", _hadoop()))
    return None


def reason_of(error: Exception) -> str:
    """What Spark, Hadoop or Java says is wrong, in one line."""
    return _first_line(str(error))


def _first_line(text: str) -> str:
    """What Spark says, without how it got there."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("An error occurred while")]
    line = lines[0] if lines else "no reason given"
    line = _without_classes(line)
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def _without_classes(line: str) -> str:
    """A line of Java's without the names of its classes.

    >>> _without_classes(': java.lang.RuntimeException: org.apache.spark.SparkException: Master must be yarn or local')
    'Master must be yarn or local'
    """
    return printable(re.sub(r'^[:\s]*(?:Exception in thread "\w+" )?(?:[\w.$]+(?:Exception|Error): )*', "", line))


def _hadoop() -> str:
    from pyspark import SparkContext

    try:
        return str(SparkContext._jvm.org.apache.hadoop.util.VersionInfo.getVersion())  # type: ignore[union-attr]
    except Exception:  # the session is gone
        return "VERSION"


@contextmanager
def log_of_start(master: str | None, log: Path) -> Iterator[None]:
    """Around the start of a session: what its log says becomes part of the error."""
    try:
        yield
    except InputError as error:
        raise InputError(f"master {quoted(master)}: {str(error).removeprefix('Spark: ')}") from None
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("pyspark", "py4j"):
            raise
        said = log.read_text(errors="replace") if log.exists() else ""
        reasons = [line for line in said.splitlines() if re.search(r"Error|Exception|No such file", line)]
        reason = known_failure(said) or (_without_classes(reasons[0])[:SHOWN] if reasons else _first_line(str(error)))
        raise InputError(f"Spark does not start: {reason}") from None
