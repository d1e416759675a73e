"""Tactical positions of chess with one best move, and the share solved.

    .venv/bin/python -m tests.benchmarks.chess_tactics make FILE [--positions 200] [--depth 12]
    .venv/bin/python -m tests.benchmarks.chess_tactics solve FILE [--nodes 1000]

`make` plays games of our search against itself: four random plies, then 300 nodes a move, where
every fifth move on average is one of the legal moves at random. Fairy-Stockfish values the two best
moves of a position. It is written if the best one is at least 250 centipawns better than the second
one, and also at two plies more. A line has the position, the best move and both values. Each game
gives two positions at most. The positions depend on the version of both programs.

`solve` reports the share of positions with the best move found by our search.
"""

import argparse
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import rulesengine
from rulesengine import Game, State
from tests.benchmarks.chess_loss import Referee

GAP = 250  # centipawns
NODES, RANDOM, LONGEST, EACH = 300, 0.2, 120, 2


def positions(game: Game, seed: int) -> Iterator[State]:
    """Yield the positions of a game of our search with random moves between."""
    draw, state = random.Random(seed), game.initial_state()
    for ply in range(LONGEST):
        moves = game.legal_moves(state)
        if game.outcome(state) or not moves:
            return
        yield state
        by_chance = ply < 4 or draw.random() < RANDOM
        move = draw.choice(moves) if by_chance else game.search(state, nodes=NODES).move
        state = game.apply(state, move)


def best_of(referee: Referee, state: State, depth: int) -> tuple[str, int, int]:
    """Return the best move, its value, and the value of the second one, if there is one."""
    lines = referee.lines_of(state, f"depth {depth}", 2)
    move, value = lines[0]
    return move, value, lines[1][1] if len(lines) > 1 else value


def make(game: Game, referee: Referee, count: int, depth: int) -> Iterator[str]:
    """Yield lines of positions with a single good move."""
    seed = 0
    while count > 0:
        left = EACH
        for state in positions(game, seed):
            quick, value, second = best_of(referee, state, depth // 2)
            if value - second < GAP:
                continue
            move, value, second = best_of(referee, state, depth)
            if move != quick or value - second < GAP:
                continue
            later, deep, other = best_of(referee, state, depth + 2)
            if later == move and deep - other >= GAP and count > 0:
                yield f"{game.export(state)}; {move}; {deep}; {other}\n"
                left, count = left - 1, count - 1
            if not left or not count:
                break
        seed += 1


def solve(game: Game, file: Path, nodes: int) -> str:
    """Return a report of the positions that our search solves."""
    rows = [line.split("; ") for line in file.read_text().splitlines() if not line.startswith("#")]
    found = [str(game.search(game.state_from(row[0]), nodes=nodes).move) for row in rows]
    missed = [row for row, move in zip(rows, found, strict=True) if row[1] != move]
    share = 1 - len(missed) / len(rows)
    text = "".join(f"missed {row[0]}; {row[1]}\n" for row in missed)
    return f"{text}{nodes} nodes: {len(rows) - len(missed)} of {len(rows)} solved ({share:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("make", "solve"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--nodes", type=int, default=1000)
    options = parser.parse_args()
    game = rulesengine.load("chess", engine="native")
    if options.action == "solve":
        print(solve(game, options.file, options.nodes))
        return
    referee = Referee(shutil.which("fairy-stockfish") or "/usr/games/fairy-stockfish", game)
    with options.file.open("w") as lines:
        for line in make(game, referee, options.positions, options.depth):
            lines.write(line)
            lines.flush()
    referee.close()


if __name__ == "__main__":
    main()
