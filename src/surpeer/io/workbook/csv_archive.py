"""A zip archive of CSV files, such as EasyChair's download of conference data: one sheet for each of them."""

from pathlib import Path, PurePosixPath

from surpeer.io.content import Sheet
from surpeer.io.delimited_sheet import read_sheet
from surpeer.io.workbook.limits import Budget
from surpeer.io.workbook.package import Package

LINE_ENDS, SEPARATORS = (b"\n", b"\r"), (b",", b";", b"\t")


def is_csv_archive(package: Package) -> bool:
    """Whether there is any CSV file in it."""
    return any(_is_csv(name) for name in package.names)


def _is_csv(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() == ".csv" and not path.name.startswith(".") and path.parts[0] != "__MACOSX"


def read_csv_archive(package: Package, budget: Budget) -> list[Sheet]:
    """The files in their order; a sheet has the name of its file, without the ending."""
    sheets = []
    for name in filter(_is_csv, package.names):
        content = b"".join(package.chunks(name))
        budget.spend_lines(max(map(content.count, LINE_ENDS)), max(map(content.count, SEPARATORS)))
        if content.strip():
            sheets.append(Sheet(read_sheet(Path(name), content).rows, PurePosixPath(name).stem))
    return sheets
