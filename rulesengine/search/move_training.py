"""Files of weights of moves with the choices that they are fitted to, for further games.

Such a file has weights of moves. Its first part has the choices: for each position the number of
moves and the chosen one, then the neighbourhood, the features and the larger pattern of each move.
Until the run ends it is `pending` and has no weights.
"""

import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulesengine.engine.drivers.search.pattern_layout import CODE_COUNT, PASS, PATTERN_BITS
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.search.learned_weights import read_parts, write_parts
from rulesengine.search.move_file import MoveLogarithms, identity_of_moves, packed_moves
from rulesengine.search.move_fit import Choice, Key

_LEVEL = 6  # of compression
_MOST_BYTES = 1 << 30
_HEAD = 2  # numbers of the head of a choice
_MOVE = 4  # numbers of a move
_NO_CODE = -1
_LOW_BITS = 24  # of the code of a larger pattern, in the second of two numbers
_LOW = (1 << _LOW_BITS) - 1


class MoveTraining:
    """The choices of the games that were played so far.

    `prefix` is the number of choices that the weights of later games are fitted to.
    """

    def __init__(self, seed: int, playouts: int) -> None:
        self.seed, self.playouts, self.games = seed, playouts, 0
        self.choices = list[Choice]()
        self.prefix = 0


def write_training(
    path: Path, program: Program, training: MoveTraining, logarithms: MoveLogarithms | None
) -> None:
    """Write choices to a file, with the weights fitted to them if there are any. Raises
    UsageError.
    """
    numbers = array("i")
    for choice in training.choices:
        numbers.extend((len(choice.codes), choice.chosen))
        for key, larger, feature in zip(choice.codes, choice.larger, choice.features, strict=True):
            number = _NO_CODE if key is None else key[0] * CODE_COUNT + key[1]
            numbers.extend((number, feature, *_halves(larger)))
    if sys.byteorder == "big":
        numbers.byteswap()
    head = {
        "games": training.games,
        "seed": training.seed,
        "entries": 0,
        "moves": len(logarithms.codes) if logarithms else 0,
        "larger": len(logarithms.larger) if logarithms else 0,
        "playouts": training.playouts,
        "prefix": training.prefix,
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
    if "larger" not in head:
        raise UsageError(
            f"{path}: was learned by another version of the package: run `learn` again"
        )
    training = MoveTraining(head["seed"], head.get("playouts", 0))
    training.games, training.prefix = head["games"], head.get("prefix", 0)
    try:
        numbers = array("i", zlib.decompressobj().decompress(parts[0], _MOST_BYTES))
        if sys.byteorder == "big":
            numbers.byteswap()
        training.choices = list(_choices(numbers))
        if training.prefix > len(training.choices):
            raise ValueError
    except (zlib.error, ValueError, IndexError):
        raise UsageError(f"{path}: the file is damaged: run `learn` again") from None
    return training


def _choices(numbers: Sequence[int]) -> Iterator[Choice]:
    """Yield the choices of a file. Raises ValueError and IndexError for invalid ones."""
    at = 0
    while at < len(numbers):
        count, chosen = numbers[at], numbers[at + 1]
        at += _HEAD
        moves = numbers[at : at + _MOVE * count]
        at += _MOVE * count
        codes, features, high, low = (tuple(moves[place::_MOVE]) for place in range(_MOVE))
        if not 0 <= chosen < len(features) == len(low) == count:
            raise ValueError
        if min(features) < 0 or max(features) > PASS:
            raise ValueError
        larger = tuple(map(_larger_key, high, low))
        yield Choice(tuple(map(_key, codes)), larger, features, chosen)


def _halves(key: Key | None) -> tuple[int, int]:
    """Return a larger pattern as two numbers."""
    if key is None:
        return _NO_CODE, 0
    side, code = key
    return side << PATTERN_BITS - _LOW_BITS | code >> _LOW_BITS, code & _LOW


def _larger_key(high: int, low: int) -> Key | None:
    """Return a larger pattern by its numbers. Raises ValueError."""
    if high == _NO_CODE:
        return None
    side, top = divmod(high, 1 << PATTERN_BITS - _LOW_BITS)
    if side not in (0, 1) or not 0 <= low <= _LOW:
        raise ValueError
    return side, top << _LOW_BITS | low


def _key(code: int) -> Key | None:
    """Return a neighbourhood by its number. Raises ValueError."""
    if code == _NO_CODE:
        return None
    if not 0 <= code < 2 * CODE_COUNT:
        raise ValueError
    return divmod(code, CODE_COUNT)
