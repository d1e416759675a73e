"""Benchmark of an endgame solver: positions of Othello, solved for the score.

Run it with `python -m tests.benchmarks.bench_endings 16 20`; the arguments are numbers of empty
cells. The positions come from self-play, one for each seed. It prints the mean CPU time and the
mean number of nodes for each number of empty cells.
"""

import random
import sys
from collections.abc import Iterator
from time import process_time

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search.layout import DEEPEST
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.job import Job
from rulesengine.search.searches import start_search

COUNT = 100
_CELLS, _RANDOM, _NODES = 64, 6, 2000
_FIRST = 6  # plies of a search that compiles the kernels


def main() -> None:
    game = rulesengine.load("othello", engine="native")
    game.search(plies=_FIRST)
    for empty in map(int, sys.argv[1:]):
        states = list(_positions(game, empty))
        total, nodes = 0.0, 0
        for state in states:
            search = start_search(
                game._dispatcher,
                state,
                len(game.legal_moves(state)),
                Budget(plies=DEEPEST),
                Settings(),
            )
            since = process_time()
            search.run(Job())
            total += process_time() - since
            nodes += search.nodes
        sys.stdout.write(
            f"{empty} empty cells, {len(states)} positions: {total / len(states):.3f} s, "
            f"{nodes // len(states):,} nodes\n"
        )
        sys.stdout.flush()


def _positions(game: Game, empty: int) -> Iterator[State]:
    for seed in range(COUNT):
        state = _played(game, empty, random.Random(seed))
        if game.legal_moves(state):
            yield state


def _played(game: Game, empty: int, chance: random.Random) -> State:
    state = game.initial_state()
    for _ in range(_RANDOM):
        state = game.apply(state, chance.choice(game.legal_moves(state)))
    while game.legal_moves(state) and _CELLS - sum(game.scores(state).values()) > empty:
        state = game.apply(state, game.search(state, nodes=_NODES, memory=1).move)
    return state


if __name__ == "__main__":
    main()
