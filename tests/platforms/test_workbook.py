"""Workbooks become sheets of text, or errors that say what is wrong; nothing else."""

import gc
import io
import struct
import warnings
from contextlib import ExitStack, suppress
from datetime import date, datetime, time

import pytest
import xlsxwriter
import xlwt
from hypothesis import given, settings
from hypothesis import strategies as st
from workbook_samples import (
    MAIN,
    SPREADSHEET,
    XLS_CELLS,
    archive,
    biff,
    complaint,
    compound,
    raw_spreadsheetml,
    raw_xlsx,
    record,
    rows_of,
    spreadsheetml,
    xls,
    xlsx,
)

from surpeer.errors import ReviewProblems
from surpeer.io.workbook import is_workbook, limits, read_workbook
from surpeer.io.workbook.limits import Budget, Grid, Unreadable
from surpeer.io.workbook.process_state import NO_COLLECTION, NO_WARNINGS

WRITERS = {"xlsx": xlsx, "xls": xls}


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
    ROWS = (["2.5", "7", "-1.25", "1.5"], ["", "", "1", "2"], ["abc", "yes", "#REF!"], ["1.25", "öΩ", "yes", "#N/A"])

    def test_every_kind_of_cell_in_a_short_stream(self) -> None:
        assert rows_of(compound(biff(XLS_CELLS))) == list(self.ROWS)

    def test_the_same_in_a_long_stream(self) -> None:
        filler = record(0x5D, bytes(8000))
        assert rows_of(compound(biff([*XLS_CELLS, filler]))) == list(self.ROWS)

    def test_cells_of_charts_within_a_sheet_are_not_its_end(self) -> None:
        chart = record(0x809, struct.pack("<HH12x", 0x600, 32)) + record(0x0A)
        assert rows_of(compound(biff([chart, XLS_CELLS[0]]))) == [["2.5"]]

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
        cells = [XLS_CELLS[0], record(0x204, struct.pack("<HHHH", 0, 1, 0, 3) + "für".encode("cp1252"))]
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
        assert rows_of(compound(biff([*rubbish, *XLS_CELLS, *rubbish], rubbish))) == list(self.ROWS)

    @pytest.mark.parametrize(
        ("data", "found"),
        [
            (compound(biff(XLS_CELLS), name="WordDocument"), "an Office document that is no workbook"),
            (compound(b"secret", name="EncryptedPackage"), "a workbook with a password, expected one without"),
            (compound(biff(XLS_CELLS, [record(0x2F, bytes(6))])), "a workbook with a password, expected one without"),
            (compound(biff(XLS_CELLS)[:-4]), "a damaged workbook ("),
            (compound(b"\x09\x02\x06\0" + bytes(40)), "a damaged workbook ("),
            (compound(biff([record(0x203, b"\0")])), "a damaged workbook ("),
            (compound(biff([record(0xFD, struct.pack("<HHHI", 4, 0, 0, 3))])), "a damaged workbook ("),
            (compound(biff([record(0xFD, struct.pack("<HHHi", 4, 0, 0, -1))])), "refers to a text before the first"),
            (compound(biff([record(0x204, struct.pack("<HHHHB", 2, 256, 0, 3, 0) + b"abc")])), "a damaged workbook ("),
            (compound(biff(XLS_CELLS))[:400], "a compound file that is cut off"),
            (compound(biff(XLS_CELLS))[:30] + b"\x20" + compound(biff(XLS_CELLS))[31:], "sectors of an unknown size"),
        ],
    )
    def test_what_cannot_be_read(self, data: bytes, found: str) -> None:
        assert found in complaint(data)

    @pytest.mark.parametrize("filler", [(), (record(0x5D, bytes(8000)),)])
    def test_a_chain_of_sectors_that_never_ends(self, filler: tuple[bytes, ...]) -> None:
        """In the table of sectors, and in that of short ones, where xlrd alone would never end."""
        data = bytearray(compound(biff([*XLS_CELLS, *filler])))
        place, number = (512 + 4 * 5, 2) if filler else (512 * 3 + 4 * 3, 0)
        struct.pack_into("<I", data, place, number)
        assert "sectors do not hang together" in complaint(bytes(data))

    def test_texts_that_never_end(self) -> None:
        """A pronunciation of negative length, after which xlrd would read the same text again, as often as stated."""
        text = struct.pack("<HBi", 1, 4, -8) + b"a"
        book = [record(0xFC, struct.pack("<II", 2**31 - 1, 2**31 - 1) + text)]
        assert "a workbook whose texts do not end" in complaint(compound(biff(XLS_CELLS, book)))

    def test_one_sheet_under_many_names(self) -> None:
        stream = biff(XLS_CELLS)
        at = stream.index(struct.pack("<HH", 0x85, 9))
        entry = stream[at : at + 13]
        offset = struct.unpack_from("<I", entry, 4)[0] + 13
        twice = entry[:4] + struct.pack("<I", offset) + entry[8:]
        data = compound(stream[:at] + twice + twice + stream[at + 13 :])
        assert "a workbook with sheets that are not in their places" in complaint(data)


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
            with suppress(ReviewProblems):
                read_workbook("book", data)
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
