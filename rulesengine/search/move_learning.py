"""Learning of weights of moves: a fit to the choices of tree search in self-play games.

See decision 193.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.random import Generator, fold, word
from rulesengine.engine.drivers.search import pattern_layout as at
from rulesengine.engine.drivers.search.pattern_board import read_board
from rulesengine.engine.drivers.search.pattern_features import features_of, mark_nearness
from rulesengine.engine.drivers.search.result import Budget, Learning, Settings
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.selection import Engine
from rulesengine.job import Job
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.search.method_trial import TrialGame
from rulesengine.search.move_file import require_patterns, write_moves
from rulesengine.search.move_fit import Choice, Key, fit
from rulesengine.search.move_weights import MoveWeights
from rulesengine.search.searches import start_search
from rulesengine.state import Move, State
from rulesengine.support.frozen import record
from rulesengine.support.validate import check_number

_OPENING = 2  # random plies at the start
_RANDOM = 20  # one in so many later moves is random, on average
_LONGEST = 400  # plies of a game
_MEMORY = 16  # megabytes of a search


class Game(TrialGame, Protocol):
    """The interface of a game that weights of moves are learned for."""

    @property
    def machine(self) -> Interpreter: ...

    @property
    def engine(self) -> Engine: ...


@record
class SelfPlay:
    """The games that weights of moves are learned from: their number, the random games of a move,
    and the seed.
    """

    games: int
    playouts: int
    seed: int = 0


def learn_moves(game: Game, out: Path, plan: SelfPlay, job: Job) -> Learning:
    """Learn weights of moves from self-play by tree search, into a file for tree search.

    The file depends on the game and the plan alone. The job counts the games and can cancel the
    call, which raises Stopped and writes no file. Raises UsageError for other kinds of game.
    """
    dispatcher = Dispatcher(game.machine, game.engine)
    require_perfect_information(dispatcher.machine.program.rules, "learning by self-play")
    check_number("number of games", plan.games, 1)
    check_number("number of playouts", plan.playouts, 1)
    reader, choices = FeatureReader(dispatcher), list[Choice]()
    for number in range(plan.games):
        last = -1
        for state, moves, chosen, is_searched in _played(game, dispatcher, plan, number, job):
            if is_searched:
                choices.append(reader.choice(state, moves, chosen, last))
            last = target_of(moves[chosen])
        job.add(1)
    found = fit(choices)
    write_moves(out, dispatcher.machine.program, found, plan.games, plan.seed)
    entries = len(found.codes) + len(found.features)
    return Learning(plan.games, plan.games, len(found.codes), entries)


class FeatureReader:
    """A reader of the features of moves, by the drivers of the search."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._patterns = require_patterns(dispatcher.machine.program)
        self._game = dispatcher.interpreted.search_functions()
        self._own = Memory(at.PATTERNED)
        MoveWeights(self._patterns, {}, ()).write(self._own)
        self._known: dict[Key, Key] = {}

    def choice(self, state: State, moves: Sequence[Move], chosen: int, last: int) -> Choice:
        """Return the features of the moves of a state; `last` is the cell of the last placement,
        -1 for none.
        """
        own, cells = self._own, len(self._patterns.near)
        side = read_board(self._game, state, own)
        own.numbers[at.NOW_LAST] = last if last >= 0 else cells
        mark_nearness(own)
        codes, features = list[Key | None](), list[int]()
        for cell in map(target_of, moves):
            features.append(features_of(cell, side, own))
            is_placed = features[-1] != at.PASS
            codes.append(self._canonical(side, own.numbers[at.CODES + cell]) if is_placed else None)
        return Choice(tuple(codes), tuple(features), chosen)

    def _canonical(self, side: int, code: int) -> Key:
        """Return the least of the equivalent sides and codes."""
        if (side, code) not in self._known:
            images = self._patterns.classes(side, code)
            self._known |= dict.fromkeys(images, min(images))
        return self._known[side, code]


def target_of(move: Move) -> int:
    """Return the target cell of a move, -1 for none."""
    return move.steps[0].target


def _played(
    game: Game, dispatcher: Dispatcher, plan: SelfPlay, number: int, job: Job
) -> Iterator[tuple[State, Sequence[Move], int, bool]]:
    """Yield the states of a game with their moves, the number of the move that is made, and True if
    a search has chosen it.
    """
    state, random = dispatcher.machine.initial_state(), Generator(plan.seed, number)
    budget = Budget(playouts=plan.playouts, method="grave")
    for ply in range(_LONGEST):
        moves = game.legal_moves(state)
        if not moves or game.outcome(state) is not None:
            break
        is_searched = ply >= _OPENING and random.below(_RANDOM) > 0 and len(moves) > 1
        if is_searched:
            seed = fold(fold(word(plan.seed), number), ply)
            settings = Settings(_MEMORY, seed)
            search = start_search(dispatcher, state, len(moves), budget, settings)
            search.run(job)
            chosen = search.order[0]
        else:
            chosen = random.below(len(moves))
        yield state, moves, chosen, is_searched
        state = game.apply(state, moves[chosen], check=False)
