"""Self-play games of a batch as training data, in parts that are NumPy or Parquet files.

A part depends on the terms and its number only, and is written atomically by any executor. Its
SHA-256 follows in a file of its own, in the format of `sha256sum`. After an interruption the same
call writes the parts that are missing or differ from their checksum.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from hashlib import file_digest, sha256
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, cast
from zipfile import ZIP_DEFLATED, ZipFile

from rulesengine.batch import Batch
from rulesengine.contests.expected_work import batch_plies
from rulesengine.engine.drivers.random import generator, word
from rulesengine.errors import LimitError, UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.play.records import rules_hash
from rulesengine.support.files import replace
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_PLAYOUTS, MAX_PLIES
from rulesengine.support.validate import check_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Column = npt.NDArray[Any]
    Columns = dict[str, Column]

Format = Literal["npz", "parquet"]
Chooser = Callable[[Batch], "npt.ArrayLike"]  # returns an action for each game of a batch

_FORMATS = ("npz", "parquet")
_TERMS = "terms.json"
_SLICE = 1 << 18  # bytes per compression call
_GROUP = 1 << 10  # rows per row group of a Parquet file
_NOTHING = -1  # the action of a game at a chance node or over


@record
class Terms:
    """The settings that, with the rules and the chooser, determine the rows of all parts."""

    games: int
    seed: int = 0
    part: int = 1024  # games per part; the last part may have fewer
    playouts: int = 0  # playouts per position for its value; 0 writes no values
    format: Format = "npz"

    @property
    def parts(self) -> int:
        return -(-self.games // self.part)

    def games_of(self, number: int) -> int:
        """Return the number of games in a part."""
        return min(self.part, self.games - number * self.part)

    def file(self, number: int) -> str:
        return f"part-{number:06}.{self.format}"


def write_selfplay(
    game: Game,
    folder: str | PathLike[str],
    terms: Terms,
    *,
    choose: Chooser | None = None,
    executor: Executor | None = None,
    job: Job | None = None,
) -> int:
    """Write the parts that are missing or damaged in a folder, and return their number.

    `choose` returns an action for each game of a batch (default random); with an executor of
    processes it must be picklable. A `job` counts the games of existing parts, and can stop the
    call between two parts. Raises UsageError if the folder has games of other terms, for an illegal
    action, and without the extras `arrays` and `data`; LimitError for a game without an end.
    """
    _check(terms)
    require_perfect_information(game.rules, "training data with whole positions")
    place = Path(folder)
    _agree(place, {**_terms_to_json(terms), **_identity_of(game)})
    missing = [k for k in range(terms.parts) if not _is_whole(place / terms.file(k))]
    job = job or Job()
    left = sum(map(terms.games_of, missing))
    job.advance(terms.games - left)
    work = batch_plies(game, left, terms.playouts) if missing else {}
    with _written(executor, (game, place, terms, work), missing, choose) as written:
        for games in written:
            job.advance(games)
            job.raise_if_stopped()
    return len(missing)


def columns_of(game: Game, terms: Terms, number: int, choose: Chooser | None = None) -> "Columns":
    """Return the columns of a part: one row per action of a player, game by game.

    Raises as `write_selfplay` does.
    """
    first = number * terms.part
    seed = generator(word(terms.seed), number)
    batch = game.batch(terms.games_of(number), seed=seed)
    steps: list[Columns] = []
    while not batch.over.all():
        if batch.plies.max() >= MAX_PLIES:
            raise LimitError(f"game {first + int(batch.plies.argmax())} has {MAX_PLIES} plies")
        actions = _next_actions(batch, choose, first)
        steps.append(_record_rows(batch, actions, terms, len(steps)))
        batch.step(actions)
    columns = _game_by_game(steps)
    results = batch.payoffs[columns["game"]]
    return {**columns, "game": columns["game"] + first, "results": results}


def _game_by_game(steps: "list[Columns]") -> "Columns":
    """Return all rows, grouped by game. The rows of each step are moved, which saves memory."""
    import numpy as np

    games = np.concatenate([step["game"] for step in steps])
    places = np.empty_like(games)
    places[np.argsort(games, kind="stable")] = np.arange(len(games))
    ends = np.cumsum([len(step["game"]) for step in steps])
    columns: Columns = {}
    for name, one in list(steps[0].items()):
        columns[name] = np.empty((len(games), *one.shape[1:]), one.dtype)
        for step, end in zip(steps, ends, strict=True):
            rows = step.pop(name)
            columns[name][places[end - len(rows) : end]] = rows
    return columns


def _next_actions(batch: Batch, choose: Chooser | None, first: int) -> "npt.NDArray[np.int64]":
    """Return the next action of each game; the batch draws chance events. Raises UsageError."""
    import numpy as np

    if choose is None:
        return batch.sample()
    actions, moving = np.asarray(choose(batch)), np.flatnonzero(batch.mover >= 0)
    if actions.shape != (len(batch),) or actions.dtype.kind not in "iu":
        raise UsageError("expected an action for each game from `choose`")
    inside = (actions >= 0) & (actions < batch.mask.shape[1])
    wrong = [k for k in moving if not (inside[k] and batch.mask[k, actions[k]])]
    for game in wrong:
        raise UsageError(f"action {actions[game]} is not legal in game {first + game}")
    return np.where(batch.mover >= 0, actions, _NOTHING)


def _record_rows(
    batch: Batch, actions: "npt.NDArray[np.int64]", terms: Terms, step: int
) -> "Columns":
    """Return a row for each game in which a player is to move."""
    import numpy as np

    rows, numbers = np.flatnonzero(batch.mover >= 0), batch.numbers()
    columns: Columns = {
        "game": rows,
        "ply": batch.plies[rows],
        "mover": batch.mover[rows],
        "planes": batch.observe()[rows],
        "mask": batch.mask[rows],
        "action": actions[rows],
    }
    if numbers.shape[1]:
        columns["numbers"] = numbers[rows]
    if terms.playouts:
        seed = generator(word(batch.seed), step)
        columns["values"] = batch.playouts(terms.playouts, seed=seed)[rows] / terms.playouts
    return columns


def _write(
    game: Game,
    folder: Path,
    terms: Terms,
    work: Mapping[str, float],
    number: int,
    choose: Chooser | None,
) -> int:
    """Write a part and return its number of games; `work` is that of all parts."""
    game.expect(work)
    columns = columns_of(game, terms, number, choose)
    encode = _as_npz if terms.format == "npz" else _as_parquet
    file, data = folder / terms.file(number), encode(columns)
    replace(file, data)
    replace(_checksum_of(file), f"{sha256(data).hexdigest()}  {file.name}\n".encode())
    return terms.games_of(number)


def _checksum_of(file: Path) -> Path:
    """Return the path of the checksum of a part."""
    return file.with_name(f"{file.name}.sha256")


def _is_whole(file: Path) -> bool:
    """True if a part exists and agrees with its checksum. Raises UsageError."""
    try:
        noted = _checksum_of(file).read_bytes()
        with file.open("rb") as opened:
            digest = file_digest(opened, "sha256").hexdigest()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UsageError(f"{file}: {(error.strerror or 'cannot be read').lower()}") from None
    return noted == f"{digest}  {file.name}\n".encode()


def _as_npz(columns: "Columns") -> bytes:
    """Encode as `numpy.savez_compressed`, in slices that let an interrupt through."""
    import numpy as np

    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, column in columns.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(cast(IO[bytes], _SliceWriter(file)), column, None, False)
    return out.getvalue()


class _SliceWriter:
    """A file wrapper that writes long data slice by slice."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, text: bytes) -> int:
        for first in range(0, len(text), _SLICE):
            self._file.write(text[first : first + _SLICE])
        return len(text)


