"""The game: the public class with methods to list and apply moves, count, play, search and draw."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Unpack

from rulesengine.engine.cost_limit import CostChecker
from rulesengine.engine.dispatch import Dispatcher, PlayoutSettings, engine_named
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.move_lookup import EquivalentMoves, MoveLookup
from rulesengine.engine.moves import MoveFactory, Moves, own_move, own_state, packed_moves
from rulesengine.engine.observation import InformationState, Observation, information_after, observe
from rulesengine.errors import IllegalMoveError, InternalError, UsageError
from rulesengine.formats.game_methods import FormatMethods
from rulesengine.job import Job, job_of
from rulesengine.language import parameters
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Rules
from rulesengine.notation.state_reader import read_state
from rulesengine.state import Move, Outcome, Playouts, Record, State
from rulesengine.support.frozen import replace
from rulesengine.support.validate import check_choice, check_kind, check_text

if TYPE_CHECKING:
    from pathlib import Path

    from rulesengine.batch import Batch
    from rulesengine.drawing import Theme
    from rulesengine.engine.actions import Actions
    from rulesengine.engine.drivers.search.result import Learning, SearchResult, Solved, Value
    from rulesengine.engine.interpreter.reasons import Reason
    from rulesengine.engine.interpreter.trace import Change
    from rulesengine.engine.kernel.backends.callables import CallableSpec
    from rulesengine.engine.kernel.backends.protocol import CompiledModule
    from rulesengine.engine.kernel.kernels import Kernels
    from rulesengine.engine.native_calls import NativeCalls
    from rulesengine.formats.service import FormatService
    from rulesengine.prose.reasons import Reasons
    from rulesengine.search.counting import CountingService
    from rulesengine.search.learned_weights import LearnedWeights
    from rulesengine.search.levels import Level
    from rulesengine.search.method_choice import EvaluationChoice, MethodChoice
    from rulesengine.search.move_learning import MoveOptions
    from rulesengine.search.proof_number import Prover
    from rulesengine.search.search_service import SearchService
    from rulesengine.search.searches import Searcher
    from rulesengine.search.training_plan import LearnOptions
    from rulesengine.search.trial_cache import Trial
    from rulesengine.session import Session

_MAX_BOUND = 16  # games with other parameters that are cached


class Game(FormatMethods):
    """A game: the rules of a spec for one choice of parameters; `rulesengine.load` creates it.

    States and moves are immutable values, independent of the game. A game can be shared by
    threads and pickled. The methods by task:

    - play: `start`, `initial_state`, `legal_moves`, `apply`, `move`, `outcome`, `scores`, `svg`
    - explain: `why_not`, `move_record`, `trace`
    - search: `search`, `searcher`, `solve`, `level`, `learn`
    - simulate: `playouts`, `perft`, `divide`, `count`
    - positions and games as text: `position`, `format_position`, `record`, `format_record`,
      `read_games`, `move_text`
    - train agents: `actions`, `batch`, `observation`, `information_state`

    A cell is a number from 0 in reading order, and bit i of a mask is cell i. Methods with a
    `state` raise UsageError for a state of another game. Methods that evaluate rules raise
    EvaluationError for a rule that fails, and LimitError beyond a limit of the package.

    Attributes for tools and tests:

    - `rules` are those of the spec, for all parameters.
    - `program` is the compiled form of the rules for these parameters.
    - `machine` is the interpreter of the program, which defines its meaning.
    - `tests` are those of the spec, as plain values.
    - `engine` is `auto`, `interpreter`, `python` or `native`.
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
        self.program.form.drawn_by(partial(_picture_of, self.program))
        self._quick: NativeCalls | None = None
        self._listed: Moves | None = None
        self._dispatcher = Dispatcher(self.machine, self.engine, self._fasts)
        self._start: State | None = None
        self._affordable = CostChecker(self.program)
        self._bound: dict[tuple[tuple[str, int | str], ...], Game] = {}
        self._maker = MoveFactory(self.program, self._dispatcher.play, self._dispatcher.legal)
        self._finder = MoveLookup(self._maker)
        self._twins = EquivalentMoves(self.machine, self._maker)

    def __reduce__(self) -> tuple[Callable[..., "Game"], tuple[Any, ...]]:
        from rulesengine.language.ir.text import show

        return restored, (show(self.rules), self.parameters, self.engine, self.tests)

    def __repr__(self) -> str:
        values = "".join(f", {k}={v!r}" for k, v in self.parameters.items())
        return f"<Game {self.name!r}{values}>"

    # the game and its parameters

    @property
    def name(self) -> str:
        """Return the name of the game."""
        return self.rules.name

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players in the order of play."""
        return self.program.form.players

    @property
    def parameters(self) -> dict[str, int | str]:
        """Return the values of the parameters by name."""
        return dict(self.program.parameters)

    @property
    def strategies(self) -> tuple[str, ...]:
        """Return the names of the strategies of the spec."""
        return tuple(s.name for s in self.rules.strategies)

    def bind(self, /, **values: int | str | bool) -> "Game":
        """Return the same game with other values of parameters.

        The last 16 bound games are cached with their kernels: equal values give the same object.
        Raises UsageError for an unknown name, a value out of range, and a combination of values
        that the rules do not support.
        """
        bound = parameters.bind(self.rules.parameters, {**self.parameters, **values})
        key = tuple(bound.items())
        if key == self.program.parameters:
            return self
        game = self._bound.pop(key, None) or self._with_values(bound)
        self._bound[key] = game
        if len(self._bound) > _MAX_BOUND:
            del self._bound[next(iter(self._bound))]
        return game

    def with_program(self, program: Program) -> "Game":
        """Return the same game with another program that has the same states, for tools and tests.

        An example is a program without some of the ends.
        """
        return Game(self.rules, {}, self.engine, self.tests, Interpreter(program))

    def show(self, *, optimised: bool = False) -> str:
        """Return the program as text: the definition or, if `optimised`, the input of kernels."""
        from rulesengine.language.ir.text import show

        if not optimised:
            return show(self.program)
        from rulesengine.engine.kernel import passes

        return show(passes.optimised(self.program))

    # states

    def initial_state(self) -> State:
        """Return the state before the first move."""
        if self._start is None:
            self._start = self.machine.initial_state()
        return self._start

    def start(self, state: State | None = None) -> "Session":
        """Return a session: a mutable line of play from a state, by default the initial one."""
        from rulesengine.session import Session

        return Session(self, self._from(state))

    def batch(
        self, n: int, *, seed: int = 0, threads: int = 1, restart: bool = False, device: str = "cpu"
    ) -> "Batch":
        """Return `n` games in NumPy arrays; one call makes a step in all of them.

        An action is a number of `actions`. The array `mask` has the legal ones, of shape (n,
        len(actions)); `mover`, `over` and `plies` have shape (n,), and `payoffs` (n, players).

        Each game draws its own random numbers from `seed`. `threads` share the games and do not
        change results. With `restart`, a game that is over restarts at the next step. `device` is
        experimental: with `"cuda"` the games stay on an NVIDIA GPU. Raises UsageError without the
        extra `arrays`, for fewer than one game, and for a named GPU that is missing or fails.
        Raises LimitError if there are too many actions.
        """
        from rulesengine.batch.device_batch import batch_of

        return batch_of(self, self._dispatcher, n, seed, threads, restart, device)

    def svg(
        self,
        state: State | None = None,
        *,
        last: Move | None = None,
        legal: bool = False,
        theme: "Theme" = "auto",
        size: int | None = None,
    ) -> str:
        """Return a drawing of a state, by default the initial one, as an SVG element.

        `last` is the move that led to the state, which is marked; with `legal` its legal moves
        are marked. `theme` is `light`, `dark` or `auto`, which follows the system of the reader.
        `size` is the width in pixels, at least 1. Raises UsageError for another size or theme.
        """
        from rulesengine.drawing import Annotations, picture

        state = self._from(state)
        moves = self.legal_moves(state) if legal else ()
        marked = Annotations(last and own_move(self.program, last, self.name), moves)
        return picture(self.program, state, marked, theme=theme, size=size)

    def _repr_svg_(self) -> str:
        """Return a drawing of the initial state, for notebooks."""
        return self.svg()

    # what players see

    @property
    def is_hidden(self) -> bool:
        """True if a player does not see the whole state; see `sees` and `seen` in the language."""
        return bool(self.program.hiding)

    def observation(self, state: State, player: str | None) -> Observation:
        """Return the part of a state that a player sees; `str` of it is a stable text.

        None is a spectator, who sees what all players see. Raises UsageError for an unknown player.
        """
        return observe(self.machine, self._own(state), player)

    def information_state(
        self, moves: Sequence[Move | str], player: str | None, start: State | None = None
    ) -> InformationState:
        """Return the knowledge of a player after moves from a state, by default the initial one.

        None is a spectator. `info.after(before, move, after)` continues it. Raises UsageError for
        an unknown player, and the errors of `apply`.
        """
        return information_after(self, self._from(start), moves, player)

    # moves

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the legal moves in the order of the language; none when the game is over.

        At a chance node these are the moves of chance. The result is a tuple, or a sequence that
        equals it and creates each move on first access.
        """
        legal = self._dispatcher.legal(self._own(state))
        self._install_native_calls()
        self._listed = Moves(self._maker, state, *legal)
        return self._listed

    def legal_mask(self, state: State) -> int:
        """Return the mask of the cells on which a piece can be placed; 0 if the game is over.

        Raises UsageError if a legal move has an origin; use `legal_moves` for such games.
        """
        mask = self._dispatcher.mask(self._own(state))
        self._install_native_calls()
        return self.machine.placements(state) if mask is None else mask

    def move(self, text: str, state: State | None = None) -> Move:
        """Return the legal move with this notation, in a state that defaults to the initial one.

        The text is in the notation of the game, or in one of its formats such as SAN. Raises
        NotationError for a text that names no cells of this game, and IllegalMoveError for a move
        that is not legal in the state.
        """
        state = self.initial_state() if state is None else state
        move = self.find(text, state)
        if move is None and self.rules.formats and self.outcome(state) is None:
            move = self.formats.find_move(text, state)
        if move is None:
            raise IllegalMoveError(self.why_not(text, state))
        return move

    def find(self, text: str, state: State) -> Move | None:
        """Return the first legal move with this notation; None if there is none.

        The text is in the notation of the game, not in one of its formats. For a move that `keep`
        drops because another one has the same result, return the other.
        """
        check_text("move", text)
        if self._dispatcher.quick:
            moves = self.legal_moves(state)
        else:
            legal = self._dispatcher.legal(self._own(state), *self._finder.masks(text))
            self._install_native_calls()
            moves = self._listed = Moves(self._maker, state, *legal)
        return self._finder.first(text, moves) or self._twins.find_equivalent(text, state, moves)

    def why_not(self, text: str, state: State) -> str:
        """Return the reason why a text is no legal move, in English; empty if it is legal.

        The reason has at most 30 words. Raises NotationError for a text that names no cells of this
        game.
        """
        return self._reasons.text(text, state, self.reason(text, state))

    def reason(self, text: str, state: State) -> "Reason":
        """Return the reason of `why_not` in parts: its `text`, and its `objection` or None.

        The objection has the clause of the rules that excludes the text, and the cells that the
        clause allows. Raises NotationError for a text that names no cells of this game.
        """
        from rulesengine.engine.move_explanation import reason_of

        return reason_of(self, self._finder, text, state)

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State:
        """Return the state after a move, given as a move or as its notation.

        Raises IllegalMoveError for a move that is not legal, and NotationError for a text that
        names no cells of this game. With `check=False` a move is assumed to be legal, to save
        time; the result for any other move is undefined.
        """
        move = self._move_in(state, move)
        steps = move.steps
        is_listed = move.at is state or (self._listed and self._listed.has(move, state))
        after = self._dispatcher.apply(self._own(state), steps, check=check and not is_listed)
        self._install_native_calls()
        if after is None:
            reason = self.why_not(move.text, state)
            raise IllegalMoveError(reason or f"`{move.text}` with these steps is not legal here")
        return after

    def move_record(self, state: State, move: Move | str) -> Record:
        """Return the masks of cells that a move placed, moved, flipped, removed and captured.

        A text is that of a legal move, with the errors of `move`. A move is assumed to be legal;
        the result for any other move is undefined.
        """
        steps = self._move_in(state, move).steps
        return self._dispatcher.play(self._own(state), steps, state.side)[1]

    def trace(self, state: State, move: Move | str) -> "tuple[Change, ...]":
        """Return the changes of a move, effect by effect; the last is the end of the turn.

        Each has the states `before` and `after`. A text is that of a legal move, with the errors
        of `move`. A move is assumed to be legal; the result for any other move is undefined.
        """
        from rulesengine.engine.interpreter.trace import trace

        return trace(self.machine, self._own(state), self._move_in(state, move).steps)

    @cached_property
    def actions(self) -> "Actions":
        """Return the numbered steps of moves, for reinforcement learning.

        The result is a sequence of names: action i is the i-th one. The numbers depend on the rules
        and the board alone, and are the same for all sides and engines. A move of several steps is
        several actions. `actions.legal(state)` returns the legal ones.

        If there are more than 65,536 steps, a step from cell to cell is two actions. Raises
        LimitError if these are too many, or if choices depend on the position.
        """
        from rulesengine.engine.actions import Actions

        return Actions(self.machine, self._maker.writer, self.legal_moves)

    def weights(self, state: State) -> tuple[int, ...]:
        """Return the weights of the legal moves, in order, if chance is to move; else ().

        The probability of a move is its weight divided by the sum of all weights.
        """
        return self._dispatcher.weights(self._own(state))

    def choose(self, strategy: str, state: State, *, since: float | None = None) -> Move | None:
        """Return the move of a strategy of the spec; None if no player has a legal move.

        A strategy with a time limit counts its seconds from `since`, a value of
        `time.monotonic`, by default from now. Raises UsageError for an unknown strategy.
        """
        number, own = check_choice("strategy", strategy, self.strategies), self._own(state)
        check_kind("a time or None", since, int, float, type(None))
        if self.program.rules.strategies[number].search:
            return self._search.choose(number, own, self.legal_moves(state), since)
        steps = self._dispatcher.choose(own, number)
        return self._maker.move(packed_moves((steps,))[0], state) if steps else None

    # moves by their steps

    def move_of(self, words: bytes, state: State) -> Move:
        """Return the move of the packed words of its steps, which is legal in a state."""
        return self._maker.cache.get(words) or self._maker.move(words, state)

    def finish_compiling(self, seconds: float) -> None:
        """Wait at the end of a run for code that a search of some seconds did not wait for.

        Later runs load it from the cache. The wait takes at most as long as all such searches so
        far. With an engine other than `auto` there is nothing to wait for. Raises UsageError.
        """
        check_kind("a number of seconds", seconds, int, float)
        self._dispatcher.finish_compiling(seconds)

    def script_kernels(self, since: float) -> "tuple[Kernels | None, float]":
        """Return the kernels of the I/O script, or None until they pay off, and the time.

        `since` is the time that the previous call returned, in seconds of processor time of this
        thread; 0 in the first call.
        """
        return self._dispatcher.script(since)

    # outcomes

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of a state; None while the game is not over."""
        outcome = self._dispatcher.outcome(self._own(state))
        self._install_native_calls()
        return outcome

    @cached_property
    def without_claims(self) -> "Game":
        """Return the same game in which no player claims an end; see `claim` in the language.

        Both games have the same states. Without claims in the rules this is the game itself.
        """
        program = self.program.without_claims()
        return self if program is self.program else self.with_program(program)

    def claimable(self, state: State) -> Outcome | None:
        """Return the outcome that a player may claim in a state; None if there is none."""
        return self.outcome(state) if self.without_claims.outcome(state) is None else None

    def scores(self, state: State) -> dict[str, int]:
        """Return the scores by player; {} if the rules have no scores."""
        return self._dispatcher.scores_by_player(self._own(state))

    def points(self, state: State) -> dict[str, float]:
        """Return the scores by player in points; {} if the rules have no scores.

        `draw: point` in the spec is the number of score units in a point, such as 2 for half
        points.
        """
        return {name: s / self.program.rules.units for name, s in self.scores(state).items()}

    # counts and random games

    def perft(
        self,
        depth: int,
        state: State | None = None,
        *,
        ended: Literal["drop", "keep"] = "drop",
        passes: Literal["ply", "free"] = "ply",
        bulk: bool = True,
        device: str = "cpu",
        job: Job | None = None,
    ) -> int:
        """Return the number of sequences of exactly `depth` moves from a state.

        - `state` is the initial one by default.
        - `ended="keep"` counts a game that ends earlier as one sequence.
        - `passes="free"` does not count passes as plies.
        - `bulk=False` makes the last moves too, instead of counting them.
        - `device` is experimental: `"cuda"` or `"cuda:1"` counts on an NVIDIA GPU, and `"auto"`
          only if there is one.
        - `job` reports progress and can cancel the count, which raises Stopped.

        A move of chance takes no ply, unless the rules count it. Raises UsageError for an invalid
        argument.
        """
        start = self._from(state)
        return self._counting.perft(start, depth, ended, passes, bulk, device, job_of(job))

    def divide(self, depth: int, state: State | None = None) -> dict[str, int]:
        """Return the count of `perft` for each first move, by its notation, in order.

        The counts sum to `perft(depth, state)`; {} for a depth of 0 and if the game is over. Raises
        UsageError for a depth that is no whole number from 0.
        """
        return self._counting.divide(self._from(state), depth)

    def playouts(
        self,
        games: int,
        *,
        seed: int = 0,
        state: State | None = None,
        threads: int = 1,
        device: str = "cpu",
        job: Job | None = None,
    ) -> Playouts:
        """Play `games` random games from a state and return their results.

        Each legal move has equal probability; chance has the weights of the rules. Game i of a
        `seed` is the same on every engine. Native kernels distribute the games over `threads`
        threads, which does not change results. `state` is the initial one by default. A `job`
        reports progress and can cancel the call, which raises Stopped.

        `device` is experimental: `"cuda"` or `"cuda:1"` plays the same games on an NVIDIA GPU, and
        `"auto"` only if there is one. Raises UsageError for an invalid argument, and for a named
        GPU that is missing or fails.
        """
        settings = PlayoutSettings(games, seed, threads, device)
        return self._counting.playouts(self._from(state), settings, job_of(job))

    def count(
        self,
        plies: int,
        state: State | None = None,
        *,
        symmetry: bool = False,
        compared: bool = False,
        memory: int | None = None,
        job: Job | None = None,
    ) -> tuple[int, ...]:
        """Return the numbers of distinct states after 0, 1, … plies: `plies` + 1 numbers.

        - `state` is the initial one by default.
        - `symmetry` counts states once that a proved symmetry of the rules maps to each other,
          even if the first state is not symmetric.
        - `compared` counts positions as `position_repeats` identifies them: by the pieces, the
          side to move and the registers with `compared: true`.
        - `memory` is the approximate limit in bytes, 1 GiB by default; beyond it, the count uses
          temporary files.
        - `job` reports progress and can cancel the count, which raises Stopped.

        A pass takes a ply, and a game that is over has no later states. States are distinct if
        they differ in anything that the rules read. Raises UsageError for an invalid argument.
        """
        return self._counting.count(self._from(state), plies, symmetry, compared, memory, job)

    # search

    def search(
        self,
        state: State | InformationState | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        plies: int | None = None,
        playouts: int | None = None,
        method: str = "auto",
        threads: int = 1,
        seed: int = 0,
        memory: int | None = None,
        learned: str | PathLike[str] | None = None,
        evaluation: str = "",
        ties: bool = False,
        lines: int = 1,
        root_moves: Iterable[Move | str] = (),
        noise: float = 0.0,
        job: Job | None = None,
        each: "Callable[[SearchResult], None] | None" = None,
    ) -> "SearchResult":
        """Return the best move of a state within a budget.

        - `state` is the initial one by default. In a game with hidden information it is an
          information state; see `information_state`.
        - `seconds`, `nodes` (searched positions), `plies` (depth) and `playouts` (random games) are
          the budget; the first limit reached ends the search, and at least one is required.
        - `method` is `alpha-beta`, `mcts` (Monte Carlo tree search), `uct` (the same without AMAF
          statistics), `grave` (the same with them), or `auto`, which suits the budget and game.
          Information states are searched by `is-mcts` or `duct`, with `seconds` or `playouts`.
        - `threads` share the transposition table or the tree in native kernels; with several,
          results may differ from run to run.
        - `seed` is that of the random games.
        - `memory` is the size of the table or tree in megabytes, 64 by default.
        - `learned` is a file written by `learn`; alpha-beta estimates positions by it. Tree search
          takes weights of moves, written by `learn --moves`.
        - `evaluation` is `rules`, which follows from the rules; `fitted`, which is learned from a
          fixed number of self-play games first; or `learned`, a file or the bundled one. The
          default is `learned` with a file, else `evaluation_choice` by alpha-beta.
        - `ties` finds all moves with the best value by alpha-beta, which takes longer.
        - `lines` is the number of best moves that get a principal variation and a value that is no
          bound, in `result.lines` (multi-PV). They share the budget.
        - `root_moves` are the only moves that are searched and compared, all if there are none.
        - `noise` weakens the choice, as levels of play do: values get normal noise drawn by `seed`,
          of so many times their mean deviation. The chosen move comes first in the result.
        - `job` reports the number of searched positions and can cancel the search.
        - `each` is called with the intermediate result of each iteration.

        With `nodes`, `plies` or `playouts` the result is the same on every engine; with `plies`
        it is that of plain negamax of that depth. Raises UsageError for a game that is over, at a
        chance node, and for an invalid budget.
        """
        from rulesengine.engine.drivers.search.result import Budget, Settings
        from rulesengine.search.root_moves import root_moves_of

        budget = Budget(seconds, nodes, plies, playouts, method, noise).checked()
        start = self._from(state) if state is None or isinstance(state, State) else state
        settings = Settings(
            memory, seed, threads, ties=ties, evaluation=evaluation, lines=lines
        ).checked()
        settings = replace(settings, root_moves=root_moves_of(start, root_moves, self._move_in))
        return self._search.search(start, budget, settings, learned, job, each)

    def searcher(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        plies: int | None = None,
        playouts: int | None = None,
        method: str = "auto",
        threads: int = 1,
        seed: int = 0,
        memory: int | None = None,
        learned: str | PathLike[str] | None = None,
        evaluation: str = "",
        noise: float = 0.0,
    ) -> "Searcher":
        """Return a searcher; its `search(state)` reuses the tree of the previous call.

        It reuses the subtree of the new state, if the state follows from the previous one, and the
        determinizations of information states. The arguments are those of `search`, and so are the
        errors.
        """
        from rulesengine.engine.drivers.search.result import Budget, Settings

        budget = Budget(seconds, nodes, plies, playouts, method, noise).checked()
        settings = Settings(memory, seed, threads, evaluation=evaluation).checked()
        return self._search.searcher(budget, settings, learned)

    def solve(
        self,
        state: State | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        memory: int | None = None,
        job: Job | None = None,
        resume: str | PathLike[str] | None = None,
        score: bool = False,
        seed: int = 0,
        each: "Callable[[Solved], None] | None" = None,
    ) -> "Solved":
        """Return the exact value of a state, its best line and its distance from the end.

        - `state` is the initial one by default.
        - `seconds` and `nodes` limit the search. Without them it continues until the value is found
          or the depth limit is reached. If chance may lead back to a position, it continues only
          briefly.
        - `threads`, `memory` and `job` are those of `search`.
        - `resume` is a checkpoint file of a long search, written at intervals and continued if
          it exists.
        - `score` always searches for the distance of a win or loss, which may take longer.
        - `seed` is that of a sampled search of a game with hidden information.
        - `each` is called with the intermediate result at intervals.

        A game with hidden information, of two players, has bounds of its value in `equilibrium`.
        Other games in which positions may repeat are solved by retrograde analysis if few positions
        are reachable; all others by a search to the end. Raises UsageError for a game that is
        over, and for a checkpoint of something else.
        """
        from rulesengine.engine.drivers.search.result import Budget, Settings

        limits = Budget(seconds, nodes), Settings(memory, seed, threads, score=score).checked()
        return self._search.solve(self._from(state), *limits, job_of(job), resume, each)

    def prover(self, state: State, *, memory: int | None = None) -> "Prover":
        """Return a prover for `state` and the positions that follow it.

        `prover.reaches(state, player, goal)` is True if the player with this index reaches the
        goal, in points, or 1 for a win and 0 for a draw; None if undecided. It is for two-player
        games without chance, with rules that do not read earlier positions. `memory` is the size of
        its table in megabytes. Raises UsageError for a game with hidden information.
        """
        return self._search.prover(self._own(state), memory)

    def level(self, number: int, *, method: str = "auto") -> "Level":
        """Return a level of play from 1, the weakest, to 8: its method, budgets and noise.

        `auto` is the method of the game, `search_method`. Raises UsageError for another number.
        """
        return self._search.level(number, method)

    @property
    def search_method(self) -> str:
        """Return the method of levels, and of `search` with `seconds` alone if no trial is cached.

        A bundled trial decides, or else the rules.
        """
        return self._search.choice.method

    @property
    def method_choice(self) -> "MethodChoice":
        """Return `search_method` as `method`, its `reason`, and the bundled `trial` or None."""
        return self._search.choice

    def win_chance(self, value: "Value", evaluation: str = "") -> float | None:
        """Return the chance, from 0 to 1, that the player of a search value wins.

        A draw counts as half a win. `evaluation` is the name of the evaluation that an estimate is
        from, `evaluation_choice` unless given. Returns None for an estimate of an evaluation
        without calibration, and for payoffs of a single player.
        """
        return self._search.win_chance(self.rules, value, evaluation)

    @property
    def evaluation_choice(self) -> "EvaluationChoice":
        """Return the evaluation of alpha-beta unless a search names one.

        It is `learned` if the package has valid weights of these rules and the spec has no
        `evaluate`. Else it is `rules`, with the reason why weights of this game are left out.
        """
        return self._search.evaluation_choice

    def trial(self, *, job: Job | None = None) -> "Trial":
        """Return a trial: the search `method` that wins games against the others, and `matches`.

        The games depend on the program alone, on every engine. The result is cached on disk, and
        searches with `seconds` alone use it. A `job` can cancel the games, which raises Stopped.
        Raises UsageError for a game with hidden information.
        """
        return self._search.trial(job_of(job))

    @property
    def kept_trial(self) -> "Trial | None":
        """Return the cached result of `trial`; None if there is none."""
        return self._search.cached_trial()

    def learn(
        self, out: str | PathLike[str], *, job: Job | None = None, **options: Unpack["LearnOptions"]
    ) -> "Learning":
        """Learn an evaluation from self-play, into a file that a later call continues.

        - `out` is the file; an existing one is continued.
        - `job` counts the games of this call and can cancel it, which raises Stopped; the file
          then has the weights up to that point.
        - `games` and `seconds` limit this call; at least one is required.
        - `brief` is a second file with the weights for play only, of at most 150,000 bytes; or a
          file and its largest size. If one byte for each entry takes more, it is larger.
        - `seed` is that of the random numbers, 0 by default. For a seed and a `batch`, the weights
          after a number of games are the same on every engine, also if interrupted and continued.
        - `starts` are the first states of the games, used in turn; by default the initial one.
        - `correction=True` learns a correction that is added to the evaluation of the rules,
          instead of one that replaces it; for two players.
        - `threads` play with native kernels, all cores by default; they change no result.
        - `batch` is the largest number of games played with the same weights, a power of two.

        With one player it learns the expected payoff or score. Raises UsageError for games of more
        than two players, for a file of something else, and for a file that cannot be written.
        """
        starts = self._starts(options.get("starts", ())) or (self._from(None),)
        return self._search.learn(out, {**options, "starts": starts}, job_of(job))

    def learn_moves(
        self, out: str | PathLike[str], *, job: Job | None = None, **options: Unpack["MoveOptions"]
    ) -> "Learning":
        """Learn weights of moves for tree search from self-play, into a file that is continued.

        - `out` is the file; an existing one is continued.
        - `job` counts the games of this call and can cancel it, which raises Stopped. The file then
          has the games up to that point, and the next call computes the weights.
        - `games` and `seconds` limit this call; at least one is required.
        - `playouts` is the number of random games of each move, 3,000 by default.
        - `seed` is that of the random numbers, 0 by default. For a seed and `playouts`, the file
          of a number of games is the same, also if interrupted and continued.
        - `starts` are the first states of the games, used in turn; by default the initial one.
        - `brief` is a second file with the weights for play only.
        - `threads` play, all cores by default; they change no result.

        The game has two players who place pieces, on a board of at most eight directions. Raises
        UsageError for others, for a file of something else, and for one that cannot be written.
        """
        starts = self._starts(options.get("starts", ()))
        return self._search.learn_moves(out, {**options, "starts": starts}, job_of(job))

    @property
    def learnable(self) -> tuple[int, int] | None:
        """Return the numbers of patterns and table entries of a learned evaluation.

        It is None for games of more than two players or with hidden information.
        """
        return self._search.learnable()

    def learned_in(self, path: str | PathLike[str]) -> "LearnedWeights":
        """Return the evaluation in a file written by `learn`, cached until the file changes.

        Raises UsageError for a damaged file, and for one of other rules or another board.
        """
        return self._search.weights(path)

    @property
    def bundled_learning(self) -> "Path":
        """Return the file of the bundled weights for this game, to be used as `learned=`.

        It is found by the board and the rules. Raises UsageError if there is none.
        """
        return self._search.bundled_weights

    # engines

    def compiled_part(self, part: str, plies: float) -> "CompiledModule | None":
        """Return kernels for work of about `plies` plies on a part; None if they do not pay."""
        return self._dispatcher.part_for(part, plies)

    def engines(self, *parts: str) -> dict[str, Engine]:
        """Return the fastest engine for each part of the game, and compile its kernels.

        The parts are `singles` (moves one at a time), `perft`, `playouts` and `strategy NAME`, all
        of them by default.
        """
        return self._dispatcher.engines(parts)

    @property
    def engine_problems(self) -> dict[tuple[str, str], str]:
        """Return the reasons why requested kernels could not be compiled, by (engine, part)."""
        return self._dispatcher.problems()

    def kernel_kinds(self, *parts: str) -> dict[str, str]:
        """Return the representation of sets of cells in kernels, such as `one word`, by part.

        The parts are those of `engines`.
        """
        return self._dispatcher.kinds(parts)

    def recall(self) -> None:
        """Load the cached kernels of single calls now, if an earlier run has stored them.

        Otherwise they are loaded once single calls have taken a while.
        """
        self._dispatcher.recall()

    def expect(self, plies: Mapping[str, float]) -> None:
        """Record coming work; the engine `auto` compiles kernels before it if that pays.

        `plies` has the estimated plies by part of the kernels: `singles`, `perft`, `playouts`,
        `search`, `tree`, `script`. A ply is the generation of the moves of a position, and one
        move made.
        """
        self._dispatcher.expect(plies)

    def show_kernel(self, engine: Engine = "auto") -> str:
        """Return the text of the kernels: Python annotated with the rules, or LLVM assembly.

        Raises UsageError if the engine has no kernels, or cannot compile them here.
        """
        from rulesengine.engine.kernel.listing import listing

        return listing(self.machine, engine)

    # services

    @cached_property
    def _counting(self) -> "CountingService":
        from rulesengine.search.counting import CountingService

        return CountingService(self, self._dispatcher)

    @cached_property
    def formats(self) -> "FormatService":
        """Return the notations of other programs, such as FEN and PGN, that the game has.

        `formats.names("positions")` lists those of positions, and likewise for `moves` and `games`.
        The methods `export`, `read_games` and others use them.
        """
        from rulesengine.formats.service import FormatService

        return FormatService(self)

    @cached_property
    def _search(self) -> "SearchService":
        from rulesengine.search.search_service import SearchService

        return SearchService(self, self._dispatcher)

    def _fasts(self, entries: Collection[str]) -> "Mapping[str, CallableSpec]":
        """Return descriptions of the built-in functions for kernels with these entry points."""
        if self._quick is None:
            from rulesengine.engine.native_calls import CALLS, NativeCalls

            slow = {name: getattr(self, name) for name in CALLS}
            slow["scores"] = lambda state: tuple(self._dispatcher.scores(state))
            slow["listed"] = self._dispatcher.legal
            self._quick = NativeCalls(self.program, self._maker, slow, self.machine.outcome_of_end)
        return self._quick.fasts(entries)

    def _install_native_calls(self) -> None:
        """Replace the most frequent methods by built-in functions, once kernels are loaded."""
        if self._quick and self._dispatcher.quick and not self._quick.serves:
            self._quick.serve(vars(self), self._dispatcher.quick)

    # helpers

    @cached_property
    def _reasons(self) -> "Reasons":
        from rulesengine.prose.reasons import Reasons

        return Reasons(self)

    def _with_values(self, values: Mapping[str, int | str]) -> "Game":
        from rulesengine.language.lower import LoweringError, place_of

        try:
            return Game(self.rules, values, self.engine, self.tests)
        except LoweringError as error:
            raise UsageError(place_of(error, self.rules)) from None

    def _parse_state(self, text: str) -> State:
        return read_state(self.program.form, text)

    def _from(self, state: State | None) -> State:
        """Return a state of this game, by default the initial one. Raises UsageError."""
        return self.initial_state() if state is None else self._own(state)

    def _starts(self, states: Sequence[State]) -> tuple[State, ...]:
        """Return states of this game as a tuple. Raises UsageError."""
        return tuple(map(self._own, check_kind("a list of states", states, Iterable)))

    def _own(self, state: State) -> State:
        """Return a state if it belongs to this game. Raises UsageError."""
        return own_state(self.program, state, self.name)

    def _move_in(self, state: State, move: Move | str) -> Move:
        """Return a move of this game, or the legal move of a text in a state.

        Raises UsageError for any other object, and the errors of `move`.
        """
        if isinstance(move, str):
            return self.move(move, self._own(state))
        return own_move(self.program, move, self.name)


def restored(
    text: str, values: Mapping[str, int | str], engine: Engine, tests: tuple[Any, ...]
) -> Game:
    """Rebuild a pickled game from its rules, as `ir.text.show` prints them, and parameters."""
    from rulesengine.language.ir.text import read

    rules = read(text)
    if not isinstance(rules, Rules):
        raise InternalError("a pickled game holds no rules")
    return Game(rules, values, engine, tests)


def _lowered(rules: Rules, values: Mapping[str, int | str]) -> Program:
    # Imported here, since a game from the cache comes with its program.
    from rulesengine.language.lower import lower

    return lower(rules, values)


def _picture_of(program: Program, state: State) -> str:
    from rulesengine.drawing import picture

    return picture(program, state)
