"""Moves that players make together: rounds against a plain program, in every engine.

The plain program knows the rules of one small game, and moves all players at once.
"""

from collections.abc import Iterator
from itertools import product

import pytest

import rulesengine

# White goes east and black west, onto other pieces too; stones are dropped at both ends. The
# players move together while a stone of white is in the west half, otherwise in turn.
CLASH = """
spec: 1
name: Clash
board: {rows: 1, columns: 6, origin: bottom-left}
players: {white: {ahead: east, home: left}, black: {ahead: west, home: right}}
pieces: {stone: {white: w, black: b}, empty: "."}
registers:
  taken: {type: number, each: player, from: 0, to: 99}
  rounds: {type: number, from: 0, to: 99}
start: |
  w.w..b
rules:
  together: any(stone of white and columns(1 to 3))
  moves:
    - move: own
      to: shift(from, ahead) minus own
      do: if any(to and before(enemy)) then add 1 to taken
    - place: stone
      to: home and empty
      when: plies % 3 = 1
  do: if plies < 50 then add 1 to rounds
  end: {when: plies = 30, result: draw}
"""
Board = tuple[str, ...]
Step = tuple[str, int, int]  # player, origin (-1 for a drop), target


def steps_of(board: Board, player: str, plies: int) -> list[Step]:
    sign, way = ("w", 1) if player == "w" else ("b", -1)
    cells = [c for c in range(6) if board[c] == sign]
    found = [(player, c, c + way) for c in cells if 0 <= c + way < 6 and board[c + way] != sign]
    home = 0 if player == "w" else 5
    if plies % 3 == 1 and board[home] == ".":
        found.append((player, -1, home))
    return found


def carried_out(board: Board, steps: tuple[Step, ...]) -> Board:
    """Return the board after the steps of all players, in their order."""
    now = list(board)
    for player, origin, target in steps:
        if origin >= 0:
            if now[origin] != player:
                continue  # the piece was captured
            now[origin] = "."
        now[target] = player
    return tuple(now)


def joint_steps(board: Board, plies: int) -> Iterator[tuple[Step, ...]]:
    """Yield the steps of a round, White's first; a player without one makes none."""
    nothing: list[tuple[Step, ...]] = [()]
    own = ([(step,) for step in steps_of(board, player, plies)] for player in "wb")
    for white, black in product(*(steps or nothing for steps in own)):
        yield (*white, *black)


def plain_children(board: Board, mover: str, plies: int) -> Iterator[tuple[Board, str]]:
    """Yield the boards after a ply, with the player to move, as often as they are reached."""
    other = "b" if mover == "w" else "w"
    if "w" in board[:3]:
        for steps in joint_steps(board, plies):
            yield carried_out(board, steps), "w"
        return
    for step in steps_of(board, mover, plies):
        after = carried_out(board, (step,))
        yield after, ("w" if "w" in after[:3] else other)


def plain_perft(board: Board, mover: str, plies: int, depth: int) -> int:
    if depth == 0:
        return 1
    children = plain_children(board, mover, plies)
    return sum(plain_perft(after, to_move, plies + 1, depth - 1) for after, to_move in children)


ENGINES = ["interpreter", "python", pytest.param("native", marks=pytest.mark.slow)]


@pytest.mark.parametrize("engine", ENGINES)
def test_rounds_of_joint_moves_are_those_of_a_plain_program(engine: str) -> None:
    game = rulesengine.loads(CLASH, engine=engine)
    expected = [plain_perft(tuple("w.w..b"), "w", 0, depth) for depth in range(1, 6)]
    assert [game.perft(depth) for depth in range(1, 6)] == expected
