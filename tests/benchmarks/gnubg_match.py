"""Benchmark of the strength in backgammon: games of one point against GNU Backgammon.

    python -m tests.benchmarks.gnubg_match [--games N] [--nodes N] [--plies N] [--learned FILE]

GNU Backgammon listens at a local port (`external`) and answers a FIBS board line with its move. It
evaluates at `--plies` without noise. Games come in pairs with swapped sides and the same dice,
drawn from the number of the pair and of the throw. A game counts one point whatever its stake.
`--learned` names a file; without it the bundled one counts. The sequential test is that of
`strength`: H1 is the goal, H0 is ten percentage points lower.
"""

import argparse
import random
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, process_time, sleep

import rulesengine
from rulesengine import Game, State
from rulesengine.contests.stats.intervals import score_of
from rulesengine.contests.stats.sprt import RunningTest, Sprt
from rulesengine.tools.doctor import processor_name
from tests.benchmarks.strength import MARGIN, SAID, elo_of

POINTS, BAR, OFF = 24, 25, 0
PATIENCE = 60  # seconds
GOAL = 0.4  # of the points
Board = tuple[list[int], list[int]]  # men of the mover and of the other, by the mover's points


class GnuBackgammon:
    """A connection to a running program, which answers one board line at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._file = connection.makefile("rw", newline="\n")

    def move(self, board: Board, dice: tuple[int, int]) -> str:
        """Return the move of a board in the notation of GNU Backgammon."""
        own, other = board
        cells = [own[n] - other[BAR - n] for n in range(1, POINTS + 1)]
        numbers = [-other[BAR], *cells, own[BAR], 1, *dice, 0, 0, 1, 1, 1, 0, 1, -1, 0, BAR]
        numbers += [own[OFF], other[OFF], own[BAR], other[BAR], 0, 0, 0, 0]
        line = ":".join(["board", "You", "gnubg", "1", "0", "0", *map(str, numbers)])
        self._file.write(line + "\r\n")
        self._file.flush()
        return self._file.readline().strip()


@contextmanager
def gnu_backgammon(plies: int) -> Iterator[GnuBackgammon]:
    """Start the program at a free local port, and end it."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        evaluation = f"set evaluation chequerplay evaluation plies {plies}\n"
        file.write(f"{evaluation}external localhost:{port}\n")
        file.flush()
        command = ["gnubg", "-t", "-q", "-c", file.name]
        silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **silent)  # type: ignore[call-overload]
        try:
            with _connected(port) as connection:
                yield GnuBackgammon(connection)
        finally:
            process.kill()
            process.wait()


def _connected(port: int) -> socket.socket:
    until = monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("localhost", port), timeout=PATIENCE)
        except OSError:
            if monotonic() > until:
                raise
            sleep(0.1)


def board_of(game: Game, state: State) -> Board:
    """Return the men of the mover and of the other player, each by the mover's own points."""
    form, side = game.program.form, state.side
    found: Board = ([0] * (BAR + 1), [0] * (BAR + 1))
    for cell, name in enumerate(form.cells):
        for owner in range(2):
            if state.planes[owner] >> cell & 1:
                men = form.numbers[0].at(cell, state.registers)
                found[owner != side][_point(name, owner)] = men
    return found


def _point(name: str, owner: int) -> int:
    """Return the point of a cell from the view of a player, white (0) or black."""
    if name[0] != "p":
        return BAR if name[1] == "b" else OFF
    return int(name[1:]) if owner == 0 else BAR - int(name[1:])


def after(board: Board, move: str) -> Board:
    """Return the board after a move in the notation of GNU Backgammon."""
    own, other = list(board[0]), list(board[1])
    for word in move.split():
        text, _, times = word.partition("(")
        for _ in range(int(times.rstrip(")")) if times else 1):
            points = [_number(part) for part in text.split("/")]
            own[points[0]] -= 1
            own[points[-1]] += 1
            for point in points[1:]:
                if point != OFF and other[BAR - point] == 1:
                    other[BAR - point], other[BAR] = 0, other[BAR] + 1
    return own, other


def _number(text: str) -> int:
    named = {"bar": BAR, "off": OFF}
    return named.get(text.rstrip("*"), -1) if text[0] in "bo" else int(re.sub(r"\D", "", text))


def line_to(game: Game, state: State, goal: Board) -> list[rulesengine.Move]:
    """Return the moves that lead to a board; a double is two moves."""
    side = state.side
    for move in game.legal_moves(state):
        then = game.apply(state, move)
        if game.outcome(then) or then.side != side or game.weights(then):
            if _seen_by(game, then, side) == goal:
                return [move]
            continue
        for second in game.legal_moves(then):
            if _seen_by(game, game.apply(then, second), side) == goal:
                return [move, second]
    raise ValueError(f"no move leads to {goal} from\n{state}")


def _seen_by(game: Game, state: State, side: int) -> Board:
    own, other = board_of(game, state)
    return (own, other) if state.side == side else (other, own)


def play(game: Game, theirs: GnuBackgammon, number: int, options: argparse.Namespace) -> bool:
    """Play a game and return True if we win it; even numbers have us as white."""
    state, throws, queue = game.initial_state(), 0, list[rulesengine.Move]()
    while game.outcome(state) is None:
        weights, moves = game.weights(state), game.legal_moves(state)
        if weights:
            draw = random.Random(f"{number // 2} {throws}")
            chosen, throws = draw.choices(moves, weights)[0], throws + 1
        elif state.side == number % 2:
            chosen = moves[0]
            if len(moves) > 1:
                found = game.search(state, nodes=options.nodes, learned=options.learned)
                chosen = found.move
        else:
            if not queue:
                board = board_of(game, state)
                queue = line_to(game, state, after(board, theirs.move(board, dice_of(state))))
            chosen = queue.pop(0)
        state = game.apply(state, chosen)
    outcome = game.outcome(state)
    assert outcome
    return outcome.winner == game.players[number % 2]


def dice_of(state: State) -> tuple[int, int]:
    """Return the two dice that are still to be played."""
    names = state.form.registers
    one, two = (state.registers[names.index(name)] for name in ("one", "two"))
    return one, two


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--learned", type=Path)
    options = parser.parse_args()
    game = rulesengine.load("backgammon", engine="native")
    options.learned = options.learned or game.bundled_learning
    won, since = list[float](), process_time()
    test = RunningTest(Sprt(elo_of(GOAL - MARGIN), elo_of(GOAL)))
    decision = ""
    with gnu_backgammon(options.plies) as theirs:
        for number in range(options.games):
            won.append(float(play(game, theirs, number, options)))
            score = score_of(won)
            assert score
            text = f"{score.value:.1%} ({score.low:.1%} to {score.high:.1%})"
            if number % 2:
                decision = decision or test.add([(number // 2, round(2 * sum(won[-2:])))], ())
            took = (process_time() - since) / len(won)
            line = f"{len(won)} games: {text}, {took:.2f} s of CPU a game, {SAID[decision]}"
            sys.stdout.write(f"\r{line}")
            sys.stdout.flush()
    sys.stdout.write(f"\n{processor_name()}\n")


if __name__ == "__main__":
    main()
