"""BitBully, a perfect player of Connect Four, as a program that speaks the line protocol of `cmd:`.

    python -m tests.benchmarks.bitbully_player FILE             plays; adds seconds to FILE
    python -m tests.benchmarks.bitbully_player --games FILE.db  counts games from sound openings

The second command counts the games of a tournament with openings that are won or drawn for the
first player, and the losses among them.
"""

import json
import sqlite3
import sys
from contextlib import closing

import bitbully

from rulesengine.contests.units import OPENING
from rulesengine.play.records import read_record
from tests.benchmarks.speaking import speak

COLUMNS = "abcdefg"


def main(file: str) -> None:
    solver, board, rows = bitbully.BitBully(), bitbully.Board(), dict.fromkeys(COLUMNS, 0)

    def play(text: str) -> None:
        rows[text[0]] += 1
        board.play(COLUMNS.index(text[0]))

    def move(_: int) -> str:
        column = COLUMNS[solver.best_move(board)]
        text = f"{column}{rows[column] + 1}"
        play(text)
        return text

    speak(play, move, file)


def sound(file: str) -> str:
    """Return a line with the avoidable losses of the first player of a tournament."""
    solver, lost, games = bitbully.BitBully(), 0, 0
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT turn, payoffs, record FROM games").fetchall()
    for turn, payoffs, record in rows:
        opening = read_record(record).moves[:OPENING]
        board = bitbully.Board.from_moves([COLUMNS.index(text[0]) for text in opening])
        value = solver.mtdf(board) * (1 if turn == len(opening) % 2 else -1)
        paid = json.loads(payoffs)
        games += value >= 0
        lost += value >= 0 and paid[turn] < paid[1 - turn]
    return f"{lost} of {games} games were lost that were won or drawn after the opening\n"


if __name__ == "__main__":
    if sys.argv[1] == "--games":
        sys.stdout.write(sound(sys.argv[2]))
    else:
        main(sys.argv[1])
