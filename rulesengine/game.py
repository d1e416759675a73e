"""The pipeline from a spec to a game, and the game as people use it from Python."""

from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from rulesengine import drivers, parameters
from rulesengine.errors import (
    IllegalMoveError,
    InternalError,
    SpecError,
    UsageError,
)
from rulesengine.interpreter import Interpreter
from rulesengine.interpreter.reasons import Wish, reason, wishes_for
from rulesengine.ir.program import Program
from rulesengine.ir.rules import Rules
from rulesengine.resources import bundled_path
from rulesengine.source import Source
from rulesengine.state import Move, Outcome, Playouts, Record, State, Step
from rulesengine.text.drawing import draw
from rulesengine.text.notation import move_text
from rulesengine.text.reading import read_state
from rulesengine.text.wishes import cells_of, read_cells, shown

Engine = Literal["auto", "interpreter"]
Stage = Literal["document", "resolved", "syntax", "program"]
ENGINES: tuple[Engine, ...] = ("auto", "interpreter")


def load(path: str | Path, /, *, engine: Engine = "auto", **values: int | str | bool) -> "Game":
    """Load a game from a spec file or, by its name, a bundled one.

    A text with a `/` or ending in `.yaml` is a path, any other text a bundled name. Keywords
    are values of the spec's parameters. Raises SpecError with every mistake of the spec, and
    UsageError for a missing file, an unknown name or a value that a parameter does not take.
    """
    return load_source(open_spec(path), engine=engine, **values)


def open_spec(path: str | Path) -> Source:
    """The text of a spec, found as `load` finds it. Raises UsageError."""
    text = str(path)
    if isinstance(path, Path) or "/" in text or text.endswith(".yaml"):
        return Source.read(Path(path))
    return Source.read(bundled_path(text))


def load_source(
    source: Source, /, *, engine: Engine = "auto", **values: int | str | bool
) -> "Game":
    """Load a game from the text of a spec; raises as `load` does."""
    from rulesengine import pipeline

    analysis = pipeline.analyse(source)
    if analysis.checked is None:
        raise SpecError(analysis.findings)
    bound = parameters.bind(analysis.checked.rules.parameters, values)
    try:
        return Game(analysis.checked.rules, bound, engine, analysis.tests)
    except pipeline.LoweringError as error:
        raise SpecError((pipeline.diagnose(analysis, error),)) from None


