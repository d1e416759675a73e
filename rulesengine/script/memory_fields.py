"""The state of a running script as the fields of a kernel's memory, in both directions."""

from typing import Any

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter import DECIDED, LAST_MOVE
from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.scripts.flow import BLOCK, Node, fixed_text, flow_of
from rulesengine.engine.kernel.scripts.layout import HELD, NO_STEP, TEXT, WORD, layout_of
from rulesengine.game import Game
from rulesengine.notation.move_text import Writer
from rulesengine.script.flow_state import FlowState
from rulesengine.script.loops import LoopState
from rulesengine.script.play_statements import forfeited
from rulesengine.state import GOES_ON


class ScriptMemory:
    """The memory of a kernel: the bytes, the index of each field, and the values stored last.

    `last_move` is the last known move: its notation, the words of its step, and 1 for a capture.
    """

    def __init__(self, game: Game, kernels: Kernels) -> None:
        self.game, self.kernels, self.part = game, kernels, kernels.part("script")
        self.layout = layout_of(game.program, flow_of(game.program.rules.script))
        self.bytes = bytearray(self.layout.total)
        self.form = self.layout.form
        self.index = {name: i for i, (name, _) in enumerate(self.layout.fields)}
        self.before: list[Any] = []
        self._writer = Writer(game.program, Fields(game.program).value)
        self.last_move: tuple[str, int, int, int] | None = None

    def store(self, values: list[Any]) -> None:
        """Store the values of all fields."""
        self.before = values
        self.form.pack_into(self.bytes, 0, *values)

    def field(self, name: str) -> int:
        """Return the number in a field."""
        at = self.layout.offsets[name]
        return int.from_bytes(self.bytes[at : at + WORD], "little", signed=True)

    def set(self, name: str, value: int) -> None:
        """Store a number in a field."""
        at = self.layout.offsets[name]
        self.bytes[at : at + WORD] = value.to_bytes(WORD, "little", signed=True)

    def move_text(self, word: int, choice: int, takes: int) -> str:
        """Return the notation of a move of one step."""
        return self._writer.text((self.kernels.step(word, choice),), bool(takes))

    def keep_texts(self) -> None:
        """Move the texts that a kernel has assigned to where it only reads them."""
        layout = self.layout
        for name in layout.texts:
            field, text = layout.made_at(name), layout.text_at(name)
            if self.field(f"v.{name}") == field:
                self.bytes[text : text + TEXT] = self.bytes[field : field + TEXT]
                self.set(f"v.{name}", text)


class FieldWriter:
    """Converts the state of a script to the values of fields."""

    def __init__(self, memory: ScriptMemory, state: FlowState) -> None:
        self._memory, self._state, self._stage = memory, state, state.stage
        self._set_bytes = memory.layout.set_bytes
        zero = bytes(self._set_bytes)
        self._values: list[Any] = [zero if t == "m" else 0 for _, t in memory.layout.fields]

    def values(self) -> list[Any]:
        """Return the value of each field. Raises Unsupported, OverflowError or TypeError."""
        self._put_script()
        self._put_state()
        for name, kind in self._memory.layout.variables:
            self._put_variable(name, kind)
        for number, loop in self._state.loops.items():
            self._put_loop(number, loop)
        for number, node in self._state.returns.items():
            self._put(f"back.{number}", node)
            self._put(f"kept.{number}", self._has_outer(BLOCK + number))
        return self._values

    def _put(self, name: str, value: int) -> None:
        at = self._memory.index[name]
        is_set = self._memory.layout.fields[at][1] == "m"
        self._values[at] = value.to_bytes(self._set_bytes, "little") if is_set else value

    def _put_script(self) -> None:
        stage, state, put = self._stage, self._state, self._put
        variables = stage.variables
        put("pc", state.pc)
        put("armed", state.armed)
        put("idle", state.rounds.idle)
        put("patience", state.rounds.patience)
        put("printed", stage.printed)
        put("moves", stage.moves)
        put("plies", stage.plies)
        put("separator", _separator_number(state))
        put("decided", variables[DECIDED][0] if DECIDED in variables else GOES_ON)
        if stage.accepted is not None:
            put("accepts", 1)
            put("low", stage.accepted[0])
            put("high", stage.accepted[1])
        put("word", HELD)
        move, known = variables["move"], self._memory.last_move
        if known is not None and move == known[0]:
            put("step", known[1])
            put("choice", known[2])
            put("takes", known[3])
        else:
            put("step", HELD if move else NO_STEP)
        put("from", variables["from"])
        put("to", variables["to"])

    def _put_state(self) -> None:
        words = self._memory.kernels.words(self._stage.state, self._memory.part)
        for i, value in enumerate(words):
            self._put(f"state.{i}", int(value))

    def _put_variable(self, name: str, kind: str) -> None:
        value = self._stage.variables.get(name)
        if value is None:
            return
        self._put(f"has.{name}", 1)
        if kind != "text":
            self._put(f"v.{name}", int(value))
            return
        at, data = self._memory.layout.text_at(name), value.encode()
        is_plain = len(data) < TEXT and value.isascii()
        self._put(f"v.{name}", at if is_plain else HELD)
        self._put(f"n.{name}", len(data))
        if is_plain:
            self._memory.bytes[at : at + len(data)] = data

    def _put_loop(self, number: int, loop: LoopState) -> None:
        self._put(f"left.{number}", loop.next)
        self._put(f"last.{number}", loop.last)
        self._put(f"shown.{number}", loop.printed)
        self._put(f"outer.{number}", self._has_outer(number))
        if is_over_cells(self._state, number) and loop.values is not None:
            self._put(f"rest.{number}", sum(1 << cell for cell in loop.values))

    def _has_outer(self, frame: int) -> int:
        """Return 1 if variables or their board must be restored after a loop or block."""
        saved = self._state.replaced.get(frame)
        return int(saved is not None and not saved.is_empty)


