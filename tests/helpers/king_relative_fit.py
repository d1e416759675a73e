"""A fit of king-relative tables to recorded games, by logistic regression.

The value of a position is a logistic function of the lead by the rules and the sum of its weights.
Its goal is a lambda-return: a mean of the values of later searches and of the result, where later
ones count less (Sutton, 1988). Positions before captures and random moves are left out. Each
position also counts as its images under the automorphisms that keep the cells of both sides at the
start. The arithmetic has no operation that rounds differently on another machine.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulesengine import Game
from rulesengine.board.automorphisms import automorphisms
from rulesengine.board.geometry import bits
from rulesengine.engine.drivers.search.sigmoid import ONE
from rulesengine.engine.patterns import KingRelative, king_relative_of
from rulesengine.engine.patterns.king_relative import PHASES
from rulesengine.job import Job
from rulesengine.search.learned_weights import TrainingTables
from rulesengine.search.recorded_games import RecordedGame, Recorder
from rulesengine.state import State

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NODES = 200  # positions of a move
_TRACE = 0.8  # lambda
_DECIDED = 1500  # positions with such a value are left out
_MOST = 3000  # values are clamped to it
_EPOCHS, _BATCH = 6, 1 << 14
_STEP = 1.0  # of Adam, in the unit of the rules; it falls linearly to 0
_DECAY = 1e-4, 1e-3  # of the weights of places, and of the relative ones
_SCALES = range(100, 1001, 20)  # of the logistic function
_OWNERS = 3  # planes of a kind: of both sides, and of neither
_KEPT, _SQUARED, _TINY = 0.9, 0.999, 1e-7  # Adam
_GRAIN, _SPAN = 64, 30  # points of the logistic table in a unit, and its range


@dataclass(frozen=True)
class Positions:
    """Positions of games, each for its player to move: a row for each.

    - `boards` has the number of the piece at each cell as that player sees it, from 1; 0 is none.
    - `leads` are leads by the rules, `values` those of searches, `results` are 0, 1/2 or 1.
    - `is_quiet` is true before moves that capture nothing.
    - `follows` is true where the position before is that of the opponent a ply earlier, and
      `begins` for the first position of a game.
    """

    boards: Ints
    leads: Floats
    values: Floats
    results: Floats
    is_quiet: NDArray[np.bool_]
    follows: NDArray[np.bool_]
    begins: NDArray[np.bool_]


def fitted_tables(game: Game, games: int) -> TrainingTables:
    """Return the tables of a fit to a number of games, which are a correction of the rules."""
    tables = king_relative_of(game.program)
    assert tables is not None
    recorder = Recorder(game._dispatcher, tables, _NODES)
    positions = read_positions(game, tables, [recorder.play(0, n, Job()) for n in range(games)])
    scale = scale_of(positions)
    weights = fit(tables, positions, scale, symmetries_of(game))
    # `x / (1 + x)` is half a win at one unit, the logistic function at `ln 3` of its scale.
    unit = round(scale * math.log(3))
    found = TrainingTables(tables, 0, unit)
    found.games = games
    for entry in np.flatnonzero(weights):
        found.memory.numbers[entry] = round(weights[entry] * ONE / unit)
    return found


def read_positions(game: Game, tables: KingRelative, games: Sequence[RecordedGame]) -> Positions:
    """Return the positions before the moves that searches have chosen."""
    boards, rows = list[bytes](), list[tuple[float, ...]]()
    for played in games:
        state, last = game.initial_state(), -2
        for number, ply in enumerate(played.plies):
            after = game.apply(state, game.legal_moves(state)[ply.move], check=False)
            if ply.value is not None:
                value = max(-_MOST, min(_MOST, ply.value))
                result = 0.5 if played.winner < 0 else float(played.winner == state.side)
                boards.append(seen_board(tables, state))
                quiet = count_pieces(after) >= count_pieces(state)
                rows.append((ply.lead, value, result, quiet, last == number - 1, last < 0))
                last = number
            state = after
    leads, values, results, quiet, follows, begins = np.array(rows, float).T
    flat = np.frombuffer(b"".join(boards), np.uint8).astype(np.int64).reshape(len(boards), -1)
    return Positions(flat, leads, values, results, quiet > 0, follows > 0, begins > 0)


def seen_board(tables: KingRelative, state: State) -> bytes:
    """Return the number of the piece at each cell as the player to move sees it, from 1."""
    board = bytearray(len(tables.turned))
    for number, seen in enumerate(tables.pieces, start=1):
        for cell in bits(state.planes[seen[state.side]]):
            board[tables.turned[cell] if state.side else cell] = number
    return bytes(board)


def count_pieces(state: State) -> int:
    """Return the number of pieces on the board."""
    return sum(plane.bit_count() for plane in state.planes)


def symmetries_of(game: Game) -> list[Ints]:
    """Return the automorphisms that keep the cells of both sides at the start, as permutations."""
    planes = game.initial_state().planes
    sides = [sum(planes[side::_OWNERS]) for side in range(2)]
    return [
        np.array(image.cells)
        for image in automorphisms(game.program.topology)
        if all(image.mask(cells) == cells for cells in sides)
    ]


def lambda_returns(positions: Positions, scale: float) -> Floats:
    """Return the goal of each position: a chance to win."""
    chances = logistic(positions.values / scale)
    goals, following = chances.copy(), 0.0
    for place in reversed(range(len(goals))):
        is_last = place + 1 == len(goals) or positions.begins[place + 1]
        if is_last:
            later = float(positions.results[place])
        elif positions.follows[place + 1]:
            later = 1 - following
        else:
            later = float(chances[place])
        following = (1 - _TRACE) * float(chances[place]) + _TRACE * later
        goals[place] = following
    return goals


def scale_of(positions: Positions) -> float:
    """Return the scale of leads that predicts results best."""
    used = positions.is_quiet & (abs(positions.values) < _DECIDED)
    leads, results = positions.leads[used], positions.results[used]

    def error(scale: int) -> float:
        return math.fsum((logistic(leads / scale) - results) ** 2)

    return float(min(_SCALES, key=error))


def fit(tables: KingRelative, positions: Positions, scale: float, images: Sequence[Ints]) -> Floats:
    """Return the weights, in the unit of the rules."""
    used = np.flatnonzero(positions.is_quiet & (abs(positions.values) < _DECIDED))
    goals, order = lambda_returns(positions, scale), used.tolist() * len(images)
    copies = [number for number in range(len(images)) for _ in used]
    places = list(range(len(order)))
    random.Random(0).shuffle(places)
    rows, copies_of = np.array(order)[places], np.array(copies)[places]
    weights = np.zeros(tables.size)
    adam = Adam(weights, decay_of(tables))
    batches = range(0, len(rows), _BATCH)
    left = steps = _EPOCHS * len(batches)
    for _ in range(_EPOCHS):
        for first in batches:
            chosen, turned = rows[first : first + _BATCH], copies_of[first : first + _BATCH]
            boards = imaged(positions.boards[chosen], turned, images)
            owners, entries = active(tables, boards)
            sums = np.bincount(owners, weights[entries], len(chosen))
            missed = logistic((positions.leads[chosen] + sums) / scale) - goals[chosen]
            slopes = np.bincount(entries, missed[owners], tables.size) / _BATCH
            adam.step(slopes, scale, _STEP * left / steps)
            left -= 1
    return weights


def imaged(boards: Ints, turned: Ints, images: Sequence[Ints]) -> Ints:
    """Return the images of boards under the automorphisms of some numbers."""
    found = np.empty_like(boards)
    for number, image in enumerate(images):
        some = turned == number
        found[np.ix_(some, image)] = boards[some]
    return found


def active(tables: KingRelative, boards: Ints) -> tuple[Ints, Ints]:
    """Return the row and the entry of each piece and table, as `KingRelative.entries` does."""
    rows, cells = np.nonzero(boards)
    within = (boards[rows, cells] - 1) * boards.shape[1] + cells
    counts = np.count_nonzero(boards, axis=1)
    phases = np.array([tables.phase(n) for n in range(boards.shape[1] + 1)])[counts]
    starts = [phases * tables.row]
    for player, seen in enumerate((tables.royal, tables.royal[::-1])):
        royal = 1 + tables.pieces.index(seen)
        starts.append(tables.relative(player) + np.argmax(boards == royal, axis=1) * tables.row)
    return np.tile(rows, len(starts)), np.concatenate([start[rows] + within for start in starts])


def decay_of(tables: KingRelative) -> Floats:
    """Return the decay of each weight."""
    places, relative = _DECAY
    return np.where(np.arange(tables.size) < PHASES * tables.row, places, relative)


class Adam:
    """Steps of Adam (Kingma and Ba, 2015) on weights, with a decay of them."""

    def __init__(self, weights: Floats, decay: Floats) -> None:
        self._weights, self._decay = weights, decay
        self._mean, self._square = np.zeros_like(weights), np.zeros_like(weights)
        self._left_of_mean = self._left_of_square = 1.0

    def step(self, slopes: Floats, scale: float, size: float) -> None:
        """Change the weights against the slopes."""
        slopes = slopes + self._decay * self._weights / scale
        self._mean = _KEPT * self._mean + (1 - _KEPT) * slopes
        self._square = _SQUARED * self._square + (1 - _SQUARED) * slopes * slopes
        self._left_of_mean *= _KEPT
        self._left_of_square *= _SQUARED
        root = np.sqrt(self._square / (1 - self._left_of_square))
        self._weights -= size * self._mean / (1 - self._left_of_mean) / (root + _TINY)


_LOGISTIC = np.array(
    [round(1 / (1 + math.exp(-n / _GRAIN)), 12) for n in range(-_SPAN * _GRAIN, _SPAN * _GRAIN + 2)]
)


def logistic(numbers: Floats) -> Floats:
    """Return a logistic function, between points of a table that is the same on every machine."""
    places = (np.clip(numbers, -_SPAN, _SPAN) + _SPAN) * _GRAIN
    low = places.astype(np.int64)
    found: Floats = _LOGISTIC[low] + (places - low) * (_LOGISTIC[low + 1] - _LOGISTIC[low])
    return found
