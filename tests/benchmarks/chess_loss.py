"""The loss of our moves in balanced positions of chess, measured by Fairy-Stockfish.

    .venv/bin/python -m tests.benchmarks.chess_loss [--positions 100] [--nodes 1000 20000]

A position comes from a game of 8 to 60 plies: four random ones, then one of the three best moves of
Fairy-Stockfish with 300 nodes. It counts as balanced if its value at depth 12 is at most 120
centipawns. The loss of a move is the value of the best move less that of the move, both at depth
12, each bounded by 1,500. The sum of the losses is the checksum of the work.
"""

import argparse
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from statistics import mean, median

import rulesengine
from rulesengine import Game, State

_BALANCED, _BLUNDER, _MOST = 120, 200, 1500
_DEPTH, _QUICK = "depth 12", "nodes 300"


class Referee:
    """Fairy-Stockfish as a process that values moves."""

    def __init__(self, path: str, game: Game) -> None:
        self._game = game
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._values: dict[tuple[str, str], int] = {}
        self._lines("uci", "uciok")

    def _lines(self, command: str, last: str) -> list[str]:
        """Send a command and return the lines up to the one that begins with a word."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(command + "\n")
        found = []
        for line in self._process.stdout:
            found.append(line)
            if line.startswith(last):
                return found
        raise SystemExit("the referee has ended")

    def lines_of(self, state: State, limit: str, count: int = 1) -> list[tuple[str, int]]:
        """Return the best moves of a position, each with its value in centipawns."""
        fen = self._game.export(state)
        setup = f"ucinewgame\nsetoption name MultiPV value {count}\nposition fen {fen}\n"
        found: dict[str, tuple[str, int]] = {}
        for line in self._lines(f"{setup}go {limit}", "bestmove"):
            words = line.split()
            if "pv" in words and "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                value = int(number) if kind == "cp" else _MOST if int(number) > 0 else -_MOST
                rank = words[words.index("multipv") + 1] if "multipv" in words else "1"
                found[rank] = words[words.index("pv") + 1], max(-_MOST, min(_MOST, value))
        return [found[rank] for rank in sorted(found, key=int)]

    def value(self, state: State, move: str) -> int:
        """Return the value of a move at the full depth."""
        key = self._game.export(state), move
        if key not in self._values:
            limit = f"{_DEPTH} searchmoves {move}"
            self._values[key] = self.lines_of(state, limit)[0][1]
        return self._values[key]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def positions(game: Game, referee: Referee, count: int) -> Iterator[State]:
    """Yield balanced positions, the same in every run with one version of the referee."""
    draw = random.Random(7)
    while count:
        state = game.initial_state()
        for ply in range(draw.randint(8, 60)):
            if game.outcome(state):
                break
            if ply < 4:
                move = str(draw.choice(game.legal_moves(state)))
            else:
                move = draw.choice(referee.lines_of(state, _QUICK, 3))[0]
            state = game.apply(state, move)
        if not game.outcome(state) and abs(referee.lines_of(state, _DEPTH)[0][1]) <= _BALANCED:
            count -= 1
            yield state


def losses(game: Game, referee: Referee, states: Sequence[State], nodes: int) -> list[int]:
    """Return the loss of our move in each position."""
    found = []
    for state in states:
        best = referee.lines_of(state, _DEPTH)[0][0]
        ours = str(game.search(state, nodes=nodes).move)
        found.append(max(0, referee.value(state, best) - referee.value(state, ours)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, nargs="+", default=[1000, 20_000])
    options = parser.parse_args()
    path = shutil.which("fairy-stockfish") or "/usr/games/fairy-stockfish"
    game = rulesengine.load("chess", engine="native")
    referee = Referee(path, game)
    states = list(positions(game, referee, options.positions))
    for nodes in options.nodes:
        found = losses(game, referee, states, nodes)
        blunders = sum(loss >= _BLUNDER for loss in found)
        print(
            f"{nodes} nodes: mean loss {mean(found):.1f}, median {median(found):.0f},"
            f" {blunders} of {len(found)} at least {_BLUNDER}, checksum {sum(found)}"
        )
    referee.close()


if __name__ == "__main__":
    main()
