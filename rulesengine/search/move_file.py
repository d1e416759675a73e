"""Files of weights of moves, in the format of learned weights with the key `moves`.

The first line is that of a learned evaluation without entries. The second part has the side, the
code and the weight of each neighbourhood, then the weights of features. See decision 193.
"""

import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path

from rulesengine.engine.drivers.search.pattern_layout import CODE_COUNT, PASS, UNIT
from rulesengine.engine.patterns import MovePatterns, move_patterns_of
from rulesengine.errors import UsageError
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.language.ir.program import Program
from rulesengine.search.learned_weights import read_parts, write_parts
from rulesengine.search.move_weights import MoveWeights
from rulesengine.support.cache import digest
from rulesengine.support.frozen import record

_SCALE = 256  # a number of a file for the logarithm 1
_MOST = 7 * _SCALE  # the greatest one
_WIDTH = 3  # numbers of a neighbourhood
_NUMBER = 4  # bytes


@record
class MoveLogarithms:
    """Logarithms of weights: of neighbourhoods by side and code, and of features by index."""

    codes: Mapping[tuple[int, int], float]
    features: Sequence[float]


def require_patterns(program: Program) -> MovePatterns:
    """Return the features of moves. Raises UsageError for a game without them."""
    require_perfect_information(program.rules, "learning by self-play")
    patterns = move_patterns_of(program)
    if patterns is None:
        raise UsageError(
            "weights of moves are learned for placements of two players on a board of at most eight"
            " directions"
        )
    return patterns


def write_moves(
    path: Path, program: Program, logarithms: MoveLogarithms, games: int, seed: int
) -> None:
    """Write weights of moves to a file for play only, atomically. Raises UsageError."""
    head = {"games": games, "seed": seed, "entries": 0, "moves": len(logarithms.codes)}
    write_parts(path, program, identity_of_moves(program), head, [b"", packed_moves(logarithms)])


def packed_moves(logarithms: MoveLogarithms) -> bytes:
    """Return compressed weights of moves."""
    numbers = array("i")
    for (side, code), value in sorted(logarithms.codes.items()):
        numbers.extend((side, code, _rounded(value)))
    numbers.extend(map(_rounded, logarithms.features))
    if sys.byteorder == "big":
        numbers.byteswap()
    return zlib.compress(numbers.tobytes(), 9)


def read_moves(path: Path, program: Program) -> MoveWeights:
    """Read the weights of moves of a file. Raises UsageError for an invalid file."""
    patterns = require_patterns(program)
    head, parts = read_parts(path, program, identity_of_moves(program), moves=True)
    if head.get("pending"):
        raise UsageError(f"{path}: learning was interrupted: run `learn` again for the weights")
    count = head["moves"]
    size = _NUMBER * (_WIDTH * count + PASS + 1)
    try:
        plain = zlib.decompressobj().decompress(parts[1], size + 1)
    except zlib.error:
        plain = b""
    numbers = array("i", plain if len(plain) == size else b"")
    if sys.byteorder == "big":
        numbers.byteswap()
    places = list(
        zip(*(numbers[start : _WIDTH * count : _WIDTH] for start in range(3)), strict=True)
    )
    if not numbers or not all(_is_valid(*place) for place in places):
        raise UsageError(f"{path}: the file is damaged: run `learn` again")
    codes = {(side, code): _weight(value) for side, code, value in places}
    return MoveWeights(patterns, codes, tuple(map(_weight, numbers[_WIDTH * count :])))


def _is_valid(side: int, code: int, value: int) -> bool:
    return side in (0, 1) and 0 <= code < CODE_COUNT and abs(value) <= _MOST


def _rounded(value: float) -> int:
    return max(-_MOST, min(_MOST, round(_SCALE * value)))


def _weight(number: int) -> int:
    """Return a weight by its logarithm; extreme logarithms are cut off."""
    return max(1, round(UNIT * exp(max(-_MOST, min(_MOST, number)) / _SCALE)))


def identity_of_moves(program: Program) -> str:
    """Return a digest of the directions, cells and symmetries, whatever their names."""
    p = require_patterns(program)
    return digest(repr((p.ways, p.adjacent, p.near, p.images, p.liberties)).encode()).hex()
