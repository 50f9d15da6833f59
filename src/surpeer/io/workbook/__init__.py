"""Workbooks -> sheets of text: xlsx and xlsm, old xls, XML Spreadsheet 2003, and zip archives of CSV files.

openpyxl and xlrd (the extra `excel`) read the first two. Nothing is executed, no link is followed, and no size that a
file states is believed: what a file may make of us is bounded in surpeer.io.workbook.limits, and looked after before
the libraries see it.
"""

from surpeer.io.workbook.reading import is_workbook, read_workbook

__all__ = ["is_workbook", "read_workbook"]
