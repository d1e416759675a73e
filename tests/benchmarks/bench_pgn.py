"""Reading of games in PGN, compared with python-chess in one run.

    python -m tests.benchmarks.bench_pgn --make COUNT FILE     writes random games
    python -m tests.benchmarks.bench_pgn FILE                  reads them with both

It needs python-chess (`chess` on the package index). Both check every move by the rules. The table
has CPU and wall-clock seconds, games, plies and errors; compare runs of equal checksums only.
"""

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time
from zlib import crc32

import chess
import chess.pgn

import rulesengine

Games = Callable[[Path], Iterator[tuple[list[str], int]]]
_SEED, _LEAST, _MOST, _WIDTH = 7, 50, 110, 78


def main(arguments: list[str]) -> None:
    if arguments[0] == "--make":
        make(int(arguments[1]), Path(arguments[2]))
        return
    path = Path(arguments[0])
    for name, games in (("rulesengine", ours), ("python-chess", theirs)):
        cpu, wall, count, plies, errors, checksum = process_time(), perf_counter(), 0, 0, 0, 0
        for moves, wrong in games(path):
            count += 1
            plies += len(moves)
            errors += wrong
            checksum = crc32(" ".join(moves).encode(), checksum)
        cpu, wall = process_time() - cpu, perf_counter() - wall
        figures = f"{count} games, {plies} plies, {errors} errors, checksum {checksum}"
        print(
            f"{name:12} {cpu:8.2f} s CPU {wall:8.2f} s  {1e6 * cpu / plies:6.2f} µs/ply  {figures}"
        )


def ours(path: Path) -> Iterator[tuple[list[str], int]]:
    """Yield the moves and the number of errors of each game."""
    game = rulesengine.load("chess", engine="native")
    for recorded in game.read_games(path.read_bytes()):
        yield [str(move) for move in recorded.moves], len(recorded.problems)


def theirs(path: Path) -> Iterator[tuple[list[str], int]]:
    """Yield the same by python-chess."""
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield [move.uci() for move in game.mainline_moves()], len(game.errors)


def make(count: int, path: Path) -> None:
    """Write random games of 50 to 110 plies; captures are chosen twice as often."""
    chosen = random.Random(_SEED)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            board, words, most = chess.Board(), list[str](), chosen.randint(_LEAST, _MOST)
            while not board.is_game_over() and board.ply() < most:
                moves = list(board.legal_moves)
                move, other = chosen.choice(moves), chosen.choice(moves)
                move = other if board.is_capture(other) else move
                words += [f"{board.fullmove_number}."] if board.turn else []
                words.append(board.san(move))
                board.push(move)
            result = board.result()
            names = {"Event": f"Sample {number}", "White": "A", "Black": "B", "Result": result}
            file.writelines(f'[{name} "{value}"]\n' for name, value in names.items())
            file.write("\n" + wrapped([*words, result]) + "\n\n")


def wrapped(words: list[str]) -> str:
    """Return words in lines."""
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


if __name__ == "__main__":
    main(sys.argv[1:])
