"""Files of weights of moves with the choices that they are fitted to, for further games.

Such a file has weights of moves. Its first part has the choices: for each position the number of
moves and the chosen one, then the neighbourhood and the features of each move. Until the run ends
it is `pending` and has no weights.
"""

import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulesengine.engine.drivers.search.pattern_layout import CODE_COUNT, PASS
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.search.learned_weights import read_parts, write_parts
from rulesengine.search.move_file import MoveLogarithms, identity_of_moves, packed_moves
from rulesengine.search.move_fit import Choice, Key

_LEVEL = 6  # of compression
_MOST_BYTES = 1 << 30
_PAIR = 2  # numbers of a move, and of the head of a choice
_NO_CODE = -1


class MoveTraining:
    """The choices of the games that were played so far."""

    def __init__(self, seed: int, playouts: int) -> None:
        self.seed, self.playouts, self.games = seed, playouts, 0
        self.choices = list[Choice]()


def write_training(
    path: Path, program: Program, training: MoveTraining, logarithms: MoveLogarithms | None
) -> None:
    """Write choices to a file, with the weights fitted to them if there are any. Raises
    UsageError.
    """
    numbers = array("i")
    for choice in training.choices:
        numbers.extend((len(choice.codes), choice.chosen))
        for key, feature in zip(choice.codes, choice.features, strict=True):
            numbers.extend((_NO_CODE if key is None else key[0] * CODE_COUNT + key[1], feature))
    if sys.byteorder == "big":
        numbers.byteswap()
    head = {
        "games": training.games,
        "seed": training.seed,
        "entries": 0,
        "moves": len(logarithms.codes) if logarithms else 0,
        "playouts": training.playouts,
        "pending": int(logarithms is None),
    }
    packed = packed_moves(logarithms) if logarithms else b""
    parts = [zlib.compress(numbers.tobytes(), _LEVEL), packed]
    write_parts(path, program, identity_of_moves(program), head, parts)


def read_training(path: Path, program: Program) -> MoveTraining:
    """Read the choices of a file to continue learning. Raises UsageError."""
    head, parts = read_parts(path, program, identity_of_moves(program), moves=True)
    if not parts[0]:
        raise UsageError(f"{path}: is a compact file: continue with the complete file")
    training = MoveTraining(head["seed"], head.get("playouts", 0))
    training.games = head["games"]
    try:
        numbers = array("i", zlib.decompressobj().decompress(parts[0], _MOST_BYTES))
        if sys.byteorder == "big":
            numbers.byteswap()
        training.choices = list(_choices(numbers))
    except (zlib.error, ValueError, IndexError):
        raise UsageError(f"{path}: the file is damaged: run `learn` again") from None
    return training


def _choices(numbers: Sequence[int]) -> Iterator[Choice]:
    """Yield the choices of a file. Raises ValueError and IndexError for invalid ones."""
    at = 0
    while at < len(numbers):
        count, chosen = numbers[at], numbers[at + 1]
        at += _PAIR
        moves = numbers[at : at + _PAIR * count]
        at += _PAIR * count
        codes, features = moves[::_PAIR], tuple(moves[1::_PAIR])
        if not 0 <= chosen < len(features) == count:
            raise ValueError
        if min(features) < 0 or max(features) > PASS:
            raise ValueError
        yield Choice(tuple(map(_key, codes)), features, chosen)


def _key(code: int) -> Key | None:
    """Return a neighbourhood by its number. Raises ValueError."""
    if code == _NO_CODE:
        return None
    if not 0 <= code < 2 * CODE_COUNT:
        raise ValueError
    return divmod(code, CODE_COUNT)
