"""XML Spreadsheet 2003, which is what some platforms (CMT among them) put into a file called .xls."""

from collections.abc import Callable
from xml.parsers import expat

from surpeer.errors import quoted
from surpeer.io.content import Sheet
from surpeer.io.workbook.cell_text import boolean_text, iso_text, plain_text, written_number
from surpeer.io.workbook.limits import LONGEST_SPREADSHEET_CELL, Budget, Grid, Unreadable

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
CHUNK = 1 << 18
LONGEST_TOKEN = 1 << 20  # of a tag or a comment, in bytes: expat looks at it anew with every chunk

Attributes = dict[str, str]

TEXT_OF: dict[str, Callable[[str], str]] = {
    "Number": written_number,
    "Boolean": lambda written: boolean_text(written.strip() == "1"),
    "DateTime": lambda written: iso_text(written.strip()),
}


def read_spreadsheetml(data: bytes, budget: Budget) -> list[Sheet]:
    """The worksheets in their order."""
    budget.spend_bytes(len(data))
    handler = _Workbook(budget)
    try:
        _parse(data, handler)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "unknown reason")
        raise Unreadable(f"a file that is no sound XML ({reason}, in line {error.lineno})") from None
    except (LookupError, ValueError, MemoryError):  # an encoding that is none
        raise Unreadable("a file in an unknown encoding") from None
    return [grid.sheet for grid in handler.grids]


def _parse(data: bytes, handler: "_Workbook") -> None:
    """Send tags and texts to the handler; no document types, no entities, no endless tags."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.buffer_size = 1 << 16
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = _refuse_document_type
    for at in range(0, len(data), CHUNK):
        parser.Parse(data[at : at + CHUNK], False)
        if at - parser.CurrentByteIndex > LONGEST_TOKEN:
            raise Unreadable("a tag or comment that does not end")
    parser.Parse(b"", True)


def _refuse_document_type(*_: object) -> None:
    raise Unreadable("a file with a document type declaration", "plain data, without declarations")


class _Workbook:
    """Puts cells into grids, tag by tag."""

    def __init__(self, budget: Budget) -> None:
        self.grids: list[Grid] = []
        self._budget = budget
        self._grid = Grid(budget, "")
        self._row = self._column = 0  # of the cell that is being read
        self._next_row = self._next_column = 0
        self._kind = ""
        self._pieces: list[str] = []
        self._length = 0
        self._open = self._in_comment = False
        starts = {
            "Worksheet": self._start_sheet,
            "Row": self._start_row,
            "Cell": self._start_cell,
            "Data": self._start_data,
            "Comment": self._start_comment,
        }
        self._starts = {f"{NAMESPACE} {tag}": action for tag, action in starts.items()}
        ends = {"Data": self._end_data, "Comment": self._end_comment}
        self._ends = {f"{NAMESPACE} {tag}": action for tag, action in ends.items()}

    def start(self, name: str, attributes: Attributes) -> None:
        action = self._starts.get(name)
        if action is not None:
            action(attributes)

    def end(self, name: str) -> None:
        action = self._ends.get(name)
        if action is not None:
            action()

    def text(self, piece: str) -> None:
        if self._open:
            self._pieces.append(piece)
            self._length += len(piece)
            if self._length > LONGEST_SPREADSHEET_CELL:
                self._grid.refuse_length(self._row)

    def _start_sheet(self, attributes: Attributes) -> None:
        self._grid = Grid(self._budget, attributes.get(f"{NAMESPACE} Name", ""))
        self.grids.append(self._grid)
        self._next_row = 0

    def _start_row(self, attributes: Attributes) -> None:
        self._row = self._place(attributes, self._next_row)
        self._next_row = self._row + 1 + self._whole(attributes, "Span")
        self._next_column = 0

    def _start_cell(self, attributes: Attributes) -> None:
        self._column = self._next_column
        self._next_column += 1
        if attributes:  # few have any
            self._column = self._place(attributes, self._column)
            self._next_column = self._column + 1 + self._whole(attributes, "MergeAcross")

    def _place(self, attributes: Attributes, following: int) -> int:
        """Where a row or cell is: beside the last one, unless it says so itself."""
        return max(self._whole(attributes, "Index", following + 1), 1) - 1

    def _whole(self, attributes: Attributes, name: str, otherwise: int = 0) -> int:
        written = attributes.get(f"{NAMESPACE} {name}")
        if written is None:
            return otherwise
        if not (written.isdecimal() and written.isascii() and len(written) < 9):
            raise Unreadable(f"{name} {quoted(written)}{self._grid.where}", "a whole number", row=self._row + 1)
        return int(written)

    def _start_data(self, attributes: Attributes) -> None:
        self._kind = attributes.get(f"{NAMESPACE} Type", "String")
        self._pieces, self._length = [], 0
        self._open = not self._in_comment

    def _end_data(self) -> None:
        if self._open and self._pieces:
            pieces = self._pieces
            text = TEXT_OF.get(self._kind, plain_text)(pieces[0] if len(pieces) == 1 else "".join(pieces))
            if text:
                self._grid.put(self._row, self._column, text)
        self._open = False

    def _start_comment(self, _: Attributes) -> None:
        self._in_comment = True

    def _end_comment(self) -> None:
        self._in_comment = False
