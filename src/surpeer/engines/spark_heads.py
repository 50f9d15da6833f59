"""How files begin, or what their ends say of them, wherever they are: read by Hadoop, through Java, for the driver."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from surpeer.engines.spark_failures import known_failure, reason_of, spark_failures
from surpeer.errors import InputError
from surpeer.io.files_together import Damage
from surpeer.io.table import unusable
from surpeer.io.text_blocks import GZIP, ZSTD

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

AT_ONCE = 16
"""Files that are looked at together: to open one at an address takes its time."""

PACKED = {GZIP: ("gzip", ".gz"), ZSTD: ("zstd", ".zst")}

Found = TypeVar("Found")


def look_at_all(source: str, addresses: Mapping[str, str], look: Callable[[str, str], Found]) -> dict[str, Found]:
    """What is found in each file; everything that keeps files from being looked at is raised at once.

    addresses : of the files, by how messages name them; look : is given that name and the address
    """
    every: dict[str, Found] = {}
    damage = Damage(source, len(addresses) == 1)
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="surpeer-heads") as threads:
        coming = {path: threads.submit(look, path, address) for path, address in addresses.items()}
        for path, found in coming.items():
            with damage.noted(path):
                every[path] = found.result()
    damage.raise_if_any()
    return every


def text_at_start(session: "SparkSession", path: str, address: str, size: int) -> bytes:
    """The first bytes of a file, unpacked as Spark does it: by its ending."""
    jvm, configuration = _java(session)
    with spark_failures(path):
        codecs = jvm.org.apache.spark.sql.execution.datasources.CodecStreams
        stream = codecs.createInputStream(configuration, jvm.org.apache.hadoop.fs.Path(address))
        try:
            return bytes(stream.readNBytes(size))
        finally:
            stream.close()


def refuse_packed(path: str, start: bytes) -> None:
    """Raise for a file that Spark does not know to be packed."""
    for signature, (packed, ending) in PACKED.items():
        if start.startswith(signature):
            found = f"a file that is packed by {packed} and whose name does not say so"
            expected = f"a name that ends in {ending}, by which Spark knows how to unpack it"
            raise unusable(Path(path), found, expected, "rename it, or use an engine on this machine")


def parquet_columns(session: "SparkSession", path: str, address: str) -> "StructType":
    """The columns of a Parquet file, with the types that Spark reads them as."""
    from py4j.protocol import Py4JError
    from pyspark.sql.types import StructType

    jvm, configuration = _java(session)
    parquet = jvm.org.apache.spark.sql.execution.datasources.parquet
    try:
        place = jvm.org.apache.hadoop.fs.Path(address)
        footer = jvm.org.apache.parquet.hadoop.ParquetFileReader.readFooter(configuration, place)
        converter = parquet.ParquetToSparkSchemaConverter(session._jsparkSession.sessionState().conf())
        return StructType.fromJson(json.loads(converter.convert(footer.getFileMetaData().getSchema()).json()))
    except Py4JError as error:
        known = known_failure(str(error))
        if known is not None:
            raise InputError(f"{path}: {known}") from None
        damaged = f"a damaged Parquet file ({reason_of(error)})"
        raise unusable(Path(path), damaged, "a sound one", "write it again") from None


def _java(session: "SparkSession") -> tuple[Any, Any]:
    """The gateway to Java, and what Hadoop is told about file systems."""
    context = session.sparkContext
    return context._jvm, session._jsparkSession.sessionState().newHadoopConf()
