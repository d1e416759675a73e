"""Immediate wins and threats, as sets: cells that win at once, and those that must be answered.

A placement wins if it completes a line or a connection of its player and that is the first end
tested. Threats of the other side must all be answered by one move. That holds if other placements
leave the winning cells free, legal and winning, and the game cannot end before. `goal_threats`
computes the same for pieces that move. See decision 055.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rulesengine.engine.kernel.analysis.placement_deltas import PlacedPiece, keeps_other_cells
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.engine.kernel.passes.connection_threats import connection_cells
from rulesengine.engine.kernel.passes.goal_moves import MoveAnswers, goal_threats
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.line_completions import completing_cells, lines_through
from rulesengine.engine.kernel.passes.placements import is_disabled, placement_cells
from rulesengine.language.ir.ops import OPS, Op, contained_in, make, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import End, Group
from rulesengine.language.ir.score_decided import points_of
from rulesengine.support.frozen import record

_SIDES = (0, 1)


@record
class PlacementAnswers:
    """The cells of all moves that may answer a threat, and of those that do not lose at once."""

    moves: Op
    not_losing: Op


@record
class Threats:
    """The cells where a placement by `player` wins, or from which a move wins.

    - `threats`: empty cells that would win, legal or not; None unless the end is a line.
    - `answers`: answers to threats by placements; None if a threat need not be answered there.
    - `parries`: the same for threats by moves.
    - `placing`: the number of the group of the placements, or -1.
    - `line_counts`: the number of winning lines by cell, where there are `threats`.
    """

    wins: Op
    threats: Op | None = None
    answers: PlacementAnswers | None = None
    parries: MoveAnswers | None = None
    placing: int = -1
    line_counts: tuple[int, ...] = ()


def threats_of(program: Program) -> Threats | None:
    """Analyse a two-player game; None if its rules are unsupported."""
    rules = program.rules
    if len(rules.players) != len(_SIDES) or rules.chance or rules.outs or rules.keep:
        return None
    if rules.misere or points_of(rules) or not rules.ends:
        return None
    finder = _Finder(program)
    return finder.placing() or finder.moving()


@dataclass(frozen=True, slots=True)
class _Placement:
    """A group that places a piece of a kind for its player, with its legal cells."""

    group: Group
    kind: int
    cells: Op


class _Finder:
    """The analysis of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sets = Vectoriser(program)

    def moving(self) -> Threats | None:
        """Return the wins and threats of pieces that win by moves."""
        threats = goal_threats(self.program, self._sets, self._is_harmless)
        return Threats(threats[0], parries=threats[1]) if threats else None

    def placing(self) -> Threats | None:
        """Return the wins and threats by placements."""
        rules = self.program.rules
        completion, placements = (
            self._completion_of(rules.ends[0], "wins"),
            list(self._placements()),
        )
        if completion is None:
            return None
        cells, completes = completion
        own = [p for p in placements if self._gains_only_placed(cells, p.kind)]
        if not own:
            return None
        wins = self._sets.build("or", *(self._sets.build("and", p.cells, completes) for p in own))
        (first, *others) = own
        groups = [group for group in rules.groups if not is_disabled(group)]
        is_only = len(groups) == 1 and not others and rules.alternates
        answers = self._find_answers(first, cells, wins) if is_only else None
        is_line = has_role(rules.ends[0].when.args[0], "line")
        if not is_line:
            return Threats(wins, answers=answers)
        threats = self._sets.build("and", make("empty"), completes)
        directions = lines_through(rules.ends[0].when.args[0], self._sets.shape)
        return Threats(wins, threats, answers, None, rules.groups.index(first.group), directions)

    def _completion_of(self, end: End, result: str) -> tuple[Op, Op] | None:
        """Return the set of a line or connection end with some result, and the cells that complete
        it.
        """
        side, when = end.side, end.when
        if not end.each or end.result != result or side is None or side.value != "player":
            return None
        if not has_role(when, "nonempty") or not has_role(when.args[0], "line"):
            return connection_cells(when, self._sets)
        completes = completing_cells(when.args[0], self._sets)
        return (when.args[0].args[0], completes) if completes else None

    def _placements(self) -> Iterator[_Placement]:
        for group in self.program.rules.tiers[0]:
            cells = self._cells_of(group)
            if cells is not None and group.piece is not None:
                kind, side = group.piece.value, group.side
                if isinstance(kind, int) and side is not None and side.value == "player":
                    yield _Placement(group, kind, cells)

    def _cells_of(self, group: Group) -> Op | None:
        """Return the legal cells of a placement group with harmless effects; None for others."""
        effects = (*group.effects, *self.program.rules.effects)
        is_harmless = all(map(self._is_harmless, effects))
        return placement_cells(group, self._sets) if is_harmless else None

    def _is_harmless(self, effect: Op) -> bool:
        """True if an effect removes no piece of the mover."""
        if has_role(effect, "removal"):
            return self._has_no_own_pieces(effect.args[0])
        return has_role(effect, "assignment")

    def _has_no_own_pieces(self, cells: Op) -> bool:
        """True if a set is a subset of the other players' pieces."""
        if has_role(cells, "row"):
            return self._has_no_own_pieces(cells.args[1])
        if has_role(cells, "meet") and any(map(self._has_no_own_pieces, cells.args)):
            return True
        return all(
            (planes := self._planes(cells, side)) is not None
            and not any(plane % (len(_SIDES) + 1) == side for plane in planes if plane != EMPTY)
            for side in _SIDES
        )

    def _planes(self, cells: Op, side: int) -> frozenset[int] | None:
        return planes_of(cells, len(_SIDES), len(self.program.rules.kinds), side)

    def _plane(self, kind: int, side: int) -> int:
        return kind * (len(_SIDES) + 1) + side

    def _gains_only_placed(self, cells: Op, kind: int) -> bool:
        """True if a set gains the cell of a piece placed by its player, and no other cell."""
        return all(
            (planes := self._planes(cells, side)) is not None
            and self._plane(kind, side) in planes
            and EMPTY not in planes
            for side in _SIDES
        )

    def _is_unchanged_by_other(self, cells: Op, kind: int) -> bool:
        """True if placements by the other player do not change a set."""
        return self._gains_only_placed(cells, kind) and all(
            self._plane(kind, 1 - side) not in (self._planes(cells, side) or ()) for side in _SIDES
        )

    def _find_answers(self, placed: _Placement, cells: Op, wins: Op) -> PlacementAnswers | None:
        """Return the answers to threats, if only a piece on the same cell answers one."""
        group = placed.group
        if (
            group.effects
            or self.program.rules.effects
            or not self._is_unchanged_by_other(cells, placed.kind)
        ):
            return None
        if not all(OPS[op.name].reads <= {"variables", "pieces"} for op in walk(wins)):
            return None
        if not all(self._stay_legal(placed, side) for side in _SIDES):
            return None
        not_losing = placed.cells
        for end in self.program.rules.ends[1:]:
            loses = self._completion_of(end, "loses")
            if loses and self._is_unchanged_by_other(loses[0], placed.kind):
                not_losing = self._sets.build("minus", not_losing, loses[1])
            elif not self._needs_full_board(end):
                return None
        return PlacementAnswers(placed.cells, not_losing)

    def _stay_legal(self, placement: _Placement, side: int) -> bool:
        """True if a piece of the other side removes at most its own cell from a side's legal
        cells.
        """
        kinds = len(self.program.rules.kinds)
        piece = PlacedPiece(self._plane(placement.kind, 1 - side), len(_SIDES), kinds)
        return keeps_other_cells(placement.cells, side, piece) and self._is_empty(placement.cells)

    def _is_empty(self, cells: Op) -> bool:
        """True if all cells of a set are empty."""
        if has_role(cells, "meet", "difference"):
            return any(map(self._is_empty, contained_in(cells)))
        return has_role(cells, "vacancy")

    def _needs_full_board(self, end: End) -> bool:
        """True if an end does not hold while a cell is empty."""
        if not has_role(end.when, "void"):
            return False
        sets = [self._planes(end.when.args[0], side) for side in _SIDES]
        return all(planes is not None and EMPTY in planes for planes in sets)
