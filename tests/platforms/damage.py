"""Small damages of files, as hypothesis draws them."""

import copy
import csv
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from at_length import examples
from hypothesis import HealthCheck
from hypothesis import strategies as st
from platform_samples import (
    SAMPLES,
    Sample,
    rows_of,
)

TIMES = int(os.environ.get("SURPEER_FUZZ", "1"))


def tries(number: int) -> Callable[[Any], Any]:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return examples(number * TIMES, derandomize=TIMES == 1, database=None, suppress_health_check=checks)


def samples_that_end_in(*suffixes: str) -> list[str]:
    return [name for name, sample in SAMPLES.items() if sample.name.endswith(suffixes)]


KEYS = [
    "abstracts", "questions", "reviews", "ratings", "friendly_id", "user", "notes", "content", "value", "invitations", "invitation",
    "signatures", "forum", "details", "directReplies", "replies", "results", "count", "submission", "score", "scores", "answers",
    "question", "ok", "object", "pid", "rid", "OveMer", "settings", "rf", "paper", "reviewer", "rating", "p_1", "p_2", "id",
    "number", "title", "name",
]  # fmt: skip
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["review", "complete", "3: good", "10 20 30 40", "V/Submission1/-/Official_Review", "2031-01-01"])
)
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6), max_leaves=25
)  # fmt: skip
TEXTS = ["", " ", "\x00", '"', '""', "'", ",", ";", "\t", "\n", "\r", "\r\n", "\ufeff", "é", "<b>", "&amp;", "-", "0", "1e400",
         "nan", "-inf", "9" * 400, "[", "{", "}", "null", "=1+1", "5 5", "50%", "\u202e", "\ud7ff"]  # fmt: skip
EVERYWHERE = ["1", "1 "]
HUGE = ["a", '"', "[", '{"a":', "<a", " ", ",", "1,", "\n", "1/", "(", "é", "0.", "-", "\\", "&lt;", "a: 1\n"]
ENCODINGS = ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp037", "utf-7"]
LINE_ENDS = [b"\r", b"\r\n", b"\n\n", b" ", b"\x0b"]
SEPARATORS = [b";", b"\t", b"|", b" ", b", ", b",,"]


@st.composite
def damaged_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """One to three small damages."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 40)))
        kind = draw(st.integers(0, 6))
        if kind == 0:
            data = data[:start] + data[stop:]
        elif kind == 1:
            data = data[:start]
        elif kind == 2:
            data = data[:start] + draw(st.sampled_from(TEXTS)).encode() + data[stop:]
        elif kind == 3:
            data = data[:start] + draw(st.binary(min_size=1, max_size=4)) + data[stop:]
        elif kind == 4:
            data = data[:stop] + data[start:stop] * draw(st.integers(1, 3)) + data[stop:]
        elif kind == 5:
            data = data.replace(b"\n", draw(st.sampled_from(LINE_ENDS)), draw(st.integers(1, 20)))
        else:
            data = data.replace(b",", draw(st.sampled_from(SEPARATORS)), draw(st.integers(1, 50)))
    return data


@st.composite
def damaged_cells(draw: st.DrawFn, rows: list[list[str]]) -> list[list[str]]:
    """One to four cells or rows that are not what they should be."""
    rows = [list(row) for row in rows]
    for _ in range(draw(st.integers(1, 4))):
        row = draw(st.sampled_from(rows))
        at = draw(st.integers(0, max(0, len(row) - 1)))
        kind = draw(st.integers(0, 6))
        if kind == 0 or not row:
            row.insert(at, draw(st.sampled_from(TEXTS)))
        elif kind == 1:
            row[at] = draw(st.sampled_from(TEXTS) | st.text(max_size=8))
        elif kind == 2:
            del row[at]
        elif kind == 3:
            other = draw(st.integers(0, len(row) - 1))
            row[at], row[other] = row[other], row[at]
        elif kind == 4:
            rows.append(list(row))
        elif kind == 5:
            row[at] = row[at] * draw(st.integers(2, 5))
        else:
            rows.remove(row)
            rows = rows or [[""]]
    return rows


ODD_VALUES = [None, True, False, 0, -1, 3.5, 10**400, 1e308, float("nan"), float("inf"), "", " ", "x", [], {}, [[]], [None], {"value": None},
              {"value": {}}, {"en": "x"}, {"id": None}, "\ud800", "2031-13-45", [{}], {"": ""}]  # fmt: skip


@st.composite
def damaged_document(draw: st.DrawFn, document: Any) -> Any:
    """One to four values of another type, keys gone or renamed, entries twice or in another place."""
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(1, 4))):
        box, steps = document, draw(st.integers(0, 7))
        for _ in range(steps):
            inner = [
                value
                for value in (box.values() if isinstance(box, dict) else box)
                if isinstance(value, list | dict) and value
            ]
            if not inner:
                break
            box = draw(st.sampled_from(inner))
        keys = list(box) if isinstance(box, dict) else list(range(len(box)))
        if not keys:
            break
        key, other = draw(st.sampled_from(keys)), draw(st.sampled_from(keys))
        kind = draw(st.integers(0, 5))
        if kind <= 1:
            box[key] = copy.deepcopy(draw(st.sampled_from(ODD_VALUES) | scalars))
        elif kind == 2:
            del box[key]
        elif kind == 3:
            box[key], box[other] = box[other], box[key]
        elif kind == 4:
            box[key] = [box[key]]
        elif isinstance(box, dict):
            box[draw(st.sampled_from(KEYS))] = box.pop(key)
        else:
            box.append(box[key])
    return document


@st.composite
def damaged_file(draw: st.DrawFn, sample: Sample) -> bytes:
    """The sample, damaged in its bytes or in what they mean."""
    suffix = Path(sample.name).suffix
    if draw(st.booleans()):
        return draw(damaged_bytes(sample.data))
    if suffix == ".json":
        return json.dumps(draw(damaged_document(json.loads(sample.data)))).encode("utf-8", "surrogatepass")
    if suffix == ".jsonl":
        lines = draw(damaged_document([json.loads(line) for line in sample.data.splitlines()]))
        return "\n".join(json.dumps(line) for line in (lines if isinstance(lines, list) else [lines])).encode()
    if suffix == ".xlsx":
        return draw(damaged_parts(sample.data))
    if suffix in (".csv", ".tsv"):
        separator = "\t" if suffix == ".tsv" else ","
        text = io.StringIO()
        csv.writer(text, delimiter=separator).writerows(draw(damaged_cells(rows_of(sample.data, separator))))
        return text.getvalue().encode("utf-8", "surrogatepass")
    return draw(damaged_bytes(sample.data))


@st.composite
def damaged_parts(draw: st.DrawFn, data: bytes) -> bytes:
    """A workbook with one part that is damaged, gone, or there twice."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = draw(st.sampled_from(sorted(parts)))
    if draw(st.integers(0, 5)):
        parts[name] = draw(damaged_bytes(parts[name]))
    else:
        del parts[name]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))) as archive:
        for part, content in parts.items():
            archive.writestr(zipfile.ZipInfo(part, (2031, 1, 1, 0, 0, 0)), content)
    return stream.getvalue()
