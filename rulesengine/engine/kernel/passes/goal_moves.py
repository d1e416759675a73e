"""Immediate wins and threats of moving pieces: the pieces that win next, and the answers to them.

An end for a piece of a player in a region holds after the moves of that player's pieces into it. An
end for a player without pieces holds after the capture of the last one. The preimage of the region
under the steps finds all such moves at once.

An answer captures the threatening piece, or blocks the cell that it would move to, if that must be
empty. A move answers few threats: if several pieces threaten, no move may answer all of them.

See decision 072.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.analysis.board_tables import cells_of
from rulesengine.engine.kernel.analysis.planes import EMPTY, planes_of
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.engine.kernel.passes.preimage import PLAYER
from rulesengine.language.ir.ops import Op, literal, make
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import End, Group
from rulesengine.support.frozen import record

_SIDES = (0, 1)


@record
class MoveAnswers:
    """Threats by moves and their answers, as sets of cells, for `player`, the side that threatens.

    `threats` are pieces that win next regardless of other moves: a move to none of `cells` leaves
    one of them. `moves` are the cells to which pieces of `player` can move.
    """

    threats: Op
    cells: Op
    moves: Op


def goal_threats(
    program: Program, sets: Vectoriser, is_harmless: Callable[[Op], bool]
) -> tuple[Op, MoveAnswers | None] | None:
    """Return the cells from which `player` wins by a move, and the answers if these are known.

    The result is None if no end is of that kind. Effects that satisfy `is_harmless` leave the
    player who moves all pieces.
    """
    return _GoalFinder(program, sets, is_harmless).find()


@record
class _Goal:
    """The cells that one of some pieces of a side must reach to win; `takes` means to capture the
    last piece there.
    """

    pieces: Op
    cells: Op
    takes: bool


@record
class _Steps:
    """Moves of a side by one group in one direction: the origins, and the target by origin.

    With `own` they move pieces of the side. With `stays`, moves of other pieces do not make them
    illegal.
    """

    origins: Op
    target: Op
    own: bool
    stays: bool


@record
class _Threats:
    """Pieces of a side that win next unless captured (`sure`), or captured or blocked (`open`).

    `goals` are the cells to which the `open` pieces would move.
    """

    sure: Op
    open: Op
    goals: Op


class _GoalFinder:
    """The analysis of one program."""

    def __init__(
        self, program: Program, sets: Vectoriser, is_harmless: Callable[[Op], bool]
    ) -> None:
        self.program, self.rules = program, program.rules
        self._sets = sets
        self._is_harmless = is_harmless
        self._kinds = len(self.rules.kinds)

    def find(self) -> tuple[Op, MoveAnswers | None] | None:
        goals = [self._goals(side) for side in _SIDES]
        if not any(goals):
            return None
        steps = [self._steps_of(side) for side in _SIDES]
        wins = [self._all_winning_origins(*both) for both in zip(goals, steps, strict=True)]
        if all(one == self._sets.none for one in wins):
            return None
        return self._by_side(wins), self._find_answers(goals, steps)

    def _by_side(self, ops: Iterable[Op]) -> Op:
        return self._sets.build("by_side", PLAYER, *ops)

    def _for_side(self, op: Op, side: int) -> Op:
        """Return an operation as a side reads it."""
        return self._sets.bound(op, "player", literal("side", side))

    def _planes(self, op: Op) -> frozenset[int] | None:
        """Split a set into planes with symbols; None if it is no union of planes."""
        planes, symbols = planes_of(op, len(_SIDES), self._kinds, -1), self.program.form.symbols
        if planes is None:
            return None
        return frozenset(plane for plane in planes if plane == EMPTY or symbols[plane])

    def _pieces(self, side: int) -> frozenset[int]:
        return self._planes(make("owned", literal("side", side))) or frozenset()

    def _are_pieces_of(self, op: Op, side: int) -> bool:
        """True if a set has pieces of a side and nothing else."""
        planes = self._planes(op)
        return planes is not None and all(
            plane != EMPTY and plane % (len(_SIDES) + 1) == side for plane in planes
        )

    # ends

    def _when(self, end: End, side: int) -> Op:
        """Return the condition of an end for a side, in sets."""
        return self._for_side(self._sets.rewritten(end.when), side)

    def _goals(self, side: int) -> list[_Goal]:
        """Return the goals of a side, of the ends that are tested before all others."""
        goals_of_side: list[_Goal] = []
        for end in self.rules.ends:
            goals = [self._goal(end, number) for number in _SIDES]
            if not (all(goals) if end.each else any(goals)):
                break
            goals_of_side += [goal for goal in goals[side : side + 1] if goal]
        return goals_of_side

    def _goal(self, end: End, side: int) -> _Goal | None:
        """Return the goal of a side by an end."""
        winners = end.result == "wins"
        if end.result not in ("wins", "loses") or end.side is None:
            return None
        winner = side if winners else 1 - side
        if end.each != (end.side == PLAYER) or self._for_side(end.side, winner).value != winner:
            return None
        when = self._when(end, winner)
        if has_role(when, "void") and self._are_pieces_of(when.args[0], 1 - side):
            return _Goal(make("owned", literal("side", side)), when.args[0], takes=True)
        if not winners or not has_role(when, "nonempty") or not has_role(when.args[0], "meet"):
            return None
        parts = when.args[0].args
        region = [part for part in parts if self._sets.facts.is_fixed(part)]
        pieces = [part for part in parts if part not in region]
        if not region or not pieces:
            return None
        placed = self._sets.build("and", *pieces)
        goal = _Goal(placed, self._sets.build("and", *region), takes=False)
        return goal if self._are_pieces_of(placed, side) else None

    # moves

    def _steps_of(self, side: int) -> list[list[_Steps] | None]:
        """Return the moves of a side by each group of the first tier; None for
        unsupported groups.
        """
        return [self._steps(group, side) for group in self.rules.tiers[0]]

    def _steps(self, group: Group, side: int) -> list[_Steps] | None:
        others = (group.forbid, group.then, group.weight, *group.choice, *group.choices)
        if group.kind != "move" or any(others) or group.origin is None or group.target is None:
            return None
        if not all(map(self._is_harmless, (*group.effects, *self.rules.effects))):
            return None
        directions = self._directions_of(group, side)
        conditions = [self._for_side(op, side) for op in (group.origin, group.target)]
        conditions += [self._for_side(group.when, side)] if group.when else []
        steps = [
            self._steps_along(side, *(self._along(op, direction) for op in conditions))
            for direction in directions or []
        ]
        known = [one for one in steps if one]
        return known if directions is not None and len(known) == len(steps) else None

    def _directions_of(self, group: Group, side: int) -> list[int | None] | None:
        """Return the directions of a group, [None] without any; None if they are not constant."""
        if group.along is None:
            return [None]
        along = self._for_side(group.along, side)
        facts = self._sets.facts
        if not facts.is_fixed(along) or facts.variables(along) or facts.may_fail(along):
            return None
        machine = self._sets.machine
        value = machine.value(along, Frame(self._sets.bare_state, {}))
        assert isinstance(value, int)
        return list(cells_of(value & self._sets.shape.every))

    def _along(self, op: Op, direction: int | None) -> Op:
        return (
            op
            if direction is None
            else self._sets.bound(op, "direction", literal("direction", direction))
        )

    def _steps_along(
        self, side: int, origins: Op, target: Op, when: Op | None = None
    ) -> _Steps | None:
        facts = self._sets.facts
        if any(map(facts.may_fail, (origins, target))) or "to" in facts.variables(target):
            return None
        stays = own = self._are_pieces_of(origins, side)
        if when is not None:
            parts = (
                None if "to" in facts.variables(when) else self._sets.satisfying_cells(when, "from")
            )
            if parts is None:
                return None
            stays = stays and facts.is_fixed(when)
            origins = self._sets.build("and", origins, parts)
        return _Steps(origins, target, own, stays)

    # wins

    def _all_winning_origins(self, goals: list[_Goal], groups: list[list[_Steps] | None]) -> Op:
        """Return the cells from which a side wins by a move."""
        return self._union(self._winning_origins(goal, groups) for goal in goals)

    def _winning_origins(self, goal: _Goal, groups: list[list[_Steps] | None]) -> Op:
        """Return the cells from which a side reaches a goal."""
        pairs = [*_pairs([goal], groups)]
        origins = self._union(filter(None, (self._origins_reaching(*pair) for pair in pairs)))
        if not goal.takes:
            return self._only_if_near(pairs, origins)
        condition = make("less", make("count", goal.cells), literal("number", 2))
        return self._sets.build("if", condition, origins, self._sets.none)

    def _only_if_near(self, pairs: Iterable[tuple[_Goal, _Steps]], origins: Op) -> Op:
        """Compute a set only if a piece is near a goal; the set is empty otherwise."""
        near_goals = [
            self._sets.build("and", goal.pieces, self._near(goal, one)) for goal, one in pairs
        ]
        return self._sets.build(
            "if", make("any", self._union(near_goals)), origins, self._sets.none
        )

    def _near(self, goal: _Goal, steps: _Steps) -> Op:
        """Return the cells from which moves may reach a goal in any position."""
        path, _ = self._split_target(steps.target)
        there = self._sets.preimage(path, "from", goal.cells)
        if there is None or not self._sets.facts.is_fixed(there):
            return self._sets.all
        machine = self._sets.machine
        return literal("cells", int(machine.value(there, Frame(self._sets.bare_state, {}))))

    def _split_target(self, target: Op) -> tuple[Op, list[Op]]:
        """Split a target into the path from the origin, and the sets that must
        contain the target.
        """
        is_less = has_role(target, "difference")
        path, *parts = target.args if is_less or has_role(target, "meet") else (target,)
        if is_less:
            return path, [self._sets.build("not", part) for part in parts]
        if "from" not in self._sets.facts.variables(path):
            return parts[0], [path, *parts[1:]]
        return path, parts

    def _origins_reaching(self, goal: _Goal, steps: _Steps) -> Op | None:
        """Return the cells from which some moves reach a goal; None if that is unsupported."""
        there = self._sets.preimage(steps.target, "from", goal.cells)
        movers = self._sets.build("and", goal.pieces, steps.origins)
        return self._sets.build("and", movers, there) if there else None

    # answers to threats

    def _find_answers(
        self, goals: list[list[_Goal]], groups: list[list[list[_Steps] | None]]
    ) -> MoveAnswers | None:
        """Return the answers to threats; None if other moves may answer, or end the game before."""
        if not self.rules.alternates or len(self.rules.tiers) > 1 or self.rules.effects:
            return None
        if any(group.effects for group in self.rules.groups) or not self._are_complete(
            goals, groups
        ):
            return None
        moves = [self._moves(chain(*filter(None, of))) for of in groups]
        if not all(map(self._is_open, self.rules.ends)):
            return None
        threats_of_sides = [self._threats(side, goals[side], groups[side]) for side in _SIDES]
        if all(one.sure == one.open == self._sets.none for one in threats_of_sides):
            return None
        threats = [
            self._only_if_near(
                _pairs([goal for goal in goals[side] if not goal.takes], groups[side]),
                self._union((one.sure, one.open)),
            )
            for side, one in enumerate(threats_of_sides)
        ]
        known = [one for one in moves if one]
        if len(known) < len(moves):
            return None
        cells = self._by_side(map(self._answers, threats_of_sides))
        return MoveAnswers(self._by_side(threats), cells, self._by_side(known))

    def _are_complete(
        self, goals: list[list[_Goal]], groups: list[list[list[_Steps] | None]]
    ) -> bool:
        """True if sides move only their own pieces, and all winning moves are known."""
        if any(steps is None for of in groups for steps in of):
            return False
        both = zip(goals, groups, strict=True)
        return all(
            steps.own and self._origins_reaching(goal, steps)
            for one in both
            for goal, steps in _pairs(*one)
        )

    def _is_open(self, end: End) -> bool:
        """True if an end cannot hold after a move that leaves a threat, except as a win of the
        mover.
        """
        condition = end.when.args[0] if has_role(end.when, "complement") else None
        if condition is not None and has_role(condition, "mobility"):
            return (
                end.result == "loses"
                and has_role(condition.args[0], "mover")
                and end.side == condition.args[0]
            )
        goals_of_end = [self._goal(end, side) for side in _SIDES]
        if not any(goals_of_end):
            return False
        # The side that threatens has pieces left: all those that could reach a goal count.
        reached = [
            (1 - side, goal.pieces)
            for side in _SIDES
            for goal in self._goals(side)
            if not goal.takes
        ]
        return not any(
            goal and goal.takes and not self._includes_threats(end, side, reached)
            for side, goal in enumerate(goals_of_end)
        )

    def _includes_threats(self, end: End, side: int, reached: list[tuple[int, Op]]) -> bool:
        """True if the capturable pieces of an end include all pieces that threaten a side."""
        winner = side if end.result == "wins" else 1 - side
        capturable = self._planes(self._when(end, winner).args[0]) or frozenset()
        return all(
            (self._planes(pieces) or frozenset()) <= capturable
            for against, pieces in reached
            if against == side
        )

    def _moves(self, steps: Iterable[_Steps]) -> Op | None:
        """Return the cells to which pieces can move."""
        targets = [self._sets.image(one.target, "from", one.origins) for one in steps]
        return self._sets.joined("or", [self._sets.none, *targets])

    def _threats(
        self, side: int, goals: list[_Goal], groups: list[list[_Steps] | None]
    ) -> _Threats:
        """Return the pieces that win next regardless of the other side's moves elsewhere."""
        by_mover: dict[bool, list[tuple[Op, Op]]] = {False: [], True: []}
        for goal, steps in _pairs(goals, groups):
            blocked = self._is_blocked(steps.target, 1 - side)
            if goal.takes or blocked is None or not steps.stays:
                continue
            origins = self._origins_reaching(goal, steps)
            assert origins is not None
            there = self._sets.image(steps.target, "from", origins)
            if there:
                by_mover[blocked].append((origins, self._sets.build("and", there, goal.cells)))
        sure = self._union(origins for origins, _ in by_mover[False])
        return _Threats(sure, *(self._union(one) for one in _unzip(by_mover[True])))

    def _union(self, ops: Iterable[Op]) -> Op:
        return self._sets.build("or", self._sets.none, *ops)

    def _is_blocked(self, target: Op, by: int) -> bool | None:
        """True if a side's piece on the target blocks the move; None if the rule
        is more complex.
        """
        path, parts = self._split_target(target)
        moving = [part for part in parts if not self._sets.facts.is_fixed(part)]
        planes_of_parts = [self._planes(part) for part in moving]
        known = [planes for planes in planes_of_parts if planes is not None]
        if not self._is_path(path) or len(known) < len(moving):
            return None
        everything = frozenset(range(EMPTY, self._kinds * (len(_SIDES) + 1)))
        free = everything.intersection(*known)
        own, others = (self._pieces(number) for number in (by, 1 - by))
        if EMPTY not in free or (not own <= free and free & others):
            return None
        return not own <= free

    def _is_path(self, op: Op) -> bool:
        """True if a set is the origin, or shifts of it in constant directions."""
        while has_role(op, "shift") and all(map(self._sets.facts.is_fixed, op.args[1:])):
            op = op.args[0]
        return op == make("single", Op("variable", "cell", (), "from"))

    def _answers(self, threats: _Threats) -> Op:
        """Return the cells where one move answers all threats: the only piece, or the only goal
        cell.
        """
        only = [self._single_cell(cells) for cells in (threats.sure, threats.open, threats.goals)]
        either = self._sets.build("or", *only[1:])
        if threats.sure == self._sets.none:
            return either
        return self._sets.build("if", make("any", threats.sure), only[0], either)

    def _single_cell(self, cells: Op) -> Op:
        """Return a set if it has one cell at most, else the empty set."""
        one = make("less", make("count", cells), literal("number", 2))
        return self._sets.build("if", one, cells, self._sets.none)


def _pairs(goals: list[_Goal], groups: list[list[_Steps] | None]) -> Iterator[tuple[_Goal, _Steps]]:
    return ((goal, one) for goal in goals for steps in groups for one in steps or [])


def _unzip(pairs: list[tuple[Op, Op]]) -> tuple[list[Op], list[Op]]:
    return [first for first, _ in pairs], [second for _, second in pairs]
