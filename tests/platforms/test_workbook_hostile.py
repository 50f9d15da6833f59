"""Workbooks that are made to take time, memory or more are refused."""

import io
import sys
import zipfile
from collections.abc import Callable

import pytest
from workbook_samples import (
    MAIN,
    archive,
    changed,
    complaint,
    raw_spreadsheetml,
    raw_xlsx,
    rows_of,
    sheets_of_parts,
    spreadsheetml,
    xls,
    xlsx,
)

from surpeer.errors import InputError
from surpeer.io.workbook import is_workbook, limits, read_workbook, xlsx_scan

REPEATED = ' t="s"' * 150_000
SECRET = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 10 if at else "lol"}">' for at in range(10))
FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="{0}"><c r="{1}{0}"><v>2</v></c></row>'

WRITERS = {"xlsx": xlsx, "xls": xls}


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
            (raw_xlsx(), "a workbook without any cell, expected a header and at least one row below it"),
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
        assert "more rows or cells than so small a file can have, expected a table;" in found

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
            place = "cell D7" if "D7" in cell else "row 7"
            assert (
                f'1 formula without a result (first in {place} of sheet "S"), expected what formulas came to' in found
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
