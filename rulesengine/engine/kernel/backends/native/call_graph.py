"""Properties of functions derived from the call graph: can fail, can stop, is recursive."""

from collections.abc import Iterator, Mapping

from rulesengine.engine.kernel.code.form import CHECKED, Function, Instr, instructions

_FAILING = CHECKED | {"fail", "push", "remember", "load_history"}


class CallGraph:
    """The properties of all functions of a module."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions
        calls = {name: set(_called(f.body)) for name, f in functions.items()}
        reached = {name: _closure(name, calls) for name in functions}
        self.recursive = frozenset(name for name, callees in reached.items() if name in callees)
        own = {name for name, f in functions.items() if _fails(f.body)} | self.recursive
        polls = {name for name, f in functions.items() if _polls(f.body)}
        self.stopping = frozenset(
            n for n, callees in reached.items() if n in polls or callees & polls
        )
        ending = own | polls
        self.failing = frozenset(
            n for n, callees in reached.items() if n in ending or callees & ending
        )
        # True if the history counts entries by the sizes of their sets.
        bodies = (instructions(function.body) for function in functions.values())
        formats = {
            i.op: i.detail for body in bodies for i in body if i.op in ("met", "load_history")
        }
        self.counts_sizes = "met" in formats
        # The format of the histories that the module reads from memory.
        self.history_format = formats.get("load_history")
        # True if code continues to run after a failure; a poll leaves its function at once.
        self.runs_after_failure = bool(own or any(callees & polls for callees in reached.values()))

    def may_fail(self, block: list[Instr]) -> bool:
        """True if the failure flag can be set at the end of a block."""
        return _fails(block) or not self.failing.isdisjoint(_called(block))


def _called(block: list[Instr]) -> Iterator[str]:
    return (str(instr.detail) for instr in instructions(block) if instr.op == "call")


def _fails(block: list[Instr]) -> bool:
    return any(instr.op in _FAILING for instr in instructions(block))


def _polls(block: list[Instr]) -> bool:
    return any(instr.op == "poll" for instr in instructions(block))


def _closure(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    """Return the functions that are reachable from a function by calls."""
    callees: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        callee = waiting.pop()
        if callee not in callees:
            callees.add(callee)
            waiting.extend(calls[callee])
    return callees
