"""Writes games of Arimaa by the package AEI, step by step and in our notation.

Run as `python -m tests.oracles.arimaa_games > tests/data/authorities/arimaa.txt`, with AEI 1.4.1 of
PyPI installed. AEI has the steps and the results. The bans on a turn without a change and on a
third occurrence are counted here.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pyrimaa.board import BLANK_BOARD, Color, Piece, Position, index_to_alg

from tests.oracles.digests import KnownGame, KnownPly, to_ply, write_game

GAMES = 5
KINDS = ("rabbit", "cat", "dog", "horse", "camel", "elephant")
COUNTS = (8, 2, 2, 2, 1, 1)
SIDES = ("gold", "silver")


def main() -> None:
    sys.stdout.write(
        "# By AEI 1.4.1 of PyPI. The first game and every second one prefer pushes and pulls.\n"
    )
    for seed in range(GAMES):
        sys.stdout.write(write_game(play(random.Random(seed), seed % 2 == 1)) + "\n")


def play(draw: random.Random, is_mild: bool) -> KnownGame:
    """Play a game by random set-ups and steps."""
    plies = list[KnownPly]()
    start = set_up(draw, plies)
    seen = Counter([key(start)])
    while not (result := start.is_end_state()):
        now, steps = start, 0
        while True:
            after = moves(start, now, steps, seen)
            if not after:
                return KnownGame(SIDES[1 - start.color], tuple(plies))
            theirs = [text for text in after if is_of_other(now, text)]
            played = draw.choice(sorted(after if is_mild or not theirs else theirs))
            plies.append(to_ply(played, after))
            now, steps = after[played], steps + 1
            if now.color != start.color:
                break
        start = now
        seen[key(start)] += 1
    return KnownGame("gold" if result > 0 else "silver", tuple(plies))


def set_up(draw: random.Random, plies: list[KnownPly]) -> Any:
    """Set up both sides, and return the position with Gold to move."""
    boards = list(BLANK_BOARD)
    for color, rows in ((Color.GOLD, (1, 0)), (Color.SILVER, (7, 6))):
        left = dict(zip(KINDS, COUNTS, strict=True))
        for cell in (8 * row + column for row in rows for column in range(8)):
            kinds = [kind for kind in KINDS if left[kind]]
            kind = draw.choice(kinds)
            name = index_to_alg(cell)
            plies.append(to_ply(f"{name}={kind}", [f"{name}={one}" for one in kinds]))
            left[kind] -= 1
            boards[KINDS.index(kind) + 1 | color << 3] |= 1 << cell
            boards[Piece.EMPTY] &= ~(1 << cell)
    return Position(Color.GOLD, 4, boards)


def moves(start: Any, now: Any, steps: int, seen: Counter[Any]) -> dict[str, Any]:
    """Return the legal steps, and the end of the turn, with the positions after them."""
    found = dict(_steps(now))
    if steps and not now.inpush:
        found["end"] = now.get_null_move()
    return {text: after for text, after in found.items() if is_allowed(start, after, seen)}


def _steps(now: Any) -> Iterator[tuple[str, Any]]:
    for (origin, target), after in now.get_steps():
        yield f"{index_to_alg(origin)}-{index_to_alg(target)}", after


def is_allowed(start: Any, after: Any, seen: Counter[Any]) -> bool:
    """True unless a turn ends without a change or in a third occurrence, or a push cannot end."""
    if after.color != start.color:
        is_changed = after.bitBoards[1:] != start.bitBoards[1:]
        return is_changed and seen[key(after)] < 2
    if after.inpush and after.stepsLeft == 1:
        return any(is_allowed(start, last, seen) for _, last in after.get_steps())
    return True


def is_of_other(now: Any, text: str) -> bool:
    if text == "end":
        return False
    cell = 8 * (int(text[1]) - 1) + ord(text[0]) - ord("a")
    return bool(now.placement[1 - now.color] >> cell & 1)


def key(position: Any) -> tuple[Any, ...]:
    return position.color, *(board or 0 for board in position.bitBoards)


if __name__ == "__main__":
    main()
