"""Turns of dice and men: a written move such as `13/10 8/4` is several plies of a game."""

from collections import Counter
from collections.abc import Iterator, Sequence
from types import MappingProxyType

from rulesengine.errors import NotationError
from rulesengine.formats.point_moves import Label, read_legs
from rulesengine.formats.tables.mapping import BAR, Dice, TablesMapping
from rulesengine.state import Move, State
from rulesengine.support.frozen import record

_POINTS = MappingProxyType({"bar": BAR, "off": 0})
_MOST_STATES = 20_000

Hop = tuple[int, int]


@record
class Turn:
    """The plies of a turn and the state after them."""

    moves: tuple[Move, ...]
    state: State


def read_hops(text: str) -> list[Hop]:
    """Parse the moves of men of a turn. Raises NotationError."""
    hops: list[Hop] = []
    for word in text.lower().split():
        legs = read_legs(word)
        if not legs or not all(_is_point(label) for leg in legs for label in leg):
            raise NotationError(f"expected moves of men such as `13/10 8/4`, found `{word[:40]}`")
        points = [(_point(start), _point(end)) for start, end in legs]
        if any(point > BAR for hop in points for point in hop):
            raise NotationError(f"no point above {BAR} in `{word[:40]}`")
        hops += points
    return hops


def hop_text(hop: Hop) -> str:
    """Return a move of a man as text."""
    start, end = hop
    return f"{'bar' if start == BAR else start}/{end or 'off'}"


def written_hops(hops: Sequence[Hop], hits: Sequence[bool]) -> str:
    """Return moves of men as text; equal ones are counted."""
    words = [hop_text(hop) + "*" * hit for hop, hit in zip(hops, hits, strict=True)]
    counted = Counter(words)
    return " ".join(w if n == 1 else f"{w}({n})" for w, n in counted.items())


def find_turn(mapping: TablesMapping, state: State, hops: Sequence[Hop]) -> Turn | None:
    """Return the plies that move men as written; None if there are none.

    A written move may pass over points. Among the plies with the same men those that hit men on
    the way come last, since a text would name these points.
    """
    side = state.side
    goal = _after(mapping, state, hops)
    turns = [turn for turn in _turns(mapping, state, hops) if _own(mapping, turn, side) == goal]
    return min(turns, key=lambda turn: mapping.counts(turn.state, 1 - side)[0], default=None)


def turn_hops(mapping: TablesMapping, state: State, moves: Sequence[Move]) -> tuple[str, State]:
    """Return the text of the plies of a turn, and the state after them."""
    side, hops, hits = state.side, list[Hop](), list[bool]()
    for move in moves:
        others = list(mapping.counts(state, 1 - side))
        for start, end in mapping.hops(move, side):
            # The place of a point on the track of the other player is the number of the point.
            hits.append(end > 0 and others[end] == 1)
            others[end] = 0 if hits[-1] else others[end]
            hops.append((start, end))
        state = mapping.game.apply(state, move, check=False)
    order = sorted(range(len(hops)), key=lambda i: -hops[i][0])
    return written_hops([hops[i] for i in order], [hits[i] for i in order]), state


def is_turn_over(mapping: TablesMapping, state: State, side: int) -> bool:
    """True if a player has no further ply of a turn."""
    return state.side != side or mapping.is_throw(state) or not mapping.game.legal_moves(state)


def forced_turn(mapping: TablesMapping, state: State) -> Turn | None:
    """Return the plies of a turn without moves of men; None if a man can move."""
    side, moves = state.side, list[Move]()
    while not is_turn_over(mapping, state, side):
        legal = mapping.game.legal_moves(state)
        if mapping.hops(legal[0], side):
            return None
        moves.append(legal[0])
        state = mapping.game.apply(state, legal[0], check=False)
    return Turn(tuple(moves), state)


def _turns(mapping: TablesMapping, state: State, hops: Sequence[Hop]) -> Iterator[Turn]:
    """Yield the turns with moves of men that are within written ones."""
    side, seen = state.side, set[tuple[object, ...]]()
    stack = [Turn((), state)]
    while stack and len(seen) < _MOST_STATES:
        turn = stack.pop()
        if turn.moves and is_turn_over(mapping, turn.state, side):
            yield turn
            continue
        for move in mapping.game.legal_moves(turn.state):
            own = mapping.hops(move, side)
            if all(_is_within(hop, hops) for hop in own):
                after = mapping.game.apply(turn.state, move, check=False)
                key = (after.planes, after.registers, len(turn.moves))
                if key not in seen:
                    seen.add(key)
                    stack.append(Turn((*turn.moves, move), after))


def _is_within(hop: Hop, hops: Sequence[Hop]) -> bool:
    return any(start >= hop[0] and end <= hop[1] for start, end in hops)


def _after(mapping: TablesMapping, state: State, hops: Sequence[Hop]) -> list[int]:
    """Return the men of the player by places after written moves."""
    counts = list(mapping.counts(state, state.side))
    for start, end in hops:
        counts[BAR - start] -= 1
        counts[BAR - end] += 1
    return counts


def _own(mapping: TablesMapping, turn: Turn, side: int) -> list[int]:
    return list(mapping.counts(turn.state, side))


def _is_point(label: Label) -> bool:
    """True if a label is `bar`, `off` or a number of one or two digits."""
    return label in _POINTS or (label.isdigit() and len(label) <= 2)


def _point(label: Label) -> int:
    return _POINTS[label] if label in _POINTS else int(label)


def read_dice(text: str) -> Dice:
    """Parse two digits as dice."""
    return int(text[0]), int(text[1])
