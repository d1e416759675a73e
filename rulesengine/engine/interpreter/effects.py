"""The semantics of effects: their changes to a draft and to the record of a move."""

from collections.abc import Iterator
from itertools import takewhile

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Draft, Frame, occupied, plane_at
from rulesengine.engine.interpreter.stack_effects import StackEffects
from rulesengine.errors import EvaluationError
from rulesengine.language.ir.ops import Op, bound
from rulesengine.support.limits import MAX_ROUNDS


class EffectExecutor(StackEffects):
    """Executes effects on the draft of a frame; each effect sees the changes of earlier ones."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.program = evaluator.program
        self.geometry = evaluator.geometry
        self.sides = evaluator.sides
        self._slots = evaluator.slots
        self._evaluator = evaluator
        self.evaluate = evaluator.evaluate
        self.fail = evaluator.fail
        self._methods = {n[3:]: getattr(self, n) for n in dir(self) if n.startswith("op_")}
        self._nesting = {n[7:]: getattr(self, n) for n in dir(self) if n.startswith("inside_")}

    def execute(self, op: Op, frame: Frame) -> None:
        """Execute an effect. Raises EvaluationError."""
        method = self._methods.get(op.name)
        if method is not None:
            method(op, frame)
            return
        for inner, at in self.inside(op, frame):
            self.execute(inner, at)

    def inside(self, op: Op, frame: Frame) -> Iterator[tuple[Op, Frame]]:
        """Return the effects inside an effect, each with its frame; the caller executes each at
        once.
        """
        bodies: Iterator[tuple[Op, Frame]] = self._nesting[op.name](op, frame)
        return bodies

    def inside_when(self, op: Op, frame: Frame) -> Iterator[tuple[Op, Frame]]:
        holds = self.evaluate(op.args[0], frame)
        yield from ((inner, frame) for inner in (op.args[1:2] if holds else op.args[2:]))

    def inside_block(self, op: Op, frame: Frame) -> Iterator[tuple[Op, Frame]]:
        yield from ((inner, frame) for inner in op.args)

    def inside_for(self, op: Op, frame: Frame) -> Iterator[tuple[Op, Frame]]:
        assert isinstance(op.value, tuple)
        _, variable, domain, _ = op.value
        for value in self._evaluator.domain(domain, op.args[0], frame):
            yield op.args[1], frame.binding(variable, value)

    def inside_bind(self, op: Op, frame: Frame) -> Iterator[tuple[Op, Frame]]:
        yield op.args[1], frame.binding(bound(op), self.evaluate(op.args[0], frame))

    def inside_repeat(self, op: Op, frame: Frame) -> Iterator[tuple[Op, Frame]]:
        for _ in range(MAX_ROUNDS):
            before = [*frame.at.planes], [*frame.at.registers]
            yield op.args[0], frame
            if self._is_done(op, frame, before):
                return
        raise self.fail(op, f"not done after {MAX_ROUNDS:,} rounds")

    def _is_done(self, op: Op, frame: Frame, before: tuple[list[int], list[int]]) -> bool:
        """True if a round of `repeat` was the last: its condition holds, or nothing changed."""
        if len(op.args) > 1:
            return bool(self.evaluate(op.args[1], frame))
        return before == ([*frame.at.planes], [*frame.at.registers])

    # effects on pieces

    def op_put(self, op: Op, frame: Frame) -> None:
        kind, side, cells = (self.evaluate(a, frame) for a in op.args)
        self.put(frame, kind, side, cells)

    def op_remove(self, op: Op, frame: Frame) -> None:
        self.take(frame, self.evaluate(op.args[0], frame))

    def op_flip(self, op: Op, frame: Frame) -> None:
        self._flip(frame, self.evaluate(op.args[0], frame), self.evaluate(op.args[1], frame))

    def op_carry(self, op: Op, frame: Frame) -> None:
        origin, target = self.evaluate(op.args[0], frame), self.evaluate(op.args[1], frame)
        if origin < 0 or target < 0:
            raise self.fail(op, "a cell off the board")
        self.carry(frame, origin, target)

    def op_promote(self, op: Op, frame: Frame) -> None:
        draft = frame.at
        assert isinstance(draft, Draft)
        self._promote(draft, self.evaluate(op.args[0], frame), self.evaluate(op.args[1], frame))

    def op_drop(self, op: Op, frame: Frame) -> None:
        self._drop(frame, self.evaluate(op.args[0], frame), self.evaluate(op.args[1], frame))

    def put(self, frame: Frame, kind: int, side: int, cells: int) -> None:
        """Put pieces on cells; pieces that were there are removed."""
        if not cells:
            return
        plane = self.plane(kind, side)
        self.take(frame, cells)
        draft = frame.at
        assert isinstance(draft, Draft)
        draft.planes[plane] |= cells
        draft.placed |= cells

    def plane(self, kind: int, side: int) -> int:
        """Return the plane of a kind and a side, neutral pieces last.

        Raises EvaluationError if the game has no such piece.
        """
        rules = self.program.rules
        if kind < 0:
            raise EvaluationError("a piece of no kind")
        if side < 0 or not rules.kinds[kind].symbols[side]:
            name = f"`{rules.kinds[kind].name}`"
            if 0 <= side < self.sides:
                raise EvaluationError(f"there is no {name} of {self.program.form.players[side]}")
            raise EvaluationError(f"there is no neutral {name}")
        return kind * (self.sides + 1) + side

    def take(self, frame: Frame, cells: int) -> None:
        """Remove the pieces on cells."""
        draft = frame.at
        assert isinstance(draft, Draft)
        mover = frame.variables["player"]
        for plane, mask in enumerate(draft.planes):
            taken = mask & cells
            if taken:
                draft.planes[plane] = mask & ~taken
                draft.removed |= taken
                if plane % (self.sides + 1) != mover:
                    draft.captured |= taken

    def carry(self, frame: Frame, origin: int, target: int) -> None:
        """Move the piece on a cell to another cell; a piece that was there is removed."""
        draft = frame.at
        assert isinstance(draft, Draft)
        plane = plane_at(frame, origin)
        if plane < 0 or origin == target:
            return
        self.take(frame, 1 << target)
        draft.planes[plane] ^= 1 << origin | 1 << target
        draft.moved |= 1 << target

    def op_carry_each(self, op: Op, frame: Frame) -> None:
        """Move each piece on a set of cells to a target computed for its cell, or off the board."""
        name, targets = bound(op), dict[int, int]()
        for cell in bits(self.evaluate(op.args[0], frame) & occupied(frame)):
            target = self.evaluate(op.args[1], frame.binding(name, cell))
            if target >= 0 and target in targets.values():
                names = self.program.topology.names
                raise self.fail(op, f"a second piece is carried to `{names[target]}`")
            targets[cell] = target
        self._carry_all(frame, targets)

    def op_push(self, op: Op, frame: Frame) -> None:
        cells, direction = self.evaluate(op.args[0], frame), self.evaluate(op.args[1], frame)
        targets = self.geometry.targets[direction]
        self._carry_all(frame, {c: targets[c] for c in bits(cells & occupied(frame))})

    def _carry_all(self, frame: Frame, targets: dict[int, int]) -> None:
        """Move pieces simultaneously; other pieces on their targets are removed."""
        draft = frame.at
        assert isinstance(draft, Draft)
        carried = sum(1 << cell for cell in targets)
        off = sum(1 << cell for cell, target in targets.items() if target < 0)
        reached = sum(1 << target for target in targets.values() if target >= 0)
        self.take(frame, off | reached & ~carried)
        for plane, mask in enumerate(tuple(draft.planes)):
            landed = sum(1 << targets[cell] for cell in bits(mask & carried))
            draft.planes[plane] = mask & ~carried | landed
        draft.moved |= sum(1 << t for cell, t in targets.items() if t >= 0 and t != cell)

    def _flip(self, frame: Frame, cells: int, side: int) -> None:
        draft = frame.at
        assert isinstance(draft, Draft)
        mover, planes = frame.variables["player"], self.sides + 1
        for plane, mask in enumerate(tuple(draft.planes)):
            owner = plane % planes
            turned = mask & cells
            if turned and owner != side:
                after = self.plane(plane // planes, side)
                draft.planes[plane] &= ~turned
                draft.planes[after] |= turned
                draft.flipped |= turned
                if owner != mover:
                    draft.captured |= turned

    def _promote(self, draft: Draft, cells: int, kind: int) -> None:
        planes = self.sides + 1
        for plane, mask in enumerate(tuple(draft.planes)):
            changed = mask & cells
            if changed:
                after = self.plane(kind, plane % planes)
                draft.planes[plane] &= ~changed
                draft.planes[after] |= changed

    def _drop(self, frame: Frame, cells: int, direction: int) -> None:
        """Drop the pieces on cells in a direction together; other pieces stay."""
        draft = frame.at
        assert isinstance(draft, Draft)
        occupied_cells = occupied(frame)
        for plane, mask in enumerate(tuple(draft.planes)):
            falling = {
                c: self._rest(c, direction, occupied_cells, cells) for c in bits(mask & cells)
            }
            draft.planes[plane] = mask & ~cells | sum(1 << target for target in falling.values())
            draft.moved |= sum(1 << target for cell, target in falling.items() if target != cell)

    def _rest(self, cell: int, direction: int, taken: int, cells: int) -> int:
        """Return the cell on which a falling piece lands if all pieces on `cells` fall.

        It lands on the last free cell before a piece that stays, with room for the falling pieces
        ahead of it. On a closed line without such a piece, it falls to the end of its ray if any
        cell is empty.
        """
        ray = self.geometry.rays[direction][cell]
        passable = list(takewhile(lambda at: not taken & ~cells & 1 << at, ray))
        room = sum(not taken & 1 << at for at in passable)
        if not room:
            return cell
        closes = len(passable) == len(ray) and self.geometry.targets[direction][ray[-1]] == cell
        return ray[-1] if closes else ray[room - 1]

    # checks and registers

    def op_ensure(self, op: Op, frame: Frame) -> None:
        assert isinstance(op.value, tuple)
        if not self.evaluate(op.args[0], frame):
            raise self.fail(op, op.value[0])

    def op_set_at(self, op: Op, frame: Frame) -> None:
        draft = frame.at
        assert isinstance(draft, Draft)
        assert isinstance(op.value, tuple)
        value, cells = self.evaluate(op.args[0], frame), self.evaluate(op.args[1], frame)
        numbers = next(n for n in self.program.form.numbers if n.name == op.value[0])
        if not cells:
            return
        if not numbers.low <= value <= numbers.high:
            problem = f"`{numbers.name}` is {numbers.low} to {numbers.high}, not {value}"
            raise self.fail(op, problem)
        for i in range(numbers.bits):
            slot, is_set = numbers.first + i, value - numbers.low >> i & 1
            plane = draft.registers[slot]
            draft.registers[slot] = plane | cells if is_set else plane & ~cells

    def op_set(self, op: Op, frame: Frame) -> None:
        draft = frame.at
        assert isinstance(draft, Draft)
        assert isinstance(op.value, tuple)
        name = op.value[0]
        value = self.evaluate(op.args[0], frame)
        side = self.evaluate(op.args[1], frame) if len(op.args) > 1 else 0
        self._evaluator.player(side, f"`{name}`")
        register = next(r for r in self.program.rules.registers if r.name == name)
        if register.type == "number" and not register.low <= value <= register.high:
            problem = f"`{name}` is {register.range}, not {value}"
            raise self.fail(op, problem)
        draft.registers[self._slots[name] + side] = value
