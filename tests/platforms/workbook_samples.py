"""Workbooks made for tests, sound and otherwise, without help from the readers that they test."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

import pytest
import xlsxwriter
import xlwt

from surpeer.errors import ReviewProblems
from surpeer.io.workbook import read_workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
SPREADSHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

Cell = str | int | float | bool
Rows = Sequence[Sequence[Cell]]


def xlsx(sheets: Mapping[str, Rows]) -> bytes:
    """As a spreadsheet program saves it; an empty text leaves the cell out."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    sheet.write(at, column, cell)
    return stream.getvalue()


def xls(sheets: Mapping[str, Rows]) -> bytes:
    """The same as Excel 97 saved it."""
    book = xlwt.Workbook(encoding="utf-8")
    for name, rows in sheets.items():
        sheet = book.add_sheet(name)
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell != "":
                    sheet.write(at, column, cell)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return stream.getvalue()


def raw_xlsx(
    rows: str = "", *, shared: str | None = None, styles: str | None = None, sheet: str | None = None, book: str = ""
) -> bytes:
    """A workbook of one sheet, `S`, written by hand: rows as XML, shared strings and styles as wanted."""
    kinds = {"worksheet": "worksheets/sheet1.xml", "sharedStrings": "sharedStrings.xml", "styles": "styles.xml"}
    relations = "".join(
        f'<Relationship Id="rId{at}" Type="{OFFICE_RELATIONS}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(kinds.items(), start=1)
    )
    types = {
        "workbook": "sheet.main",
        "worksheets/sheet1": "worksheet",
        "sharedStrings": "sharedStrings",
        "styles": "styles",
    }
    overrides = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{SPREADSHEET_TYPE}.{kind}+xml"/>'
        for name, kind in types.items()
        if not (name == "sharedStrings" and shared is None)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{CONTENT_TYPES}">{overrides}</Types>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE_RELATIONS}">{book}<sheets>'
        '<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE_RELATIONS}">{relations}</Relationships>',
        "xl/worksheets/sheet1.xml": sheet or f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
    }
    if shared is not None:
        parts["xl/sharedStrings.xml"] = (
            f'<sst xmlns="{MAIN}" count="9999999999" uniqueCount="9999999999">{shared}</sst>'
        )
    if styles is not None:
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'
    return archive(parts)


def sheets_of_parts(targets: Sequence[int], parts: Sequence[str]) -> bytes:
    """A workbook whose sheets have these rows as XML: for each sheet, the number of the part that it is."""
    sheets = "".join(f'<sheet name="S{at}" sheetId="{at}" r:id="r{at}"/>' for at in range(1, len(targets) + 1))
    relations = "".join(
        f'<Relationship Id="r{at}" Type="{OFFICE_RELATIONS}/worksheet" Target="worksheets/sheet{target}.xml"/>'
        for at, target in enumerate(targets, start=1)
    )
    types = f'<Override PartName="/xl/workbook.xml" ContentType="{SPREADSHEET_TYPE}.sheet.main+xml"/>'
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{CONTENT_TYPES}">{types}</Types>',
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE_RELATIONS}"><sheets>{sheets}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE_RELATIONS}">{relations}</Relationships>',
        }
        | {
            f"xl/worksheets/sheet{at}.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
            for at, rows in enumerate(parts)
        }
    )


SPREADSHEET = "urn:schemas-microsoft-com:office:spreadsheet"


def spreadsheetml(sheets: Mapping[str, Rows]) -> bytes:
    """XML Spreadsheet 2003 as CMT writes it: rows without cells are skipped, texts are in CDATA sections."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<Workbook xmlns="{SPREADSHEET}" xmlns:ss="{SPREADSHEET}">']
    for name, rows in sheets.items():
        lines += [f'  <Worksheet ss:Name="{escape(name)}">', "    <Table>"]
        skipped = False
        for at, row in enumerate(rows, start=1):
            if not row:
                skipped = True
                continue
            lines.append(f'      <Row ss:Index="{at}">' if skipped else "      <Row>")
            skipped = False
            for cell in row:
                kind = "String" if isinstance(cell, str) else "Number"
                lines += [
                    "        <Cell>",
                    f'          <Data ss:Type="{kind}"><![CDATA[{cell}]]></Data>',
                    "        </Cell>",
                ]
            lines.append("      </Row>")
        lines += ["    </Table>", "  </Worksheet>"]
    return "\n".join([*lines, "</Workbook>"]).encode()


def changed(data: bytes, changes: Mapping[str, tuple[bytes, bytes]]) -> bytes:
    """A workbook in some parts of which something is replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    for name, (old, new) in changes.items():
        assert old in parts[name], f"{name} has no {old!r}"
        parts[name] = parts[name].replace(old, new)
    return archive(parts)


def raw_spreadsheetml(table: str, before: str = "") -> bytes:
    """One sheet, `S`, with a table written by hand."""
    return (
        f'<?xml version="1.0"?>{before}<Workbook xmlns="{SPREADSHEET}" xmlns:ss="{SPREADSHEET}">'
        f'<Worksheet ss:Name="S"><Table>{table}</Table></Worksheet></Workbook>'
    ).encode()


