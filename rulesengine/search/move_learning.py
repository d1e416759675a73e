"""Learning of weights of moves: a fit to the choices of tree search in self-play games.

See decisions 193 and 206.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from os import PathLike
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TypedDict

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.random import Generator, fold, word
from rulesengine.engine.drivers.search import pattern_layout as at
from rulesengine.engine.drivers.search.pattern_board import read_board
from rulesengine.engine.drivers.search.pattern_features import (
    code_of_pattern,
    features_of,
    mark_nearness,
)
from rulesengine.engine.drivers.search.result import Budget, Learning, Settings
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.language.ir.program import Program
from rulesengine.search.method_trial import TrialGame
from rulesengine.search.move_file import require_patterns, weights_of, write_moves
from rulesengine.search.move_fit import Choice, Key, fit
from rulesengine.search.move_training import MoveTraining, read_training, write_training
from rulesengine.search.move_weights import MoveWeights
from rulesengine.search.searches import start_search
from rulesengine.search.training_plan import MOST_THREADS, check_brief, check_limits
from rulesengine.state import Move, State
from rulesengine.support.blocking import in_threads
from rulesengine.support.frozen import record
from rulesengine.support.processes import cores
from rulesengine.support.validate import check_number, check_path

_OPENING = 2  # random plies at the start
_RANDOM = 20  # one in so many later moves is random, on average
_LONGEST = 400  # plies of a game
PLAYOUTS = 3_000  # random games of a move, unless given
_MEMORY = 16  # megabytes of a search
_FIRST_FIT = 100  # games before the first fit of weights for the next games
_EVERY = 20.0  # minimum seconds between writes of the file


class MoveOptions(TypedDict, total=False):
    """Keyword arguments of `Game.learn_moves`, which documents them."""

    games: int | None
    seconds: float | None
    playouts: int | None
    seed: int | None
    starts: Sequence[State]
    brief: str | PathLike[str] | None
    threads: int | None


@record
class SelfPlay:
    """The games that weights of moves are learned from.

    - `games` and `seconds` limit the run; at least one is given. No game begins after the time.
    - `playouts` is the number of random games of a move; it and `seed` are by default those of
      the file.
    - `starts` are the first states of the games, used in turn; by default the initial one.
    - `brief` is a file for play only.
    - `threads` play, all cores by default; they change no result.
    """

    games: int | None = None
    playouts: int | None = None
    seed: int | None = None
    seconds: float | None = None
    starts: Sequence[State] = ()
    brief: str | PathLike[str] | None = None
    threads: int | None = None

    def check(self) -> None:
        """Raise UsageError for invalid options."""
        check_limits(self.games, self.seconds, self.seed)
        if self.playouts is not None:
            check_number("number of playouts", self.playouts, 1)
        if self.threads is not None:
            check_number("number of threads", self.threads, 1, MOST_THREADS)


def learn_moves(
    game: TrialGame, dispatcher: Dispatcher, out: Path, plan: SelfPlay, job: Job
) -> Learning:
    """Learn weights of moves from self-play by tree search, into a file for tree search.

    The first games are searched without weights. After 100, 200, 400 and so on, searches use
    weights fitted to the games before. An existing file is continued. The file depends on the
    game, its number of games, the playouts, the seed and the starts alone. The job counts the games
    and can cancel the call, which raises Stopped. The file then has the games up to that point, and
    no weights. Raises UsageError for other kinds of game.
    """
    program = dispatcher.machine.program
    require_perfect_information(program.rules, "learning by self-play")
    require_patterns(program)
    plan.check()
    if plan.brief is not None:
        check_brief(out, Path(check_path(plan.brief)))
    training = _training(out, program, plan)
    before = training.games
    write_training(out, program, training, None)
    run = _Run(game, dispatcher, plan, training, job)
    try:
        run.play(lambda: write_training(out, program, training, None))
    except BaseException:
        write_training(out, program, training, None)
        raise
    fitted = fit(training.choices, require_patterns(program).larger.most)
    write_training(out, program, training, fitted)
    if plan.brief is not None:
        write_moves(Path(plan.brief), program, fitted, training.games, training.seed)
    patterns = len(fitted.codes) + len(fitted.larger)
    entries = patterns + len(fitted.features)
    return Learning(training.games, training.games - before, patterns, entries)


def _training(path: Path, program: Program, plan: SelfPlay) -> MoveTraining:
    """Return the choices of a file, none if it does not exist. Raises UsageError."""
    if not path.exists():
        return MoveTraining(plan.seed or 0, plan.playouts or PLAYOUTS)
    training = read_training(path, program)
    if plan.seed not in (None, training.seed):
        raise UsageError(f"{path}: was learned with the seed {training.seed}, not with {plan.seed}")
    if plan.playouts not in (None, training.playouts):
        raise UsageError(
            f"{path}: was learned with {training.playouts} playouts, not with {plan.playouts}"
        )
    return training


class _Run:
    """Self-play games on threads; their choices are added in the order of the games."""

    def __init__(
        self,
        game: TrialGame,
        dispatcher: Dispatcher,
        plan: SelfPlay,
        training: MoveTraining,
        job: Job,
    ) -> None:
        self._game, self._dispatcher, self._plan = game, dispatcher, plan
        self._training, self._job = training, job
        self._searches = Job()  # it counts playouts, and ends searches at once
        self._starts = plan.starts or (dispatcher.machine.initial_state(),)
        self._numbers = count(training.games)
        self._patterns = require_patterns(dispatcher.machine.program)
        self._weights: MoveWeights | None = None  # of searches
        self._end = None if plan.games is None else training.games + plan.games
        self._finished: dict[int, list[Choice]] = {}
        self._adding = Lock()
        self._last_write = monotonic()

    def play(self, write: Callable[[], None]) -> None:
        """Play until a limit is reached; `write` is called periodically."""
        seconds = self._plan.seconds
        until = None if seconds is None else monotonic() + seconds
        threads = self._plan.threads or cores()
        if self._plan.games is not None:
            threads = min(threads, self._plan.games)
        while self._end is None or self._training.games < self._end:
            self._fit_prefix()
            next_fit = self._next_fit()
            end = next_fit if self._end is None else min(next_fit, self._end)
            self._numbers = count(self._training.games)
            play = partial(self._play_games, end, until, write)
            in_threads([play] * threads, self._searches.stop)
            if self._training.games < end:
                return
            if end == next_fit:
                self._training.prefix = len(self._training.choices)

    def _next_fit(self) -> int:
        """Return the number of games after which the weights of searches change next."""
        games = _FIRST_FIT
        while games <= self._training.games:
            games *= 2
        return games

    def _fit_prefix(self) -> None:
        """Fit the weights of the next searches to the choices of earlier batches, if any."""
        choices = self._training.choices[: self._training.prefix]
        if choices:
            self._weights = weights_of(self._patterns, fit(choices, self._patterns.larger.most))

    def _play_games(self, end: int, until: float | None, write: Callable[[], None]) -> None:
        """Play games, each with the next number, until a limit is reached."""
        reader = FeatureReader(self._dispatcher)
        while until is None or monotonic() < until:
            number = next(self._numbers)
            if number >= end:
                return
            try:
                choices = list(self._choices(number, reader))
            except BaseException:
                self._searches.stop()  # the other threads
                raise
            self._add(number, choices, write)

    def _add(self, number: int, choices: list[Choice], write: Callable[[], None]) -> None:
        """Store the choices of a game, and add those of all games without a gap before them."""
        training = self._training
        with self._adding:
            self._finished[number] = choices
            while training.games in self._finished:
                training.choices += self._finished.pop(training.games)
                training.games += 1
                self._job.advance(1)
            if monotonic() - self._last_write >= _EVERY:
                write()
                self._last_write = monotonic()

    def _choices(self, number: int, reader: "FeatureReader") -> Iterator[Choice]:
        """Play a game, and yield the choices of its searches."""
        last = -1
        for state, moves, chosen, is_searched in self._played(number):
            if is_searched:
                yield reader.choice(state, moves, chosen, last)
            last = target_of(moves[chosen])

    def _played(self, number: int) -> Iterator[tuple[State, Sequence[Move], int, bool]]:
        """Yield the states of a game with their moves, the number of the move that is made, and
        True if a search has chosen it.
        """
        game, seed = self._game, self._training.seed
        state, random = self._starts[number % len(self._starts)], Generator(seed, number)
        budget = Budget(playouts=self._training.playouts, method="grave")
        for ply in range(_LONGEST):
            self._job.raise_if_stopped()
            moves = game.legal_moves(state)
            if not moves or game.outcome(state) is not None:
                break
            is_searched = ply >= _OPENING and random.below(_RANDOM) > 0 and len(moves) > 1
            if is_searched:
                settings = Settings(_MEMORY, fold(fold(word(seed), number), ply))
                search = start_search(
                    self._dispatcher, state, len(moves), budget, settings, self._weights
                )
                search.run(self._searches)
                chosen = search.order[0]
            else:
                chosen = random.below(len(moves))
            yield state, moves, chosen, is_searched
            state = game.apply(state, moves[chosen], check=False)


class FeatureReader:
    """A reader of the features of moves, by the drivers of the search."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._patterns = require_patterns(dispatcher.machine.program)
        self._game = dispatcher.interpreted.search_functions()
        self._own = Memory(at.PATTERNED)
        MoveWeights(self._patterns, {}, ()).write(self._own)
        self._codes: dict[Key, Key] = {}
        self._larger: dict[Key, Key] = {}

    def choice(self, state: State, moves: Sequence[Move], chosen: int, last: int) -> Choice:
        """Return the features of the moves of a state; `last` is the cell of the last placement,
        -1 for none.
        """
        own, cells = self._own, len(self._patterns.near)
        side = read_board(self._game, state, own)
        own.numbers[at.NOW_LAST] = last if last >= 0 else cells
        mark_nearness(own)
        codes, larger, features = list[Key | None](), list[Key | None](), list[int]()
        for cell in map(target_of, moves):
            features.append(features_of(cell, side, own))
            is_placed = features[-1] != at.PASS
            codes.append(self._neighbourhood(cell, side) if is_placed else None)
            larger.append(self._larger_pattern(cell, side) if is_placed else None)
        return Choice(tuple(codes), tuple(larger), tuple(features), chosen)

    def _neighbourhood(self, cell: int, side: int) -> Key:
        """Return the least equivalent side and code of a neighbourhood."""
        key = side, self._own.numbers[at.CODES + cell]
        return _canonical(key, self._codes, self._patterns.classes)

    def _larger_pattern(self, cell: int, side: int) -> Key | None:
        """Return the least equivalent side and code of a larger pattern, None without any."""
        if not self._patterns.larger.count:
            return None
        key = side, code_of_pattern(cell, self._own)
        return _canonical(key, self._larger, self._patterns.larger.classes)


def _canonical(key: Key, known: dict[Key, Key], classes: Callable[[int, int], set[Key]]) -> Key:
    """Return the least of the keys that are equivalent to one."""
    if key not in known:
        images = classes(*key)
        known |= dict.fromkeys(images, min(images))
    return known[key]


def target_of(move: Move) -> int:
    """Return the target cell of a move, -1 for none."""
    return move.steps[0].target
