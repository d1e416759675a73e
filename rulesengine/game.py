"""The pipeline from a spec to a game, and the game as people use it from Python."""

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal

from rulesengine import parameters, stored
from rulesengine.errors import IllegalMoveError, InternalError, SpecError, UsageError
from rulesengine.interpreter import Interpreter
from rulesengine.ir.program import Program
from rulesengine.ir.rules import Rules
from rulesengine.kernel.selection import ENGINES, Engine, Selector, unknown_engine
from rulesengine.limits import MAX_PLIES
from rulesengine.quick import quicken
from rulesengine.source import Source
from rulesengine.state import Move, Outcome, Playouts, Record, State, Step
from rulesengine.text.drawing import draw
from rulesengine.text.notation import move_text
from rulesengine.text.reading import read_state
from rulesengine.text.wishes import read_cells, shown
from rulesengine.variant import Transform, open_spec

if TYPE_CHECKING:
    from pathlib import Path

    from rulesengine import drivers
    from rulesengine.interpreter.reasons import Reason
    from rulesengine.interpreter.tracing import Change

__all__ = ["ENGINES", "Engine", "Game", "load", "load_source", "open_spec", "unknown_engine"]

# How many steps a random game has, to tell whether kernels pay.
_TYPICAL_STEPS = 100
# How many steps a game by strategies looks at.
_CHOSEN_STEPS = 10_000


def load(
    path: "str | Path",
    /,
    *,
    engine: Engine = "auto",
    transforms: Sequence[Transform] = (),
    **values: int | str | bool,
) -> "Game":
    """Load a game from a spec file or, by its name, a bundled one.

    A text with a `/` or ending in `.yaml` is a path, any other text a bundled name. Each of the
    `transforms` is a name such as `"misere"`, or a map such as `{"size": 6}`. Keywords are values
    of the spec's parameters. Raises SpecError with every mistake of the spec, and UsageError for
    a missing file, an unknown name or a value that a parameter does not take.
    """
    source = open_spec(path, transforms)
    parts = stored.recall(source)
    game = _from_parts(parts, engine, values) if parts else None
    return game or _from_text(source, engine, values, keep=True)


def load_source(
    source: Source, /, *, engine: Engine = "auto", **values: int | str | bool
) -> "Game":
    """Load a game from the text of a spec, without the cache; raises as `load` does."""
    return _from_text(source, engine, values, keep=False)


def _from_parts(
    parts: stored.Parts, engine: Engine, values: Mapping[str, int | str | bool]
) -> "Game | None":
    """The game of a spec that was kept; None if these values do not fit it.

    Only the whole way from its text can tell where.
    """
    bound = parameters.bind(parts.rules.parameters, values)
    if tuple(bound.items()) == parts.program.parameters:
        return Game(parts.rules, bound, engine, parts.tests, parts.program)
    from rulesengine.lower import LoweringError

    try:
        return Game(parts.rules, bound, engine, parts.tests)
    except LoweringError:
        return None


