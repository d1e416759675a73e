"""Engines compared: the same queries at every ply, and the differences between their answers.

Answers are compared as they come through the public interface. An exception raised on purpose is an
answer too, by its type and text; any other exception is a bug and propagates.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, Literal

import pytest

from rulesengine import Game, Move, RulesError, State
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.evaluator import ObservedEvaluator
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.selection import ENGINES, Engine
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.loading import load_source
from rulesengine.support.source import Source

Ended = Literal["drop", "keep"]
Passes = Literal["ply", "free"]
_ENDED: tuple[Ended, ...] = ("keep", "drop")
_PASSES: tuple[Passes, ...] = ("free", "ply")

# The number of legal moves tried at each ply, spread over all of them.
TRIED = 12
# The number of plies that are all compared before only some are.
FIRST = 6
COMPILED = tuple(
    name
    for name in ENGINES
    if name not in ("auto", "interpreter") and (name != "native" or find_spec("llvmlite"))
)
# Engines that compare much in a short time; native code is compiled again for every spec.
QUICK = tuple(name for name in COMPILED if name != "native")
needs_engines = pytest.mark.skipif(not COMPILED, reason="there is no engine but the interpreter")
needs_native = pytest.mark.skipif(
    "native" not in COMPILED, reason="no native engine works here, and others need too long"
)


class Difference(AssertionError):
    """Two engines return different answers."""


class TooLong(Exception):
    """The reference engine has used up its budget."""


class Metered(Interpreter):
    """An interpreter that stops after so many evaluations, the same on every machine."""

    def __init__(self, program: Program, budget: int) -> None:
        super().__init__(program, ObservedEvaluator(program, self._spend))
        self.left = budget

    def _spend(self, op: Op) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLong


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that the rules or a limit raise."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Played:
    """The course of a game: its plies, its end, and the errors on the way."""

    plies: int
    end: str
    failures: tuple[Failure, ...] = ()


def attempt(question: Callable[[], Any]) -> Any:
    """Return the answer to a query, or the failure."""
    try:
        return question()
    except RulesError as error:
        return Failure(type(error).__name__, str(error))


def spec_engines(text: str, names: Sequence[Engine] = COMPILED) -> "Engines":
    """Return the game of a spec's text by the interpreter and other engines. Raises SpecError."""
    first = load_source(Source("spec.yaml", text), engine="interpreter")
    return Engines(first, *(Game(first.rules, first.parameters, name) for name in names))


def optimised_game(game: Game) -> Game:
    """Return a game by an interpreter of its optimised program."""
    machine = Interpreter(optimised(game.program))
    return Game(game.rules, game.parameters, "interpreter", machine=machine)


def timeless(game: Game) -> list[str]:
    """Return the strategies of a game that play the same at any speed."""
    named = game.rules.strategies
    return [one.name for one in named if one.search is None or not one.search.seconds]


class Engines:
    """The same game by several engines; the first is the reference."""

    def __init__(self, first: Game, *others: Game) -> None:
        self.first = first
        self.others = others

    def limit(self, budget: int) -> None:
        """Limit the first engine, an interpreter, to so many evaluations, then raise TooLong."""
        game, machine = self.first, Metered(self.first.program, budget)
        self.first = Game(game.rules, game.parameters, "interpreter", game.tests, machine)

    def same(self, what: str, question: Callable[[Game], Any]) -> Any:
        """Return the common answer of all engines. Raises Difference if there are two."""
        right = attempt(partial(question, self.first))
        for other in self.others:
            found = attempt(partial(question, other))
            if found != right:
                raise Difference(f"{what}: {right!r}, by {other.engine} {found!r}")
        return right

    def play(self, seed: int, plies: int, start: State | None = None, *, every: int = 1) -> Played:
        """Play a random game of at most so many plies, compared at every ply and on its sides.

        With `every`, compare at the first plies, then at one ply in `every`, and at the end. Raises
        Difference, and TooLong if the first engine is limited.
        """
        state = self.same("the start", lambda game: start or game.initial_state())
        draw, failures = Generator(seed, 0), list[Failure]()
        for ply in range(plies):
            where = f"ply {ply} of seed {seed}"
            if isinstance(state, Failure):
                return Played(ply, "failed", (*failures, state))
            near = ply < FIRST or ply % every == 0
            moves = () if near else attempt(partial(self.first.legal_moves, state))
            if not moves or isinstance(moves, Failure):
                moves = self._compare(state, where)
            if isinstance(moves, Failure):
                return Played(ply, "failed", (*failures, moves))
            if not moves:
                ended = attempt(partial(self.first.outcome, state))
                return Played(ply, "over" if ended else "stuck", tuple(failures))
            failures += self._try(state, moves, where) if near else ()
            chosen = moves[draw.below(len(moves))]
            state = attempt(partial(self.first.apply, state, chosen))
        return Played(plies, "cut", tuple(failures))

    def count(self, depth: int, state: State | None = None) -> Any:
        """Compare counts of move sequences in all four ways, and by first move; return the first
        count.
        """
        for ended in _ENDED:
            for passes in _PASSES:
                self._counted(depth, state, ended, passes)
        self.same(f"divide {depth}", lambda game: list(game.divide(depth, state).items()))
        return self._counted(depth, state, "drop", "ply")

    def _counted(self, depth: int, state: State | None, ended: Ended, passes: Passes) -> Any:
        return self.same(
            f"perft {depth} {ended} {passes}",
            lambda game: game.perft(depth, state, ended=ended, passes=passes),
        )

    def playouts(self, games: int, seed: int, state: State | None = None) -> Any:
        """Compare random games by their results and their checksum."""
        return self.same(
            f"playouts of seed {seed}", lambda game: game.playouts(games, seed=seed, state=state)
        )

    def _compare(self, state: State, where: str) -> Any:
        """Return the legal moves of a state, after a comparison of all other queries on it."""
        self.same(f"outcome at {where}", lambda game: game.outcome(state))
        self.same(f"scores at {where}", lambda game: game.scores(state))
        self.same(f"mask at {where}", lambda game: game.legal_mask(state))
        for name in timeless(self.first):
            self._choose(name, state, where)
        self.same(
            f"moves at {where}", lambda game: [_all_parts(move) for move in game.legal_moves(state)]
        )
        return attempt(partial(self.first.legal_moves, state))

    def _choose(self, name: str, state: State, where: str) -> None:
        self.same(f"{name} at {where}", lambda game: _all_parts(game.choose(name, state)))

    def _try(self, state: State, moves: tuple[Move, ...], where: str) -> Iterator[Failure]:
        """Make some of the moves with every engine, each with its own objects for them."""
        theirs = {id(game): game.legal_moves(state) for game in self.others}
        for n in range(0, len(moves), -(-len(moves) // TRIED)):
            own = {game: found[n] for game, found in theirs.items()} | {id(self.first): moves[n]}
            result = self._make(own, state, f"{moves[n]} at {where}")
            if isinstance(result, Failure):
                yield result

    def _make(self, own: dict[int, Move], state: State, label: str) -> Any:
        self.same(f"record of {label}", lambda game: game.move_record(state, own[id(game)]))
        return self.same(f"after {label}", lambda game: _whole(game.apply(state, own[id(game)])))


def _all_parts(move: Move | None) -> Any:
    """Return all parts of a move that users see; its text is not part of its equality."""
    return move and (move, move.text)


def _whole(state: State) -> Any:
    """Return a state and its text."""
    return state, str(state)
