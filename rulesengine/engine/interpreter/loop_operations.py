"""The semantics of `each`: loops over cells, directions, sides and numbers with a fold."""

from collections.abc import Callable
from typing import Any

from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.operations import Operations
from rulesengine.language.ir.ops import Op


class LoopOperations(Operations):
    """The operation `each`."""

    def op_each(self, op: Op, frame: Frame) -> Any:
        assert isinstance(op.value, tuple)
        function, variable, domain, _ = op.value
        body, outer = op.args[1], frame.variables
        inner = Frame(frame.at, dict(outer), frame.step, frame.results)

        def at(value: int) -> Any:
            inner.variables[variable] = value
            inner.cache = {}
            return self.value(body, inner)

        if function == "reach":
            return self._reached(self._one(op, frame), domain, at)
        return self._fold(op, function, self.domain(domain, op.args[0], frame), at)

    def _reached(self, start: int, domain: str, at: Callable[[int], int]) -> int:
        """Return the closure of a start under a step function of a cell or of a whole frontier."""
        reached, seen, left = 0, start, start
        while left:
            current = left if domain == "frontier" else left & -left
            cells = at(current if domain == "frontier" else current.bit_length() - 1)
            reached |= cells
            left = left & ~current | cells & ~seen
            seen |= cells
        return reached

    def _fold(
        self, op: Op, function: str, values: "list[int] | range", at: Callable[[int], Any]
    ) -> Any:
        match function:
            case "where":
                return sum(1 << v for v in values if at(v))
            case "any":
                return int(any(at(v) for v in values))
            case "every":
                return int(all(at(v) for v in values))
            case "none":
                return int(not any(at(v) for v in values))
            case "count":
                return sum(1 for v in values if at(v))
            case "union":
                mask = 0
                for v in values:
                    mask |= at(v)
                return mask
            case "sum":
                total = 0
                for v in values:
                    total = self.checked(op, total + at(v))
                return total
        results = [at(v) for v in values]
        if not results:
            raise self.fail(op, f"the {function} of nothing")
        return min(results) if function == "least" else max(results)
