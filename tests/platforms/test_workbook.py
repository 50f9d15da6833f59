"""Workbooks become sheets of text, or errors that say what is wrong; nothing else."""

import gc
import io
import struct
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from datetime import date, datetime, time

import pytest
import xlsxwriter
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st
from workbook_samples import (
    MAIN,
    SPREADSHEET,
    archive,
    biff,
    changed,
    compound,
    raw_spreadsheetml,
    raw_xlsx,
    record,
    sheets_of_parts,
    spreadsheetml,
    xls,
    xlsx,
)

from surpeer.errors import InputError, ReviewProblems
from surpeer.io.workbook import is_workbook, limits, read_workbook, xlsx_scan
from surpeer.io.workbook.limits import Budget, Grid, Unreadable
from surpeer.io.workbook.process_state import NO_COLLECTION, NO_WARNINGS

WRITERS = {"xlsx": xlsx, "xls": xls}


def rows_of(data: bytes) -> list[list[str]]:
    (sheet,) = read_workbook("book", data)
    return sheet.rows


def complaint(data: bytes) -> str:
    with pytest.raises(ReviewProblems) as caught:
        read_workbook("book", data)
    return str(caught.value)


class TestSoundWorkbooks:
    @pytest.mark.parametrize("kind", WRITERS)
    def test_cells_are_text_in_their_places(self, kind: str) -> None:
        rows = [
            ["Titel", "", 3],
            [],
            ["", "two\nlines", 2.5, -0.25, True, False, 1e20, "  spaced  ", ""],
            ["ö – 漢字 🎓"],
        ]
        assert rows_of(WRITERS[kind]({"Reviews": rows})) == [
            ["Titel", "", "3"],
            [],
            ["", "two\nlines", "2.5", "-0.25", "yes", "no", "1e+20", "spaced"],
            ["ö – 漢字 🎓"],
        ]

    @pytest.mark.parametrize("kind", WRITERS)
    def test_sheets_keep_their_order_and_empty_ones_are_left_out(self, kind: str) -> None:
        sheets = read_workbook("book", WRITERS[kind]({"Zeta": [["a"]], "Nothing": [], "Alpha": [[], ["b"]]}))
        assert [(sheet.name, sheet.rows) for sheet in sheets] == [("Zeta", [["a"]]), ("Alpha", [[], ["b"]])]

    def test_spreadsheetml_as_cmt_writes_it(self) -> None:
        rows = [["VENUE"], [], ["Paper ID", "Q1 (Overall\n - Value)"], [1, 5], [12, ""], [13, "a <b> & c"]]
        sheets = read_workbook("Reviews.xls", spreadsheetml({"Main & more": rows, "Empty": []}))
        assert [sheet.name for sheet in sheets] == ["Main & more"]
        assert sheets[0].rows == [
            ["VENUE"],
            [],
            ["Paper ID", "Q1 (Overall\n - Value)"],
            ["1", "5"],
            ["12"],
            ["13", "a <b> & c"],
        ]

    def test_a_zip_archive_of_csv_files_is_a_workbook_too(self) -> None:
        files = {
            "data/review.csv": '\ufeff#,text\n1,"a\nb"\n',
            "__MACOSX/._review.csv": "x",
            "empty.csv": " ",
            "a.txt": "t",
        }
        (sheet,) = read_workbook("data.zip", archive(files))
        assert (sheet.name, sheet.rows) == ("review", [["#", "text"], ["1", "a\nb"]])

    @pytest.mark.parametrize("from_1904", [False, True])
    def test_dates_of_xlsx(self, from_1904: bool) -> None:
        stream = io.BytesIO()
        with xlsxwriter.Workbook(stream, {"date_1904": from_1904}) as book:
            sheet = book.add_worksheet()
            formats = ["yyyy-mm-dd", "d mmm yyyy hh:mm", "hh:mm", "0%", '0.0" days"', "[h]:mm", "dd/mm/yy;@"]
            values = [date(2024, 3, 1), datetime(2024, 3, 1, 10, 30), time(18, 0), 0.25, 2, 1.5, date(1950, 12, 31)]
            for at, (code, value) in enumerate(zip(formats, values, strict=True)):
                sheet.write(0, at, value, book.add_format({"num_format": code}))
            sheet.write(0, 7, date(2031, 1, 2), book.add_format({"num_format": 14}))
        assert rows_of(stream.getvalue()) == [
            ["2024-03-01", "2024-03-01T10:30:00", "18:00:00", "0.25", "2", "1.5", "1950-12-31", "2031-01-02"]
        ]

    @pytest.mark.parametrize("from_1904", [False, True])
    def test_dates_of_xls(self, from_1904: bool) -> None:
        book = xlwt.Workbook()
        book.dates_1904 = from_1904
        sheet = book.add_sheet("S")
        codes = {0: "yyyy-mm-dd", 1: "d mmm yyyy hh:mm", 2: "0%"}
        for at, value in enumerate([datetime(2024, 3, 1), datetime(2024, 3, 1, 10, 30), 0.25]):
            sheet.write(0, at, value, xlwt.easyxf(num_format_str=codes[at]))
        stream = io.BytesIO()
        book.save(stream)
        assert rows_of(stream.getvalue()) == [["2024-03-01", "2024-03-01T10:30:00", "0.25"]]

    def test_every_kind_of_cell_of_xlsx(self) -> None:
        rows = (
            '<row r="1"><c r="A1"><v>3.0</v></c><c r="B1" t="s"><v>0</v></c><c r="C1" t="b"><v>1</v></c>'
            '<c r="D1" t="e"><v>#REF!</v></c><c r="E1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>'
            '<c r="F1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh sb="0" eb="1"><t>no</t></rPh></is></c>'
            '<c r="G1"><f>1+2</f><v>0.30000000000000004</v></c><c r="H1" t="d"><v>2024-03-01T00:00:00.000</v></c></row>'
            '<row><c><v>7</v></c><c/><c t="str"><f>""</f><v></v></c><c t="inlineStr"><is><t>in _x005F_x0041_</t></is></c></row>'
            '<row r="5"><c r="B5"><v>12345678901234567890</v></c><c r="C5"><v>-0.0</v></c></row>'
        )
        shared = '<si><r><t>rich </t></r><r><t>te_x000D_\nxt</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>'
        assert rows_of(raw_xlsx(rows, shared=shared)) == [
            ["3", "rich te\nxt", "yes", "#REF!", "ab", "inline", "0.3", "2024-03-01"],
            ["7", "", "", "in _x0041_"],
            [],
            [],
            ["", "1.23456789012346e+19", "0"],
        ]

    def test_elements_may_have_a_prefix(self) -> None:
        sheet = (
            f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c>'
            "<x:c><x:f>1+1</x:f><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>"
        )
        assert rows_of(raw_xlsx(sheet=sheet)) == [["a", "2"]]

    @pytest.mark.parametrize("dimension", ["A1", "A1:XFD1048576", "C7:D8"])
    def test_what_a_sheet_says_of_its_size_is_not_believed(self, dimension: str) -> None:
        rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="3"><c r="B3"><v>2</v></c></row>'
        sheet = f'<worksheet xmlns="{MAIN}"><dimension ref="{dimension}"/><sheetData>{rows}</sheetData></worksheet>'
        assert rows_of(raw_xlsx(sheet=sheet)) == [["1"], [], ["", "2"]]

    def test_what_else_a_workbook_has_is_left_out_without_a_word(self, capfd: pytest.CaptureFixture[str]) -> None:
        stream = io.BytesIO()
        with xlsxwriter.Workbook(stream) as book:
            sheet = book.add_worksheet("Data")
            for at in range(3):
                sheet.write(at, 0, at + 1)
            sheet.write_formula(0, 1, "=SUM(A1:A3)", None, 6)
            sheet.write_url(1, 1, "https://example.org/", string="link")
            sheet.write_comment(0, 0, "a comment")
            sheet.data_validation(0, 0, 5, 0, {"validate": "list", "source": ["1", "2"]})
            sheet.conditional_format(0, 0, 5, 0, {"type": "data_bar", "bar_solid": True})
            sheet.add_sparkline(4, 4, {"range": "Data!A1:A3"})
            sheet.merge_range(2, 1, 2, 3, "merged")
            chart = book.add_chart({"type": "column"})
            chart.add_series({"values": "=Data!$A$1:$A$3"})
            book.add_chartsheet("Chart").set_chart(chart)
            book.add_worksheet("Hidden").write(0, 0, "seen")
            book.worksheets()[-1].hide()
            book.define_name("Ratings", "=Data!$A$1:$A$3")
        sheets = read_workbook("book", stream.getvalue())
        assert [(sheet.name, sheet.rows) for sheet in sheets] == [
            ("Data", [["1", "6"], ["2", "link"], ["3", "merged"]]),
            ("Hidden", [["seen"]]),
        ]
        assert capfd.readouterr() == ("", "")

    def test_a_number_that_is_no_date_is_an_error_cell(self) -> None:
        styles = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
        row = '<row><c s="1"><v>45352</v></c><c s="1"><v>1E+99</v></c></row>'
        assert rows_of(raw_xlsx(row, styles=styles)) == [["2024-03-01", "#VALUE!"]]

    def test_spreadsheetml_skips_merges_and_leaves_comments_out(self) -> None:
        table = (
            '<Row ss:Index="2" ss:Span="1"><Cell ss:Index="2" ss:MergeAcross="1"><Data ss:Type="Boolean">1</Data>'
            '<Comment><Data ss:Type="String">no</Data></Comment></Cell><Cell><Data ss:Type="Error">#N/A</Data></Cell></Row>'
            '<Row><Cell><Data ss:Type="DateTime">2024-03-01T10:30:00.000</Data></Cell><Cell/>'
            '<Cell><Data ss:Type="Number">0.30000000000000004</Data></Cell>'
            '<Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">a<B>b</B></ss:Data></Cell></Row>'
        )
        assert rows_of(raw_spreadsheetml(table)) == [
            [],
            ["", "yes", "", "#N/A"],
            [],
            ["2024-03-01T10:30:00", "", "0.3", "ab"],
        ]


