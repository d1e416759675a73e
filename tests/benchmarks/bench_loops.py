"""Benchmark of a loop over single moves, compared with OpenSpiel.

Run it with `python -m tests.benchmarks.bench_loops`.

Both sides list the legal moves, select one at random, apply it and query the end of the game,
from Python, with the same generator. OpenSpiel splits a move of several steps into actions;
therefore times are also printed for whole games. The rounds of both sides alternate.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import process_time

import rulesengine
from rulesengine import Game, UsageError
from rulesengine.tools.doctor import native_target, processor_name

# A bundled game, its parameters, and OpenSpiel's name for it.
PAIRS: tuple[tuple[str, dict[str, int], str], ...] = (
    ("othello", {}, "othello"),
    ("connect-four", {}, "connect_four"),
    ("breakthrough", {}, "breakthrough"),
    ("hex", {}, "hex"),
    ("gomoku", {}, "gomoku"),
    ("english-draughts", {}, "checkers"),
    ("go", {"n": 9}, "go(board_size=9)"),
    ("amazons", {}, "amazons"),
    ("nine-mens-morris", {}, "nine_mens_morris"),
)

Play = Callable[[random.Random], int]

TOGETHER = 8  # games between two readings of the clock


@dataclass(frozen=True, slots=True)
class Row:
    """The CPU seconds of a game, and of a move (in OpenSpiel: of an action)."""

    player: str
    game: str
    per_game: float
    per_move: float
    moves: int


def loop(game: Game) -> Play:
    """Return a function that plays one random game and returns its number of moves."""

    def play(draw: random.Random) -> int:
        state, moves = game.initial_state(), 0
        while game.outcome(state) is None:
            legal = game.legal_moves(state)
            state = game.apply(state, legal[draw.randrange(len(legal))])
            moves += 1
        return moves

    return play


def session_loop(game: Game) -> Play:
    """Return the same function for a session."""

    def play(draw: random.Random) -> int:
        session = game.start()
        while session.outcome() is None:
            legal = session.legal
            session.push(legal[draw.randrange(len(legal))])
        return len(session)

    return play


def pushes_and_pops(game: Game) -> Play:
    """Return a function that pushes the moves of a known random game, and pops them."""
    draw, session = random.Random(0), game.start()
    while session.outcome() is None:
        session.push(draw.choice(session.legal))
    line = [session.pop() for _ in range(len(session))][::-1]

    def play(draw: random.Random) -> int:
        session = game.start()
        for move in line:
            session.push(move)
        for _ in line:
            session.pop()
        return len(line)

    return play


def openspiel_loop(name: str) -> Play:
    """Return the same loop over OpenSpiel's states. Raises ModuleNotFoundError without it."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(draw: random.Random) -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[draw.randrange(len(legal))])
            actions += 1
        return actions

    return play


def timed(play: Play, seconds: float, seed: int) -> tuple[float, int, int]:
    """Return seconds, games and moves for the given time, without a first warm-up game."""
    draw = random.Random(seed)
    play(draw)
    games = moves = 0
    begun = process_time()
    while (spent := process_time() - begun) < seconds:
        for _ in range(TOGETHER):  # reading the clock takes as long as some moves
            moves += play(draw)
        games += TOGETHER
    return spent, games, moves


def measured(pair: tuple[str, dict[str, int], str], rounds: int, seconds: float) -> list[Row]:
    name, values, other = pair
    game = rulesengine.load(name, engine="native").bind(**values)
    plays = {
        "loop": loop(game),
        "session": session_loop(game),
        "push, pop": pushes_and_pops(game),
        "OpenSpiel": openspiel_loop(other),
    }
    found: dict[str, list[tuple[float, int, int]]] = {player: [] for player in plays}
    for number in range(rounds):
        for player, play in plays.items():
            found[player].append(timed(play, seconds, number))
    return [
        Row(
            player,
            name,
            median(spent / games for spent, games, _ in rows),
            median(spent / moves for spent, _, moves in rows),
            sum(moves for _, _, moves in rows),
        )
        for player, rows in found.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows: list[Row] = []
    print(f"{processor_name()}, Python {sys.version.split()[0]}")
    print(f"native code for {' '.join(map(str, (native_target()[0], *native_target()[1])))}\n")
    print(f"{'game':18} {'player':10} {'us/game':>9} {'us/move':>8} {'OpenSpiel/ours by game':>23}")
    for pair in PAIRS:
        if options.only not in pair[0]:
            continue
        try:
            own = measured(pair, options.rounds, options.seconds)
        except (ModuleNotFoundError, UsageError) as problem:
            print(f"{pair[0]}: {problem}", file=sys.stderr)
            continue
        theirs = own[-1].per_game
        for row in own:
            ratio = f"{theirs / row.per_game:.2f}"
            line = f"{row.game:18} {row.player:10} {row.per_game * 1e6:9.1f}"
            print(f"{line} {row.per_move * 1e6:8.2f} {ratio:>23}")
        rows += own
    print(json.dumps([asdict(row) for row in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
