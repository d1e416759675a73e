"""Safe moves: placements that the other side cannot prevent, and an upper bound of its placements.

In these games moves only fill empty cells, and the player without a move loses. A side wins if it
has more safe moves than the other side has moves (Bullock, 2002; here it follows from the rules).
This analysis tabulates by cell how placements affect each other. `drivers/search/safe_moves.py`
counts with these tables.

The set of legal cells must shrink with every piece, and the effect of two pieces must be the union
of their single effects. Both are proved from the structure of the expression. The effect of a piece
is then computed on a board with that piece alone. See decision 078.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from rulesengine.engine.drivers.search.mobility import last_move_wins
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.optional_results import Masks, SafeMoves, SafeMoveTables
from rulesengine.engine.kernel.analysis.placement_deltas import SPREADING
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.placements import is_disabled, placement_cells
from rulesengine.errors import RulesError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, role_of
from rulesengine.language.ir.rules import Group
from rulesengine.support.frozen import replace

_SIDES = (0, 1)
_ONE_WORD = 64  # cells of the largest supported board
_SAFE = 1 << 14  # above the sum of all distances

Placements = dict[int, list[tuple[int, int]]]  # by cell: planes and cells of the placed pieces
Lost = dict[tuple[int, int, int], int]  # by side, and by plane and cell of a piece


def safe_moves_of(program: Program) -> SafeMoves | None:
    """Analyse a program; None for other rules, or without a proof."""
    rules = program.rules
    if program.topology.cells > _ONE_WORD or len(rules.players) != len(_SIDES):
        return None
    if not rules.alternates or rules.chance or rules.outs or rules.keep or rules.misere:
        return None
    # Another end might make the player not to move lose; without an end no player loses.
    plain = all(end.side and has_role(end.side, "mover") and not end.each for end in rules.ends)
    return _Finder(program).find() if plain and last_move_wins(rules) else None


class _Finder:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = len(program.rules.kinds)
        self.machine = Interpreter(program)
        self._sets = Vectoriser(program)
        self._bare = self._sets.bare_state

    def find(self) -> SafeMoves | None:
        groups = [group for group in self.program.rules.groups if not is_disabled(group)]
        cells = self._cells(groups[0]) if len(groups) == 1 else None
        if cells is None or not all(self._only_loses(cells, side) for side in _SIDES):
            return None
        lost = self._find_lost(cells)
        filled = [self._find_filled(cells, side) for side in _SIDES]
        sides = []
        for side in _SIDES:
            own, other = filled[side], filled[1 - side]
            if own is None or other is None or not self._needs_empty_cells(own, lost, side):
                return None
            sides.append(self._side(own, other, lost, side))
        return SafeMoves(cells, (sides[0], sides[1]), self._bare)

    def _cells(self, group: Group) -> Op | None:
        """Return the cells of a placement group with moves that only put pieces on the board."""
        effects = (*group.effects, *self.program.rules.effects)
        puts = all(map(self._only_puts, effects))
        return placement_cells(group, self._sets) if puts else None

    def _only_puts(self, effect: Op) -> bool:
        return has_role(effect, "placement") and all(map(self._sets.facts.is_fixed, effect.args))

    def _only_loses(self, op: Op, side: int) -> bool:
        """True if pieces only remove cells from a set, each independently of the others."""
        if self._is_fixed(op):
            return True
        planes = planes_of(op, len(_SIDES), self.kinds, side)
        if planes is not None:
            return EMPTY in planes
        match role_of(op):
            case "meet":
                return all(self._only_loses(arg, side) for arg in op.args)
            case "difference":
                return self._only_loses(op.args[0], side) and self._only_gains(op.args[1], side)
            case "complement":
                return self._only_gains(op.args[0], side)
            case "shift" if len(op.args) > 1:
                directions = op.args[1:]
                return self._is_one_way(directions, side) and self._only_loses(op.args[0], side)
        return False

    def _only_gains(self, op: Op, side: int) -> bool:
        """True if pieces only add cells to a set, each independently of the others."""
        if self._is_fixed(op):
            return True
        planes = planes_of(op, len(_SIDES), self.kinds, side)
        if planes is not None:
            return EMPTY not in planes
        first, *others = op.args or (op,)
        if has_role(op, "join"):
            return all(self._only_gains(arg, side) for arg in op.args)
        if has_role(op, "meet"):
            moving = [arg for arg in op.args if not self._is_fixed(arg)]
            return len(moving) == 1 and self._only_gains(moving[0], side)
        if has_role(op, "complement"):
            return self._only_loses(first, side)
        within = has_role(op, "difference") or op.name in SPREADING
        return within and self._only_gains(first, side) and all(map(self._is_fixed, others))

    def _is_fixed(self, op: Op) -> bool:
        facts = self._sets.facts
        return facts.is_fixed(op) and facts.variables(op) <= {"player"}

    def _is_one_way(self, ways: Sequence[Op], side: int) -> bool:
        """True if a set is shifted in one direction that depends on the player alone."""
        if len(ways) > 1 or not self._is_fixed(ways[0]):
            return False
        directions = self.machine.number_of(ways[0], self._bare, side)
        return directions.bit_count() == 1

    def _legal(self, cells: Op, planes: tuple[int, ...], side: int) -> int:
        return self.machine.number_of(cells, replace(self._bare, planes=planes), side)

    def _find_lost(self, cells: Op) -> Lost:
        """Return the moves of a side that a piece makes illegal: by side, plane and cell of the
        piece.
        """
        planes, lost = self._bare.planes, {}
        for side in _SIDES:
            every = self._legal(cells, planes, side)
            for plane in range(len(planes)):
                for cell in range(self.program.topology.cells):
                    one = (*planes[:plane], 1 << cell, *planes[plane + 1 :])
                    lost[side, plane, cell] = every & ~self._legal(cells, one, side)
        return lost

    def _find_filled(self, cells: Op, side: int) -> Placements | None:
        """Return the planes and cells of the pieces that each placement of a side adds."""
        state = replace(self._bare, side=side)
        moves, legal = self.machine.legal(state), self._legal(cells, state.planes, side)
        if [move[0].target for move in moves] != [*cells_of(legal)]:
            return None
        filled = {}
        for move in moves:
            try:
                planes = self.machine.apply(state, move).planes
            except RulesError:
                return None
            pieces = [(plane, cell) for plane, on in enumerate(planes) for cell in cells_of(on)]
            filled[move[0].target] = pieces
        return filled

    def _needs_empty_cells(self, own: Placements, lost: Lost, side: int) -> bool:
        """True if a placement is illegal when any cell that it fills is occupied."""
        planes = range(len(self._bare.planes))
        return all(
            lost[side, plane, cell] >> place & 1
            for place, pieces in own.items()
            for _, cell in pieces
            for plane in planes
        )

    def _side(self, own: Placements, other: Placements, lost: Lost, side: int) -> SafeMoveTables:
        count = self.program.topology.cells
        spoiled = _transposed(_made_illegal(count, other, lost, side))
        bars = _made_illegal(count, own, lost, 1 - side)
        takes_first = _made_illegal(count, own, lost, side)
        both = list(zip(takes_first, _transposed(takes_first), strict=True))
        takes = tuple(a | b | 1 << i for i, (a, b) in enumerate(both))
        apart = tuple(_exclusive_set([a & b for a, b in both], place) for place in range(count))
        fills = tuple(_union(1 << cell for _, cell in own.get(i, ())) for i in range(count))
        guards = _transposed(
            tuple(
                _union(
                    1 << i for i in own if spoiled[place] & bars[i] and not takes[i] >> place & 1
                )
                for place in range(count)
            )
        )
        size = min((cells.bit_count() for cells in fills if cells), default=1)
        turns = tuple(self._turn(place, spoiled, bars, fills, guards) for place in range(count))
        return SafeMoveTables(takes, spoiled, bars, fills, guards, apart, turns, size)

    def _turn(self, place: int, spoiled: Masks, bars: Masks, fills: Masks, guards: Masks) -> int:
        """Return the priority of a placement: by the moves that it makes safe, then by distance.

        To place from the outside in leaves fewer distinct positions.
        """
        safe = sum(not spoiled[other] & ~bars[place] for other in cells_of(guards[place]))
        return safe * _SAFE + sum(self._distances[cell] for cell in cells_of(fills[place]))

    @cached_property
    def _distances(self) -> list[int]:
        """Return for each cell the sum of its distances in steps to all connected cells."""
        adjacency = self.program.topology.adjacency
        distances = []
        for cell in range(len(adjacency)):
            seen = last = 1 << cell
            total = steps = 0
            while last:
                last = _union(adjacency[at] for at in cells_of(last)) & ~seen
                seen, steps = seen | last, steps + 1
                total += steps * last.bit_count()
            distances.append(total)
        return distances


def _made_illegal(count: int, placements: Placements, lost: Lost, side: int) -> Masks:
    """Return the moves of a side that each placement makes illegal."""
    return tuple(
        _union(lost[side, plane, cell] for plane, cell in placements.get(place, ()))
        for place in range(count)
    )


def _union(sets: Iterator[int]) -> int:
    mask = 0
    for cells in sets:
        mask |= cells
    return mask


def _transposed(masks: Masks) -> Masks:
    """Transpose a relation of cells."""
    return tuple(
        sum(1 << other for other, mask in enumerate(masks) if mask >> cell & 1)
        for cell in range(len(masks))
    )


def _exclusive_set(never: list[int], place: int) -> int:
    """Collect a placement and later ones that exclude each other pairwise, greedily."""
    cells = 1 << place
    for other in cells_of(never[place] >> (place + 1) << (place + 1)):
        if not cells & ~never[other] & ~(1 << other):
            cells |= 1 << other
    return cells
