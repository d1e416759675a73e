"""A contest in a file of SQLite: what is finished is there, whole units by one transaction."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from rulesengine.contests.units import Played, Result, Tally, Unit
from rulesengine.errors import UsageError
from rulesengine.support.frozen import make, names_of, record

SCHEMA = 2
_APPLICATION = 0x72756C65  # tells SQLite files of ours from others
_HEAD, _MARK = 72, 68  # bytes of a file's head, and where the mark stands in it
_MAGIC = b"SQLite format 3\0"

_TABLES = """
CREATE TABLE contest (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE units (number INTEGER PRIMARY KEY, "group" INTEGER NOT NULL, players TEXT NOT NULL,
                    first INTEGER NOT NULL, count INTEGER NOT NULL);
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


@record
class Identity:
    """What makes a contest the same one: hashes of its rules and of its schedule.

    `told` is a line on it for people.
    """

    rules: str
    schedule: str
    told: str


class Store:
    """The file, open for one driver alone; other programs wait until it is closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def keep(self, results: Sequence[Result]) -> None:
        """Write what came of units, all of it or nothing: the disk is waited for once."""
        with _told(self.path), self._connection as connection:
            for result in results:
                _write(connection, result)

    def numbers(self) -> frozenset[int]:
        """The units that have been kept."""
        with _told(self.path):
            return frozenset(n for (n,) in self._connection.execute("SELECT number FROM units"))

    def result(self, unit: Unit) -> Result:
        """What came of a unit that has been kept."""
        with _told(self.path):
            return Result(unit, self._games(unit.number), self._tallies(unit.number))

    def drop_after(self, number: int) -> None:
        """Forget the units after one: they were played before it was known as the last."""
        with _told(self.path), self._connection as connection:
            for table, column in (("games", "unit"), ("tallies", "unit"), ("units", "number")):
                connection.execute(f"DELETE FROM {table} WHERE {column} > ?", (number,))

    def close(self) -> None:
        """Let others have the file."""
        self._connection.close()

    def _games(self, unit: int) -> tuple[Played, ...]:
        rows = self._connection.execute(
            "SELECT round, turn, payoffs, plies, ending, reason, loser, record, seconds,"
            " transcript, measures FROM games WHERE unit = ? ORDER BY round, turn",
            (unit,),
        )
        return tuple(make(Played, _unpacked(Played, row)) for row in rows)

    def _tallies(self, unit: int) -> tuple[Tally, ...]:
        rows = self._connection.execute(
            "SELECT turn, wins, draws, unfinished, plies FROM tallies WHERE unit = ? ORDER BY turn",
            (unit,),
        )
        return tuple(make(Tally, _unpacked(Tally, row)) for row in rows)


def _write(connection: sqlite3.Connection, result: Result) -> None:
    unit = result.unit
    connection.execute(
        "INSERT INTO units VALUES (?, ?, ?, ?, ?)",
        (unit.number, unit.group, json.dumps(unit.players), unit.first, unit.count),
    )
    connection.executemany(
        f"INSERT INTO games VALUES ({_marks(13)})",
        [(unit.number, unit.group, *_packed(game)) for game in result.games],
    )
    connection.executemany(
        f"INSERT INTO tallies VALUES ({_marks(6)})",
        [(unit.number, *_packed(tally)) for tally in result.tallies],
    )


@contextmanager
def opened(path: Path, identity: Identity) -> Iterator[Store]:
    """The file of a contest, made if there is none.

    Raises UsageError for a file that is another contest's, of a newer version or something else,
    that another driver holds, or that cannot be written.
    """
    with _told(path):
        _require_ours(path)
        connection = sqlite3.Connection(path, timeout=0, isolation_level=None)
    with closing(connection):
        with _told(path):
            _begin(path, connection, identity)
            connection.isolation_level = "IMMEDIATE"
        yield Store(path, connection)


def _begin(path: Path, connection: sqlite3.Connection, identity: Identity) -> None:
    """Hold the file, and see that it is this contest's."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise UsageError(f"{path}: made by a newer version of the package: {version} > {SCHEMA}")
    told = {name: getattr(identity, name) for name in ("rules", "schedule", "told")}
    if version == 0:
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
        connection.executemany("INSERT INTO contest VALUES (?, ?)", told.items())
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    elif version < SCHEMA:
        connection.execute("ALTER TABLE games ADD COLUMN measures TEXT NOT NULL DEFAULT ''")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
    found = dict(connection.execute("SELECT key, value FROM contest"))
    connection.execute("COMMIT")
    if found.get("rules") != identity.rules:
        raise UsageError(f"{path}: holds a contest by other rules: {_cut(found.get('told'))}")
    if found.get("schedule") != identity.schedule:
        raise UsageError(f"{path}: holds another contest: {_cut(found.get('told'))}")


def _require_ours(path: Path) -> None:
    """Refuse a file that is something else, which stays as it is."""
    if path.is_dir():
        raise UsageError(f"{path}: is a directory, expected a file")
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not (head.startswith(_MAGIC) and head[_MARK:] == _APPLICATION.to_bytes(4, "big")):
        raise UsageError(f"{path}: holds something else, which is left as it is")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What SQLite and the system say, in a sentence."""
    try:
        yield
    except sqlite3.OperationalError as error:
        why = str(error)
        if "locked" in why:
            why = "another tournament is at work on this file"
        raise UsageError(f"{path}: {why}") from None
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{path}: is damaged: {error}") from None
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be used').lower()}") from None


def _packed(value: Played | Tally) -> list[object]:
    """The fields of a row; tuples are written as JSON."""
    fields = [getattr(value, name) for name in names_of(value) or ()]
    return [json.dumps(field) if isinstance(field, tuple) else field for field in fields]


def _unpacked(cls: type, row: tuple[object, ...]) -> list[object]:
    kinds = cls.__annotations__
    names = cls.__match_args__  # type: ignore[attr-defined]
    return [
        tuple(json.loads(str(field))) if str(kinds[name]).startswith("tuple") else field
        for name, field in zip(names, row, strict=True)
    ]


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _cut(text: str | None) -> str:
    return (text or "?")[:200]