class TestOldWorkbooks:
    CELLS = (
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
    ROWS = (["2.5", "7", "-1.25", "1.5"], ["", "", "1", "2"], ["abc", "yes", "#REF!"], ["1.25", "öΩ", "yes", "#N/A"])

    def test_every_kind_of_cell_in_a_short_stream(self) -> None:
        assert rows_of(compound(biff(self.CELLS))) == list(self.ROWS)

    def test_the_same_in_a_long_stream(self) -> None:
        filler = record(0x5D, bytes(8000))
        assert rows_of(compound(biff([*self.CELLS, filler]))) == list(self.ROWS)

    def test_cells_of_charts_within_a_sheet_are_not_its_end(self) -> None:
        chart = record(0x809, struct.pack("<HH12x", 0x600, 32)) + record(0x0A)
        assert rows_of(compound(biff([chart, self.CELLS[0]]))) == [["2.5"]]

    def test_texts_that_go_on_in_the_next_record(self) -> None:
        texts = ["x" * 5000, "y" * 8000, "ω" * 6000, "z", "mixed ω " * 900, "", "end"]
        rows = rows_of(xls({"S": [[text] for text in texts]}))
        assert rows == [[text.strip()] if text else [] for text in texts]

    def test_a_file_so_large_that_its_allocation_table_goes_on_behind_the_header(self) -> None:
        rows = [[f"{at} " + "x" * 30_000] for at in range(300)]
        data = xls({"S": rows})
        assert len(data) > 109 * 128 * 512
        assert rows_of(data) == rows

    def test_a_text_may_change_its_width_where_a_record_ends(self) -> None:
        first = struct.pack("<II", 2, 2) + struct.pack("<HBH", 6, 0x08, 1) + b"abc"
        second = b"\x01" + "dωf".encode("utf-16-le") + bytes(4) + struct.pack("<HB", 1, 0) + b"g"
        cells = [record(0xFD, struct.pack("<HHHI", 0, at, 0, at)) for at in range(2)]
        assert rows_of(compound(biff(cells, [record(0xFC, first), record(0x3C, second)]))) == [["abcdωf", "g"]]

    @pytest.mark.parametrize("stream", ["Workbook", "Book"])
    def test_excel_95(self, stream: str) -> None:
        cells = [self.CELLS[0], record(0x204, struct.pack("<HHHH", 0, 1, 0, 3) + "für".encode("cp1252"))]
        data = compound(biff(cells, [record(0x42, struct.pack("<H", 1252))], version=0x500), name=stream)
        assert rows_of(data) == [["2.5", "für"]]

    def test_lengths_of_time_and_no_dates_stay_numbers(self) -> None:
        book = xlwt.Workbook()
        sheet = book.add_sheet("S")
        for at, (value, code) in enumerate([(1.5, "[h]:mm"), (0.75, "hh:mm"), (-3, "yyyy-mm-dd"), (1e9, "yyyy-mm-dd")]):
            sheet.write(0, at, value, xlwt.easyxf(num_format_str=code))
        stream = io.BytesIO()
        book.save(stream)
        assert rows_of(stream.getvalue()) == [["1.5", "18:00:00", "-3", "1000000000"]]

    def test_names_drawings_and_links_are_never_looked_at(self) -> None:
        rubbish = [
            record(number, b"\xff" * 40) for number in (0x18, 0x17, 0x1AE, 0x23, 0x5D, 0x1B6, 0x1B8, 0x1C, 0x1B0, 0xEC)
        ]
        assert rows_of(compound(biff([*rubbish, *self.CELLS, *rubbish], rubbish))) == list(self.ROWS)

    @pytest.mark.parametrize(
        ("data", "found"),
        [
            (compound(biff(CELLS), name="WordDocument"), "an Office document that is no workbook"),
            (compound(b"secret", name="EncryptedPackage"), "a workbook with a password, expected one without"),
            (compound(biff(CELLS, [record(0x2F, bytes(6))])), "a workbook with a password, expected one without"),
            (compound(biff(CELLS)[:-4]), "a damaged workbook ("),
            (compound(b"\x09\x02\x06\0" + bytes(40)), "a damaged workbook ("),
            (compound(biff([record(0x203, b"\0")])), "a damaged workbook ("),
            (compound(biff([record(0xFD, struct.pack("<HHHI", 4, 0, 0, 3))])), "a damaged workbook ("),
            (compound(biff([record(0xFD, struct.pack("<HHHi", 4, 0, 0, -1))])), "refers to a text before the first"),
            (compound(biff([record(0x204, struct.pack("<HHHHB", 2, 256, 0, 3, 0) + b"abc")])), "a damaged workbook ("),
            (compound(biff(CELLS))[:400], "a compound file that is cut off"),
            (compound(biff(CELLS))[:30] + b"\x20" + compound(biff(CELLS))[31:], "sectors of an unknown size"),
        ],
    )
    def test_what_cannot_be_read(self, data: bytes, found: str) -> None:
        assert found in complaint(data)

    @pytest.mark.parametrize("filler", [(), (record(0x5D, bytes(8000)),)])
    def test_a_chain_of_sectors_that_never_ends(self, filler: tuple[bytes, ...]) -> None:
        """In the table of sectors, and in that of short ones, where xlrd alone would never end."""
        data = bytearray(compound(biff([*self.CELLS, *filler])))
        place, number = (512 + 4 * 5, 2) if filler else (512 * 3 + 4 * 3, 0)
        struct.pack_into("<I", data, place, number)
        assert "sectors do not hang together" in complaint(bytes(data))

    def test_texts_that_never_end(self) -> None:
        """A pronunciation of negative length, after which xlrd would read the same text again, as often as stated."""
        text = struct.pack("<HBi", 1, 4, -8) + b"a"
        book = [record(0xFC, struct.pack("<II", 2**31 - 1, 2**31 - 1) + text)]
        assert "a workbook whose texts do not end" in complaint(compound(biff(self.CELLS, book)))

    def test_one_sheet_under_many_names(self) -> None:
        stream = biff(self.CELLS)
        at = stream.index(struct.pack("<HH", 0x85, 9))
        entry = stream[at : at + 13]
        offset = struct.unpack_from("<I", entry, 4)[0] + 13
        twice = entry[:4] + struct.pack("<I", offset) + entry[8:]
        data = compound(stream[:at] + twice + twice + stream[at + 13 :])
        assert "a workbook with sheets that are not in their places" in complaint(data)


SECRET = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10 if at else "lol"}">' for at in range(10))
FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="{0}"><c r="{1}{0}"><v>2</v></c></row>'