def _as_parquet(columns: "Columns") -> bytes:
    """Encode arrays of rows as fixed-size lists; their shapes are in the terms."""
    parquet, out = import_module("pyarrow.parquet"), BytesIO()
    with parquet.ParquetWriter(out, _table(columns, 0).schema) as writer:
        # an interrupt is handled between row groups
        for first in range(0, len(columns["game"]), _GROUP):
            writer.write_table(_table(columns, first))
    return out.getvalue()


def _table(columns: "Columns", first: int) -> Any:
    """Return a slice of rows as an Arrow table."""
    arrow, made = import_module("pyarrow"), {}
    for name, column in columns.items():
        some = column[first : first + _GROUP]
        flat = arrow.array(some.reshape(-1))
        is_list = some.ndim > 1
        made[name] = arrow.FixedSizeListArray.from_arrays(flat, some[0].size) if is_list else flat
    return arrow.table(made)


def _check(terms: Terms) -> None:
    check_number("number of `games`", terms.games, 1)
    check_number("size of a `part`", terms.part, 1)
    check_number("number of `playouts`", terms.playouts, 0, MAX_PLAYOUTS)
    check_number("`seed`", terms.seed)
    if terms.format not in _FORMATS:
        raise UsageError(f"`format` is `npz` or `parquet`, found {terms.format!r:.40}")
    if terms.format == "parquet" and find_spec("pyarrow") is None:
        raise UsageError("Parquet needs the extra `data`")


def _terms_to_json(terms: Terms) -> dict[str, object]:
    return {name: getattr(terms, name) for name in ("games", "seed", "part", "playouts", "format")}


def _identity_of(game: Game) -> dict[str, object]:
    """Return the identity of the game and the meaning of the columns."""
    batch = game.batch(1)
    return {
        "game": game.name,
        "rules": rules_hash(game),
        "parameters": dict(game.parameters),
        "players": list(game.players),
        "planes": list(batch.planes()),
        "cells": batch.observe().shape[2],
        "numbers": batch.numbers().shape[1],
        "actions": list(game.actions),
    }


def _agree(folder: Path, terms: dict[str, object]) -> None:
    """Write the terms into a folder, or compare them with existing ones. Raises UsageError."""
    text, file = json.dumps(terms, indent=1) + "\n", folder / _TERMS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stored = file.read_text(encoding="utf-8") if file.exists() else None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "cannot be read"
        raise UsageError(f"{folder}: {reason.lower()}") from None
    if stored is None:
        replace(file, text.encode())
    elif stored != text:
        raise UsageError(f"{folder}: has games of other terms, see its {_TERMS}")


@contextmanager
def _written(
    executor: Executor | None,
    arguments: tuple[Game, Path, Terms, Mapping[str, float]],
    numbers: list[int],
    choose: Chooser | None,
) -> "Iterator[Iterator[int]]":
    """Yield an iterator over the game counts of parts as they are written.

    On an error or interrupt pending parts are cancelled.
    """
    if executor is None:
        yield (_write(*arguments, number, choose) for number in numbers)
        return
    futures = [executor.submit(_write, *arguments, number, choose) for number in numbers]
    try:
        yield (future.result() for future in as_completed(futures))
    finally:
        for future in futures:
            future.cancel()
