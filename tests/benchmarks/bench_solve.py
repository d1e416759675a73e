"""Benchmark of the solver against BitBully, on the same random positions of Connect Four.

Run it with `python -m tests.benchmarks.bench_solve FIRST LAST COUNT`, for COUNT positions of each
number of plies from FIRST to LAST. It prints the CPU seconds of both, without an opening book, and
the ratio of the totals.
"""

import sys
from time import process_time

import bitbully.bitbully_core as peer

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.random import Generator
from rulesengine.tools.doctor import processor_name

SEED = 8
COLUMNS = "abcdefg"


def position(game: Game, plies: int, number: int) -> tuple[State, peer.BoardCore]:
    """Return a random unfinished position for both solvers."""
    draw = Generator(SEED + plies, number)
    while True:
        state, board = game.initial_state(), peer.BoardCore()
        for _ in range(plies):
            moves = game.legal_moves(state)
            if not moves:
                break
            move = moves[draw.below(len(moves))]
            board.play(COLUMNS.index(str(move)[0]))
            state = game.apply(state, move)
        if game.outcome(state) is None:
            return state, board


def timed(game: Game, plies: int, count: int) -> tuple[float, float]:
    """Return our seconds and theirs for some positions; the values must be equal."""
    own = other = 0.0
    solver = peer.BitBullyCore()
    for number in range(count):
        state, board = position(game, plies, number)
        begun = process_time()
        solved = game.solve(state)
        between = process_time()
        score = solver.mtdf(board, 0)
        other += process_time() - between
        own += between - begun
        assert solved.value == ("win" if score > 0 else "loss" if score < 0 else "draw")
    return own, other


def main(first: int, last: int, count: int) -> None:
    game = rulesengine.load("connect-four", engine="native")
    game.solve(position(game, 34, 0)[0])
    print(f"{processor_name()}\nplies  ours  theirs")
    sums = [0.0, 0.0]
    for plies in range(last, first - 1, -1):
        both = timed(game, plies, count)
        sums = [a + b for a, b in zip(sums, both, strict=True)]
        print(f"{plies:5}  {both[0]:.3f}  {both[1]:.3f}", flush=True)
    print(f"ours / theirs: {sums[0] / sums[1]:.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
