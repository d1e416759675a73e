"""Moves of pieces as expressions: the cells that pieces on the cells `c` reach."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rulesengine.support.frozen import record
from rulesengine.tools.variants_ini.betza import Movement, Vector

_ABSOLUTE = MappingProxyType(
    {
        (1, 0): "north",
        (1, 1): "northeast",
        (0, 1): "east",
        (-1, 1): "southeast",
        (-1, 0): "south",
        (-1, -1): "southwest",
        (0, -1): "west",
        (1, -1): "northwest",
    }
)
_RELATIVE = MappingProxyType(
    {
        (1, 0): "ahead",
        (1, 1): "ahead_right",
        (0, 1): "rightward",
        (-1, 1): "back_right",
        (-1, 0): "back",
        (-1, -1): "back_left",
        (0, -1): "leftward",
        (1, -1): "ahead_left",
    }
)
_STRAIGHT = frozenset({(1, 0), (-1, 0), (0, 1), (0, -1)})
_SLANTED = frozenset({(1, 1), (1, -1), (-1, 1), (-1, -1)})


@record
class Reach:
    """The cells that a kind of piece reaches, as expressions; an empty text is no cell.

    - `quiet` are those of moves without a capture, `hits` those of captures.
    - `initial` are those of quiet moves from the cells of double steps.
    """

    quiet: str
    hits: str
    initial: str


def reach(movements: Iterable[Movement]) -> Reach:
    """Return the cells of moves as expressions over `c`."""
    moves = tuple(movements)
    return Reach(
        _union(m for m in moves if m.quiet and not m.initial),
        _union(m for m in moves if m.captures and not m.initial),
        _union(m for m in moves if m.quiet and m.initial),
    )


def at_cells(text: str, cells: str) -> str:
    """Return an expression over `c` for other cells."""
    out, word = "", ""
    for char in text + " ":
        if char.isalnum() or char == "_":
            word += char
            continue
        out += (f"({cells})" if " " in cells else cells) if word == "c" else word
        out, word = out + char, ""
    return out.rstrip()


def directions_used(text: str) -> list[str]:
    """Return the names of relative directions in a text."""
    return [name for name in _RELATIVE.values() if name in _words(text)]


def direction_of(name: str, *, is_first: bool) -> str:
    """Return the direction of a relative one for the first or the second player."""
    (vector,) = [v for v, each in _RELATIVE.items() if each == name]
    return _ABSOLUTE[vector if is_first else (-vector[0], -vector[1])]


def helpers_used(text: str) -> dict[str, str]:
    """Return the definitions that expressions of moves use."""
    words, helpers = _words(text), {}
    if "hop" in words:
        helpers["hop(c, way)"] = "beam(beam(c, way) and occupied, way)"
    if "hop_next" in words:
        helpers["hop_next(c, way)"] = "shift(beam(c, way) and occupied, way)"
    if helpers or "beam" in words:
        helpers = {"beam(c, way)": "shift(c or slide(c, way, empty), way)"} | helpers
    return helpers


def _words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() or c == "_" else " " for c in text).split())


def _union(movements: Iterable[Movement]) -> str:
    return " or ".join(dict.fromkeys(part for m in movements for part in _parts(m)))


def _parts(movement: Movement) -> list[str]:
    vectors = set(movement.vectors)
    is_turned = all((-v[0], -v[1]) in vectors for v in vectors)
    names = _ABSOLUTE if is_turned else _RELATIVE
    match movement.form:
        case "leap":
            return _leaps(vectors, names)
        case "lame":
            return [_chain(_way(v), names) for v in sorted(vectors, reverse=True)]
        case "hop":
            name = "hop_next" if movement.limit == 1 else "hop"
            return [f"union(way in {_set(vectors, names)}, {name}(c, way))"]
    if vectors <= _STRAIGHT | _SLANTED:
        return [_ride(_set(vectors, names), movement.limit)]
    return [_leap_ride(v, names, movement.limit) for v in sorted(vectors, reverse=True)]


def _set(vectors: set[Vector], names: Mapping[Vector, str]) -> str:
    """Return a set of directions."""
    if vectors == _STRAIGHT:
        return "orthogonal"
    if vectors == _SLANTED:
        return "diagonal"
    if vectors == _STRAIGHT | _SLANTED:
        return "[all]"
    return "[" + ", ".join(names[v] for v in names if v in vectors) + "]"


def _leaps(vectors: set[Vector], names: Mapping[Vector, str]) -> list[str]:
    steps = vectors & (_STRAIGHT | _SLANTED)
    texts = []
    if steps:
        text = _set(steps, names)
        texts.append(f"shift(c, {text[1:-1] if len(steps) == 1 or text == '[all]' else text})")
    groups: dict[tuple[Vector, ...], list[str]] = {}
    for vector in sorted(vectors - steps, reverse=True):
        *first, last = _unit_steps(vector)
        groups.setdefault(tuple(first), []).append(names[last])
    for group, ends in groups.items():
        way = ", ".join(names[step] for step in group)
        end = ends[0] if len(ends) == 1 else "[" + ", ".join(ends) + "]"
        texts.append(f"shift(c, {way}, {end})")
    return texts


def _unit_steps(vector: Vector) -> list[Vector]:
    """Return steps to neighbours that lead along a vector, the longer component first."""
    a, b = vector
    if abs(a) == abs(b):
        return [(_sign(a), _sign(b))] * abs(a)
    long, short = (
        ((_sign(a), 0), (0, _sign(b))) if abs(a) > abs(b) else ((0, _sign(b)), (_sign(a), 0))
    )
    return [long] * max(abs(a), abs(b)) + [short] * min(abs(a), abs(b))


def _way(vector: Vector) -> list[Vector]:
    """Return the steps of a lame leap: straight ones first, then slanted ones."""
    a, b = vector
    straight = abs(abs(a) - abs(b))
    slant = (_sign(a), _sign(b))
    long = (_sign(a), 0) if abs(a) > abs(b) else (0, _sign(b))
    return [long] * straight + [slant] * min(abs(a), abs(b))


def _chain(steps: list[Vector], names: Mapping[Vector, str]) -> str:
    """Return the cells behind steps over empty cells."""
    text = "c"
    for number, step in enumerate(steps):
        text = f"shift({text}{' and empty' if number else ''}, {names[step]})"
    return text


def _ride(directions: str, limit: int) -> str:
    if limit == 0:
        return f"union(way in {directions}, beam(c, way))"
    cells, last = "c", "c"
    for _ in range(limit - 1):
        last = f"shift({last}, way) and empty"
        cells += f" or {last}"
    return f"union(way in {directions}, shift({cells}, way))"


def _leap_ride(vector: Vector, names: Mapping[Vector, str], limit: int) -> str:
    """Return the cells of a ride of leaps by one vector."""
    way = ", ".join(names[step] for step in _unit_steps(vector))
    if limit == 0:
        return f"shift(c or reach(x in c, shift(x, {way}) and empty), {way})"
    cells, last = "c", "c"
    for _ in range(limit - 1):
        last = f"shift({last}, {way}) and empty"
        cells += f" or {last}"
    return f"shift({cells}, {way})"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
