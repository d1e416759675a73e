"""Arithmetic, comparisons and flags as kernel code."""

from collections.abc import Sequence

from rulesengine.ir.ops import Op
from rulesengine.kernel.code import Value
from rulesengine.kernel.facts import inside
from rulesengine.kernel.position import Scene
from rulesengine.kernel.values import Values
from rulesengine.limits import INTEGER_MAX, INTEGER_MIN

_WORD = (INTEGER_MIN, INTEGER_MAX)


class Numbers(Values):
    """Adds arithmetic, comparisons and flags."""

    def _arithmetic(self, op: Op, scene: Scene) -> Value:
        name = {"add": "add", "subtract": "sub", "multiply": "mul"}[op.name]
        sure = inside(self.facts.range(op), _WORD)
        a, b = (self.value(arg, scene) for arg in op.args)
        return self.b.op(("i" if sure else "c") + name, a, b)

    op_add = op_subtract = op_multiply = _arithmetic

    def op_divide(self, op: Op, scene: Scene) -> Value:
        a, b = (self.value(arg, scene) for arg in op.args)
        return self.b.op("cdiv", a, b)

    def op_modulo(self, op: Op, scene: Scene) -> Value:
        a, b = (self.value(arg, scene) for arg in op.args)
        return self.b.op("cmod", a, b)

    def op_negative(self, op: Op, scene: Scene) -> Value:
        return self._minus(self.value(op.args[0], scene), inside(self.facts.range(op), _WORD))

    def _minus(self, value: Value, sure: bool) -> Value:
        return self.b.op("isub" if sure else "csub", self.b.i(0), value)

    def op_abs(self, op: Op, scene: Scene) -> Value:
        value = self.value(op.args[0], scene)
        negative = self.b.op("ilt", value, self.b.i(0))
        sure = inside(self.facts.range(op), _WORD)
        return self.b.choose(negative, lambda: self._minus(value, sure), lambda: value)

    def op_smaller(self, op: Op, scene: Scene) -> Value:
        return self._extreme(op, scene, "imin")

    def op_greater(self, op: Op, scene: Scene) -> Value:
        return self._extreme(op, scene, "imax")

    def _extreme(self, op: Op, scene: Scene, name: str) -> Value:
        result = self.value(op.args[0], scene)
        for arg in op.args[1:]:
            result = self.b.op(name, result, self.value(arg, scene))
        return result

    def op_both(self, op: Op, scene: Scene) -> Value:
        return self._stopping(self.ordered(op.args, scene), scene, "fand")

    def op_either(self, op: Op, scene: Scene) -> Value:
        return self._stopping(self.ordered(op.args, scene), scene, "for")

    def ordered(self, args: Sequence[Op], scene: Scene) -> Sequence[Op]:
        """Flags in the order in which they are best looked at."""
        return args

    def _stopping(self, args: Sequence[Op], scene: Scene, name: str) -> Value:
        first = self.value(args[0], scene)
        if len(args) == 1:
            return first
        if name == "fand":
            return self.b.choose(
                first, lambda: self._stopping(args[1:], scene, name), lambda: self.b.f(False)
            )
        return self.b.choose(
            first, lambda: self.b.f(True), lambda: self._stopping(args[1:], scene, name)
        )

    def op_deny(self, op: Op, scene: Scene) -> Value:
        return self.b.op("fnot", self.value(op.args[0], scene))

    def op_equal(self, op: Op, scene: Scene) -> Value:
        a, b = (self.value(arg, scene) for arg in op.args)
        if a.type == "m":
            return self.b.op("meq", a, b)
        if a.type == "f":
            a, b = self.b.op("fint", a), self.b.op("fint", b)
        return self.b.op("ieq", a, b)

    def op_less(self, op: Op, scene: Scene) -> Value:
        return self.b.op("ilt", *(self.value(a, scene) for a in op.args))

    def op_at_most(self, op: Op, scene: Scene) -> Value:
        return self.b.op("ile", *(self.value(a, scene) for a in op.args))

    def op_if(self, op: Op, scene: Scene) -> Value:
        return self.b.choose(
            self.value(op.args[0], scene),
            lambda: self.value(op.args[1], scene),
            lambda: self.value(op.args[2], scene),
        )
