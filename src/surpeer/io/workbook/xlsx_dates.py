"""Which styles of an Office Open XML workbook make dates of numbers; nothing else of styles changes a cell."""

from typing import Any

from surpeer.io.workbook.limits import Unreadable

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LONGEST_FORMAT = 1000
"""Characters; Excel itself takes 255, and openpyxl takes the square of the length in steps."""


def set_date_styles(openpyxl: Any, book: Any, styles: bytes) -> None:
    """Tell a book of openpyxl which of its styles are dates, and which are lengths of time."""
    root = openpyxl.xml.functions.fromstring(styles)
    codes = {
        int(number.get("numFmtId", "0")): number.get("formatCode", "")
        for number in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt")
    }
    if any(len(code) > LONGEST_FORMAT for code in codes.values()):
        raise Unreadable(f"a number format of more than {LONGEST_FORMAT:,} characters")
    used = [int(style.get("numFmtId", "0")) for style in root.iterfind(f"{MAIN}cellXfs/{MAIN}xf")]
    numbers = openpyxl.styles.numbers
    written = {number: codes.get(number) or numbers.builtin_format_code(number) for number in set(used)}
    dates = {number for number, code in written.items() if numbers.is_date_format(code)}
    lengths = {number for number, code in written.items() if numbers.is_timedelta_format(code)}
    book._date_formats = {style for style, number in enumerate(used) if number in dates}
    book._timedelta_formats = {style for style, number in enumerate(used) if number in lengths}
