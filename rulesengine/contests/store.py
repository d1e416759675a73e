"""Storage of a contest in an SQLite file: finished units, each written in one transaction."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from rulesengine.contests.units import PlayedGame, Result, Tally, Unit
from rulesengine.errors import RulesError, UsageError
from rulesengine.support.frozen import make, names_of, record

SCHEMA = 3
_MEASURES, _DIGEST = 2, 3  # the schemas that added these columns
_APPLICATION = 0x72756C65  # application id of our SQLite files
_DIGEST_SIZE = 16
_HEAD, _MARK = 72, 68  # size of the file header, and offset of the application id in it
_MAGIC = b"SQLite format 3\0"

# The error of a statement that does not fit the tables; texts that are no UTF-8 have none.
_BAD_SCHEMA = "SQLITE_ERROR"
Row = tuple[Any, ...]

_TABLES = """
CREATE TABLE contest (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE units (number INTEGER PRIMARY KEY, "group" INTEGER NOT NULL, players TEXT NOT NULL,
                    first INTEGER NOT NULL, count INTEGER NOT NULL,
                    digest TEXT NOT NULL DEFAULT '');
CREATE TABLE games (unit INTEGER NOT NULL REFERENCES units, "group" INTEGER NOT NULL,
                    round INTEGER NOT NULL, turn INTEGER NOT NULL, payoffs TEXT NOT NULL,
                    plies INTEGER NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL,
                    loser INTEGER NOT NULL, record TEXT NOT NULL, seconds TEXT NOT NULL,
                    transcript TEXT NOT NULL, measures TEXT NOT NULL DEFAULT '',
                    PRIMARY KEY ("group", round, turn));
CREATE TABLE tallies (unit INTEGER NOT NULL REFERENCES units, turn INTEGER NOT NULL,
                      wins TEXT NOT NULL, draws INTEGER NOT NULL, unfinished INTEGER NOT NULL,
                      plies INTEGER NOT NULL, PRIMARY KEY (unit, turn));
"""


def _without_length(games: int, stages: int) -> tuple[str, bool]:
    """Return no schedule: the contest cannot be extended."""
    return "", False


@record
class Identity:
    """The identity of a contest: hashes of its rules and of its schedule.

    - `description` is a text in one line.
    - `length` is the numbers of games of each pair and of stages.
    - `with_length` returns the schedule of the same contest with another length, and if the contest
      extends it.
    """

    rules: str
    schedule: str
    description: str
    length: tuple[int, int] = (0, 0)
    with_length: Callable[[int, int], tuple[str, bool]] = _without_length


class Store:
    """An open contest file, locked exclusively by one driver."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def keep(self, results: Sequence[Result]) -> None:
        """Write the results of units in one transaction."""
        with _convert_errors(self.path), self._connection as connection:
            for result in results:
                _write(connection, result)

    def numbers(self) -> frozenset[int]:
        """Return the numbers of the stored units."""
        with _convert_errors(self.path):
            return frozenset(n for (n,) in self._connection.execute("SELECT number FROM units"))

    def result(self, unit: Unit) -> Result:
        """Return the result of a stored unit. Raises UsageError for a damaged one."""
        with _convert_errors(self.path):
            stored = self._connection.execute(
                'SELECT number, "group", players, first, count, digest FROM units WHERE number = ?',
                (unit.number,),
            ).fetchone()
            games, tallies = self._games(unit.number), self._tallies(unit.number)
            *row, digest = stored
            if digest and digest != _digest(row, games, tallies):
                raise ValueError("a digest differs")
            return Result(
                unit,
                tuple(make(PlayedGame, _unpacked(PlayedGame, game)) for game in games),
                tuple(make(Tally, _unpacked(Tally, tally)) for tally in tallies),
            )

    def drop_after(self, number: int) -> None:
        """Delete the units after `number`: they were played before the end of the contest was
        known.
        """
        with _convert_errors(self.path), self._connection as connection:
            for table, column in (("games", "unit"), ("tallies", "unit"), ("units", "number")):
                connection.execute(f"DELETE FROM {table} WHERE {column} > ?", (number,))

    def close(self) -> None:
        """Close the file and release its lock."""
        self._connection.close()

    def _games(self, unit: int) -> list[Row]:
        return self._connection.execute(
            "SELECT round, turn, payoffs, plies, ending, reason, loser, record, seconds,"
            " transcript, measures FROM games WHERE unit = ? ORDER BY round, turn",
            (unit,),
        ).fetchall()

    def _tallies(self, unit: int) -> list[Row]:
        return self._connection.execute(
            "SELECT turn, wins, draws, unfinished, plies FROM tallies WHERE unit = ? ORDER BY turn",
            (unit,),
        ).fetchall()


def _write(connection: sqlite3.Connection, result: Result) -> None:
    unit = result.unit
    row = (unit.number, unit.group, json.dumps(unit.players), unit.first, unit.count)
    games, tallies = (sorted(map(_packed, rows)) for rows in (result.games, result.tallies))
    connection.execute(
        f"INSERT INTO units VALUES ({_marks(6)})", (*row, _digest(row, games, tallies))
    )
    connection.executemany(
        f"INSERT INTO games VALUES ({_marks(13)})",
        [(unit.number, unit.group, *game) for game in games],
    )
    connection.executemany(
        f"INSERT INTO tallies VALUES ({_marks(6)})",
        [(unit.number, *tally) for tally in tallies],
    )


def _digest(unit: Sequence[object], *tables: Sequence[Row]) -> str:
    """Return a digest of the rows of a unit. Raises TypeError for values that are no JSON."""
    text = json.dumps([list(unit), [[list(row) for row in rows] for rows in tables]])
    return blake2b(text.encode(), digest_size=_DIGEST_SIZE).hexdigest()


@contextmanager
def opened(path: Path, identity: Identity) -> Iterator[Store]:
    """Yield the store of a contest; the file is created if it does not exist.

    The file of a shorter contest becomes that of this one, and keeps its games. Raises UsageError
    for a file of another contest, of a newer version or of another kind. The same holds for a file
    that another driver has locked, and for one that cannot be written.
    """
    with _convert_errors(path):
        _require_ours(path)
        connection = sqlite3.Connection(path, timeout=0, isolation_level=None)
    with closing(connection):
        with _convert_errors(path):
            _begin(path, connection, identity)
            connection.isolation_level = "IMMEDIATE"
        yield Store(path, connection)


def _begin(path: Path, connection: sqlite3.Connection, identity: Identity) -> None:
    """Lock the file and check that it is this contest's."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise UsageError(f"{path}: made by a newer version of the package: {version} > {SCHEMA}")
    stored = _rows(identity)
    if version == 0:
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
        connection.executemany("INSERT INTO contest VALUES (?, ?)", stored.items())
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    elif version < SCHEMA:
        if version < _MEASURES:
            connection.execute("ALTER TABLE games ADD COLUMN measures TEXT NOT NULL DEFAULT ''")
        if version < _DIGEST:
            connection.execute("ALTER TABLE units ADD COLUMN digest TEXT NOT NULL DEFAULT ''")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    stored_identity = dict(connection.execute("SELECT key, value FROM contest"))
    connection.execute("COMMIT")
    if stored_identity.get("rules") != identity.rules:
        raise UsageError(f"{path}: has a contest with other rules: {_description(stored_identity)}")
    if stored_identity.get("schedule") != identity.schedule:
        _require_shorter(path, stored_identity, identity)
        with connection:
            connection.executemany("REPLACE INTO contest VALUES (?, ?)", stored.items())


def _rows(identity: Identity) -> dict[str, str]:
    """Return the identity as stored."""
    length = json.dumps(identity.length)
    return {
        "rules": identity.rules,
        "schedule": identity.schedule,
        "description": identity.description,
        "length": length,
    }


def _require_shorter(path: Path, stored: dict[str, str], identity: Identity) -> None:
    """Raise UsageError unless the stored contest is the beginning of this one."""
    games, stages = _length(stored)
    schedule, is_shorter = identity.with_length(games, stages) if games else ("", False)
    if schedule != stored.get("schedule"):
        raise UsageError(f"{path}: has another contest: {_description(stored)}")
    if not is_shorter:
        reason = "has this contest with other numbers of games or stages, and cannot be extended"
        raise UsageError(f"{path}: {reason}: {_description(stored)}")


def _length(stored: dict[str, str]) -> tuple[int, int]:
    """Return the stored numbers of games and stages, 0 in files of older versions."""
    values = json.loads(stored.get("length", "[0, 0]"))
    games, stages = values
    if type(games) is not int or type(stages) is not int or games < 0 or stages < 0:
        raise ValueError("no length")
    return games, stages


def _require_ours(path: Path) -> None:
    """Raise UsageError for a file of another kind, which is not changed."""
    if path.is_dir():
        raise UsageError(f"{path}: is a directory, expected a file")
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not (head.startswith(_MAGIC) and head[_MARK:] == _APPLICATION.to_bytes(4, "big")):
        raise UsageError(f"{path}: is not a store of games; it is unchanged")


@contextmanager
def _convert_errors(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and the system, and of values of wrong types, to UsageError."""
    try:
        yield
    except RulesError:
        raise
    except sqlite3.OperationalError as error:
        reason = str(error)
        if "locked" in reason:
            reason = "another tournament is at work on this file"
        elif getattr(error, "sqlite_errorname", _BAD_SCHEMA) == _BAD_SCHEMA:
            reason = f"is damaged: {reason}"  # our statements fit the tables that we made
        raise UsageError(f"{path}: {reason}") from None
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{path}: is damaged: {error}") from None
    except (ValueError, TypeError, RecursionError):
        raise UsageError(f"{path}: is damaged: a row has no meaning") from None
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be used').lower()}") from None


def _packed(value: PlayedGame | Tally) -> Row:
    """Return the fields of a row; tuples are encoded as JSON."""
    fields = [getattr(value, name) for name in names_of(value) or ()]
    return tuple(json.dumps(field) if isinstance(field, tuple) else field for field in fields)


def _unpacked(cls: type, row: Row) -> list[object]:
    """Return the fields of a row. Raises ValueError and TypeError for a damaged one."""
    kinds = get_type_hints(cls)
    names = cls.__match_args__  # type: ignore[attr-defined]
    return [_field(kinds[name], field) for name, field in zip(names, row, strict=True)]


def _field(kind: Any, field: object) -> object:
    """Return a field of a type, which is `int`, `str`, or a tuple of numbers encoded as JSON."""
    if get_origin(kind) is not tuple:
        if type(field) is not kind:
            raise TypeError(f"expected {kind.__name__}, found {field!r:.40}")
        return field
    item = get_args(kind)[0]
    values = tuple(json.loads(str(field)))
    if not all(type(value) in (item, int) for value in values):
        raise TypeError(f"expected numbers, found {field!r:.40}")
    return values


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _description(stored: dict[str, str]) -> str:
    """Return the description of a stored contest, shortened; older files have the key `told`."""
    return (stored.get("description") or stored.get("told") or "?")[:200]
