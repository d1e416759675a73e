"""Argument validation for batches: actions, flags and numbers of games."""

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from rulesengine.batch.observations import View
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.errors import UsageError
from rulesengine.support.validate import check_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]
    Actions = Sequence[int] | Ints | None
    Where = Sequence[bool] | Flags | None
    Which = Sequence[int] | Ints | Flags | int | None


def put_actions(actions: "Actions", count: int, target: "Ints") -> None:
    """Write an action of each game into `target`; without actions they are drawn.

    `count` is the number of actions. Raises UsageError.
    """
    import numpy as np

    if actions is None:
        target[:] = at.DRAWN
        return
    array = _array(actions)
    if array.dtype.kind not in "iu" and array.size:
        raise UsageError(f"actions are whole numbers, found an array of {array.dtype}")
    if array.shape != target.shape:
        raise UsageError(
            f"expected an action for each game, an array of shape {target.shape}, found"
            f" {array.shape}"
        )
    if array.dtype.kind == "u":
        array = np.minimum(array, count)  # prevents wrap-around of large numbers to negative ones
    target[:] = array
    # An action below -1 is not "no action" but illegal.
    target[target < at.NOTHING] = count


def mark_unchanged(where: "Where", target: "Ints") -> None:
    """Mark the games without a flag as unchanged. Raises UsageError."""
    if where is None:
        return
    flags = _array(where)
    if flags.dtype.kind != "b" or flags.shape != target.shape:
        raise UsageError(f"`where` is {len(target)} flags, found {where!r:.60}")
    target[~flags] = at.UNCHANGED


def chosen_games(which: "Which", games: int) -> Sequence[int]:
    """Return the numbers of the selected games. Raises UsageError."""
    if which is None:
        return range(games)
    numbers: list[int] = game_numbers(which, games).tolist()
    return numbers


def game_numbers(which: "Which", games: int) -> "Ints":
    """Return an array with the numbers of the selected games. Raises UsageError."""
    import numpy as np

    if which is None:
        return np.arange(games)
    array = np.atleast_1d(_array(which))
    if array.dtype.kind == "b" and array.shape == (games,):
        return np.flatnonzero(array)
    if array.size and (array.dtype.kind not in "iu" or array.ndim != 1):
        raise UsageError(f"expected numbers of games or {games} flags, found {which!r:.60}")
    outside = (array < 0) | (array >= games) if array.size else array
    for number in array[outside.astype(bool)].tolist():
        check_game(number, games)
    return array.astype(np.int64)


def _array(values: object) -> "np.ndarray":
    """Convert to an array; to one of objects if there is no common shape."""
    import numpy as np

    try:
        return np.asarray(values)
    except (ValueError, OverflowError):  # rows of different lengths, numbers of many bits
        return np.asarray([values], dtype=object)


def check_game(number: int, games: int) -> None:
    if not 0 <= check_number("number of a game", number) < games:
        raise UsageError(f"there is no game {number}: games are 0 to {games - 1}")


def view_of(view: str | int, players: int) -> View | int:
    """Validate the point of view of observations. Raises UsageError."""
    if view == "mover":
        return "mover"
    if view == "absolute":
        return "absolute"
    if not isinstance(view, bool | str) and hasattr(view, "__index__"):
        player = index(view)
        if 0 <= player < players:
            return player
    raise UsageError(f"a view is `mover`, `absolute` or the number of a player, found {view!r:.40}")
