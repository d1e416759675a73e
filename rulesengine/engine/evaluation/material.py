"""The values of the kinds of piece, by their mobility in sampled positions.

A position of the sample has pieces on random cells. The mobility of a kind is the mean number of
its steps there, own and enemy pieces in the way included. The value of a kind is proportional to
its mobility plus a half; the most numerous kind of the initial position is worth `PIECE`, royal
kinds aside.

The sample has a fixed seed, so that the values are a function of the program.
"""

from collections.abc import Iterator, Sequence

from rulesengine.board.geometry import bits
from rulesengine.engine.drivers.random import mix, word
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.evaluation.tactics import is_capture, tactics_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.program import Program
from rulesengine.state import State, Step
from rulesengine.support.frozen import record, replace

PIECE = 100  # the value of the most numerous kind
_LEAST, _MOST = PIECE // 10, 30 * PIECE  # bounds of a value
_POSITIONS = 48  # of the sample
_LARGE_BOARD = 150  # cells; larger boards have smaller samples
_SPARSE, _DENSE = 15, 40  # bounds of the percentage of occupied cells
_CAPTURES = 33  # greatest percentage of captures that searches follow, under a third
_KEPT = 3, 4  # share of the pieces of the initial position in a sampled one

Piece = tuple[int, int]  # a kind and a side


@record
class Material:
    """Values of kinds and the share of captures, estimated from a sample of positions.

    - `values` has the value of each kind.
    - `captures` is the percentage of steps that change the material of a side.
    - `steps` has the mean number of steps of a piece of each kind, times 100.
    - `groups` has the groups that moved each kind, as a mask.
    """

    values: tuple[int, ...]
    captures: int
    steps: tuple[int, ...]
    groups: tuple[int, ...]


def derive_material(machine: Interpreter) -> Material:
    """Return the values of the kinds and the share of captures; see `material_of`."""
    program = machine.program
    count = len(program.rules.kinds)
    pieces = list(_pieces(program))
    if not pieces or not has_moves(program):
        return Material((PIECE,) * count, 0, (0,) * count, (0,) * count)
    free, tactics = without_bans(program), tactics_of(program)
    seen, steps, groups, captures, total = [0] * count, [0] * count, [0] * count, 0, 0
    start = machine.initial_state()
    for state in _sample(program, start, pieces):
        for side in range(len(program.rules.players)):
            kinds = _kinds_of(state, side, count)
            for kind in kinds.values():
                seen[kind] += 1
            for step in steps_of(free, replace(state, side=side)):
                total += 1
                captures += is_capture(tactics, state, step)
                if step.origin in kinds:
                    steps[kinds[step.origin]] += 1
                    groups[kinds[step.origin]] |= 1 << step.group
    mobility = [2 * moved + some for moved, some in zip(steps, seen, strict=True)]
    royal = royal_kinds(program)
    unit = max(
        range(count),
        key=lambda kind: (seen[kind] > 0, kind not in royal, _number(start, kind, count), -kind),
    )
    values = (
        PIECE * mobility[kind] * seen[unit] // (mobility[unit] * seen[kind])
        if seen[kind]
        else PIECE
        for kind in range(count)
    )
    bounded = tuple(max(_LEAST, min(_MOST, value)) for value in values)
    means = (100 * moved // max(1, some) for moved, some in zip(steps, seen, strict=True))
    return Material(bounded, 100 * captures // max(1, total), tuple(means), tuple(groups))


def follows_captures(material: Material) -> bool:
    """True if some moves are captures, but not too many to follow them."""
    return 0 < material.captures <= _CAPTURES


def without_bans(program: Program) -> Interpreter:
    """Return an interpreter of the rules without `forbid`."""
    tiers = tuple(
        tuple(replace(group, forbid=None, decided=None) for group in tier)
        for tier in program.rules.tiers
    )
    return Interpreter(replace(program, rules=replace(program.rules, tiers=tiers)))


def steps_of(machine: Interpreter, state: State) -> Iterator[Step]:
    """Yield the first steps of moves from cell to cell, of all tiers, each cell pair once.

    A group whose rules fail in a position has no further steps there.
    """
    seen: set[tuple[int, int]] = set()
    for tier in machine.program.rules.tiers:
        for group in tier:
            if group.kind not in ("move", "select"):
                continue
            try:
                for step in machine.tier(state, state.side, (group,)):
                    if (step.origin, step.target) not in seen and step.origin >= 0:
                        seen.add((step.origin, step.target))
                        yield step
            except (EvaluationError, LimitError):
                continue


def planes_of(program: Program, kind: int) -> range:
    """Return the numbers of the planes of a kind: one for each side, neutral pieces last."""
    owners = len(program.rules.players) + 1
    return range(owners * kind, owners * kind + owners)


def has_moves(program: Program) -> bool:
    """True if some moves go from cell to cell."""
    groups = (group for tier in program.rules.tiers for group in tier)
    return any(group.kind in ("move", "select") for group in groups)


def _pieces(program: Program) -> Iterator[Piece]:
    """Yield the kinds and sides for which pieces exist."""
    for number, kind in enumerate(program.rules.kinds):
        for side, symbol in enumerate(kind.symbols[: len(program.rules.players)]):
            if symbol:
                yield number, side


def _number(state: State, kind: int, count: int) -> int:
    """Return the number of pieces of a kind of all sides."""
    owners = len(state.planes) // count
    return sum(
        plane.bit_count() for plane in state.planes[owners * kind : owners * kind + owners - 1]
    )


def _kinds_of(state: State, side: int, count: int) -> dict[int, int]:
    """Return the kind of the piece on each cell of a side."""
    owners = len(state.planes) // count
    return {
        cell: kind for kind in range(count) for cell in bits(state.planes[owners * kind + side])
    }


def _sample(program: Program, start: State, pieces: Sequence[Piece]) -> Iterator[State]:
    """Yield positions with pieces on random cells: half like the initial position, half uniform."""
    count, cells = len(program.rules.kinds), program.topology.cells
    owners = len(start.planes) // count
    first = [
        (kind, side)
        for kind, side in pieces
        for _ in range(start.planes[owners * kind + side].bit_count())
    ]
    share = 100 * len(first) * _KEPT[0] // (cells * _KEPT[1])
    share = max(_SPARSE, min(_DENSE, share))
    for number in range(max(4, min(_POSITIONS, _POSITIONS * _LARGE_BOARD // cells))):
        planes = [0] * len(start.planes)
        for cell in range(cells):
            drawn = int(mix(word(number * cells + cell)))
            if drawn % 100 < share:
                among = first if first and drawn >> 8 & 1 else pieces
                kind, side = among[(drawn >> 16) % len(among)]
                planes[owners * kind + side] |= 1 << cell
        yield State(tuple(planes), 0, start.registers, (), start.form, start.seats)
