"""A look at the parts of an Office Open XML workbook before openpyxl gets them.

openpyxl builds whatever a file tells it to, and leaves out in silence what it does not expect. So all parts are
unpacked here once, within the budget, and searched, without being parsed, for what it must not get or would not tell.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from surpeer.errors import counted, quoted
from surpeer.io.workbook.limits import MOST_COLUMNS, Unreadable
from surpeer.io.workbook.package import Package

LARGEST_TREE = 20_000_000
"""Bytes of a part that openpyxl would read as a whole."""
LONGEST_STRETCH, MOST_TAGS = 8_000_000, 16 * MOST_COLUMNS
"""Bytes and tags between the starts of two rows, or of two shared texts: openpyxl holds one of them at a time."""
LONGEST_TAG = 1_000_000
"""Bytes; some parsers of XML look at a tag anew with every piece of it."""
LEAST_STARTS, LEAST_TAGS, TAGS_PER_BYTE = 2_000_000, 10_000_000, 10
"""Rows and texts, and tags, that any file may have; larger ones may have one start, and ten tags, for each byte."""
PLAIN = "plain data, as spreadsheet programs save it"
COMPUTE = "open the file in a spreadsheet program, which computes them, and save it"


HEAD = 4096  # bytes in which the first tag of a part is
ROOT = re.compile(rb"<((?:[\w.-]+:)?)(worksheet|sst)[\s/>]")
NUMBERED = re.compile(rb"\bt\s*=\s*[\"'](?:s[\"']|&)")
"""The attribute of a cell whose value is the number of a shared text."""
CELL_NAME = re.compile(rb'\br="([A-Z]{1,3}\d{1,7})"')
MOST_PLACES = 1000
"""Of formulas without a result, by which they can be told one by one."""
ROW_NUMBER = re.compile(rb'[^<>]*?\br="(\d{1,7})"')


class _Patterns:
    """What to look for in a part whose tags have this prefix, which mostly is none."""

    def __init__(self, prefix: bytes) -> None:
        self.starts = _compiled(rb"<@(?:row|si)[\s/>]", prefix)
        self.value = _compiled(rb"<@v(?:\s[^<>]*[^<>/])?>[^<]|<@is[\s>]", prefix)
        self.no_digit = _compiled(rb"<@v(?:\s[^<>]*)?>\s*[^\s\d<]", prefix)
        self.cells = _compiled(rb"<@c(?:\s([^<>]*)|[/>])|<@v(?:\s[^<>]*)?>\s*[^\s\d<]", prefix)
        self.cell = b"<" + prefix + b"c"
        formula = rb"<@f(?:\s[^<>]*)?(?:/>|>[^<]*</@f\s*>)"
        no_value = rb"</@c\s*>|(<@v\s*(?:/|></@v\s*)>)"
        self.formula = b"<" + prefix + b"f"
        self.uncomputed = _compiled(rb"<@c(\s[^<>]*)?>\s*" + formula + rb"\s*(?:" + no_value + rb")", prefix)


def _compiled(pattern: bytes, prefix: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern.replace(b"@", re.escape(prefix)))


class Scan:
    """What is in the parts of a workbook. Raises Unreadable where openpyxl must not get them."""

    def __init__(self, package: Package, size: int) -> None:
        self._starts = max(LEAST_STARTS, size)
        self._tags = max(LEAST_TAGS, TAGS_PER_BYTE * size)
        self.sheets = 0
        self.values = 0
        """Cells of sheets that have a value."""
        self._uncomputed = 0
        self._first_uncomputed = ("", "")  # part, and where in it
        self._uncomputed_cells: list[tuple[str, str]] = []  # part, and name of the cell: the first of those with a name
        for part in package.names:
            self._look_at(part, package.chunks(part))

    def refuse_uncomputed(self, titles: Mapping[str, str]) -> None:
        """Raise where there are formulas without a result. `titles` has the names of sheets by their parts."""
        if self._uncomputed:
            part, place = self._first_uncomputed
            sheet = f"{place} of sheet {quoted(titles[part])}" if part in titles else quoted(part)
            found = f"{counted(self._uncomputed, 'formula')} without a result (first in {sheet})"
            raise Unreadable(found, "what formulas came to", COMPUTE)

    @property
    def uncomputed(self) -> list[tuple[str, str]] | None:
        """Part and cell (`B3`) of every formula without a result; None where not each has a name, or they are many."""
        return self._uncomputed_cells if len(self._uncomputed_cells) == self._uncomputed else None

    def _look_at(self, part: str, chunks: Iterator[bytes]) -> None:
        first = next(chunks, b"")
        head = first.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        chunks = chain([first], chunks)
        if head[:1] not in (b"", b"<"):  # no XML, but a picture, say
            for _ in chunks:
                pass
        elif root := ROOT.search(head[:HEAD]):
            if b"purl.oclc.org/ooxml" in head[:HEAD]:
                raise Unreadable("a Strict Open XML workbook", "a usual one", "save it as Excel Workbook (.xlsx)")
            patterns = _Patterns(root[1])
            is_sheet = root[2] == b"worksheet"
            self.sheets += is_sheet
            for stretch in _stretches(part, chunks, patterns.starts):
                self._look_at_stretch(part, stretch)
                if is_sheet:
                    self._look_at_row(part, stretch, patterns)
        else:
            _look_at_tree(part, chunks)

    def _look_at_stretch(self, part: str, stretch: bytes) -> None:
        if b"<!" in stretch or b"\0" in stretch:  # where tags could hide
            raise Unreadable(f"declarations, comments or another encoding than UTF-8 in {quoted(part)}", PLAIN)
        tags = stretch.count(b"<")
        if len(stretch) > LONGEST_STRETCH or tags > MOST_TAGS or _has_long_tag(stretch):
            raise Unreadable(f"a row or text in {quoted(part)} that is longer than any can be")
        self._starts -= 1
        self._tags -= tags
        if self._starts < 0 or self._tags < 0:
            raise Unreadable("more rows, cells or texts than so small a file can have", "a table")

    def _look_at_row(self, part: str, row: bytes, patterns: _Patterns) -> None:
        self.values += len(patterns.value.findall(row))
        if patterns.no_digit.search(row) and _refers_to_no_text(row, patterns):
            raise Unreadable(f"a cell in {quoted(part)} that refers to a text before the first, or to none")
        if patterns.formula not in row:
            return
        for cell in patterns.uncomputed.finditer(row):
            if cell[2] and b'"str"' in (cell[1] or b""):  # came to an empty text
                continue
            self._uncomputed += 1
            if self._uncomputed == 1:
                self._first_uncomputed = (part, _place(row, cell[1] or b""))
            name = CELL_NAME.search(cell[1] or b"")
            if name is not None and len(self._uncomputed_cells) < MOST_PLACES:
                self._uncomputed_cells.append((part, name[1].decode()))


def _place(row: bytes, cell: bytes) -> str:
    """Where a cell is, as far as its tag, or that of its row, says so."""
    name, number = CELL_NAME.search(cell), ROW_NUMBER.match(row)
    if name is not None:
        return f"cell {name[1].decode()}"
    return "a row without a number" if number is None else f"row {int(number[1])}"


def _refers_to_no_text(row: bytes, patterns: _Patterns) -> bool:
    """Whether there is a value that does not start with a digit in a cell whose value is the number of a text."""
    in_numbered = False
    for match in patterns.cells.finditer(row):
        if match[0].startswith(patterns.cell):
            in_numbered = NUMBERED.search(match[1] or b"") is not None
        elif in_numbered:
            return True
    return False


def _has_long_tag(stretch: bytes) -> bool:
    if len(stretch) <= LONGEST_TAG:
        return False
    return any(len(tag.partition(b">")[0]) > LONGEST_TAG for tag in stretch.split(b"<")[1:])


def _stretches(part: str, chunks: Iterable[bytes], starts: re.Pattern[bytes]) -> Iterator[bytes]:
    """The part from one start of a row or shared text to the next."""
    rest = b""
    instructions = 0
    for chunk in chunks:
        *done, rest = starts.split(rest + chunk)
        yield from done
        instructions += chunk.count(b"<?")
        if len(rest) > LONGEST_STRETCH or instructions > 1:  # the declaration of XML is one
            break
    if instructions > 1:
        raise Unreadable(f"processing instructions in {quoted(part)}", PLAIN)
    yield rest


def _look_at_tree(part: str, chunks: Iterable[bytes]) -> None:
    size, end = 0, b""
    for chunk in chunks:
        size += len(chunk)
        bare = end + chunk.replace(b"\0", b"")  # UTF-16 as well
        if b"<!DOCTYPE" in bare:
            raise Unreadable(f"a document type declaration in {quoted(part)}", PLAIN)
        if size > LARGEST_TREE or (len(chunk) > LONGEST_TAG and b">" not in chunk):
            raise Unreadable(f"a part {quoted(part)} that is larger than it can be")
        end = bare[-10:]
