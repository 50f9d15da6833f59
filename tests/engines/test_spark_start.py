"""What is said where Spark cannot start, and what needs no Spark."""

import builtins
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from spark_local import FAST_ON_LITTLE_DATA, needs_spark, spark

from surpeer.engines.spark_listing import is_address
from surpeer.engines.spark_session import check_java, java_version, spark_session
from surpeer.engines.spark_sums import BelowBound, bound_of
from surpeer.errors import InputError
from surpeer.id_hash import id_hash, smallest

__all__ = ["spark"]

Patch = pytest.MonkeyPatch


def a_java(folder: Path, says: str) -> Path:
    """A folder with a program `bin/java` that says this."""
    program = folder / "bin" / "java"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    return folder


def test_no_java_on_the_path(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="Spark needs Java 17 or newer, and there is no java on this machine; install"):
        check_java()


def test_no_java_where_java_home_points(monkeypatch: Patch) -> None:
    monkeypatch.setenv("JAVA_HOME", "/no/java/here")
    with pytest.raises(InputError, match='no java in JAVA_HOME, which is "/no/java/here"; install it'):
        check_java()


@pytest.mark.parametrize(("said", "version"), [("1.8.0_302", 8), ("11.0.2", 11), ("16", 16)])
def test_java_that_is_too_old(monkeypatch: Patch, tmp_path: Path, said: str, version: int) -> None:
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path, f"""echo 'openjdk version "{said}" 2020' >&2""")))
    with pytest.raises(InputError, match=rf"needs Java 17 or newer, and \S+java is Java {version}; install"):
        check_java()


def test_java_that_does_not_run(monkeypatch: Patch, tmp_path: Path) -> None:
    program = a_java(tmp_path, "") / "bin" / "java"
    program.write_bytes(b"\x7fELF damaged")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match=r"java does not run: .*Exec format error"):
        check_java()


@pytest.mark.parametrize("version", ["17.0.15", "21", "25.0.1"])
def test_java_that_is_new_enough(monkeypatch: Patch, tmp_path: Path, version: str) -> None:
    said = f'openjdk version "{version}"'
    monkeypatch.setenv("JAVA_HOME", str(a_java(tmp_path, f"echo '{said}' >&2")))
    check_java()
    assert java_version(said) == int(version.split(".")[0])


def test_java_that_says_no_version_is_tried() -> None:
    assert java_version("some other Java") is None


@pytest.mark.parametrize("module", ["pyspark", "pyarrow", "pandas"])
def test_a_package_that_is_not_installed(monkeypatch: Patch, module: str) -> None:
    original: Callable[..., Any] = builtins.__import__

    def without(name: str, *others: Any) -> Any:
        if name.split(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return original(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    said = (
        rf"(?:Spark needs {module}|Spark needs \w+), which is not installed: pip install 'surpeer\[spark\]', or leave"
    )
    with pytest.raises(InputError, match=said), spark_session():
        pass


@needs_spark
def test_a_master_that_does_not_exist() -> None:
    """In a process of its own: there may be a session in this one."""
    script = f"""
from surpeer.engines.spark_session import spark_session
from surpeer.errors import InputError
for master in ("nonsense", "local[x]"):
    try:
        with spark_session(master, {FAST_ON_LITTLE_DATA}):
            pass
    except InputError as error:
        print(error)
"""
    said = (
        "Spark does not start: Master must either be yarn or start with spark, k8s, or local\n"
        'master "local[x]": local[x] is no master: expected local[2], spark://host:7077, yarn, k8s://...'
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.stdout, ran.stderr) == (f"{said}\n", "")


@needs_spark
def test_another_master_than_that_of_the_session_that_runs(spark: Any) -> None:
    with spark_session("local[2]") as session:
        assert session is spark
    said = r'master "yarn": a Spark session on "local\[2\]" is running already; stop it, or leave out the master'
    with pytest.raises(InputError, match=said), spark_session("yarn"):
        pass


def test_the_papers_to_learn_from_are_all_below_the_bound() -> None:
    papers = pl.DataFrame({"paper": np.arange(50_000), "track": ["large"] * 48_000 + ["small"] * 2_000})
    most = 3_000
    bounds: dict[str | None, int] = {"large": bound_of(48_000, most + 200), "small": bound_of(2_000, most + 200)}
    (found,) = BelowBound(bounds)(iter([papers]))
    sizes = dict(found["track"].value_counts().iter_rows())
    assert sizes["small"] == 2_000
    assert most <= sizes["large"] < most + 500
    large = papers.head(48_000)
    assert set(large.filter(smallest(id_hash(large["paper"]), most))["paper"]) <= set(found["paper"])


@pytest.mark.parametrize(
    ("path", "address"),
    [("s3a://bucket/x", True), ("hdfs:///x", True), ("file:///x", True), ("folder/x", False), ("C:\\x", False)],
)
def test_addresses(path: str, address: bool) -> None:
    assert is_address(path) is address
