"""Files of weights of moves, in the format of learned weights with the key `moves`.

The first line is that of a learned evaluation without entries. The second part has the side, the
code and the weight of each neighbourhood, then the weights of features. Last come larger patterns:
all sides, both halves of all codes, and all weights. See decisions 193 and 206.
"""

import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from types import MappingProxyType

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
_LARGER_WIDTH = 4  # numbers of a larger pattern
_LOW_BITS = 24  # of a code, in one number
_NUMBER = 4  # bytes


@record
class MoveLogarithms:
    """Logarithms of weights: of patterns by side and code, and of features by index."""

    codes: Mapping[tuple[int, int], float]
    features: Sequence[float]
    larger: Mapping[tuple[int, int], float] = MappingProxyType({})


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
    if logarithms.larger:
        head["larger"] = len(logarithms.larger)
    write_parts(path, program, identity_of_moves(program), head, [b"", packed_moves(logarithms)])


def packed_moves(logarithms: MoveLogarithms) -> bytes:
    """Return compressed weights of moves."""
    numbers = array("i")
    for (side, code), value in sorted(logarithms.codes.items()):
        numbers.extend((side, code, _rounded(value)))
    numbers.extend(map(_rounded, logarithms.features))
    larger = sorted(logarithms.larger.items())
    numbers.extend(side for (side, _), _ in larger)
    numbers.extend(code >> _LOW_BITS for (_, code), _ in larger)
    numbers.extend(code & (1 << _LOW_BITS) - 1 for (_, code), _ in larger)
    numbers.extend(_rounded(value) for _, value in larger)
    if sys.byteorder == "big":
        numbers.byteswap()
    return zlib.compress(numbers.tobytes(), 9)


def read_moves(path: Path, program: Program) -> MoveWeights:
    """Read the weights of moves of a file. Raises UsageError for an invalid file."""
    patterns = require_patterns(program)
    head, parts = read_parts(path, program, identity_of_moves(program), moves=True)
    if head.get("pending"):
        raise UsageError(f"{path}: learning was interrupted: run `learn` again for the weights")
    stored = _unpacked(parts[1], head["moves"], head.get("larger", 0), patterns)
    if stored is None:
        raise UsageError(f"{path}: the file is damaged: run `learn` again")
    return _weights(patterns, stored)


def weights_of(patterns: MovePatterns, logarithms: MoveLogarithms) -> MoveWeights:
    """Return the weights that a file of logarithms has."""
    codes, larger = (
        {key: _rounded(value) for key, value in some.items()}
        for some in (logarithms.codes, logarithms.larger)
    )
    return _weights(
        patterns, _StoredLogarithms(codes, tuple(map(_rounded, logarithms.features)), larger)
    )


def _weights(patterns: MovePatterns, stored: "_StoredLogarithms") -> MoveWeights:
    codes, larger = (
        {key: _weight(value) for key, value in some.items()}
        for some in (stored.codes, stored.larger)
    )
    return MoveWeights(patterns, codes, tuple(map(_weight, stored.features)), larger)


def _unpacked(
    packed: bytes, count: int, larger: int, patterns: MovePatterns
) -> "_StoredLogarithms | None":
    """Return the numbers of compressed weights, None for invalid ones."""
    end = _WIDTH * count + PASS + 1
    size = _NUMBER * (end + _LARGER_WIDTH * larger)
    try:
        plain = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error:
        return None
    if larger > patterns.larger.most or len(plain) != size:
        return None
    numbers = array("i", plain)
    if sys.byteorder == "big":
        numbers.byteswap()
    columns = [numbers[end + larger * place : end + larger * (place + 1)] for place in range(4)]
    sides, high, low, values = columns
    large_codes = [(top << _LOW_BITS) + bottom for top, bottom in zip(high, low, strict=True)]
    codes = zip(*(numbers[start : _WIDTH * count : _WIDTH] for start in range(3)), strict=True)
    places = list(codes)
    large = list(zip(sides, large_codes, values, strict=True))
    most = 1 << 2 * (len(patterns.ways) + patterns.larger.count)
    if not all(_is_valid(side, code, value, CODE_COUNT) for side, code, value in places):
        return None
    if not all(_is_valid(side, code, value, most) for side, code, value in large):
        return None
    return _StoredLogarithms(
        {(side, code): value for side, code, value in places},
        numbers[_WIDTH * count : end],
        {(side, code): value for side, code, value in large},
    )


@record
class _StoredLogarithms:
    """The numbers of a file, in units of the scale."""

    codes: Mapping[tuple[int, int], int]
    features: Sequence[int]
    larger: Mapping[tuple[int, int], int]


def _is_valid(side: int, code: int, value: int, most: int) -> bool:
    return side in (0, 1) and 0 <= code < most and abs(value) <= _MOST


def _rounded(value: float) -> int:
    return max(-_MOST, min(_MOST, round(_SCALE * value)))


def _weight(number: int) -> int:
    """Return a weight by its logarithm; extreme logarithms are cut off."""
    return max(1, round(UNIT * exp(max(-_MOST, min(_MOST, number)) / _SCALE)))


def identity_of_moves(program: Program) -> str:
    """Return a digest of the directions, cells and symmetries, whatever their names."""
    p = require_patterns(program)
    return digest(repr((p.ways, p.adjacent, p.near, p.images, p.liberties)).encode()).hex()
