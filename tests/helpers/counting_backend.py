"""A back end that runs the reference evaluator and counts instructions by kind."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.code.form import Instr, Module
from tests.helpers.kernel_reference import Machine


class Counted(Machine):
    """A module that counts each executed instruction in `counts`."""

    def __init__(self, module: Module, counts: Counter[str]) -> None:
        super().__init__(module)
        self.counts = counts
        self.fast: dict[str, Any] = {}
        self.line = self.image = None

    def call(self, name: str, args: Sequence[Any]) -> tuple[Any, ...] | None:
        self.counts["entries"] += 1
        return super().call(name, args)

    def step(self, instr: Instr, names: dict[Any, Any]) -> None:
        self.counts[instr.op] += 1
        super().step(instr, names)


class Counting:
    """The back end's description; it pays off at once, so `auto` selects it for all work."""

    name = "counting"
    rate = call_rate = load_seconds = 0.0
    seats = 1
    keeps_history = True
    has_threads = False
    remark = "--"

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def compile_seconds(self, size: int, part: str) -> float:
        return 0.0

    def problem(self) -> None:
        return None

    def versions(self) -> dict[str, str]:
        return {}

    def maker(self) -> str:
        return "the tests"

    def processor(self) -> tuple[str, tuple[str, ...]]:
        return "", ()

    def compile(
        self, module: Module, store: Store | None, fasts: Mapping[str, CallableSpec]
    ) -> Counted:
        return Counted(module, self.counts)

    def reloaded(self, *kept: object) -> None:
        """Return None: its code cannot be cached."""

    def kind(self, module: Module) -> str:
        return "the reference"

    def text(self, module: Module) -> str:
        return "\n".join(f"{f.name} {len(f.body)}" for f in module.functions.values())
