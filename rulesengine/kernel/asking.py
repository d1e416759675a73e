"""Questions asked of all cells at once.

`where` and its like ask a question of each cell. Most questions can be asked of all cells at
once: "does a run from here meet that set?" is the set of cells from which one does. `_all` gives
this set; it follows the shape of the question, and where it does not know how, a loop asks.
"""

from rulesengine.interpreter.frame import Frame
from rulesengine.ir.ops import Op
from rulesengine.kernel.code import Rays, Runs, Value
from rulesengine.kernel.lines import Lines
from rulesengine.kernel.position import Scene

_UNROLLED = 32


class Asking(Lines):
    """Adds the sets of cells for which a flag holds."""

    def _all(self, question: Op, name: str, scene: Scene) -> Value | None:
        """The cells for which a flag holds when the variable is this cell; None if unknown how."""
        variables = self.facts.variables(question)
        if self.facts.may_fail(question):
            return None
        if name not in variables:
            everywhere, nowhere = self.b.m(self.b.full), self.b.m(0)
            return self.b.op("pick", self.value(question, scene), everywhere, nowhere)
        match question.name:
            case "both" | "either":
                return self._all_of_flags(question, name, scene)
            case "deny":
                inner = self._all(question.args[0], name, scene)
                return self.b.op("mnot", inner) if inner is not None else None
            case "any":
                return self._meeting(question.args[0], name, scene, self.b.m(self.b.full))
            case "none":
                found = self._meeting(question.args[0], name, scene, self.b.m(self.b.full))
                return self.b.op("mnot", found) if found is not None else None
            case "member":
                return self._members(question, name, scene)
            case "equal":
                return self._equals(question, name, scene)
            case "inside":
                return self._insides(question, name, scene)
            case "if":
                return self._if_all(question, name, scene)
        return self._asked_before(question, name, scene)

    def _all_of_flags(self, question: Op, name: str, scene: Scene) -> Value | None:
        meet = question.name == "both"
        result = self.b.m(self.b.full if meet else 0)
        for arg in question.args:
            part = self._all(arg, name, scene)
            if part is None:
                return None
            result = self.b.op("mand" if meet else "mor", result, part)
        return result

    def _members(self, question: Op, name: str, scene: Scene) -> Value | None:
        cell, cells = question.args
        if name not in self.facts.variables(cells):
            if cell.name == "variable":
                return self.value(cells, scene)
        elif name not in self.facts.variables(cell):
            return self._meeting(cells, name, scene, self.b.op("mcell", self.value(cell, scene)))
        return self._asked_before(question, name, scene)

    def _equals(self, question: Op, name: str, scene: Scene) -> Value | None:
        """`it = cell`, `owner(it) = side`, `kind(it) = kind`, or what can be said beforehand."""
        for left, right in (question.args, question.args[::-1]):
            if name in self.facts.variables(right):
                continue
            if left.name == "variable":
                if left.type == "cell":
                    return self.b.op("mcell", self.value(right, scene))
            elif left.name == "owner" and left.args[0].name == "variable":
                side = self.value(right, scene)
                if side.known is not None and side.known >= 0:
                    return self.owned(scene.at, side)
        return self._asked_before(question, name, scene)

    def _insides(self, question: Op, name: str, scene: Scene) -> Value | None:
        left, right = question.args
        if name in self.facts.variables(right):
            return self._asked_before(question, name, scene)
        outside = self.b.op("mnot", self.value(right, scene))
        found = self._meeting(left, name, scene, outside)
        return self.b.op("mnot", found) if found is not None else None

    def _if_all(self, question: Op, name: str, scene: Scene) -> Value | None:
        flag, yes, no = (self._all(a, name, scene) for a in question.args)
        if flag is None or yes is None or no is None:
            return None
        kept = self.b.op("mand", flag, yes)
        return self.b.op("mor", kept, self.b.op("mless", no, flag))

    def _asked_before(self, question: Op, name: str, scene: Scene) -> Value | None:
        """The answer for each cell if it follows from the board alone."""
        others = self.facts.variables(question) - {name}
        known = {v: scene.variables[v].known for v in others if v in scene.variables}
        if len(known) < len(others) or None in known.values() or not self.facts.is_fixed(question):
            return None
        frame = Frame(self.machine.initial_state(), dict(known))
        found = 0
        for cell in range(self.shape.cells):
            frame.variables[name] = cell
            found |= bool(self.machine.value(question, frame)) << cell
        return self.b.m(found)

    def _meeting(self, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
        """The cells for which a set made of the variable meets another set."""
        if name not in self.facts.variables(op):
            some = self.b.op("many", self.b.op("mand", self.value(op, scene), met))
            return self.b.op("pick", some, self.b.m(self.b.full), self.b.m(0))
        match op.name:
            case "single":
                return met if op.args[0].name == "variable" else None
            case "and":
                return self._meeting_and(op, name, scene, met)
            case "or":
                parts = [self._meeting(a, name, scene, met) for a in op.args]
                known = [p for p in parts if p is not None]
                return self.union(known) if len(known) == len(parts) else None
            case "minus":
                if name in self.facts.variables(op.args[1]):
                    return None
                left = self.b.op("mless", met, self.value(op.args[1], scene))
                return self._meeting(op.args[0], name, scene, left)
            case "shift" | "neighbours":
                return self._meeting_steps(op, name, scene, met)
            case "run":
                return self._meeting_run(op, name, scene, met)
            case "slide":
                return self._meeting_slide(op, name, scene, met)
        return None

    def _meeting_and(self, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
        asked = [a for a in op.args if name in self.facts.variables(a)]
        if len(asked) > 1:
            return None
        for arg in op.args:
            if arg is not asked[0]:
                met = self.b.op("mand", met, self.value(arg, scene))
        return self._meeting(asked[0], name, scene, met)

    def _meeting_steps(self, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
        if any(name in self.facts.variables(a) for a in op.args[1:]):
            return None
        if op.name == "neighbours" and len(op.args) == 1:
            return self._meeting(op.args[0], name, scene, self.moved(met, self.shape.beside))
        for arg in reversed(op.args[1:]):
            ways = self.value(arg, scene)
            met = self.along(ways, met, lambda m, d: self.moved(m, self.shape.back(d)))
        return self._meeting(op.args[0], name, scene, met)

    def _meeting_run(self, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
        """Cells with a run that meets a set; any run at all if that set is everything."""
        if any(name in self.facts.variables(a) for a in op.args[1:]):
            return None
        # A run ends where `over` does: a cell in both sets is no end.
        end = Op("minus", "cells", (op.args[2], op.args[1]))
        over, until, low, high = (
            self.value(a, scene) for a in (op.args[1], end, op.args[3], op.args[4])
        )
        ways = self.directions(op, 5, scene)
        if ways.known is None or low.known is None or high.known is None:
            return None
        rays = self._even_rays(ways.known & self.shape.every)
        if rays is None or not rays.cells:
            return self.b.m(0) if rays else None
        if met.known != self.b.full:
            return None
        found = self._toward(rays, over, until, max(low.known, 1), high.known)
        return None if found is None else self._meeting(op.args[0], name, scene, found)

    def _even_rays(self, directions: int) -> Rays | None:
        """The rays in some directions, if it is known for each when a line has come round."""
        rays = self.shape.rays(directions)
        alike = not rays.cyclic or self.shape.comes_round_alike(directions)
        return rays if alike else None

    def _toward(self, rays: Rays, over: Value, until: Value, low: int, high: int) -> Value | None:
        """Cells with a run of a length from low to high, if these are not too many."""
        longest = max(len(ray) for of in rays.cells for ray in of) - 1
        if low > min(longest, high):
            return self.b.m(0)
        most = high if high < longest else None
        if (low if most is None else most) > _UNROLLED:
            return None
        return self.b.op("mtoward", over, until, detail=Runs(rays, low, most))

    def _meeting_slide(self, op: Op, name: str, scene: Scene, met: Value) -> Value | None:
        """Cells that slide onto a set: back from it through cells that are passed."""
        start, ways_op, through_op = op.args
        if any(name in self.facts.variables(a) for a in op.args[1:]):
            return None
        ways, through = self.value(ways_op, scene), self.value(through_op, scene)
        if ways.known is None:
            return None
        rays = self._even_rays(ways.known & self.shape.every)
        if rays is None or not rays.cells:
            return self.b.m(0) if rays else None
        last = self.b.op("mand", met, through)
        found = self.b.op("mtoward", through, last, detail=Runs(rays, 0, None))
        return self._meeting(start, name, scene, found)