class Game:
    """A game: rules for one choice of parameters. States and moves are values of their own."""

    def __init__(
        self,
        rules: Rules,
        values: Mapping[str, int | str],
        engine: Engine = "auto",
        tests: tuple[Any, ...] = (),
    ) -> None:
        from rulesengine.lower import lower

        if engine not in ENGINES:
            raise UsageError(f"no engine `{engine}`: use {' or '.join(ENGINES)}")
        self.rules = rules
        self.engine = engine
        self.tests = tests
        self.program: Program = lower(rules, values)
        self._machine = Interpreter(self.program)
        self._moves: dict[tuple[Any, ...], Move] = {}
        self._takes = tuple(_can_take(g) for g in self.program.rules.groups)

    def __reduce__(self) -> tuple[Callable[..., "Game"], tuple[Any, ...]]:
        from rulesengine.ir.text import show

        return _restore, (show(self.rules), self.parameters, self.engine, self.tests)

    def __repr__(self) -> str:
        values = "".join(f", {k}={v!r}" for k, v in self.parameters.items())
        return f"<Game {self.name!r}{values}>"

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in the order of play."""
        return self.program.form.players

    @property
    def parameters(self) -> dict[str, int | str]:
        """The values of the parameters."""
        return dict(self.program.parameters)

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names of the strategies of the spec."""
        return tuple(s.name for s in self.rules.strategies)

    def bind(self, /, **values: int | str | bool) -> "Game":
        """The same game with other values of parameters. Raises UsageError and SpecError."""
        from rulesengine.pipeline import LoweringError, diagnose_bound

        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        try:
            return Game(self.rules, bound, self.engine, self.tests)
        except LoweringError as error:
            raise UsageError(diagnose_bound(self.rules, error)) from None

    def initial_state(self) -> State:
        """The state before the first move."""
        return self._machine.initial_state()

    def state_from(self, text: str) -> State:
        """The state of a text such as `str(state)` gives. Raises NotationError."""
        return read_state(self.program.form, text)

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves in the order of the language; none when the game is over."""
        return tuple(self._move(state, steps) for steps in self._machine.legal(self._own(state)))

    def legal_mask(self, state: State) -> int:
        """The cells that may be placed on: bit i is cell i in reading order.

        Raises UsageError in a game whose moves have an origin.
        """
        mask = 0
        for step, *_ in self._machine.legal(self._own(state)):
            if step.origin >= 0:
                raise UsageError(f"the moves of {self.name} are no placements: use legal_moves")
            mask |= 1 << step.target if step.target >= 0 else 0
        return mask

    def move(self, text: str, state: State | None = None) -> Move:
        """The legal move that a text names.

        Raises NotationError for a text that names no cells of this game, IllegalMoveError for a
        move that is not legal in the state.
        """
        state = self.initial_state() if state is None else state
        for move in self.legal_moves(state):
            if move.text == text:
                return move
        raise IllegalMoveError(self.why_not(text, state))

    def why_not(self, text: str, state: State) -> str:
        """Which rule keeps a text from being a legal move, in words; empty if it is one.

        Raises NotationError for a text that names no cells of this game.
        """
        moves = self.legal_moves(state)
        if text in (move.text for move in moves):
            return ""
        kind, cells = self._wish(text)
        outcome = self.outcome(state)
        if outcome is not None:
            return f"`{shown(text)}` is not legal: the game is over, {outcome.reason}"
        why = self._objection(state, kind, cells, moves)
        return f"`{shown(text)}` is not legal for {state.mover}: {why}"

    def apply(self, state: State, move: Move) -> State:
        """The state after a move, which must be legal: this is not looked at again."""
        return self._machine.apply(self._own(state), move.steps)

    def record(self, state: State, move: Move) -> Record:
        """What a legal move changes, as masks of cells."""
        return self._machine.play(self._own(state), move.steps, state.side)[1]

    def outcome(self, state: State) -> Outcome | None:
        """How the game has ended in this state, or None while it goes on."""
        return self._machine.outcome(self._own(state))

    def scores(self, state: State) -> dict[str, int]:
        """The scores by player, empty if the rules have none."""
        scores = self._machine.scores(self._own(state))
        by_player = {state.player(side): score for side, score in enumerate(scores)}
        return {name: by_player[name] for name in self.players if by_player}

    def choose(self, strategy: str, state: State) -> Move | None:
        """The move that a strategy of the spec makes; None if there is no legal move."""
        for known in self.program.rules.strategies:
            if known.name == strategy:
                steps = self._machine.choose(self._own(state), known)
                return self._move(state, steps) if steps else None
        raise UsageError(
            f"no strategy `{strategy}`: there is {', '.join(self.strategies) or 'none'}"
        )

    def evaluate(self, op: Any, state: State, variables: dict[str, Any], move: Move | None) -> Any:
        """The value of an operation of the I/O script."""
        return self._machine.evaluate(op, state, variables, move.steps if move else ())

    def members(self, domain: str, op: Any, state: State, variables: dict[str, Any]) -> list[int]:
        """The members of a domain of the I/O script, in order."""
        return self._machine.members(domain, op, state, variables)

    def draw(self, state: State) -> str:
        """The board as `print board` shows it."""
        return draw(self.program, state)

    def perft(
        self,
        depth: int,
        state: State | None = None,
        *,
        ended: Literal["drop", "keep"] = "drop",
        passes: Literal["ply", "free"] = "ply",
    ) -> int:
        """How many sequences of exactly `depth` moves there are; a pass is a move.

        `ended="keep"` counts a game that ends earlier as one; `passes="free"` lets passes take
        no ply.
        """
        start = self.initial_state() if state is None else self._own(state)
        return drivers.perft(
            self._functions(), start, _depth(depth), keep=ended == "keep", free=passes == "free"
        )

    def divide(self, depth: int, state: State | None = None) -> dict[str, int]:
        """The count of `perft` for each first move, by its notation, in order."""
        start = self.initial_state() if state is None else self._own(state)
        return {
            str(move): self.perft(_depth(depth) - 1, self.apply(start, move))
            for move in (self.legal_moves(start) if _depth(depth) > 0 else ())
        }

    def playouts(self, games: int, *, seed: int = 0, state: State | None = None) -> Playouts:
        """Random games; game i of a seed is the same whoever plays it."""
        if games < 0:
            raise UsageError("the number of games is at least 0")
        start = self.initial_state() if state is None else self._own(state)
        return drivers.playouts(self._functions(), start, self.players, games, seed)

    def show(self) -> str:
        """The program as text."""
        from rulesengine.ir.text import show

        return show(self.program)

    def _functions(self) -> "drivers.Functions[State, tuple[Step, ...]]":
        return drivers.Functions(
            self._machine.legal,
            self._machine.apply,
            self._decided,
            lambda s: (*s.planes, s.side, *s.registers, *s.seats),
            lambda steps: steps[0].kind == "pass",
        )

    def _decided(self, state: State) -> int | None:
        decision = self._machine.decide(state)
        if decision is None or decision[0] < 0:
            return None if decision is None else -1
        return state.seats[decision[0]] if state.seats else decision[0]

    def _own(self, state: State) -> State:
        if state.form is not self.program.form and state.form != self.program.form:
            raise UsageError(f"this state belongs to another game than {self.name}")
        return state

    def _move(self, state: State, steps: tuple[Step, ...]) -> Move:
        """The one move of these steps and this notation."""
        takes = self._takes[steps[0].group] and self._is_capture(state, steps)
        # Equal steps may stand for different rules in different positions.
        key = steps, takes, tuple((s.group, s.direction) for s in steps)
        if key not in self._moves:
            self._moves[key] = Move(steps, move_text(self.program, steps, takes))
        return self._moves[key]

    def _wish(self, text: str) -> tuple[str, tuple[int, ...]]:
        """The kind of move that a text asks for, and the cells that it names."""
        words = {self.rules.notation.pass_: "pass", self.rules.notation.swap: "swap"}
        if text in words:
            return words[text], ()
        return "", read_cells(self.program, text)

    def _objection(
        self, state: State, kind: str, cells: tuple[int, ...], moves: tuple[Move, ...]
    ) -> str:
        if not moves:
            return "no move is"
        for move in moves if cells else ():
            meant = cells_of(move.steps)
            if meant == cells:
                return f"it is written `{move}`"
            if meant[: len(cells)] == cells and len(cells) >= len(cells_of(move.steps[:1])):
                return f"it goes on, as in `{move}`"
        wishes = [Wish(kind, -1, -1)] if kind else wishes_for(self._machine, cells)
        why = [reason(self._machine, state, wish, moves[0].text) for wish in wishes]
        return next(filter(None, why), "") or _listed(moves)

    def _is_capture(self, state: State, steps: tuple[Step, ...]) -> bool:
        """Whether the pieces that are carried take any; what is selected afterwards does not."""
        carried = tuple(takewhile(lambda step: step.origin >= 0, steps))
        record = self._machine.play(state, carried, state.side)[1]
        return bool(record.captured & record.removed)


def _can_take(group: Any) -> bool:
    """Whether the notation of a group's moves depends on what they remove."""
    return bool(group.kind == "move")


def _listed(moves: tuple[Move, ...]) -> str:
    return "legal are " + ", ".join(m.text for m in moves[:8]) + (", …" if len(moves) > 8 else "")


def _depth(depth: int) -> int:
    if depth < 0:
        raise UsageError("the depth is at least 0")
    return depth


def _restore(
    text: str, values: dict[str, int | str], engine: Engine, tests: tuple[Any, ...]
) -> Game:
    from rulesengine.ir.text import read

    rules = read(text)
    if not isinstance(rules, Rules):
        raise InternalError("a pickled game holds no rules")
    return Game(rules, values, engine, tests)