def _from_text(
    source: Source, engine: Engine, values: Mapping[str, int | str | bool], *, keep: bool
) -> "Game":
    from rulesengine import pipeline

    parents = stored.Parents(source)
    analysis = pipeline.analyse(source, parents)
    if analysis.checked is None:
        raise SpecError(analysis.findings)
    rules = analysis.checked.rules
    if keep and not analysis.findings:
        program = pipeline.lower(rules, parameters.bind(rules.parameters, {}))
        stored.keep(parents, stored.Parts(rules, program, analysis.tests))
    bound = parameters.bind(rules.parameters, values)
    try:
        return Game(rules, bound, engine, analysis.tests)
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
        program: Program | None = None,
    ) -> None:
        if engine not in ENGINES:
            raise UsageError(unknown_engine(engine))
        self.rules = rules
        self.engine = engine
        self.tests = tests
        self.program = _lowered(rules, values) if program is None else program
        self._machine = Interpreter(self.program)
        self._selector = Selector(self._machine, engine, stored.Objects())
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
        from rulesengine.lower import LoweringError, place_of

        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        try:
            return Game(self.rules, bound, self.engine, self.tests)
        except LoweringError as error:
            raise UsageError(place_of(error, self.rules)) from None

    def initial_state(self) -> State:
        """The state before the first move."""
        return self._machine.initial_state()

    def state_from(self, text: str) -> State:
        """The state of a text such as `str(state)` gives. Raises NotationError."""
        return read_state(self.program.form, text)

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves in the order of the language; none when the game is over."""
        legal = self._call("legal", self._own(state))
        return tuple(self._move(state, steps) for steps in legal)

    def legal_mask(self, state: State) -> int:
        """The cells that may be placed on: bit i is cell i in reading order.

        Raises UsageError in a game whose moves have an origin.
        """
        mask = 0
        kernels = self._selector.for_call("singles")
        found = kernels.mask(self._own(state)) if kernels else None
        if kernels and kernels.fast:
            self._quicken(kernels.fast)
        if found is not None:
            return found
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
        return self.reason(text, state).text

    def reason(self, text: str, state: State) -> "Reason":
        """`why_not`, with the clause that is in the way and the cells that it gives.

        Raises NotationError for a text that names no cells of this game.
        """
        from rulesengine.interpreter.objecting import objection_to
        from rulesengine.interpreter.reasons import Reason

        moves = self.legal_moves(state)
        if text in (move.text for move in moves):
            return Reason("")
        kind, cells = self._wish(text)
        outcome = self.outcome(state)
        if outcome is not None:
            return Reason(f"`{shown(text)}` is not legal: the game is over, {outcome.reason}")
        why = objection_to(self._machine, state, (kind, cells), moves)
        said = f"`{shown(text)}` is not legal for {state.mover}: {why.text}"
        return Reason(said, why.objection)

    def trace(self, state: State, move: Move) -> "tuple[Change, ...]":
        """What a legal move does, effect by effect; the last change is the end of the turn."""
        from rulesengine.interpreter.tracing import trace

        return trace(self._machine, self._own(state), move.steps)

    def apply(self, state: State, move: Move) -> State:
        """The state after a move, which must be legal: this is not looked at again."""
        after: State = self._call("apply", self._own(state), move.steps)
        return after

    def record(self, state: State, move: Move) -> Record:
        """What a legal move changes, as masks of cells."""
        record: Record = self._call("play", self._own(state), move.steps, state.side)[1]
        return record

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
        steps = self._chosen(self._own(state), self._strategy(strategy))
        return self._move(state, steps) if steps else None

    def _strategy(self, name: str) -> int:
        """The number of a strategy. Raises UsageError."""
        if name not in self.strategies:
            known = ", ".join(self.strategies) or "none"
            raise UsageError(f"no strategy `{name}`: there is {known}")
        return self.strategies.index(name)

    def self_play(self, strategies: Sequence[str], state: State | None = None) -> tuple[Move, ...]:
        """The moves of a game in which each side moves by its strategy, in the order of play.

        A game that goes on beyond the limit of plies is cut there.
        """
        if len(strategies) != len(self.players):
            raise UsageError(f"one strategy for each of {len(self.players)} sides, please")
        numbers = [self._strategy(name) for name in strategies]
        start = self.initial_state() if state is None else self._own(state)
        kernels = self._selector.for_work("self_play", _CHOSEN_STEPS)
        moves = kernels.self_play(start, numbers) if kernels else None
        found: list[Move] = []
        at = start
        while len(found) < MAX_PLIES:
            if moves is not None:
                steps = moves[len(found)] if len(found) < len(moves) else None
            else:
                steps = self._chosen(at, numbers[at.side])
            if steps is None:
                break
            found.append(self._move(at, steps))
            at = self.apply(at, found[-1])
        return tuple(found)

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
        bulk: bool = True,
    ) -> int:
        """How many sequences of exactly `depth` moves there are; a pass is a move.

        `ended="keep"` counts a game that ends earlier as one; `passes="free"` lets passes take
        no ply. Without `bulk` kernels make the last moves too, instead of counting them.
        """
        from rulesengine import drivers

        start = self.initial_state() if state is None else self._own(state)
        keep, free = ended == "keep", passes == "free"
        kernels = self._selector.for_work("perft", self._steps_of(start, _depth(depth)))
        if kernels is None:
            return drivers.perft(self._functions(), start, depth, keep=keep, free=free)
        functions = self._functions()
        return kernels.perft(functions, start, depth, keep=keep, free=free, bulk=bulk)

    def divide(self, depth: int, state: State | None = None) -> dict[str, int]:
        """The count of `perft` for each first move, by its notation, in order."""
        start = self.initial_state() if state is None else self._own(state)
        return {
            str(move): self.perft(_depth(depth) - 1, self.apply(start, move))
            for move in (self.legal_moves(start) if _depth(depth) > 0 else ())
        }

    def playouts(
        self, games: int, *, seed: int = 0, state: State | None = None, threads: int = 1
    ) -> Playouts:
        """Random games; game i of a seed is the same whoever plays it.

        Native kernels share them out to `threads` threads, which changes no result.
        """
        if games < 0:
            raise UsageError("the number of games is at least 0")
        if threads < 1:
            raise UsageError("the number of threads is at least 1")
        from rulesengine import drivers

        start = self.initial_state() if state is None else self._own(state)
        kernels = self._selector.for_work("playouts", games * _TYPICAL_STEPS)
        if kernels is None:
            return drivers.playouts(self._functions(), start, self.players, games, seed)
        return kernels.playouts(self._functions(), start, self.players, games, seed, threads)

    def engines(self) -> dict[str, Engine]:
        """The fastest engine that does each part of the game here; its kernels are made.

        The parts are `singles` (moves one at a time), `perft`, `playouts`, `strategy NAME`, and
        `self-play` where there are strategies.
        """
        from rulesengine.kernel.engine import parts_of, title

        machine, best = self._machine, self._selector.best
        return {title(machine, part): best(part) for part in parts_of(machine)}

    @property
    def engine_problems(self) -> dict[tuple[str, str], str]:
        """Why kernels that were wanted so far could not be made, by engine and part."""
        if not self._selector.problems:
            return {}
        from rulesengine.kernel.engine import title

        problems = ((*key.split(" ", 1), why) for key, why in self._selector.problems.items())
        return {(engine, title(self._machine, part)): why for engine, part, why in problems}

    def show_kernel(self, engine: Engine = "auto") -> str:
        """The text of the kernels, as Python with the rules beside it or as LLVM's assembly.

        Raises UsageError where an engine has no kernels, or cannot make them here.
        """
        from rulesengine.kernel.listing import listing

        return listing(self._machine, engine)

    def _steps_of(self, start: State, depth: int) -> int:
        """About how many steps a count looks at, cut where it no longer matters."""
        moves = len(self._machine.legal(start)) if self.engine == "auto" and depth > 1 else depth
        return int(max(moves, 2) ** min(depth, 40)) if depth else 0

    def show(self) -> str:
        """The program as text."""
        from rulesengine.ir.text import show

        return show(self.program)

    def _call(self, name: str, state: State, *args: Any) -> Any:
        """The result of a function of the engine that single calls pay for by now."""
        since = self._selector.clock()
        try:
            kernels = self._selector.for_call("singles")
            if kernels and kernels.fast:
                self._quicken(kernels.fast)
            return getattr(kernels or self._machine, name)(state, *args)
        finally:
            self._selector.took(since)

    def _quicken(self, fast: Mapping[str, Callable[[State], Any]]) -> None:
        own = vars(self)
        quicken(own, self.program, fast, self.legal_mask, self.legal_moves)

    def _chosen(self, state: State, number: int) -> tuple[Step, ...] | None:
        since = self._selector.clock()
        try:
            kernels = self._selector.for_call(f"choose {number}")
            if kernels:
                return kernels.choose(state, number)
            return self._machine.choose(state, self.program.rules.strategies[number])
        finally:
            self._selector.took(since)

    def _functions(self) -> "drivers.Functions[State, tuple[Step, ...]]":
        from rulesengine import drivers

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

    def _is_capture(self, state: State, steps: tuple[Step, ...]) -> bool:
        """Whether the pieces that are carried take any; what is selected afterwards does not."""
        carried = tuple(takewhile(lambda step: step.origin >= 0, steps))
        record = self._call("play", state, carried, state.side)[1]
        return bool(record.captured & record.removed)


def _lowered(rules: Rules, values: Mapping[str, int | str]) -> Program:
    from rulesengine.lower import lower  # here: a game from the cache comes with its program

    return lower(rules, values)


def _can_take(group: Any) -> bool:
    """Whether the notation of a group's moves depends on what they remove."""
    return bool(group.kind == "move")


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
