"""The registry of record formats: a row for each, by which all commands and the page read records.

To add a format, write a module with the functions of a row, and add the row to `FORMATS`.
"""

from collections.abc import Callable
from pathlib import PurePath

from rulesengine.play.records import native
from rulesengine.play.records.record import GameRecord
from rulesengine.support.frozen import record


@record
class RecordFormat:
    """A text format of game records.

    - `name` identifies the format in messages.
    - `suffixes` are the file names' ends for which `save` selects this format.
    - `recognise` is true of the beginning of a text in this format.
    - `read` parses a text and raises NotationError; `write` encodes a record.
    """

    name: str
    suffixes: tuple[str, ...]
    recognise: Callable[[str], bool]
    read: Callable[[str], GameRecord]
    write: Callable[[GameRecord], str]


NATIVE = RecordFormat(native.HEAD, (), native.recognise, native.read, native.write)
# The first row is the default.
FORMATS: tuple[RecordFormat, ...] = (NATIVE,)


def format_of(text: str) -> RecordFormat | None:
    """Return the format of a text, or None if it is not a record in any of them."""
    return next((row for row in FORMATS if row.recognise(text)), None)


def format_for(file: str | PurePath) -> RecordFormat:
    """Return the format in which a file of this name is written."""
    suffix = PurePath(file).suffix.lower()
    return next((row for row in FORMATS if suffix in row.suffixes), FORMATS[0])


def read_record(text: str) -> GameRecord:
    """Parse a record in any format. Raises NotationError with the number of the invalid line."""
    return (format_of(text) or FORMATS[0]).read(text)


def write_record(record: GameRecord, row: RecordFormat | None = None) -> str:
    """Encode a record, by default in the native format; `read_record` decodes an equal record."""
    return (row or FORMATS[0]).write(record)
