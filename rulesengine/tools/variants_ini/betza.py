"""Moves of a piece in the part of Betza's notation that files of variants use.

Sources: Ralph Betza, "My Funny Notation" (The Chess Variant Pages), and the header of variants.ini.
A vector is counted in cells forward and to the right, as the player sees them.
"""

from string import digits
from types import MappingProxyType
from typing import Literal

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record

Vector = tuple[int, int]
Form = Literal["leap", "lame", "ride", "hop"]

_LEAPS: MappingProxyType[str, tuple[Vector, ...]] = MappingProxyType(
    {
        "W": ((1, 0),),
        "F": ((1, 1),),
        "D": ((2, 0),),
        "N": ((2, 1),),
        "A": ((2, 2),),
        "H": ((3, 0),),
        "L": ((3, 1),),
        "C": ((3, 1),),
        "J": ((3, 2),),
        "Z": ((3, 2),),
        "G": ((3, 3),),
        "K": ((1, 0), (1, 1)),
    }
)
_RIDES: MappingProxyType[str, tuple[Vector, ...]] = MappingProxyType(
    {"R": ((1, 0),), "B": ((1, 1),), "Q": ((1, 0), (1, 1))}
)
_VERTICAL, _HORIZONTAL = "fbvh", "rlsh"
_FORWARD: MappingProxyType[str, Vector] = MappingProxyType(
    {"f": (1, 0), "b": (-1, 0), "r": (0, 1), "l": (0, -1)}
)


@record
class Movement:
    """Moves of one form by some vectors.

    - `form`: a leap; a lame leap, which pieces on its way block; a ride of several leaps over empty
      cells; or a hop behind the first piece in a direction.
    - `quiet` and `captures`: the moves go to empty cells, to enemy pieces.
    - `limit`: the most leaps of a ride, the most cells of a hop behind the piece; 0 for any number.
    - `initial`: the moves start on the cells of double steps only.
    """

    vectors: tuple[Vector, ...]
    form: Form
    quiet: bool
    captures: bool
    limit: int = 0
    initial: bool = False


def read_betza(text: str) -> tuple[Movement, ...]:
    """Return the moves of a text in Betza's notation. Raises UsageError."""
    movements: list[Movement] = []
    modifiers, at = "", 0
    while at < len(text):
        letter, at = text[at], at + 1
        if letter not in _LEAPS and letter not in _RIDES:
            if letter not in "mcpgnie" + _VERTICAL + _HORIZONTAL:
                raise UsageError(f"no modifier `{letter}` of moves")
            modifiers += letter
            continue
        suffix = ""
        if at < len(text) and (text[at] in digits or text[at] == letter):
            suffix, at = text[at], at + 1
        movements += _movements(letter, suffix, modifiers)
        modifiers = ""
    return tuple(movements)


def _movements(letter: str, suffix: str, modifiers: str) -> list[Movement]:
    """Return the moves of one atom with its modifiers."""
    atoms = _RIDES.get(letter) or _LEAPS[letter]
    is_ride = letter in _RIDES or bool(suffix)
    form: Form = "ride" if is_ride else "lame" if "n" in modifiers else "leap"
    limit = int(suffix) if suffix in tuple(digits) else 0
    if set(modifiers) & set("pg"):
        form, limit = "hop", 1 if "g" in modifiers else limit
        if letter not in "RBQWFK":
            raise UsageError(f"no hop by `{letter}`")
    modes = {each for each in modifiers if each in "mc"} or {"m", "c"}
    movements = []
    for atom in atoms:
        codes = _codes(modifiers, is_straight=len(atoms) == 1 and atom[1] == 0)
        vectors = tuple(sorted(_images(atom, codes)))
        movements.append(
            Movement(vectors, form, "m" in modes, "c" in modes, limit, "i" in modifiers)
        )
    return movements


def _codes(modifiers: str, *, is_straight: bool) -> list[str]:
    """Return the pairs of directional modifiers; a single one is doubled."""
    pairs, at = [], 0
    while at < len(modifiers):
        one, at = modifiers[at], at + 1
        if one not in _VERTICAL + _HORIZONTAL:
            continue
        two = modifiers[at : at + 1]
        joins = two == one or (one in _VERTICAL and two in tuple(_HORIZONTAL))
        if two and (joins or (one in _HORIZONTAL and two in tuple(_VERTICAL))):
            pairs.append(one + two)
            at += 1
        else:
            pairs.append(one * 2)
    if is_straight:
        return [
            code
            for pair in pairs
            for code in ({pair} if pair[0] == pair[1] else {pair[0] * 2, pair[1] * 2})
        ]
    return pairs


def _images(atom: Vector, codes: list[str]) -> set[Vector]:
    """Return the vectors of an atom in the directions of the codes; all vectors without codes."""
    vectors = set()
    for long in "fbrl":
        for short in "rl" if long in "fb" else "fb":
            if codes and not any(_matches(code, long, short) for code in codes):
                continue
            (a, b), (c, d) = _FORWARD[long], _FORWARD[short]
            vectors.add((atom[0] * a + atom[1] * c, atom[0] * b + atom[1] * d))
    return vectors


def _matches(code: str, long: str, short: str) -> bool:
    """True if a pair of modifiers includes a vector by its longer and its shorter component."""
    if code in ("hr", "hl"):
        is_right = (long + short) in ("fr", "bl", "rb", "lf")
        return is_right == (code == "hr")
    if code[1] == "h":
        return code[0] in (long, short)
    if code[0] == "h":
        return code[1] in (long, short)
    if code[0] == code[1]:
        return _covers(code[0], long)
    return _covers(code[1], long) and _covers(code[0], short)


def _covers(letter: str, direction: str) -> bool:
    return letter == direction or direction in {"v": "fb", "s": "rl"}.get(letter, "")
