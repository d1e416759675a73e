"""Exact values in scripts: `solve winner`, and play by `solving within N nodes`."""

from functools import cache

import pytest

from rulesengine.errors import SpecError
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.script_engines import ending
from tests.helpers.script_runs import failure, output

THREE = """\
spec: 1
name: Three in a row
board: {rows: 3, columns: 3}
players: [cross, nought]
pieces: {stone: {cross: x, nought: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end:
    - {when: "any(line(own, 3))", result: player wins}
    - {when: none(empty), result: draw}
strategies: {first_free: [highest, leftmost]}
io: |
"""
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
ROTATION, REFLECTION = (2, 5, 8, 1, 4, 7, 0, 3, 6), (2, 1, 0, 5, 4, 3, 8, 7, 6)


def game_of(script: str, text: str = THREE) -> Game:
    """Return the game of a spec with this script."""
    lines = "".join(f"  {line}\n" for line in script.strip().splitlines())
    return load_source(Source("three.yaml", text + lines))


def has_won(board: str, side: str) -> bool:
    return any(all(board[int(cell)] == side for cell in line) for line in LINES)


def moves(board: str, side: str) -> list[str]:
    return [board[:i] + side + board[i + 1 :] for i, sign in enumerate(board) if sign == "."]


@cache
def value(board: str, side: str) -> tuple[int, int]:
    """Return 1, 0 or -1 for the side to move, and the plies to the end under best play.

    A winner hurries and a loser delays; the plies of a draw are 0.
    """
    other = "o" if side == "x" else "x"
    if has_won(board, other):
        return -1, 0
    if "." not in board:
        return 0, 0
    replies = [value(after, other) for after in moves(board, side)]
    if wins := [plies for result, plies in replies if result < 0]:
        return 1, 1 + min(wins)
    if any(result == 0 for result, _ in replies):
        return 0, 0
    return -1, 1 + max(plies for _, plies in replies)


def positions() -> list[tuple[str, str]]:
    """Return all positions of games that go on, one of each class under symmetry."""
    found: dict[str, tuple[str, str]] = {}
    queue = [("." * 9, "x")]
    for board, side in queue:
        turned = [board]
        for _ in range(4):
            turned.append("".join(turned[-1][i] for i in ROTATION))
        name = min(turned + ["".join(b[i] for i in REFLECTION) for b in turned])
        other = "o" if side == "x" else "x"
        if name not in found and not has_won(board, other) and "." in board:
            found[name] = board, side
            queue += [(after, other) for after in moves(board, side)]
    return list(found.values())


VALUES = """
repeat
  read board
  read mover from "x" cross, "o" nought
  solve winner w, distance d within 100000 nodes
  play move by solving within 100000 nodes
  print "{w} {d} {symbols(all)}"
"""


@pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.slow)])
def test_the_values_and_moves_of_positions_are_those_of_a_plain_minimax(step: int) -> None:
    game, wanted = game_of(VALUES), positions()
    assert len(wanted) == 627
    wanted = wanted[::step]
    given = "".join(f"{b[:3]} {b[3:6]} {b[6:]} {side}\n" for b, side in wanted)
    expected = ending(game, given.encode(), "interpreter")
    assert ending(game, given.encode(), "python") == expected
    lines = expected[0].decode().splitlines()
    assert len(lines) == len(wanted)
    for line, (board, side) in zip(lines, wanted, strict=True):
        winner, plies, after = line.split()
        result, distance = value(board, side)
        other = "o" if side == "x" else "x"
        names = {"x": "cross", "o": "nought"}
        named = {1: names[side], -1: names[other], 0: "nobody"}
        assert (winner, int(plies)) == (named[result], distance), board
        assert after in moves(board, side)
        left = value(after, other)
        assert left == (-result, max(distance - 1, 0)), board


def test_a_budget_that_does_not_suffice_fails_whatever_was_solved_before() -> None:
    script = """
repeat n from 1 to 2
  solve winner w within 5 nodes
  else
    print "not within 5"
  solve winner w within 100000 nodes
  print "{w}"
"""
    lines = "not within 5\nnobody\n"
    game = game_of(script)
    for engine in ("interpreter", "python"):
        assert ending(game, b"", engine)[0].decode() == lines * 2


def test_a_failed_solution_leaves_the_position_to_else() -> None:
    script = """
play move by solving within 5 nodes
else
  play move by first_free
print "{move}"
play all moves by solving within 1 node
else
  print "{count(occupied)}"
choose m by solving within 2 nodes
else
  print "none"
"""
    game = game_of(script)
    for engine in ("interpreter", "python"):
        assert ending(game, b"", engine)[0] == b"a1\n1\nnone\n"


def test_without_else_the_message_names_the_budget() -> None:
    more = "strategies: {any_move: [leftmost]}\n"
    assert "1 node or more, not 0" in failure("solve winner w within 0 nodes", more=more)
    text = "play all moves by solving within 2 nodes"
    assert "the exact value is not found within 2 nodes" in failure(text, more=more)


def test_a_game_that_is_over_has_its_winner_and_no_move() -> None:
    script = """
forfeit
solve winner w, distance d within 1 node
print "{w} {d}"
play move by solving within 1 node
print "{count(occupied)}"
"""
    assert output(script) == "right 0\n0\n"


def test_both_sides_draw_by_exact_values() -> None:
    game = game_of('play all moves by solving within 100000 nodes\nprint "{winner} {plies}"')
    assert ending(game, b"", "interpreter")[0] == b"nobody 9\n"


CHANCE = THREE.replace(
    "  end:\n",
    "  chance: {when: plies = 1, branches: [{pass: yes}], next: next(player)}\n  end:\n",
)
HIDDEN = THREE.replace("  end:\n", "  sees: {cells: own}\n  end:\n")
THIRD = THREE.replace("[cross, nought]", "[cross, nought, third]").replace(
    "nought: o", "nought: o, third: z"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HIDDEN, "an exact value depends on what a player does not see"),
        (THIRD, "exact values are for two players, and there are 3"),
        (CHANCE, "exact values are for games without chance"),
    ],
)
def test_other_games_are_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        game_of("play move by solving within 9 nodes\nsolve winner w within 9 nodes", text)
    found = str(caught.value)
    assert found.count(message) == 2
    assert "help: play by a strategy: `first_free`" in found
    line = len(text.splitlines()) + 1
    assert f"three.yaml:{line}:16" in found
    assert f"three.yaml:{line + 1}:3" in found
