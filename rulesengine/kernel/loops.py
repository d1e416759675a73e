"""Loops as kernel code: over cells, groups, directions, numbers and sides."""

from collections.abc import Callable

from rulesengine.ir.ops import Op
from rulesengine.kernel.asking import Asking
from rulesengine.kernel.code import Value
from rulesengine.kernel.facts import inside
from rulesengine.kernel.position import Scene
from rulesengine.kernel.values import Unsupported, type_of
from rulesengine.limits import INTEGER_MAX, INTEGER_MIN


class Loops(Asking):
    """Adds `each`."""

    def op_each(self, op: Op, scene: Scene) -> Value:
        assert isinstance(op.value, tuple)
        function, name, domain = (str(part) for part in op.value[:3])
        if domain == "cells" and function not in ("sum", "least", "most", "union"):
            asked = self._all(op.args[1], name, scene)
            if asked is not None:
                domain_set = self.value(op.args[0], scene)
                return self._every(function, domain_set, asked)
            if function not in ("any", "every", "none"):
                found = self._where(op, name, scene)
                return found if function == "where" else self.b.op("mcount", found)
        return self._folded(op, function, name, domain, scene)

    def _every(self, function: str, domain: Value, asked: Value) -> Value:
        """What a function says of a domain where all the cells are known that hold."""
        if function == "every":
            return self.b.op("fnot", self.b.op("many", self.b.op("mless", domain, asked)))
        found = self.b.op("mand", domain, asked)
        match function:
            case "where":
                return found
            case "count":
                return self.b.op("mcount", found)
            case "any":
                return self.b.op("many", found)
        return self.b.op("fnot", self.b.op("many", found))

    def _where(self, op: Op, name: str, scene: Scene) -> Value:
        found = self.b.let(self.b.m(0))

        def ask(cell: Value) -> None:
            flag = self.value(op.args[1], scene.with_(**{name: cell}))

            def add() -> None:
                cells = self.b.op("mor", self.b.get(found), self.b.op("mcell", cell))
                self.b.set(found, cells)

            self.b.when(flag, add)

        self.each_cell(self.value(op.args[0], scene), ask)
        return self.b.get(found)

    def _folded(self, op: Op, function: str, name: str, domain: str, scene: Scene) -> Value:
        """A loop that takes one value after the other into a total."""
        body = op.args[1]
        start = {"every": 1, "none": 1}.get(function, 0)
        type_ = "f" if function in ("any", "every", "none") else "m" if function == "union" else "i"
        if function in ("least", "most"):
            type_ = type_of(body)
        total = self.b.let(self.b.const(type_, start))  # type: ignore[arg-type]
        some = self.b.let(self.b.f(False))
        sure = inside(self.facts.range(op), (INTEGER_MIN, INTEGER_MAX))

        def take(value: Value) -> None:
            inner = scene.with_(**{name: value})
            new = self.value(body, inner)
            if function in ("any", "every", "none"):
                stop = self.b.op("fnot", new) if function == "every" else new

                def decided() -> None:
                    self.b.set(total, self.b.f(function == "any"))
                    self.b.leave()

                self.b.when(stop, decided)
                return
            old = self.b.get(total)
            match function:
                case "union":
                    self.b.set(total, self.b.op("mor", old, new))
                case "count":
                    self.b.set(total, self.b.op("iadd", old, self.b.op("fint", new)))
                case "sum":
                    self.b.set(total, self.b.op("iadd" if sure else "cadd", old, new))
                case "where":
                    bit = self.b.op("pick", new, self.b.op("ishl", self.b.i(1), value), self.b.i(0))
                    self.b.set(total, self.b.op("ior", old, bit))
                case _:
                    best = self.b.op("imin" if function == "least" else "imax", old, new)
                    self.b.set(total, self.b.op("pick", self.b.get(some), best, new))
                    self.b.set(some, self.b.f(True))

        self._go_through(op.args[0], domain, scene, take)
        if function in ("least", "most"):
            self.fail_unless(self.b.get(some))
        return self.b.get(total)

    def _go_through(self, op: Op, domain: str, scene: Scene, take: Callable[[Value], None]) -> None:
        match domain:
            case "cells":
                self.each_cell(self.value(op, scene), take)
            case "groups":
                self._each_group(self.value(op, scene), take)
            case "numbers":
                low, high = (self.value(a, scene) for a in op.args)
                self.b.range(low, self.b.op("iadd", high, self.b.i(1)), take)
            case "sides":
                self.b.range(self.b.i(0), self.value(op, scene), take)
            case "directions":
                self._each_direction(self.value(op, scene), take)
            case _:
                raise Unsupported(f"a loop over {domain}")

    def _each_group(self, mask: Value, take: Callable[[Value], None]) -> None:
        rest = self.b.let(mask)

        def one() -> None:
            left = self.b.get(rest)
            self.b.when(self.b.op("fnot", self.b.op("many", left)), self.b.leave)
            seed = self.b.op("mcell", self.b.op("mfirst", left))
            group = self.b.op("mfill", seed, left, detail=self.shape.beside)
            self.b.set(rest, self.b.op("mless", left, group))
            take(group)

        self.b.loop(one)

    def _each_direction(self, directions: Value, take: Callable[[Value], None]) -> None:
        """One by one in a loop, so that a loop inside may be left."""

        def one(direction: Value) -> None:
            on = self._has_direction(direction, directions)
            if on.known is None:
                self.b.when(on, lambda: take(direction))
            elif on.known:
                take(direction)

        count = len(self.shape.targets)
        self.b.range(self.b.i(0), self.b.i(count), one)
