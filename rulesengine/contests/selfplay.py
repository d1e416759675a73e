"""Games that a batch plays against itself, as data to learn from: parts as NumPy or Parquet files.

A part follows from the terms and its number alone and is written whole, by any executor: whatever
is killed, the same call goes on with the parts that are not there yet.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, cast
from zipfile import ZIP_DEFLATED, ZipFile

from rulesengine.batch import Batch
from rulesengine.engine.drivers.random import generator, word
from rulesengine.errors import LimitError, UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.records.native import rules_hash
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
Chooser = Callable[[Batch], "npt.ArrayLike"]  # an action for each game of a batch

_FORMATS = ("npz", "parquet")
_TERMS = "terms.json"
_SLICE = 1 << 18  # bytes that are compressed at once
_GROUP = 1 << 10  # rows of a Parquet file that are written at once
_NOTHING = -1  # where chance draws, or a game is over


@record
class Terms:
    """What the rows of all parts follow from, beside the rules and who chooses."""

    games: int
    seed: int = 0
    part: int = 1024  # games of a part, but for the last one
    playouts: int = 0  # random games that tell the value of a position, none for no values
    format: Format = "npz"

    @property
    def parts(self) -> int:
        return -(-self.games // self.part)

    def games_of(self, number: int) -> int:
        """How many games a part has."""
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
    """Write the parts that a folder does not have yet; how many these were.

    `choose` gives an action for each game of a batch, random ones unless told; an executor of
    processes has to be able to send it. A `job` counts the games of parts that are there, and can
    stop the call between two parts. Raises UsageError where the folder has games of other
    terms, for an action that is not legal and without the extras `arrays` and `data`; LimitError
    for a game without an end.
    """
    _check(terms)
    place = Path(folder)
    _agree(place, {**_told(terms), **_known(game)})
    missing = [k for k in range(terms.parts) if not (place / terms.file(k)).exists()]
    job = job or Job()
    job.add(terms.games - sum(map(terms.games_of, missing)))
    with _written(executor, (game, place, terms), missing, choose) as written:
        for games in written:
            job.add(games)
            job.poll()
    return len(missing)


def columns_of(game: Game, terms: Terms, number: int, choose: Chooser | None = None) -> "Columns":
    """The rows of a part, one for each action of a player, game by game: column by column.

    Raises as `write_selfplay` does.
    """
    first = number * terms.part
    seed = generator(word(terms.seed), number)
    batch = game.batch(terms.games_of(number), seed=seed)
    steps: list[Columns] = []
    while not batch.over.all():
        if batch.plies.max() >= MAX_PLIES:
            raise LimitError(f"game {first + int(batch.plies.argmax())} has {MAX_PLIES} plies")
        actions = _chosen(batch, choose, first)
        steps.append(_seen(batch, actions, terms, len(steps)))
        batch.step(actions)
    found = _game_by_game(steps)
    results = batch.payoffs[found["game"]]
    return {**found, "game": found["game"] + first, "results": results}


def _game_by_game(steps: "list[Columns]") -> "Columns":
    """All rows, those of a game behind one another; they are moved step by step."""
    import numpy as np

    games = np.concatenate([step["game"] for step in steps])
    places = np.empty_like(games)
    places[np.argsort(games, kind="stable")] = np.arange(len(games))
    ends = np.cumsum([len(step["game"]) for step in steps])
    found: Columns = {}
    for name, one in list(steps[0].items()):
        found[name] = np.empty((len(games), *one.shape[1:]), one.dtype)
        for step, end in zip(steps, ends, strict=True):
            rows = step.pop(name)
            found[name][places[end - len(rows) : end]] = rows
    return found


def _chosen(batch: Batch, choose: Chooser | None, first: int) -> "npt.NDArray[np.int64]":
    """The next action of each game; chance draws its own. Raises UsageError."""
    import numpy as np

    if choose is None:
        return batch.sample()
    given, moving = np.asarray(choose(batch)), np.flatnonzero(batch.mover >= 0)
    if given.shape != (len(batch),) or given.dtype.kind not in "iu":
        raise UsageError("expected an action for each game from what chooses")
    inside = (given >= 0) & (given < batch.mask.shape[1])
    wrong = [k for k in moving if not (inside[k] and batch.mask[k, given[k]])]
    for game in wrong:
        raise UsageError(f"action {given[game]} is not legal in game {first + game}")
    return np.where(batch.mover >= 0, given, _NOTHING)


def _seen(batch: Batch, actions: "npt.NDArray[np.int64]", terms: Terms, step: int) -> "Columns":
    """A row for each game in which a player is to move."""
    import numpy as np

    rows, numbers = np.flatnonzero(batch.mover >= 0), batch.numbers()
    found: Columns = {
        "game": rows,
        "ply": batch.plies[rows],
        "mover": batch.mover[rows],
        "planes": batch.observe()[rows],
        "mask": batch.mask[rows],
        "action": actions[rows],
    }
    if numbers.shape[1]:
        found["numbers"] = numbers[rows]
    if terms.playouts:
        seed = generator(word(batch.seed), step)
        found["values"] = batch.playouts(terms.playouts, seed=seed)[rows] / terms.playouts
    return found


def _write(game: Game, folder: Path, terms: Terms, number: int, choose: Chooser | None) -> int:
    """Write a part; how many games it has."""
    columns = columns_of(game, terms, number, choose)
    encode = _as_npz if terms.format == "npz" else _as_parquet
    replace(folder / terms.file(number), encode(columns))
    return terms.games_of(number)


def _as_npz(columns: "Columns") -> bytes:
    """What `numpy.savez_compressed` writes, in slices between which an interrupt comes through."""
    import numpy as np

    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, column in columns.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(cast(IO[bytes], _Sliced(file)), column, None, False)
    return out.getvalue()


class _Sliced:
    """A file to which a long text is written slice by slice."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, text: bytes) -> int:
        for first in range(0, len(text), _SLICE):
            self._file.write(text[first : first + _SLICE])
        return len(text)


