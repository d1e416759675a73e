"""The state of a flattened script: the next node, the active loops and blocks, local variables."""

from typing import Any

from rulesengine.engine.kernel.scripts.flow import BLOCK, Flow, Node, flow_of
from rulesengine.errors import InternalError
from rulesengine.game import Game
from rulesengine.script.loop_guard import LoopGuard
from rulesengine.script.loops import LoopState
from rulesengine.script.runtime import ScriptState


class Replaced:
    """The values that local variables have replaced, and the board that they belong to."""

    __slots__ = ("game", "on_board", "values")

    def __init__(self, game: Game, on_board: set[str], values: dict[str, Any]) -> None:
        self.game, self.on_board, self.values = game, on_board, values

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to restore."""
        return not self.on_board and all(value is None for value in self.values.values())


class FlowState:
    """The state of a script besides that of its statements.

    - `pc`: the number of the next node.
    - `heads`: the node that enters each loop.
    - `loops`: the loops that are active, by number.
    - `replaced`: the variables that loops and blocks have replaced by local ones, by frame.
    - `returns`: the node after the call of each block.
    - `armed`: the node of the lines `at end`, or -1.
    """

    def __init__(self, stage: ScriptState, rounds: LoopGuard) -> None:
        self.stage, self.rounds = stage, rounds
        self.flow: Flow = flow_of(stage.view.script)
        self.heads: dict[int, Node] = self.flow.heads
        self.pc = 0
        self.armed = -1
        self.loops: dict[int, LoopState] = {}
        self.replaced: dict[int, Replaced] = {}
        self.returns: dict[int, int] = {}

    @property
    def node(self) -> Node:
        """Return the next node."""
        return self.flow.nodes[self.pc]

    def rebind(self) -> None:
        """Continue with the script of a game with other parameters."""
        flow = flow_of(self.stage.view.script)
        if [node.shape for node in flow.nodes] != [node.shape for node in self.flow.nodes]:
            raise InternalError("the form of a script depends on parameters")
        self.flow, self.heads = flow, flow.heads

    def outer_frames(self, frames: tuple[int, ...]) -> tuple[int, ...]:
        """Return the frames around the innermost one of some frames."""
        if frames[-1] < BLOCK:
            return frames[:-1]
        return self.flow.nodes[self.returns[frames[-1] - BLOCK] - 1].frames

    def unwind(self) -> None:
        """Restore the variables that the active loops and blocks have replaced."""
        frames = self.node.frames
        while frames:
            self.restore(frames[-1])
            frames = self.outer_frames(frames)

    def replace(self, frame: int, names: tuple[str, ...]) -> None:
        """Record the values of variables that a loop or block replaces."""
        stage = self.stage
        values = {name: stage.variables.get(name) for name in names}
        self.replaced[frame] = Replaced(stage.game, stage.on_board & {*names}, values)

    def restore(self, frame: int) -> None:
        """Restore the variables from before a loop or block."""
        stage, saved = self.stage, self.replaced.pop(frame, None)
        if saved is None:  # a kernel has begun it; then no variable was replaced
            for name in self._names(frame):
                stage.on_board.discard(name)
                stage.variables.pop(name, None)
            return
        stage.on_board = stage.on_board - saved.values.keys() | saved.on_board
        for name, value in saved.values.items():
            stage.variables.pop(name, None)
            is_valid = stage.game is saved.game or name not in saved.on_board
            if value is not None and is_valid:
                stage.variables[name] = value

    def _names(self, frame: int) -> tuple[str, ...]:
        """Return the local variables of a loop or block."""
        if frame < BLOCK:
            return self.heads[frame].statement.words[:1]
        calls = (n for n in self.flow.nodes if n.kind == "call" and n.loop == frame - BLOCK)
        return next(node.statement.words[1:] for node in calls)
