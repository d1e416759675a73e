"""Records of games: values, their text formats, and the registry of formats."""

from rulesengine.play.records.formats import (
    RecordFormat,
    format_for,
    format_of,
    read_record,
    write_record,
)
from rulesengine.play.records.record import GameRecord, rules_hash

__all__ = [
    "GameRecord",
    "RecordFormat",
    "format_for",
    "format_of",
    "read_record",
    "rules_hash",
    "write_record",
]