def _as_parquet(columns: "Columns") -> bytes:
    """Arrays of rows as lists of one length; their shapes are in the terms."""
    parquet, out = import_module("pyarrow.parquet"), BytesIO()
    with parquet.ParquetWriter(out, _table(columns, 0).schema) as writer:
        for first in range(0, len(columns["game"]), _GROUP):  # an interrupt comes between groups
            writer.write_table(_table(columns, first))
    return out.getvalue()


def _table(columns: "Columns", first: int) -> Any:
    """Some rows as a table of Arrow."""
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


def _told(terms: Terms) -> dict[str, object]:
    return {name: getattr(terms, name) for name in ("games", "seed", "part", "playouts", "format")}


def _known(game: Game) -> dict[str, object]:
    """By which the games of a folder are known, and what the columns hold."""
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


def _agree(folder: Path, told: dict[str, object]) -> None:
    """Leave the terms in a folder, or find the same there. Raises UsageError."""
    text, file = json.dumps(told, indent=1) + "\n", folder / _TERMS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = file.read_text(encoding="utf-8") if file.exists() else None
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder}: {getattr(error, 'strerror', None) or error}") from None
    if held is None:
        replace(file, text.encode())
    elif held != text:
        raise UsageError(f"{folder}: has games of other terms, as {_TERMS} there tells")


@contextmanager
def _written(
    executor: Executor | None,
    given: tuple[Game, Path, Terms],
    numbers: list[int],
    choose: Chooser | None,
) -> "Iterator[Iterator[int]]":
    """Parts as they are written, each by how many games it has.

    If one fails, or on an interrupt, those that have not begun are left.
    """
    if executor is None:
        yield (_write(*given, number, choose) for number in numbers)
        return
    futures = [executor.submit(_write, *given, number, choose) for number in numbers]
    try:
        yield (future.result() for future in as_completed(futures))
    finally:
        for future in futures:
            future.cancel()
