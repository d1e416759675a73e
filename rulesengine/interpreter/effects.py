"""The meaning of effects: what each changes on a draft, and what it leaves in the record."""

from rulesengine.errors import EvaluationError
from rulesengine.interpreter.evaluate import Evaluator, plane_at
from rulesengine.interpreter.frame import Draft, Frame
from rulesengine.ir.ops import Op


class Changer(Evaluator):
    """Carries out effects on the draft of a frame; each sees what earlier ones left."""

    def effect(self, op: Op, frame: Frame) -> None:
        draft = frame.at
        assert isinstance(draft, Draft)
        match op.name:
            case "put":
                kind, side, cells = (self.value(a, frame) for a in op.args)
                self.put(frame, kind * (self.sides + 1) + side, cells)
            case "remove":
                self.take(frame, self.value(op.args[0], frame))
            case "flip":
                cells, side = self.value(op.args[0], frame), self.value(op.args[1], frame)
                self._flip(frame, cells, side)
            case "carry":
                origin, target = self.value(op.args[0], frame), self.value(op.args[1], frame)
                if origin < 0 or target < 0:
                    raise self.fail(op, "a cell off the board")
                self.carry(frame, origin, target)
            case "promote":
                self._promote(draft, self.value(op.args[0], frame), self.value(op.args[1], frame))
            case "set":
                self._set(op, frame, draft)
            case "when":
                if self.value(op.args[0], frame):
                    self.effect(op.args[1], frame)
                elif len(op.args) > 2:
                    self.effect(op.args[2], frame)

    def put(self, frame: Frame, plane: int, cells: int) -> None:
        """Put pieces on cells; what stood there is removed."""
        if cells and not self.program.form.symbols[plane]:
            kind, owner = divmod(plane, self.sides + 1)
            players = (*self.program.form.players, "nobody")
            name = self.program.rules.kinds[kind].name
            raise EvaluationError(f"there is no `{name}` of {players[owner]}")
        self.take(frame, cells)
        draft = frame.at
        assert isinstance(draft, Draft)
        draft.planes[plane] |= cells
        draft.placed |= cells

    def take(self, frame: Frame, cells: int) -> None:
        """Remove the pieces on cells."""
        draft = frame.at
        assert isinstance(draft, Draft)
        mover = frame.variables["player"]
        for plane, mask in enumerate(draft.planes):
            gone = mask & cells
            if gone:
                draft.planes[plane] = mask & ~gone
                draft.removed |= gone
                if plane % (self.sides + 1) != mover:
                    draft.captured |= gone

    def carry(self, frame: Frame, origin: int, target: int) -> None:
        """Carry the piece on a cell to another; what stood there is removed."""
        draft = frame.at
        assert isinstance(draft, Draft)
        plane = plane_at(frame, origin)
        if plane < 0 or origin == target:
            return
        self.take(frame, 1 << target)
        draft.planes[plane] ^= 1 << origin | 1 << target
        draft.moved |= 1 << target

    def _flip(self, frame: Frame, cells: int, side: int) -> None:
        draft = frame.at
        assert isinstance(draft, Draft)
        mover, planes = frame.variables["player"], self.sides + 1
        for plane, mask in enumerate(tuple(draft.planes)):
            owner = plane % planes
            turned = mask & cells
            if turned and owner != side:
                draft.planes[plane] &= ~turned
                draft.planes[plane - owner + side] |= turned
                draft.flipped |= turned
                if owner != mover:
                    draft.captured |= turned

    def _promote(self, draft: Draft, cells: int, kind: int) -> None:
        planes = self.sides + 1
        for plane, mask in enumerate(tuple(draft.planes)):
            changed = mask & cells
            if changed:
                draft.planes[plane] &= ~changed
                draft.planes[kind * planes + plane % planes] |= changed

    def _set(self, op: Op, frame: Frame, draft: Draft) -> None:
        assert isinstance(op.value, tuple)
        name = op.value[0]
        value = self.value(op.args[0], frame)
        side = self.value(op.args[1], frame) if len(op.args) > 1 else 0
        register = next(r for r in self.program.rules.registers if r.name == name)
        if register.type == "number" and not register.low <= value <= register.high:
            what = f"`{name}` is {register.low} to {register.high}, not {value}"
            raise self.fail(op, what)
        if not 0 <= side < self.sides:
            raise EvaluationError(f"`{name}` of a player that is not there")
        draft.registers[self.slots[name] + side] = value