def record(number: int, body: bytes = b"") -> bytes:
    """One record of an old workbook."""
    return struct.pack("<HH", number, len(body)) + body


def biff(cells: Sequence[bytes], book: Sequence[bytes] = (), version: int = 0x600) -> bytes:
    """The stream of an old workbook with one sheet, `S`, that has these records."""
    start, end = record(0x809, struct.pack("<HH12x", version, 5)) + b"".join(book), record(0x0A)
    length = len(record(0x85, bytes(9)))
    entry = record(0x85, struct.pack("<IBBBB", len(start) + length + len(end), 0, 0, 1, 0) + b"S")
    return start + entry + end + record(0x809, struct.pack("<HH12x", version, 16)) + b"".join(cells) + end


SECTOR, MINI_SECTOR, CHAIN_END, FREE = 512, 64, 0xFFFFFFFE, 0xFFFFFFFF


def compound(stream: bytes, name: str = "Workbook") -> bytes:
    """A compound file with this stream; a stream below 4,096 bytes lies in the stream of short ones, as is the rule.

    Sector 0 is the allocation table and sector 1 the directory.
    """
    short = len(stream) < 4096
    content = _padded(stream, MINI_SECTOR if short else SECTOR)
    mini_table = _padded(_chain(len(content) // MINI_SECTOR), SECTOR, b"\xff") if short else b""
    first = 2 + len(mini_table) // SECTOR
    body = _padded(content, SECTOR)
    table = _chain(1, CHAIN_END) + _chain(1, CHAIN_END)
    table += b"".join(_chain(1, CHAIN_END) for _ in range(len(mini_table) // SECTOR))
    table += _chain(len(body) // SECTOR, start=first)
    directory = _entry("Root Entry", 5, first if short else CHAIN_END, len(content) if short else 0)
    directory += _entry(name, 2, 0 if short else first, len(stream)) + 2 * _entry("", 0, 0, 0)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 2 if short else CHAIN_END, int(short), CHAIN_END, 0)
    header += struct.pack("<I", 0) + struct.pack("<I", FREE) * 108
    assert len(table) <= SECTOR, "one sector of the allocation table is enough for tests"
    return header + _padded(table, SECTOR, b"\xff") + directory + mini_table + body


def _padded(content: bytes, size: int, with_byte: bytes = b"\0") -> bytes:
    return content + with_byte * (-len(content) % size)


def _chain(length: int, only: int | None = None, start: int = 0) -> bytes:
    """Entries of a table for a chain of sectors that lie side by side."""
    if only is not None:
        return struct.pack("<I", only) * length
    following = [start + at + 1 for at in range(length - 1)] + [CHAIN_END]
    return struct.pack(f"<{length}I", *following)


def _entry(name: str, kind: int, start: int, size: int) -> bytes:
    written = name.encode("utf-16-le")
    length = len(written) + 2 if name else 0
    links = struct.pack("<III", FREE, FREE, FREE)
    return (
        written.ljust(64, b"\0")
        + struct.pack("<HBB", length, kind, 1)
        + links
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )


XLS_CELLS = (
    record(0x203, struct.pack("<HHHd", 0, 0, 0, 2.5)),
    record(0x27E, struct.pack("<HHHI", 0, 1, 0, (7 << 2) | 2)),
    record(0x27E, struct.pack("<HHHI", 0, 2, 0, ((-125) << 2 & 0xFFFFFFFF) | 3)),
    record(0x27E, struct.pack("<HHHI", 0, 3, 0, 0x3FF80000)),
    record(0xBD, struct.pack("<HHHIHIH", 1, 2, 0, (1 << 2) | 2, 0, (2 << 2) | 2, 3)),
    record(0x204, struct.pack("<HHHHB", 2, 0, 0, 3, 0) + b"abc"),
    record(0x205, struct.pack("<HHHBB", 2, 1, 0, 1, 0)),
    record(0x205, struct.pack("<HHHBB", 2, 2, 0, 23, 1)),
    record(0x06, struct.pack("<HHHdHIH", 3, 0, 0, 1.25, 0, 0, 0)),
    record(0x06, struct.pack("<HHHBxBxxxHHIH", 3, 1, 0, 0, 0, 0xFFFF, 0, 0, 0)),
    record(0x207, struct.pack("<HB", 2, 1) + "öΩ".encode("utf-16-le")),
    record(0x06, struct.pack("<HHHBxBxxxHHIH", 3, 2, 0, 1, 1, 0xFFFF, 0, 0, 0)),
    record(0x06, struct.pack("<HHHBxBxxxHHIH", 3, 3, 0, 2, 42, 0xFFFF, 0, 0, 0)),
)
"""Records of every kind of cell of an old workbook."""


def rows_of(data: bytes) -> list[list[str]]:
    (sheet,) = read_workbook("book", data)
    return sheet.rows


def complaint(data: bytes) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read_workbook("book", data)
    return str(caught.value)
