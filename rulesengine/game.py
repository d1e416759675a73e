"""The game as people use it from Python."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from rulesengine.engine.cost_limit import Affordable
from rulesengine.engine.dispatch import Dispatcher, engine_named
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.move_lookup import Finder, Twins
from rulesengine.engine.moves import Maker, Moves, packed_moves
from rulesengine.errors import IllegalMoveError, InternalError, UsageError
from rulesengine.language import parameters
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules
from rulesengine.notation.illegal_text import read_cells, shown
from rulesengine.notation.state_reader import read_state
from rulesengine.search.game_calls import Searched
from rulesengine.state import Move, Outcome, Record, State
from rulesengine.support.validate import check_text

if TYPE_CHECKING:
    from rulesengine.batch import Batch
    from rulesengine.drawing import Theme
    from rulesengine.engine.actions import Actions
    from rulesengine.engine.interpreter.reasons import Reason, Wish
    from rulesengine.engine.interpreter.trace import Change
    from rulesengine.engine.kernel.backends.callables import Fast
    from rulesengine.engine.native_calls import Quick
    from rulesengine.session import Session

_MOST_BOUND = 16


class Game(Searched):
    """A game: rules for one choice of parameters. States and moves are values of their own.

    For whoever explains, tests or runs it: `rules` are those of the spec, for all parameters;
    `program` is what they come to for these; `machine` interprets it, which defines the game;
    `tests` are those of the spec, as plain values.
    """

    def __init__(
        self,
        rules: Rules,
        values: Mapping[str, int | str],
        engine: Engine = "auto",
        tests: tuple[Mapping[str, Any], ...] = (),
        machine: Interpreter | None = None,
    ) -> None:
        self.engine = engine_named(engine)
        self.rules = rules
        self.tests = tests
        self.machine = machine or Interpreter(_lowered(rules, values))
        self.program = self.machine.program
        self.program.form.drawn_by(partial(_drawn, self.program))
        self._quick: Quick | None = None
        self._listed: Moves | None = None
        self._dispatcher = Dispatcher(self.machine, self.engine, self._fasts)
        self._start: State | None = None
        self._affordable = Affordable(self.program)
        self._bound: dict[tuple[tuple[str, int | str], ...], Game] = {}
        self._maker = Maker(self.program, self._dispatcher.play, self._dispatcher.legal)
        self._finder = Finder(self._maker)
        self._twins = Twins(self.machine, self._maker)

    def __reduce__(self) -> tuple[Callable[..., "Game"], tuple[Any, ...]]:
        from rulesengine.language.ir.text import show

        return restored, (show(self.rules), self.parameters, self.engine, self.tests)

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

    @cached_property
    def actions(self) -> "Actions":
        """The steps that moves are made of, by number; of more than 65,536 their halves.

        Raises LimitError where these are too many, too.
        """
        from rulesengine.engine.actions import Actions

        return Actions(self.machine, self._maker.writer, self.legal_moves)

    def bind(self, /, **values: int | str | bool) -> "Game":
        """The same game with other values of parameters. Raises UsageError and SpecError.

        Of the same values it is the same `Game`, with the kernels that it has: the last few that
        were bound are kept.
        """
        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        key = tuple(bound.items())
        if key == self.program.parameters:
            return self
        game = self._bound.pop(key, None) or self._with(bound)
        self._bound[key] = game
        if len(self._bound) > _MOST_BOUND:
            del self._bound[next(iter(self._bound))]
        return game

    def _with(self, values: Mapping[str, int | str]) -> "Game":
        from rulesengine.language.lower import LoweringError, place_of

        try:
            return Game(self.rules, values, self.engine, self.tests)
        except LoweringError as error:
            raise UsageError(place_of(error, self.rules)) from None

    def with_program(self, program: Program) -> "Game":
        """The same game by another program with the same states, such as one without some ends."""
        return Game(self.rules, {}, self.engine, self.tests, Interpreter(program))

    def initial_state(self) -> State:
        """The state before the first move."""
        if self._start is None:
            self._start = self.machine.initial_state()
        return self._start

    def start(self, state: State | None = None) -> "Session":
        """A session that begins at a state: a game that changes as moves are pushed and popped."""
        from rulesengine.session import Session

        return Session(self, self._from(state))

    def batch(self, n: int, *, seed: int = 0, threads: int = 1, restart: bool = False) -> "Batch":
        """So many games side by side, in arrays of numpy, which one call takes a step further.

        `seed` is what draws come from, of each game its own; threads share the games out and
        change no result. With `restart` a game that is over begins anew at the next step. Raises
        UsageError without the extra `arrays`, LimitError where the actions do not fit.
        """
        from rulesengine.batch import Batch

        return Batch(self, self._dispatcher, n, seed, threads, restart)

    def svg(
        self,
        state: State | None = None,
        *,
        last: Move | None = None,
        legal: bool = False,
        theme: "Theme" = "auto",
        size: int | None = None,
    ) -> str:
        """A state as a picture, an SVG element so many pixels wide.

        `last` is the move that led to it, which is marked, as are its `legal` moves; the theme
        `auto` is light or dark by what the reader's system prefers. The start unless given.
        """
        from rulesengine.drawing import Marked, picture

        state = self._from(state)
        marked = Marked(last, self.legal_moves(state) if legal else ())
        return picture(self.program, state, marked, theme=theme, size=size)

    def _repr_svg_(self) -> str:
        """The start, for notebooks."""
        return self.svg()

    def state_from(self, text: str) -> State:
        """The state of a text such as `str(state)` gives. Raises NotationError.

        LimitError if it has so many pieces that a move might take too long.
        """
        state = read_state(self.program.form, check_text("state", text))
        self._affordable.require(state)
        return state

    def legal_moves(self, state: State) -> Sequence[Move]:
        """The legal moves in the order of the language; none when the game is over.

        They are a tuple, or a sequence that equals it and makes a move when it is looked at.
        """
        legal = self._dispatcher.legal(self._own(state))
        self._quicken()
        self._listed = Moves(self._maker, state, *legal)
        return self._listed

    def legal_mask(self, state: State) -> int:
        """The cells that may be placed on: bit i is cell i in reading order.

        Raises UsageError in a game whose moves have an origin.
        """
        found = self._dispatcher.mask(self._own(state))
        self._quicken()
        return self._placements(state) if found is None else found

    def move(self, text: str, state: State | None = None) -> Move:
        """The legal move that a text names.

        Raises NotationError for a text that names no cells of this game, IllegalMoveError for a
        move that is not legal in the state.
        """
        state = self.initial_state() if state is None else state
        move = self.find(text, state)
        if move is None:
            raise IllegalMoveError(self.why_not(text, state))
        return move

    def find(self, text: str, state: State) -> Move | None:
        """The first legal move that is written so, None if there is none.

        A move that is left out for another one of the same result stands for that.
        """
        check_text("move", text)
        if self._dispatcher.quick:
            moves = self.legal_moves(state)
        else:
            legal = self._dispatcher.legal(self._own(state), *self._finder.masks(text))
            self._quicken()
            moves = self._listed = Moves(self._maker, state, *legal)
        found = self._finder.first(text, moves)
        return found or self._twins.stands_for(text, state, moves)

    def why_not(self, text: str, state: State) -> str:
        """Which rule keeps a text from being a legal move, in words; empty if it is one.

        Raises NotationError for a text that names no cells of this game.
        """
        return self.reason(text, state).text

    def reason(self, text: str, state: State) -> "Reason":
        """`why_not`, with the clause that is in the way and the cells that it gives.

        Raises NotationError for a text that names no cells of this game.
        """
        from rulesengine.engine.interpreter.near_misses import objection_to
        from rulesengine.engine.interpreter.reasons import Reason

        moves = self.legal_moves(state)
        if self.find(text, state) is not None:
            return Reason("")
        wishes, cells = self._wish(text)
        outcome = self.outcome(state)
        if outcome is not None:
            return Reason(f"`{shown(text)}` is not legal: the game is over, {outcome.reason}")
        if self.machine.is_chance(state):
            said = f"`{shown(text)}` is not legal: chance is to move, such as `{moves[0]}`"
            return Reason(said)
        why = objection_to(self.machine, state, wishes, cells, moves)
        said = f"`{shown(text)}` is not legal for {state.mover}: {why.text}"
        return Reason(said, why.objection)

    def trace(self, state: State, move: Move) -> "tuple[Change, ...]":
        """What a legal move does, effect by effect; the last change is the end of the turn."""
        from rulesengine.engine.interpreter.trace import trace

        return trace(self.machine, self._own(state), self._own_move(move).steps)

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State:
        """The state after a move, or after that of a text.

        Raises IllegalMoveError for a move that is not legal. With `check=False` a move is taken
        to be legal: what follows from another is not defined.
        """
        if isinstance(move, str):
            move = self.move(move, self._own(state))
        steps = self._own_move(move).steps
        asks = check and not (move.at is state or (self._listed and self._listed.has(move, state)))
        after = self._dispatcher.apply(self._own(state), steps, check=asks)
        self._quicken()
        if after is None:
            why = self.why_not(move.text, state)
            raise IllegalMoveError(why or f"`{move.text}` with these steps is not legal here")
        return after

    def record(self, state: State, move: Move) -> Record:
        """What a legal move changes, as masks of cells."""
        steps = self._own_move(move).steps
        return self._dispatcher.play(self._own(state), steps, state.side)[1]

    def outcome(self, state: State) -> Outcome | None:
        """How the game has ended in this state, or None while it goes on."""
        found = self._dispatcher.outcome(self._own(state))
        self._quicken()
        return found

    def scores(self, state: State) -> dict[str, int]:
        """The scores by player, empty if the rules have none."""
        scores = self._dispatcher.scores(self._own(state))
        by_player = {state.player(side): score for side, score in enumerate(scores)}
        return {name: by_player[name] for name in self.players if by_player}

    def weights(self, state: State) -> tuple[int, ...]:
        """The weights of the legal moves, in order, where chance is to move; else none.

        Chance makes each with the probability of its weight by the sum of all.
        """
        return self._dispatcher.weights(self._own(state))

    def choose(self, strategy: str, state: State, *, since: float | None = None) -> Move | None:
        """The move that a strategy of the spec makes; None if no player has a legal one.

        Seconds that it may take count from `since`, a time of `monotonic`, else from now.
        """
        number = self._strategy(strategy)
        if self.program.rules.strategies[number].search:
            from rulesengine.search.searches import choice

            moves = self.legal_moves(state)
            return choice(self._dispatcher, self._own(state), number, moves, since)
        steps = self._dispatcher.choose(self._own(state), number)
        return self._maker.move(packed_moves((steps,))[0], state) if steps else None

    def _strategy(self, name: str) -> int:
        """The number of a strategy. Raises UsageError."""
        if name not in self.strategies:
            known = ", ".join(self.strategies) or "none"
            raise UsageError(f"no strategy `{name}`: there is {known}")
        return self.strategies.index(name)

    def engines(self) -> dict[str, Engine]:
        """The fastest engine that does each part of the game here; its kernels are made.

        The parts are `singles` (moves one at a time), `perft`, `playouts` and `strategy NAME`.
        """
        return self._dispatcher.engines()

    def recall(self) -> None:
        """Load the kernels of single calls that an earlier run has kept, for many calls to come.

        Otherwise they are loaded when such calls have taken a while.
        """
        self._dispatcher.recall()

    def kernel_kinds(self) -> dict[str, str]:
        """What the kernels of these engines keep sets of cells in, such as `one word`, by part."""
        return self._dispatcher.kinds()

    @property
    def engine_problems(self) -> dict[tuple[str, str], str]:
        """Why kernels that were wanted so far could not be made, by engine and part."""
        return self._dispatcher.problems()

    def show_kernel(self, engine: Engine = "auto") -> str:
        """The text of the kernels, as Python with the rules beside it or as LLVM's assembly.

        Raises UsageError where an engine has no kernels, or cannot make them here.
        """
        from rulesengine.engine.kernel.listing import listing

        return listing(self.machine, engine)

    def show(self, *, optimised: bool = False) -> str:
        """The program as text: as it defines the game or, `optimised`, as kernels take it."""
        from rulesengine.language.ir.text import show

        if not optimised:
            return show(self.program)
        from rulesengine.engine.kernel import passes

        return show(passes.optimised(self.program))

    def _fasts(self, entries: Collection[str]) -> "Mapping[str, Fast]":
        """What kernels of single calls are to give beside their entry points."""
        if self._quick is None:
            from rulesengine.engine.native_calls import CALLS, Quick

            slow = {name: getattr(self, name) for name in CALLS}
            slow["scores"] = lambda state: tuple(self._dispatcher.scores(state))
            slow["listed"] = self._dispatcher.legal
            self._quick = Quick(self.program, self._maker, slow, self.machine.ended)
        return self._quick.fasts(entries)

    def _quicken(self) -> None:
        """Let the most frequent calls go straight to kernels, once these take them."""
        if self._quick and self._dispatcher.quick and not self._quick.serves:
            self._quick.serve(vars(self), self._dispatcher.quick)

    def _placements(self, state: State) -> int:
        mask = 0
        for step, *_ in self.machine.legal(state):
            if step.origin >= 0:
                raise UsageError(f"the moves of {self.name} are no placements: use legal_moves")
            mask |= 1 << step.target if step.target >= 0 else 0
        return mask

    def _from(self, state: State | None) -> State:
        return self.initial_state() if state is None else self._own(state)

    def _own(self, state: State) -> State:
        if not isinstance(state, State):
            raise UsageError(f"expected a state, found {state!r:.60}")
        if state.form is not self.program.form and state.form != self.program.form:
            raise UsageError(f"this state belongs to another game than {self.name}")
        return state

    def _own_move(self, move: Move) -> Move:
        if not isinstance(move, Move):
            raise UsageError(f"expected a move, found {move!r:.60}")
        if isinstance(move.made, Maker) and move.made.program.form != self.program.form:
            raise UsageError(f"the move {move} belongs to another game than {self.name}")
        return move

    def _wish(self, text: str) -> "tuple[list[Wish], tuple[int, ...]]":
        """The steps that a text asks for, or the cells that it names."""
        from rulesengine.engine.interpreter.reasons import Wish

        groups = self.rules.groups
        meant = self._finder.meant(text)
        if meant:
            return [Wish(groups[number].kind, *cells, number) for number, cells in meant], ()
        words = {self.rules.notation.pass_: "pass", self.rules.notation.swap: "swap"}
        if text in words:
            return [Wish(words[text], -1, -1)], ()
        return [], read_cells(self.program, text)


def _lowered(rules: Rules, values: Mapping[str, int | str]) -> Program:
    from rulesengine.language.lower import (
        lower,  # here: a game from the cache comes with its program
    )

    return lower(rules, values)


def _drawn(program: Program, state: State) -> str:
    from rulesengine.drawing import picture

    return picture(program, state)


def restored(
    text: str,
    values: Mapping[str, int | str],
    engine: Engine = "auto",
    tests: tuple[Any, ...] = (),
) -> Game:
    """The game of rules as `ir.text.show` writes them, for values of the parameters."""
    from rulesengine.language.ir.text import read

    rules = read(text)
    if not isinstance(rules, Rules):
        raise InternalError("a pickled game holds no rules")
    return Game(rules, values, engine, tests)
