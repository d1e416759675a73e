"""Execution of a flattened script: by its kernel where there is one, else node by node."""

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulesengine.engine.kernel.scripts.flow import BLOCK, Node
from rulesengine.script.assignment import own_value
from rulesengine.script.flow_state import FlowState
from rulesengine.script.loops import LoopState
from rulesengine.script.patterns import match
from rulesengine.script.play_statements import play_one
from rulesengine.script.runner import STATEMENTS, Runner
from rulesengine.script.runtime import ScriptState, StatementError
from rulesengine.script.tokens import EndOfInput, Tokenizer

if TYPE_CHECKING:
    from rulesengine.script.compiled_script import CompiledScript

_NODES = 32  # executed between two queries for a kernel
_PLAYS = 8  # nodes that the move of a strategy counts as
_TO_THE_END = "play_all"
_LARGE_INPUT = 16_384  # bytes of input that are worth a choice at once
_BYTES = 4  # of input for a ply


class FlowRunner(Runner):
    """A runner of scripts that executes nodes, with the same effects as `Runner`."""

    def __init__(self, stage: ScriptState) -> None:
        super().__init__(stage)
        self.state = FlowState(stage, self.rounds)
        self._game = stage.game
        self._since = 0.0
        self._announced = _LARGE_INPUT
        self._script: CompiledScript | None = None

    def run(self) -> None:
        """Execute the script, then the `at end` lines if they were set when the input ended."""
        state = self.state
        try:
            self._nodes()
        except EndOfInput:
            state.unwind()
            if state.armed < 0:
                self.stage.report_end()
                return
            state.pc = state.armed
            try:
                self._nodes()
            except EndOfInput:
                return

    def _nodes(self) -> None:
        """Execute nodes up to the end of the script."""
        state, left = self.state, 0
        while state.node.kind != "stop":
            if left <= 0 or self._input_bytes >= self._announced:
                self._look_for_kernel()
                left = _NODES
            script = self._script
            if script is not None and script.can_enter(state.pc):
                left = 0
                if not script.run(state):
                    continue
            left -= _PLAYS if state.node.statement.name == _TO_THE_END else 1
            self._step(state.node)

    @property
    def _input_bytes(self) -> int:
        """Return the bytes of input that have arrived, or all if the input is a file."""
        words = self.stage.words
        assert isinstance(words, Tokenizer)
        return max(words.arrived_bytes, words.expected_bytes)

    def _look_for_kernel(self) -> None:
        """Use a kernel from now on, or a faster one, if it pays.

        Much input that has arrived announces as much work again; four times as much, more work.
        """
        size = self._input_bytes
        if size >= self._announced:
            self._announced = 4 * size
            self._game.expect({"script": size / _BYTES})
        kernels, self._since = self._game.script_kernels(self._since)
        if kernels is not None and (self._script is None or self._script.kernels is not kernels):
            # imported here: a short run needs no kernel
            from rulesengine.script.compiled_script import CompiledScript

            self._script = CompiledScript(self._game, kernels)

    def _step(self, node: Node) -> None:
        """Execute one node by the interpreter of scripts."""
        if node.kind == "stop":
            return
        stage, state = self.stage, self.state
        if node.kind not in ("jump", "close", "back"):
            stage.enter(node.statement)
        state.pc = _DOES[node.kind](self, node, state.pc + 1)
        if stage.game is not self._game:
            self._game, self._script, self._since = stage.game, None, 0.0
            state.rebind()


def _do(runner: FlowRunner, node: Node, following: int) -> int:
    try:
        if node.statement.name == _TO_THE_END:
            return _play_on(runner, node, following)
        STATEMENTS[node.statement.name](runner.stage, node.statement)
    except StatementError:
        if node.target < 0:
            raise
        return node.target
    return following


def _play_on(runner: FlowRunner, node: Node, following: int) -> int:
    """Play one of all moves; the node is repeated as long as there is one.

    A kernel may thus play the rest.
    """
    moves = runner.stage.moves
    play_one(runner.stage, node.statement)
    return following - 1 if runner.stage.moves > moves else following


def _test(runner: FlowRunner, node: Node, following: int) -> int:
    test = runner.stage.value(node.statement.operands[0])
    return following if test else node.target


def _jump(runner: FlowRunner, node: Node, following: int) -> int:
    return node.target


def _arm(runner: FlowRunner, node: Node, following: int) -> int:
    runner.state.armed = node.target
    return following


def _match(runner: FlowRunner, node: Node, following: int) -> int:
    stage, statement = runner.stage, node.statement
    word = stage.word() if statement.name == "command" else stage.line()
    for case, target in zip(statement.body, node.targets, strict=True):
        fields = match(case.words, word)
        if fields is not None:
            stage.variables |= fields
            return target
    return node.target


def _call(runner: FlowRunner, node: Node, following: int) -> int:
    stage, (_, *arguments) = runner.stage, node.statement.words
    values = [own_value(stage.value(op)) for op in node.statement.operands]
    runner.state.replace(BLOCK + node.loop, tuple(arguments))
    stage.variables |= zip(arguments, values, strict=True)
    for argument, op in zip(arguments, node.statement.operands, strict=True):
        stage.note(argument, op)
    runner.state.returns[node.loop] = following
    return node.target


def _back(runner: FlowRunner, node: Node, following: int) -> int:
    runner.state.restore(BLOCK + node.loop)
    return runner.state.returns.pop(node.loop)


def _enter(runner: FlowRunner, node: Node, following: int) -> int:
    state, printed = runner.state, runner.stage.printed
    state.replace(node.loop, node.statement.words[:1])
    state.loops[node.loop] = LoopState.of(runner.values(node.statement), printed)
    return following


def _round(runner: FlowRunner, node: Node, following: int) -> int:
    statement, loop = node.statement, runner.state.loops[node.loop]
    if not loop.has_more:
        return node.target
    runner.stage.variables |= dict.fromkeys(statement.words[:1], loop.take())
    counted = statement.name != "repeat" or statement.operands[0] is not None
    runner.rounds.begin(counted=counted)
    return following


def _until(runner: FlowRunner, node: Node, following: int) -> int:
    done = runner.stage.value(node.statement.operands[-2])
    return node.target if done else following


def _separate(runner: FlowRunner, node: Node, following: int) -> int:
    stage = runner.stage
    if stage.printed > runner.state.loops[node.loop].printed:
        stage.separator = stage.text(node.statement.operands[-1]) + "\n"
    return following


def _close(runner: FlowRunner, node: Node, following: int) -> int:
    runner.state.restore(node.loop)
    if runner.stage.printed > runner.state.loops.pop(node.loop).printed:
        runner.stage.separator = ""
    return following


_DOES: MappingProxyType[str, Callable[[FlowRunner, Node, int], int]] = MappingProxyType(
    {
        "do": _do,
        "test": _test,
        "jump": _jump,
        "enter": _enter,
        "round": _round,
        "until": _until,
        "separate": _separate,
        "close": _close,
        "match": _match,
        "call": _call,
        "back": _back,
        "arm": _arm,
    }
)
