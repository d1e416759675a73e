"""Functions that a definition of a spec replaces, and functions that no definition replaces."""

import pytest

from rulesengine import SpecError, loads
from rulesengine.language.check.builtins import FUNCTIONS, REPLACEABLE

SPEC = """
spec: 1
name: Walk
board: {{rows: 1, columns: 4}}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, empty: "."}}
start: [put man of white on a1]
define:
  {definition}
rules:
  moves: {{move: own, to: "{to} and empty"}}
  end: {{when: not can_move(mover), result: draw}}
"""


def moves(definition: str, to: str) -> list[str]:
    game = loads(SPEC.format(definition=definition, to=to))
    return [str(move) for move in game.legal_moves(game.initial_state())]


def test_a_definition_replaces_a_later_function_inside_its_spec() -> None:
    assert moves("turned(c): shift(c, east, east)", "turned(from)") == ["a1-c1"]
    assert moves("can_act(c, d): shift(c, d)", "can_act(from, east)") == ["a1-b1"]
    assert moves("far: d1", "shift(from, turned(north, 2))") == ["a1-b1"]


def test_a_definition_replaces_no_other_function() -> None:
    assert FUNCTIONS.keys() > REPLACEABLE
    with pytest.raises(SpecError, match="`opposite` is a word of the language"):
        moves("opposite(c): shift(c, east)", "opposite(from)")