class FieldReader:
    """Updates the state of a script from the fields of the memory."""

    def __init__(self, memory: ScriptMemory, state: FlowState) -> None:
        self._memory, self._state, self._stage = memory, state, state.stage
        self._after = memory.form.unpack_from(memory.bytes)

    def read(self) -> None:
        stage, state, get = self._stage, self._state, self._get
        state.pc, state.armed = get("pc"), get("armed")
        state.rounds.idle = get("idle")
        stage.printed = get("printed")
        self._read_moves()
        self._read_separator()
        if get("decided") == GOES_ON:
            stage.variables.pop(DECIDED, None)
        elif DECIDED not in stage.variables:
            stage.variables[DECIDED] = forfeited(get("decided"))
        stage.accepted = (get("low"), get("high")) if get("accepts") else None
        if get("word") != HELD:
            stage.variables["word"] = self._text(get("word"), get("word_n"))
        for name, kind in self._memory.layout.variables:
            self._read_variable(name, kind)
        self._read_frames()

    def _get(self, name: str) -> int:
        value = self._after[self._memory.index[name]]
        return int.from_bytes(value, "little") if isinstance(value, bytes) else value

    def _is_changed(self, name: str) -> bool:
        at = self._memory.index[name]
        return bool(self._after[at] != self._memory.before[at])

    def _text(self, at: int, size: int) -> str:
        return self._memory.bytes[at : at + size].decode()

    def _read_moves(self) -> None:
        """Update the position and the last move."""
        stage, get = self._stage, self._get
        names = [name for name in self._memory.index if name.startswith("state.")]
        if any(map(self._is_changed, names)):
            values = tuple(map(get, names))
            stage.state = self._memory.kernels.state(stage.state, values)
        is_new = self._is_changed("plies") or self._is_changed("moves")
        stage.moves, stage.plies = get("moves"), get("plies")
        step, choice = get("step"), get("choice")
        stage.variables["from"], stage.variables["to"] = get("from"), get("to")
        if is_new:
            stage.variables.pop(LAST_MOVE, None)
        if step == NO_STEP:
            stage.variables["move"] = ""
        elif step != HELD:
            text = self._memory.move_text(step, choice, get("takes"))
            stage.variables["move"] = text
            self._memory.last_move = text, step, choice, get("takes")

    def _read_separator(self) -> None:
        number = self._get("separator")
        if number != HELD:
            node = self._state.flow.nodes[number] if number >= 0 else None
            self._stage.separator = _separator_of(node) if node else ""

    def _read_variable(self, name: str, kind: str) -> None:
        stage, get = self._stage, self._get
        if not get(f"has.{name}"):
            stage.variables.pop(name, None)
        elif kind != "text":
            stage.variables[name] = get(f"v.{name}")
        elif get(f"v.{name}") != HELD:
            stage.variables[name] = self._text(get(f"v.{name}"), get(f"n.{name}"))

    def _read_frames(self) -> None:
        """Update the loops and blocks that are active."""
        state, get = self._state, self._get
        loops, returns = dict[int, LoopState](), dict[int, int]()
        frames = state.node.frames
        while frames:
            frame = frames[-1]
            if frame < BLOCK:
                loops[frame] = self._loop(frame)
            else:
                returns[frame - BLOCK] = get(f"back.{frame - BLOCK}")
                state.returns = returns
            frames = state.outer_frames(frames)
        state.loops, state.returns = loops, returns

    def _loop(self, number: int) -> LoopState:
        get, known = self._get, self._state.loops.get(number)
        if known is not None and known.values is not None:
            if not is_over_cells(self._state, number):
                return known
        values = None
        if is_over_cells(self._state, number):
            values = list(bits(get(f"rest.{number}")))[::-1]
        return LoopState(
            get(f"left.{number}"), get(f"last.{number}"), values, get(f"shown.{number}")
        )


def is_over_cells(state: FlowState, number: int) -> bool:
    """True if a loop goes over a set of cells in their order."""
    statement = state.heads[number].statement
    plain = len(statement.operands) == 3
    return statement.name == "repeat_in" and statement.words[1] == "cells" and plain


def _separator_of(node: Node) -> str:
    text = fixed_text(node.statement.operands[-1])
    assert text is not None
    return text + "\n"


def _separator_number(state: FlowState) -> int:
    """Return the node with the fixed separator to print, -1 for none, HELD for another."""
    text = state.stage.separator
    if not text:
        return -1
    for number, node in enumerate(state.flow.nodes):
        if node.kind == "separate" and fixed_text(node.statement.operands[-1]) is not None:
            if _separator_of(node) == text:
                return number
    return HELD
