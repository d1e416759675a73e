"""The analysis manager: facts about a program, each computed on first request, as in LLVM."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from rulesengine.language.ir.program import Program

T = TypeVar("T")


@dataclass(frozen=True)
class OptionalAnalysis(Generic[T]):
    """A row of the table of optional analyses.

    - `result`: the type of the result, by which code requests it.
    - `run`: the analysis; it returns None for a program that it does not apply to.
    - `parts`: the parts of kernels that may request it.
    """

    result: type[T]
    run: Callable[[Program], T | None]
    parts: tuple[str, ...]


class AnalysisManager:
    """The analyses of one program, memoised; `optional` are those that may be requested by type."""

    def __init__(self, program: Program, optional: Iterable[OptionalAnalysis[Any]] = ()) -> None:
        self._program = program
        self._optional = {row.result: row.run for row in optional}
        self._results: dict[object, object] = {}

    def get(self, run: Callable[[Program], T]) -> T:
        """Return the result of an analysis: a function of a program, or a class built from one."""
        if run not in self._results:
            self._results[run] = run(self._program)
        return cast(T, self._results[run])

    def optional(self, result: type[T]) -> T | None:
        """Return the result of an optional analysis; None if it is disabled or does not apply."""
        run = self._optional.get(result)
        return None if run is None else self.get(run)
