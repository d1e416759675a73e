"""Evaluation of expressions by the methods of operation groups, with memoisation."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulesengine.board.geometry import Geometry, bits
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.memo import repeated
from rulesengine.errors import EvaluationError, InternalError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

Method = Callable[[Op, Frame], Any]


class Evaluator:
    """Evaluates expressions; `methods` has the function of each operation by its name.

    A subclass can override `value` to observe evaluations. Operation groups bind `value`,
    `evaluate`, `fail`, `checked` and `player` when they are created.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.geometry = Geometry(program.topology)
        self.sides = len(program.rules.players)
        self.slots = dict(program.slots)
        self.methods: dict[str, Method] = {}

    def add(self, operations: object) -> None:
        """Add the methods `op_NAME` of an operation group as the functions of operations."""
        names = (name for name in dir(operations) if name.startswith("op_"))
        self.methods |= {name[3:]: getattr(operations, name) for name in names}

    def evaluate(self, op: Op, frame: Frame) -> Any:
        """Evaluate a whole expression; common subexpressions are evaluated once."""
        return self.value(op, frame.with_empty_cache())

    def value(self, op: Op, frame: Frame) -> Any:
        """Evaluate an operation within an expression."""
        cache = frame.cache
        if cache is not None and id(op) in self._repeated:
            return self._memoised(op, frame, cache)
        try:
            method = self.methods[op.name]
        except KeyError:
            raise InternalError(f"no meaning for {op.name}") from None
        return method(op, frame)

    def domain(self, domain: str, op: Op, frame: Frame) -> "list[int] | range":
        """Return the values of a loop over a domain, in order."""
        if domain == "numbers":
            low, high = (self.value(arg, frame) for arg in op.args)
            return range(low, high + 1)
        value = self.value(op, frame)
        if domain == "track":
            return value  # type: ignore[no-any-return]
        if domain == "sides":
            return range(value)
        if domain == "list":
            return list(value)
        return self.geometry.groups(value) if domain == "groups" else bits(value)

    def checked(self, op: Op, number: int) -> int:
        """Return a number that fits into 64 bits. Raises EvaluationError."""
        if not INTEGER_MIN <= number <= INTEGER_MAX:
            raise self.fail(op, "a number beyond 64 bits")
        return number

    def fail(self, op: Op, message: str) -> EvaluationError:
        """Return the error of an operation with its place in the spec."""
        value = op.value[-1] if isinstance(op.value, tuple) else op.value
        if value is None or value == "":
            return EvaluationError(message)
        site = self.program.rules.sites[int(value)]
        place = f"{site.file}:{site.line}:{site.column}"
        error = EvaluationError(f"{place}: {message} in `{site.text}`")
        error.site = int(value)
        return error

    def player(self, side: int, subject: str) -> int:
        """Return the side if it is a player. Raises EvaluationError that names `subject`."""
        if not 0 <= side < self.sides:
            raise EvaluationError(f"{subject} of a player that is not there")
        return side

    @cached_property
    def _repeated(self) -> frozenset[int]:
        return repeated(self.program.rules)

    def _memoised(self, op: Op, frame: Frame, cache: dict[int, Any]) -> Any:
        if id(op) not in cache:
            cache[id(op)] = self.methods[op.name](op, frame)
        return cache[id(op)]


class ObservedEvaluator(Evaluator):
    """An evaluator that calls `observe` with each operation before it is evaluated."""

    def __init__(self, program: Program, observe: Callable[[Op], None]) -> None:
        super().__init__(program)
        self._observe = observe

    def value(self, op: Op, frame: Frame) -> Any:
        """Observe and evaluate an operation within an expression."""
        self._observe(op)
        return super().value(op, frame)
