"""Office Open XML workbooks: .xlsx, .xlsm and their templates. Needs openpyxl (the extra `excel`).

Macros, links and formulas are never looked at, only what formulas came to when the workbook was saved.
"""

from contextlib import closing
from typing import Any

from surpeer.errors import counted
from surpeer.io.content import Sheet
from surpeer.io.extras import needs_extra
from surpeer.io.workbook.cell_text import TEXT_OF
from surpeer.io.workbook.limits import Budget, Grid, Unreadable, damage
from surpeer.io.workbook.package import MeteredArchive, Package
from surpeer.io.workbook.process_state import NO_COLLECTION
from surpeer.io.workbook.xlsx_dates import set_date_styles
from surpeer.io.workbook.xlsx_scan import Scan
from surpeer.io.workbook.xlsx_uncomputed import mark_uncomputed

STYLES = "xl/styles.xml"
OUT_OF_ORDER = "open it in a spreadsheet program and save it, which puts cells in order"


def read_xlsx(data: bytes, package: Package, budget: Budget, *, marks_uncomputed: bool = False) -> list[Sheet]:
    """The worksheets in their order, hidden ones too. Formulas without a result are refused, or marked cell by cell."""
    openpyxl = _load()
    scan = Scan(package, len(data))
    if not scan.sheets:
        raise Unreadable("an Office document that is no workbook", "a workbook")
    with damage(), NO_COLLECTION, closing(_open(openpyxl, MeteredArchive(data, budget.spent_bytes))) as book:
        parts = {sheet._worksheet_path: sheet.title for sheet in book.worksheets}
        if not marks_uncomputed:
            scan.refuse_uncomputed(parts)
        read = [_read_sheet(sheet, budget) for sheet in book.worksheets]
        by_part = {sheet._worksheet_path: done for sheet, (done, _) in zip(book.worksheets, read, strict=True)}
        if not _all_marked(scan, by_part):
            scan.refuse_uncomputed(parts)
    missing = scan.values - sum(values for _, values in read)
    if missing > 0:
        raise Unreadable(
            f"{counted(missing, 'cell')} twice, out of order or in no sheet", "each cell once", OUT_OF_ORDER
        )
    return [sheet for sheet, _ in read]


def _all_marked(scan: Scan, sheets: dict[str, Sheet]) -> bool:
    """Mark formulas without a result in their cells, in sheets by their parts; whether that could be done."""
    found = scan.uncomputed
    if found == []:
        return True
    if found is None or not {part for part, _ in found} <= set(sheets):
        return False
    return all(mark_uncomputed(sheet, [name for of, name in found if of == part]) for part, sheet in sheets.items())


def _load() -> Any:
    with needs_extra("openpyxl", "a workbook (.xlsx) needs openpyxl", "excel", "save it as CSV"):
        import openpyxl
    return openpyxl


def _open(openpyxl: Any, archive: MeteredArchive) -> Any:
    """As openpyxl.load_workbook does, but only what cells need.

    It would read names, themes, properties and all of styles too, and some of them take it the square of their length.
    """
    reader = openpyxl.reader.excel.ExcelReader(archive.fp, read_only=True, data_only=True, keep_links=False)
    reader.archive = archive
    reader.read_manifest()
    reader.read_strings()
    reader.read_workbook()
    reader.read_worksheets()
    if STYLES in archive.namelist():
        set_date_styles(openpyxl, reader.wb, archive.read(STYLES))
    return reader.wb


def _read_sheet(sheet: Any, budget: Budget) -> tuple[Sheet, int]:
    """The rows of a sheet, and how many cells with a value there were."""
    sheet.reset_dimensions()  # as the file states them
    grid = Grid(budget, sheet.title, is_hidden=sheet.sheet_state != "visible")
    number = 0
    for values in sheet.iter_rows(values_only=True):
        number += len(values) - values.count(None)
        grid.add([TEXT_OF[type(value)](value) for value in values])
    return grid.sheet, number
