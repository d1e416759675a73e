"""A script's kernel as its runner uses it: calls, input and output. See decision 092."""

from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.scripts.layout import FULL, INPUT, LEFT, NEEDS_INPUT
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.game import Game
from rulesengine.script.flow_state import FlowState
from rulesengine.script.memory_fields import FieldReader, FieldWriter, ScriptMemory
from rulesengine.script.tokens import Tokenizer

_BUDGET = 100_000  # rounds of the kernel's loop between two chances for an interrupt
_MOST_FAILURES = 16  # of the kernel, after which the interpreter goes on alone


class CompiledScript:
    """The kernel of a script for one game, with its memory.

    `closed` has the nodes where the kernel cannot begin.
    """

    def __init__(self, game: Game, kernels: Kernels) -> None:
        self.kernels = kernels
        self.memory = ScriptMemory(game, kernels)
        self.closed: set[int] = set()
        self._failures = 0

    def can_enter(self, pc: int) -> bool:
        """True if the kernel may execute a node."""
        return pc not in self.closed and self._failures < _MOST_FAILURES

    def run(self, state: FlowState) -> bool:
        """Run the script from the next node until the kernel cannot continue.

        The result is true if the caller must execute the next node. The kernel pauses after many
        rounds, and when it has read the input in memory.
        """
        words = state.stage.words
        assert isinstance(words, Tokenizer)
        pc, at = state.pc, words.at
        if not self._load(state, words):
            self.closed.add(pc)
            return True
        unread = len(words.buffer) - at - INPUT
        status, is_moved = self._called(state, words)
        if not is_moved:
            self.closed.add(pc)
        if status == NEEDS_INPUT and unread <= 0:
            words.more()
            return False
        # a text that does not fit is read by the interpreter, too
        return status == LEFT or (status == NEEDS_INPUT and words.at == at)

    def _load(self, state: FlowState, words: Tokenizer) -> bool:
        """Copy the state of a script into memory; false if it does not fit."""
        memory = self.memory
        try:
            values = FieldWriter(memory, state).values()
        except (Unsupported, OverflowError, TypeError):
            return False
        rest = words.buffer[words.at : words.at + INPUT]
        start = memory.layout.input
        memory.bytes[start : start + len(rest)] = rest
        fits = len(rest) == len(words.buffer) - words.at
        for name, value in (
            ("at", start),
            ("end", start + len(rest)),
            ("ended", int(words.ended and fits)),
            ("out", memory.layout.output),
            ("budget", _BUDGET),
        ):
            values[memory.index[name]] = value
        memory.store(values)
        return True

    def _called(self, state: FlowState, words: Tokenizer) -> tuple[int, bool]:
        """Call the kernel until it needs the interpreter or input; return its exit code.

        The flag is true if it has done anything.
        """
        is_moved = False
        while True:
            budget = self.memory.field("budget")
            status = self._call()
            if status is None:
                self._failures += 1
                is_moved = self._run_to_failure(budget) or is_moved
                status = LEFT
            is_moved = is_moved or self.memory.field("budget") != _BUDGET
            self._write_output(state)
            if status != FULL:
                break
        consumed = self.memory.field("at") - self.memory.layout.input
        FieldReader(self.memory, state).read()
        words.at += consumed
        return status, is_moved

    def _call(self) -> int | None:
        result = self.memory.part.call("script", (self.memory.bytes,))
        if result is None:
            return None
        self.memory.keep_texts()
        return int(result[0])

    def _run_to_failure(self, budget: int) -> bool:
        """Run the rounds before the round that fails; true if there is any.

        A failed call leaves the fields unchanged. The first round that fails is found by bisection.
        """
        good, bad, is_moved = 0, budget, False
        while bad - good > 1:
            middle = (bad - good) // 2
            self.memory.set("budget", middle)
            if self._call() is None:
                bad = good + middle
            else:
                good, is_moved = good + middle, True
        self.memory.set("budget", 0)
        return is_moved

    def _write_output(self, state: FlowState) -> None:
        out, start = self.memory.field("out"), self.memory.layout.output
        if out > start:
            state.stage.target.write(self.memory.bytes[start:out])
            self.memory.set("out", start)
