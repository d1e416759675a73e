"""Export of a tournament's games to Parquet, one row per game."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

from rulesengine.contests.stats.crosstable import best_seats
from rulesengine.contests.store import opened
from rulesengine.contests.tournament import Contest, Standings
from rulesengine.contests.units import UNFINISHED, PlayedGame
from rulesengine.errors import UsageError
from rulesengine.play.records import read_record

_ROWS = 10_000  # rows per row group, which are in memory at once


def write_parquet(standings: Standings, file: str | PathLike[str], out: str | PathLike[str]) -> int:
    """Write all games of a stored tournament in order, and return their number.

    Raises UsageError without the extra `data`, for a file that cannot be written, and as `opened`
    does.
    """
    if find_spec("pyarrow") is None:
        raise UsageError("Parquet needs the extra `data`")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema, written = _schema(arrow), 0
    rows = _rows(standings, Path(file))
    try:
        with parquet.ParquetWriter(str(out), schema) as writer:
            while several := list(islice(rows, _ROWS)):
                writer.write_table(arrow.Table.from_pylist(several, schema=schema))
                written += len(several)
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise UsageError(f"{out}: {reason}") from None
    return written


def _schema(arrow: Any) -> Any:
    """Return the columns; lists by seat are in the order of play."""
    text, number, several = arrow.string(), arrow.int64(), arrow.list_
    return arrow.schema(
        {
            "game": text,
            "spec": text,
            "rules": text,
            "parameters": arrow.map_(text, text),
            "seed": arrow.uint64(),
            "group": number,
            "round": number,
            "turn": number,
            "seats": several(text),
            "names": several(text),
            "players": several(text),
            "moves": several(text),
            "payoffs": several(number),
            "winner": text,
            "ending": text,
            "reason": text,
            "plies": number,
            "seconds": several(arrow.float64()),
        }
    )


def _rows(standings: Standings, file: Path) -> Iterator[Mapping[str, object]]:
    contest = standings.contest
    units = sorted(standings.units, key=lambda pair: pair[0].number)
    with opened(file, contest.identity()) as store:
        for unit, group in units:
            names = [contest.entrants[i].name for i in group]
            for played in store.result(unit).games:
                yield _row(contest, names, unit.group, played)


def _row(
    contest: Contest, names: Sequence[str], group: int, played: PlayedGame
) -> Mapping[str, object]:
    record, best = read_record(played.record), best_seats(played.payoffs)
    has_winner = len(best) == 1 and played.ending != UNFINISHED
    return {
        "game": record.game,
        "spec": record.spec,
        "rules": record.rules,
        "parameters": [(name, str(value)) for name, value in record.parameters.items()],
        "seed": record.seed,
        "group": group,
        "round": played.round,
        "turn": played.turn,
        "seats": list(contest.seats),
        "names": [names[place] for place in played.seats],
        "players": list(record.players.values()),
        "moves": list(record.moves),
        "payoffs": list(played.payoffs),
        "winner": contest.seats[best[0]] if has_winner else None,
        "ending": played.ending,
        "reason": played.reason,
        "plies": played.plies,
        "seconds": list(played.seconds),
    }
