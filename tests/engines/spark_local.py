"""One Spark session on two cores of this machine for all tests that need one: starting it takes seconds."""

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

MISSING = [
    *(f"the package {name}" for name in ("pyspark", "pyarrow", "pandas") if find_spec(name) is None),
    *(["Java"] if shutil.which("java") is None else []),
]

needs_spark = pytest.mark.skipif(bool(MISSING), reason=f"Spark cannot run without {' and '.join(MISSING)}")

JAVA_THAT_STARTS_FAST = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""Spark's classes are not checked as they are loaded: they never change, and each test that starts Java loads them anew."""

FAST_ON_LITTLE_DATA = {
    "spark.sql.shuffle.partitions": "3",
    "spark.default.parallelism": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.driver.extraJavaOptions": JAVA_THAT_STARTS_FAST,
}


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from surpeer.engines.spark_session import spark_session

    with spark_session("local[2]", FAST_ON_LITTLE_DATA) as session:
        yield session
