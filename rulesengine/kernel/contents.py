"""What may be on cells: so that what cannot be there is not looked for."""

from collections.abc import Callable
from functools import reduce
from operator import and_, or_

from rulesengine.ir.ops import Op
from rulesengine.kernel.code import Value
from rulesengine.kernel.loops import Loops
from rulesengine.kernel.position import Scene


class Contents(Loops):
    """Adds what is known of the contents of sets."""

    def op_and(self, op: Op, scene: Scene) -> Value:
        return self._whole(op, scene) or super().op_and(op, scene)

    def op_or(self, op: Op, scene: Scene) -> Value:
        return self._whole(op, scene) or super().op_or(op, scene)

    def op_minus(self, op: Op, scene: Scene) -> Value:
        if not self.content(op.args[0], scene) & self.content(op.args[1], scene):
            return self.value(op.args[0], scene)
        return self._whole(op, scene) or super().op_minus(op, scene)

    def op_not(self, op: Op, scene: Scene) -> Value:
        return self._whole(op, scene) or super().op_not(op, scene)

    def _whole(self, op: Op, scene: Scene) -> Value | None:
        """A set that is some planes as a whole, with the empty cells or without."""
        which = self._exactly(op, scene)
        if which is None:
            return None
        planes = scene.at.planes
        inverted = which >> len(planes) & 1
        found = self.union([p for i, p in enumerate(planes) if which >> i & 1 != inverted])
        return self.b.op("mnot", found) if inverted else found

    def _exactly(self, op: Op, scene: Scene) -> int | None:
        """The planes, and the empty cells, that a set is made of; None if it is not known.

        A cell is in one plane at most, so that these sets are joined like those of planes.
        """
        if op.name == "literal":
            return self._anything() if op.value == self.b.full else None
        if op.name in ("owned", "of_kind"):
            known = self.value(op.args[0], scene).known is not None
            return self.covered(op, scene) if known else None
        if op.name not in ("empty", "and", "or", "minus", "not"):
            return None
        parts = [self._exactly(arg, scene) for arg in op.args]
        known_parts = [part for part in parts if part is not None]
        if len(known_parts) < len(parts):
            return None
        match op.name:
            case "and":
                return reduce(and_, known_parts)
            case "or":
                return reduce(or_, known_parts)
            case "minus":
                return known_parts[0] & ~known_parts[1]
            case "not":
                return self._anything() & ~known_parts[0]
        return self.covered(op, scene)

    def _anything(self) -> int:
        return (1 << len(self.layout.planes) + 1) - 1

    def content(self, op: Op, scene: Scene) -> int:
        """Which planes may be on a set's cells: bit i for the i-th, the next for no piece."""
        if op.name in ("single", "variable", "and", "or", "minus"):
            value = self.value(op, scene)
            if value in scene.at.content:
                return scene.at.content[value]
        match op.name:
            case "and":
                result = self._anything()
                for arg in op.args:
                    result &= self.content(arg, scene)
                return result
            case "or":
                result = 0
                for arg in op.args:
                    result |= self.content(arg, scene)
                return result
            case "minus":
                return self.content(op.args[0], scene) & ~self.covered(op.args[1], scene)
            case "not":
                return self._anything() & ~self.covered(op.args[0], scene)
            case "fill":
                return self.content(op.args[1], scene)
            case "run":
                return self.content(op.args[1], scene)
            case "slide":
                return self.content(op.args[2], scene)
            case "line":
                return self.content(op.args[0], scene)
            case "each" if isinstance(op.value, tuple) and op.value[:1] == ("where",):
                return (
                    self.content(op.args[0], scene) if op.value[2] == "cells" else self._anything()
                )
            case "if":
                return self.content(op.args[1], scene) | self.content(op.args[2], scene)
            case "owned" | "empty" | "of_kind":
                return self.covered(op, scene) or self._anything()
        return self._anything()

    def covered(self, op: Op, scene: Scene) -> int:
        """Which planes, and whether all empty cells, are in a set as a whole."""
        empty = 1 << len(self.layout.planes)
        match op.name:
            case "literal":
                return self._anything() if op.value == self.b.full else 0
            case "empty":
                return empty
            case "owned":
                side = self.value(op.args[0], scene).known
                return self._those(lambda n: n % (self.sides + 1) == side, side)
            case "of_kind":
                kind = self.value(op.args[0], scene).known
                return self._those(lambda n: n // (self.sides + 1) == kind, kind)
            case "and":
                result = self._anything()
                for arg in op.args:
                    result &= self.covered(arg, scene)
                return result
            case "or":
                result = 0
                for arg in op.args:
                    result |= self.covered(arg, scene)
                return result
            case "not":
                return self._anything() & ~self.content(op.args[0], scene)
            case "minus":
                return self.covered(op.args[0], scene) & ~self.content(op.args[1], scene)
        return 0

    def _those(self, which: Callable[[int], bool], known: int | None) -> int:
        """The planes of which something holds; none if it is not known."""
        planes = enumerate(self.layout.planes)
        return sum(1 << i for i, number in planes if known is not None and which(number))
