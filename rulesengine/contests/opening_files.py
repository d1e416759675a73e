"""Openings of files: positions and lines of moves where the games of a contest begin.

See decision 132.
"""

import hashlib
from collections.abc import Iterator, Sequence
from os import PathLike

from rulesengine.contests.openings import Opening
from rulesengine.engine.drivers.random import Generator, fold, word
from rulesengine.errors import NotationError, UsageError
from rulesengine.formats.values import RecordedGame
from rulesengine.game import Game
from rulesengine.play import read_game_text, recorded_games
from rulesengine.play.players import plays_from_start, takes_positions
from rulesengine.state import State
from rulesengine.support.frozen import record

SEQUENTIAL, RANDOM_ORDER = "sequential", "random"
ORDERS = (SEQUENTIAL, RANDOM_ORDER)
_SALT = 0x626F6F6B73  # separates the order from the random openings of the same seed
_SHOWN_PROBLEMS = 3


@record
class Openings:
    """The text of a file of openings in any format of a game.

    - `name` is that of the file, for messages.
    - `plies` is the number of moves that are taken of each game; None takes all.
    - `order` is `sequential` or `random`, which depends on the seed of the contest.
    """

    text: str
    name: str = "openings"
    plies: int | None = None
    order: str = SEQUENTIAL


@record
class OpeningLine:
    """An opening as text: the first state, empty for the initial one, and the moves from it."""

    start: str
    moves: tuple[str, ...]


def read_openings(
    path: str | PathLike[str], *, plies: int | None = None, order: str = SEQUENTIAL
) -> Openings:
    """Read a file of openings: EPD, PGN, SGF, lines of moves, or records of this package.

    Raises UsageError for a file that cannot be read, and for another order than `ORDERS`.
    """
    if order not in ORDERS:
        raise UsageError(f"no order `{order[:40]}` of openings: there is {', '.join(ORDERS)}")
    return Openings(read_game_text(str(path)), str(path), plies, order)


def opening_lines(game: Game, openings: Openings, seed: int) -> tuple[OpeningLine, ...]:
    """Return the openings of a game in their order.

    Raises UsageError for a file without openings or with errors, and for an opening that ends the
    game.
    """
    try:
        lines = list(_lines(game, openings))
    except NotationError as error:
        raise UsageError(f"{openings.name}: {error}") from None
    if not lines:
        raise UsageError(f"{openings.name}: has no openings")
    if openings.order == RANDOM_ORDER:
        _shuffle(lines, seed)
    return tuple(lines)


def digest_of(lines: Sequence[OpeningLine]) -> str:
    """Return a digest of openings in their order; empty without openings."""
    if not lines:
        return ""
    text = repr([(line.start, line.moves) for line in lines])
    return hashlib.sha256(text.encode()).hexdigest()


def opening_of(game: Game, line: OpeningLine) -> Opening:
    """Return the moves of a line and the state after them."""
    first = state = game.state_from(line.start) if line.start else game.initial_state()
    moves = []
    for text in line.moves:
        moves.append(game.move(text, state))
        state = game.apply(state, moves[-1], check=False)
    return Opening(tuple(moves), state, first)


def book_of(
    game: Game, players: Sequence[str], openings: Openings, seed: int
) -> tuple[OpeningLine, ...]:
    """Return the openings of a game between players.

    Raises UsageError as `opening_lines` does, and for players that begin at the initial state.
    """
    if plays_from_start(game, players):
        raise UsageError("--openings: a program with a script of its own plays from the start")
    lines = opening_lines(game, openings, seed)
    fixed = [player for player in players if not takes_positions(player)]
    if fixed and any(line.start for line in lines):
        kind = fixed[0].partition(":")[0]
        reason = f"`{kind}:` players begin at the initial position"
        raise UsageError(f"--openings: {reason}: give openings as moves")
    return lines


def opening_states(game: Game, openings: Openings, seed: int) -> tuple[State, ...]:
    """Return the states after the openings, in their order. Raises UsageError."""
    lines = opening_lines(game, openings, seed)
    return tuple(opening_of(game, line).state for line in lines)


def _lines(game: Game, openings: Openings) -> Iterator[OpeningLine]:
    """Yield the openings of a file. Raises UsageError and NotationError."""
    initial = game.initial_state()
    for number, recorded in enumerate(recorded_games(game, openings.text), start=1):
        _require_sound(recorded, openings)
        start, moves = recorded.start.state, recorded.moves[: openings.plies]
        state = start
        for move in moves:
            state = game.apply(state, move, check=False)
        if not game.legal_moves(state):
            hint = f": limit the plies of each game to fewer than {len(moves)}"
            reason = f"the game is over after opening {number}{hint if moves else ''}"
            raise UsageError(f"{openings.name}: {reason}")
        yield OpeningLine("" if start == initial else str(start), tuple(map(str, moves)))


def _require_sound(recorded: RecordedGame, openings: Openings) -> None:
    """Raise UsageError for a game with errors in the plies that are taken."""
    most = openings.plies
    problems = [p for p in recorded.problems if most is None or p.ply <= most]
    if problems:
        shown = "; ".join(map(str, problems[:_SHOWN_PROBLEMS]))
        raise UsageError(f"{openings.name}: {shown}")


def _shuffle(lines: list[OpeningLine], seed: int) -> None:
    """Shuffle lines in place (Fisher and Yates)."""
    draw = Generator(fold(word(seed), _SALT), 0)
    for last in range(len(lines) - 1, 0, -1):
        other = draw.below(last + 1)
        lines[last], lines[other] = lines[other], lines[last]
