"""Stacks of pieces: texts of positions, errors of effects, and engines compared."""

import pytest

from rulesengine import Game, RulesError
from rulesengine.errors import NotationError
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import spec_engines

# Every word for stacks, in moves that keep within the limits.
SPEC = """
spec: 1
name: Stacks
board: {rows: 3, columns: 4, stacks: {height: 5, under: [disc, rock]}}
players: [white, black]
pieces:
  disc: {white: o, black: x}
  king: {white: O, black: X}
  rock: {neutral: "#"}
  empty: "."
start: |
  ox . #O .
  . xoo . x
  X . . .
rules:
  moves:
    - {place: disc, to: (empty or occupied disc) where height(it) < 5}
    - place: rock
      to: empty
      written: "r{to}"
      do: put rock under own king where height(it) < 3
    - move: own
      to: neighbours(from) where height(it) + height(from) < 6 and not (it in occupied king)
    - move: own disc
      choice: {n: [1, 2, 3]}
      take: n
      written: "{n}{from}{to}"
      to: neighbours(from) minus occupied king
      when: n < height(from) and height(to) + n < 6
      do: if any(below(1, own) and to) then promote to to king
    - select: enemy disc and below(1, own)
      choice: [1, 2]
      written: "u{to}{choice}"
      do: remove to or neighbours(to) and own taking choice
    - select: below(2, enemy) minus occupied king
      written: "s{to}"
      do: [carry to under first(own) taking 1, flip to]
    - move: own disc
      along: orthogonal
      take: 0
      choice: [1, 2, 11, 21, 12]
      written: "{from}{direction}{choice}"
      to: shift(from, direction)
      do: carry from to direction laying choice
      when: >-
        height(from) >= (if choice = 21 or choice = 12 then 3 else if choice > 1 then 2 else 1)
        and every(c in shift(from, direction) or shift(from, direction, direction),
          height(c) < 3 and not (c in occupied king))
        and (choice < 9 or any(shift(from, direction, direction)))
  score: count(own) + 2 * count(below(1, own))
  end:
    - {when: plies > 30, result: highest score wins}
    - {when: "count(own and below(1, disc)) > 3", result: player wins}
"""
# Moves that may exceed the limits.
BOLD = """
spec: 1
name: Bold stacks
board: {rows: 1, columns: 4, stacks: {height: 3, under: man}}
players: [white, black]
pieces:
  man: {white: o, black: x}
  king: {white: O, black: X}
  empty: "."
start: "put man on a1"
rules:
  moves:
    - {move: occupied, to: all}
    - {select: all, do: put man on to}
    - {select: all, written: "u{to}", do: put king under to}
    - select: all
      written: "e{to}={choice}"
      choice: [1, 11, 10]
      do: carry to to east laying choice
    - {select: all, written: "t{to}={choice}", choice: [0, 1, -1], do: carry to to d1 taking choice}
    - {select: all, written: "r{to}={choice}", choice: [0, 1, -1], do: remove to taking choice}
  end: {when: plies > 9, result: draw}
"""


def bold() -> Game:
    return load_source(Source("bold.yaml", BOLD), engine="interpreter")


def test_a_stack_is_written_from_the_bottom_to_the_top() -> None:
    game = load_source(Source("stacks.yaml", SPEC), engine="interpreter")
    state = game.initial_state()
    assert str(state).splitlines()[:3] == ["ox . #O .", ". xoo . x", "X . . ."]
    assert [state.stack(cell) for cell in (0, 1, 2, 5)] == ["ox", "", "#O", "xoo"]
    assert game.state_from(str(state)) == state
    after = game.apply(state, game.move("2b2b3", state))
    assert str(after).splitlines()[:3] == ["ox . #O .", ". x . x", "X oO . ."]
    assert game.state_from(str(after)) == after


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("o x", "row 1 has 4 cells, found 2"),
        ("o . q .", "row 1, cell 3: no piece `q`, expected some of o x O X"),
        ("o oxox . .", "row 1, cell 2: a stack has at most 3 pieces, found 4"),
        ("o . . xOx", "row 1, cell 4: no piece can be on `O`"),
    ],
)
def test_a_board_of_stacks_that_cannot_be_is_refused(row: str, message: str) -> None:
    with pytest.raises(NotationError, match=f"^{message}$"):
        bold().state_from(f"{row}\nmover: white")


@pytest.mark.parametrize(
    ("row", "move", "message"),
    [
        ("oxo x . .", "a1-b1", "4 pieces on `b1`, a stack has at most 3"),
        ("oxo x . .", "a1", "4 pieces on `a1`, a stack has at most 3"),
        ("o O . .", "a1-b1", "a piece on a `king` on `b1`"),
        ("o O . .", "b1", "a piece on a `king` on `b1`"),
        ("o . . .", "ua1", "a piece on a `king` on `a1`"),
        ("o . . ox", "ed1=1", "a cell off the board"),
        ("ox . . o", "ta1=-1", "-1 pieces"),
        ("ox . . o", "ra1=-1", "-1 pieces"),
    ],
)
def test_an_effect_beyond_the_limits_of_a_stack_is_an_error(
    row: str, move: str, message: str
) -> None:
    game = bold()
    state = game.state_from(f"{row}\nmover: white")
    with pytest.raises(RulesError, match=message):
        game.apply(state, move)


@pytest.mark.usefixtures("in_haste")
def test_engines_agree_on_stacks() -> None:
    engines = spec_engines(SPEC)
    engines.play(1, 24)
    engines.playouts(5, seed=1)


def test_engines_agree_where_effects_on_stacks_fail() -> None:
    engines = spec_engines(BOLD)
    for seed in range(6):
        engines.play(seed, 9)