REPEATED = ' t="s"' * 150_000


class TestHostileFiles:
    @pytest.mark.parametrize(
        ("data", "found"),
        [
            (raw_xlsx('<row r="1"><c r="ZZZZ1"><v>1</v></c></row>'), "a damaged workbook ('ZZZZ' is not a valid column name"),
            (raw_xlsx('<row r="1"><c r="XFE1"><v>1</v></c></row>'), "a cell in column 16,385"),
            (raw_xlsx(FAR.format(99999999999999, "A")), "a cell in row 1,048,577 of sheet \"S\", expected at most 1,048,576 rows"),
            (raw_xlsx('<row r="-4"><c><v>1</v></c></row>'), "1 cell twice, out of order or in no sheet, expected each cell once"),
            (raw_xlsx('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c><c><v>2</v></c></row>'), "2 cells twice, out of order"),
            (raw_xlsx('<row r="1"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>'), "1 cell twice, out of order"),
            (raw_xlsx('<row><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'), "1 cell twice, out of order"),
            (raw_xlsx("<row><c><v>about 3</v></c></row>"), "a damaged workbook (invalid literal for int() with base 10: 'about 3')"),
            (raw_xlsx('<row r="1"><c t="s"><v>1</v></c></row>', shared="<si><t>a</t></si>"), "a damaged workbook (list index out of range)"),
            (raw_xlsx('<row r="1"><c t="s"><v>-2</v></c></row>', shared="<si><t>a</t></si>"), 'a cell in "xl/worksheets/sheet1.xml" that refers to a text before the first'),
            (raw_xlsx("<row><c t='s'><f>A1</f><v xml:space='preserve'> -2</v></c></row>", shared="<si/>"), "refers to a text before the first"),
            (raw_xlsx("<row><c t='&#115;'><v>&#45;2</v></c></row>", shared="<si/>"), "refers to a text before the first"),
            (raw_xlsx(f"<row><c{REPEATED}><v>-2</v></c></row>", shared="<si/>"), "refers to a text before the first"),
            (raw_xlsx(f"<row><c{REPEATED}><v>2</v></c></row>", shared="<si/>"), "a damaged workbook (duplicate attribute"),
            (raw_xlsx(f"<row><c{' ' * 900_000}t='s'><v>-2</v></c></row>", shared="<si/>"), "refers to a text before the first"),
            (raw_xlsx(f"<row><c t='s'><v>-</v>{'<v>-1</v>' * 80_000}</c></row>", shared="<si/>"), "refers to a text before the first"),
            (sheets_of_parts(range(50), [FAR.format(1048576, "A")] * 50), "sheets with more than 2,000,000 empty rows together, expected rows below each other; delete what is far below the tables"),
            (sheets_of_parts(range(50), ['<row r="1048576"/>'] * 50), "sheets with more than 2,000,000 empty rows together"),
            (sheets_of_parts([0] * 60, ["<row><c><v>1</v></c></row>" * 20_000]), "a workbook whose parts are used again and again, expected each sheet once"),
            (sheets_of_parts([0] * 8_000, [""]), "a workbook whose parts are used again and again"),
            (raw_xlsx("<row><c><v>1</v></c></row>", styles=f'<numFmts><numFmt numFmtId="170" formatCode="{"[" * 100_000}"/></numFmts>'), "a number format of more than 1,000 characters"),
            (archive({"a.csv": "a\n" + "\n" * 2_000_000}), "more rows or cells than so small a file can have"),
            (archive({"a.csv": "a;b\n" + ";" * 20_000_001}), "more rows or cells than so small a file can have"),
            (raw_xlsx(f'<row r="1"><c t="str"><v>{"a" * 2_000_000}</v></c></row>'), "row 1: found a cell of more than 1,000,000 characters"),
            (raw_xlsx("<row><c><v>1</v></row>"), "a damaged workbook (mismatched tag"),
            (raw_xlsx(sheet=f"<!DOCTYPE lolz [{SECRET}]><worksheet>&e9;</worksheet>"), "declarations, comments or another encoding"),
            (raw_xlsx(sheet=f"<!DOCTYPE lolz [{SECRET * 9}]><worksheet>&e9;</worksheet>"), 'a document type declaration in "xl/worksheets/sheet1.xml"'),
            (raw_xlsx(sheet=f"<!DOCTYPE lolz [{SECRET * 9}]><worksheet>&e9;</worksheet>".encode("utf-16")), "a document type declaration in"),
            (changed(raw_xlsx("<row><c/></row>"), {"xl/workbook.xml": (b"<workbook", b"<!DOCTYPE a><workbook")}), 'a document type declaration in "xl/workbook.xml"'),
            (raw_xlsx(sheet=f'<?xml version="1.0" encoding="utf-16"?><worksheet xmlns="{MAIN}"/>'.encode("utf-16")), "another encoding than UTF-8"),
            (raw_xlsx("<row><!--<row>--><c/></row>"), "declarations, comments"),
            (raw_xlsx("<row><?a <row ?><?a <row ?><c/></row>"), "processing instructions in"),
            (raw_xlsx(f"<row>{'<c/>' * 270_000}</row>"), "a row or text in \"xl/worksheets/sheet1.xml\" that is longer than any can be"),
            (raw_xlsx(f'<row><c a="{"a" * 1_100_000}"/></row>'), "that is longer than any can be"),
            (raw_xlsx(f'<row><c t="str"><v>{"a" * 8_100_000}</v></c></row>'), "that is longer than any can be"),
            (changed(raw_xlsx("<row/>"), {"xl/workbook.xml": (b"<sheets>", b"<sheets>" + b"<a/>" * 5_100_000)}), 'a part "xl/workbook.xml" that is larger than it can be'),
            (raw_xlsx(sheet='<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"/>'), "a Strict Open XML workbook, expected a usual one"),
            (raw_xlsx(sheet='<?xml version="1.0" encoding="nonsense"?><worksheet/>'), "a damaged workbook (unknown encoding"),
            (raw_xlsx(sheet="<!--" + "a" * 3_000_000), "that is larger than it can be"),
            (raw_xlsx(), "a workbook without any cell, expected a header and at least one review"),
            (archive({"[Content_Types].xml": "<Types/>", "word/document.xml": "<a/>"}), "an Office document that is no workbook"),
            (archive({"[Content_Types].xml": "", "xl/workbook.xml": "<workbook/>"}), "an Office document that is no workbook"),
            (archive({"[Content_Types].xml": "", "xl/workbook.bin": ""}), "a binary workbook (.xlsb)"),
            (archive({"readme.txt": "hello"}), "a zip archive that is no workbook"),
            (archive({}), "an empty zip archive"),
            (archive({"review.csv": "#,a\n1,\xe4".encode("latin-1")}), "book, review.csv: 1 problem"),
            (archive({"review.csv": '#,a\n1,"x'}), "row 2: found a row that cannot be read"),
            (b"PK\x03\x04 and then nothing", "a damaged zip archive, perhaps cut off"),
            (xlsx({"S": [["a"]]})[:-40], "a damaged zip archive, perhaps cut off"),
            (raw_spreadsheetml("<Row><Cell></Row>"), "a file that is no sound XML (mismatched tag, in line 1)"),
            (raw_spreadsheetml("<!--" + "a" * 3_000_000), "a tag or comment that does not end"),
            (raw_spreadsheetml("<Row/>").replace(b'"1.0"', b'"1.0" encoding="nonsense"'), "a file in an unknown encoding"),
            (raw_spreadsheetml("<Row/>", f"<!DOCTYPE a [{SECRET}]>"), "with a document type declaration"),
            (raw_spreadsheetml('<Row ss:Index="many"/>'), 'Index "many" of sheet "S", expected a whole number'),
            (raw_spreadsheetml('<Row ss:Index="99999999"><Cell><Data>1</Data></Cell></Row>'), "a cell in row 99,999,999"),
            (archive({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>"}),
             "an OpenDocument file (.ods), expected a workbook (.xlsx, .xls) or an archive of CSV files; open it in a spreadsheet program and save it as .xlsx or CSV"),
        ],
    )  # fmt: skip
    def test_it_is_said_what_is_wrong(self, data: bytes, found: str) -> None:
        assert is_workbook(data)
        assert found in complaint(data)

    def test_far_cells_cost_next_to_nothing(self) -> None:
        rows = rows_of(raw_xlsx(FAR.format(60000, "XFD")))
        assert (len(rows), rows[0], rows[-1][-1], len(rows[-1])) == (60000, ["1"], "2", 16384)

    def test_a_cell_in_the_last_row_stays_there(self) -> None:
        rows = rows_of(raw_xlsx(FAR.format(1048576, "B")))
        assert (len(rows), rows[0], rows[1], rows[-2], rows[-1]) == (1048576, ["1"], [], [], ["", "2"])

    @pytest.mark.parametrize(
        "data",
        [
            sheets_of_parts([0, 1], ['<row r="600"><c><v>1</v></c></row>', '<row r="600"><c><v>1</v></c></row>']),
            sheets_of_parts([0, 1], ['<row r="600"/>', '<row r="402"/>']),
            raw_xlsx("<row/>" * 1001),
            raw_xlsx('<row><c t="str"><v> </v></c></row>' * 1001),
            xls({name: [*[[]] * 599, [1]] for name in "AB"}),
            spreadsheetml({name: [*[[]] * 599, [1]] for name in "AB"}),
        ],
    )
    def test_empty_rows_of_all_sheets_count_together(self, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
        monkeypatch.setattr(limits, "MOST_EMPTY_ROWS", 1000)
        assert "sheets with more than 1,000 empty rows together" in complaint(data)

    @pytest.mark.parametrize("write", [xlsx, xls, spreadsheetml])
    def test_no_more_empty_rows_are_charged_than_there_are(
        self, monkeypatch: pytest.MonkeyPatch, write: Callable[[dict[str, list[list[int]]]], bytes]
    ) -> None:
        monkeypatch.setattr(limits, "MOST_EMPTY_ROWS", 1000)
        sheets = read_workbook("book", write({"A": [*[[]] * 600, [1], [2]], "B": [[3], *[[]] * 400, [4]]}))
        assert [sheet.rows for sheet in sheets] == [[*[[]] * 600, ["1"], ["2"]], [["3"], *[[]] * 400, ["4"]]]

    def test_what_no_cell_needs_is_not_even_read(self) -> None:
        """Names and properties of these lengths take openpyxl minutes."""
        names = "".join(
            f'<definedName name="_xlnm.{name}" localSheetId="0">{"$A" * 100_000}</definedName>'
            for name in ("Print_Titles", "Print_Area")
        )
        styles = "".join(f'<cellStyle name="n{at}" xfId="99"/>' for at in range(1000))
        data = raw_xlsx(
            "<row><c><v>1</v></c></row>",
            styles=f"<cellStyles>{styles}</cellStyles>",
        )
        named = changed(
            data,
            {"xl/workbook.xml": (b"</workbook>", f"<definedNames>{names}</definedNames></workbook>".encode())},
        )
        assert rows_of(named) == [["1"]]

    def test_lines_of_all_files_of_an_archive_count_together(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "BYTES_PER_LINE", limits.LEAST_BYTES // 100)
        files = {"a.csv": "a\r\n" + "\r\n" * 49, "b.csv": "a\r" + "1\r" * 49}
        assert [len(sheet.rows) for sheet in read_workbook("data.zip", archive(files))] == [50, 50]
        found = complaint(archive({**files, "c.csv": "a\n"}))
        assert "more rows or cells than so small a file can have, expected a table of reviews" in found

    @pytest.mark.parametrize("value", ["<v>1</v>", ""])
    def test_many_far_cells_are_refused(self, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
        monkeypatch.setattr(limits, "MOST_GAPS", 200_000)
        far = "".join(f'<row r="{at}"><c r="XFD{at}">{value}</c></row>' for at in range(1, 30))
        assert "cells that are further apart than 200,000 empty ones" in complaint(raw_xlsx(far))

    def test_more_rows_or_texts_than_so_small_a_file_can_have(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = "<row><c><v>1</v></c></row>" * 1000
        sound, texts = raw_xlsx(rows), raw_xlsx(rows, shared="<si/>" * 100_000)
        monkeypatch.setattr(xlsx_scan, "LEAST_STARTS", 2000)
        assert len(rows_of(sound)) == 1000
        assert "more rows, cells or texts than so small a file can have" in complaint(texts)
        monkeypatch.setattr(xlsx_scan, "LEAST_TAGS", 3000)
        monkeypatch.setattr(xlsx_scan, "TAGS_PER_BYTE", 0)
        assert "more rows, cells or texts than so small a file can have" in complaint(sound)

    def test_two_parts_with_one_name(self) -> None:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as file:
            file.writestr("review.csv", "#,a")
            with pytest.warns(UserWarning, match="Duplicate name"):
                file.writestr("review.csv", "#,b")
        assert 'two parts called "review.csv"' in complaint(stream.getvalue())

    def test_formulas_that_were_never_computed(self) -> None:
        cells = [
            "<c><f>1+1</f></c>",
            "<c><f>1+1</f><v></v></c>",
            '<c><f t="shared" si="0"/><v/></c>',
            '<c r="D7" t="str"><f>A1</f></c>',
        ]
        for cell in cells:
            found = complaint(
                raw_xlsx(f'<row r="6"><c><v>1</v></c></row><row spans="1:2" r="7"><c><v>2</v></c>{cell}</row>')
            )
            assert (
                "1 formula without a result (first in row 7 of xl/worksheets/sheet1.xml), expected what formulas came to"
                in found
            )
            assert "open the file in a spreadsheet program, which computes them, and save it" in found
        assert "4 formulas without a result" in complaint(raw_xlsx(f"<row>{''.join(cells)}</row>"))

    def test_a_bomb_is_not_unpacked(self) -> None:
        cells = "<c><v>1</v></c>" * 100 + " " * 1_000_000
        assert "unpacks to more than 100,000,000 bytes" in complaint(raw_xlsx(f"<row>{cells}</row>" * 120))

    def test_one_long_text_in_very_many_cells(self) -> None:
        row = "<row>" + '<c t="s"><v>0</v></c>' * 2000 + "</row>"
        shared = f"<si><t>{'long ' * 12000}</t></si>"
        assert "unpacks to more than" in complaint(raw_xlsx(row, shared=shared))

    @pytest.mark.parametrize("flag", [0x1, 0x9])
    def test_an_archive_with_a_password(self, flag: int) -> None:
        data = bytearray(raw_xlsx("<row><c><v>1</v></c></row>"))
        at = data.index(b"PK\x01\x02")
        while at >= 0:
            data[at + 8] |= flag
            at = data.find(b"PK\x01\x02", at + 1)
        assert "a zip archive with a password, expected one without" in complaint(bytes(data))

    @pytest.mark.parametrize(
        "target",
        [
            b'"https://example.org/sheet1.xml" TargetMode="External"',
            b'"../../../../etc/worksheets/sheet1.xml"',
            b'"worksheets/SHEET1.xml"',
        ],
    )
    def test_a_sheet_that_is_not_where_it_should_be(self, target: bytes) -> None:
        rels = {"xl/_rels/workbook.xml.rels": (b'"worksheets/sheet1.xml"', target)}
        assert "1 cell twice, out of order or in no sheet" in complaint(
            changed(raw_xlsx("<row><c><v>1</v></c></row>"), rels)
        )

    @pytest.mark.parametrize(("kind", "library"), [("xlsx", "openpyxl"), ("xls", "xlrd")])
    def test_without_the_library(self, monkeypatch: pytest.MonkeyPatch, kind: str, library: str) -> None:
        data = WRITERS[kind]({"S": [["a"]]})
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(
            InputError,
            match=rf"needs {library}, which is not installed: pip install 'surpeer\[excel\]', or save it as CSV",
        ):
            read_workbook("book", data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"PK\x03\x04", True),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", True),
        (f'\ufeff <?xml version="1.0"?><Workbook xmlns="{SPREADSHEET}">'.encode(), True),
        (f"paper,rating\n{SPREADSHEET},3".encode(), False),
        (f'<worksheet xmlns="{MAIN}">'.encode(), False),
        (b"<html><table>", False),
        (b"", False),
    ],
)
def test_workbooks_are_known_by_their_beginning(data: bytes, expected: bool) -> None:
    assert is_workbook(data) is expected


class TestStateOfTheProcess:
    """Reading turns warnings and the collection of cycles off, for all threads; afterwards they are as they were."""

    @pytest.mark.parametrize("is_on", [True, False])
    @pytest.mark.parametrize(
        "data",
        [
            xlsx({"S": [[1]]}),
            xls({"S": [[1]]}),
            raw_xlsx("<row><c><v>1</v></row>"),
            raw_xlsx('<row r="1048577"/>'),
            compound(biff([record(0x203, b"\0")])),
        ],
    )
    def test_it_is_as_it_was(self, is_on: bool, data: bytes) -> None:
        filters = list(warnings.filters)
        try:
            (gc.enable if is_on else gc.disable)()
            try_to_read(data)
            assert gc.isenabled() is is_on
        finally:
            gc.enable()
        assert warnings.filters == filters

    @pytest.mark.parametrize("raised", [None, KeyError, KeyboardInterrupt])
    def test_the_last_of_several_readers_restores_it(self, raised: type[BaseException] | None) -> None:
        filters = list(warnings.filters)
        first, second = ExitStack(), ExitStack()
        for reader in (first, second):
            reader.enter_context(NO_WARNINGS)
            reader.enter_context(NO_COLLECTION)
        leave = (raised, raised() if raised else None, None)
        assert not first.__exit__(*leave)
        assert not gc.isenabled()
        assert warnings.filters != filters
        assert not second.__exit__(*leave)
        assert gc.isenabled()
        assert warnings.filters == filters

    def test_an_interrupt_goes_through(self) -> None:
        with pytest.raises(KeyboardInterrupt), limits.damage():
            raise KeyboardInterrupt
        with pytest.raises(Unreadable, match="a damaged workbook"), limits.damage(), NO_COLLECTION:
            raise KeyError("x")
        assert gc.isenabled()


def test_a_grid_takes_cells_in_any_order() -> None:
    grid = Grid(Budget(0), "S")
    for row, column, text in [(2, 1, "b"), (0, 0, "a"), (2, 0, "c"), (2, 1, "d")]:
        grid.put(row, column, text)
    assert grid.rows == [["a"], [], ["c", "d"]]
    with pytest.raises(Unreadable, match="a cell in column 16,385 of sheet"):
        grid.put(0, 16_384, "x")


CELLS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=20),
    st.integers(-(10**14), 10**14),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.booleans(),
)


def expected_text(cell: object) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float):
        return str(int(cell)) if cell == int(cell) and abs(cell) < 1e16 else f"{cell:.15g}"
    return str(cell).strip()


def trimmed(rows: list[list[str]]) -> list[list[str]]:
    rows = [list(row) for row in rows]
    for row in rows:
        while row and not row[-1]:
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    return rows


@pytest.mark.parametrize("kind", WRITERS)
@given(rows=st.lists(st.lists(CELLS, max_size=6), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_what_is_written_is_read(kind: str, rows: list[list[object]]) -> None:
    expected = trimmed([[expected_text(cell) for cell in row] for row in rows])
    data = WRITERS[kind]({"S": [[*row] for row in rows]})  # type: ignore[list-item]
    if expected:
        assert rows_of(data) == expected
    else:
        assert "without any cell" in complaint(data)


SOUND: dict[str, Callable[[], bytes]] = {
    "xlsx": lambda: xlsx({"S": [[f"text {at}", at, at / 3, True] for at in range(12)]}),
    "xls": lambda: xls({"S": [[f"text {at}", at, at / 3, True] for at in range(12)]}),
    "spreadsheetml": lambda: spreadsheetml({"S": [["a", 1], [], ["b", 2]]}),
    "csv archive": lambda: archive({"review.csv": "#,a\n1,2\n", "submission.csv": "#,title\n1,x\n"}),
}  # fmt: skip


XLS_STREAM = biff(
    TestOldWorkbooks.CELLS,
    [
        record(0x42, struct.pack("<H", 1200)),
        record(0x41E, struct.pack("<HHB", 164, 10, 0) + b"yyyy-mm-dd"),
        *[record(0xE0, struct.pack("<HH16x", 0, code)) for code in (0, 14, 164)],
        record(
            0xFC, struct.pack("<II", 2, 2) + struct.pack("<HB", 3, 0) + b"abc" + struct.pack("<HB", 1, 1) + b"\xc9\x03"
        ),
    ],
)
"""Texts, formats and cells of every kind."""


@contextmanager
def no_output() -> Iterator[None]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        yield
    assert (out.getvalue(), err.getvalue()) == ("", "")


def try_to_read(data: bytes) -> None:
    try:
        sheets = read_workbook("book", data)
    except ReviewProblems:
        return
    assert all(isinstance(cell, str) for sheet in sheets for row in sheet.rows for cell in row)


damages = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from([0, 1, 255]) | st.integers(0, 255)),
    min_size=1,
    max_size=5,
)


@pytest.mark.parametrize("kind", SOUND)
@given(damages, st.floats(0, 5), st.booleans())
@settings(max_examples=250, deadline=None, derandomize=True, database=None)
def test_damage_is_an_error_or_other_text_and_nothing_else(
    kind: str, changes: list[tuple[float, int]], cut: float, at_the_start: bool
) -> None:
    data = bytearray(SOUND[kind]())
    within = min(600, len(data)) if at_the_start else len(data)
    for place, value in changes:
        data[int(place * within)] = value
    with no_output():
        try_to_read(bytes(data[: int(cut * len(data))] if cut < 1 else data))


@given(st.data())
@settings(max_examples=250, deadline=None, derandomize=True, database=None)
def test_damage_inside_the_parts_of_xlsx(data: st.DataObject) -> None:
    with zipfile.ZipFile(io.BytesIO(SOUND["xlsx"]())) as file:
        parts = {name: bytearray(file.read(name)) for name in file.namelist()}
    part = parts[data.draw(st.sampled_from(sorted(parts)))]
    for place in data.draw(st.lists(st.integers(0, len(part) - 1), min_size=1, max_size=3)):
        part[place] = data.draw(st.sampled_from(b'<>&"0129AZ/ =xs-\x00\xff'))
    with no_output():
        try_to_read(archive({name: bytes(content) for name, content in parts.items()}))


@given(st.data())
@settings(max_examples=250, deadline=None, derandomize=True, database=None)
def test_damage_inside_the_records_of_xls(data: st.DataObject) -> None:
    stream = bytearray(XLS_STREAM)
    for place in data.draw(st.lists(st.integers(0, len(stream) - 1), min_size=1, max_size=4)):
        stream[place] = data.draw(st.sampled_from([0, 1, 6, 9, 10, 127, 128, 255]) | st.integers(0, 255))
    with no_output():
        try_to_read(compound(bytes(stream)))
