"""Choices in keys: preferences of strategies and `keep` among moves with a choice."""

import pytest

from rulesengine import Game, prose
from rulesengine.loading import load_source
from rulesengine.support.source import Source

pytestmark = pytest.mark.usefixtures("in_haste")

SPEC = """
spec: 1
name: Ranked
board: {{rows: 2, columns: 2, origin: bottom-left}}
players: [anna, bert]
pieces:
  man: {{anna: m, bert: n}}
  king: {{anna: K, bert: L}}
  empty: "."
rules:
  moves:
    - place: choice
      to: empty
      choice: [man, king]
      when: plies < 2
    - select: own
      choice: {{many: [1, 3, 2], way: [north, east]}}
      do: remove to
      when: plies > 0
    - pass: true
      when: plies > 0
  keep: {keep}
  end: {{when: plies > 3, result: draw}}
strategies:
  chosen: {keys}
"""


def ranked(engine: str, keys: str = "[]", keep: str = "[]") -> Game:
    text = SPEC.format(keys=keys, keep=keep)
    return load_source(Source("ranked.yaml", text), engine=engine)


ENGINES = ["interpreter", "python", "native"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("keys", "first", "second"),
    [
        # Anna may place on four cells; Bert then on three, with no piece to remove, or pass.
        ("[prefer choice = king]", "a2=king", "b2=king"),
        ("[prefer choice = man, rightmost, lowest]", "b1=man", "b2=man"),
        ("[prefer choice = no_kind]", "a2=man", "pass"),
        ("[most many]", "a2=man", "b2=man"),
    ],
)
def test_a_key_reads_what_a_move_was_made_with(
    engine: str, keys: str, first: str, second: str
) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    game = ranked(engine, keys)
    state = game.initial_state()
    move = game.choose("chosen", state)
    assert str(move) == first
    assert move is not None
    assert str(game.choose("chosen", game.apply(state, move))) == second


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("keep", "legal"),
    [
        ("[most many]", "a1=3=north a1=3=east"),
        ("[prefer way = east, least many]", "a1=1=east"),
        ("[prefer choice = king]", "a2=king b2=king b1=king"),
    ],
)
def test_legal_moves_are_kept_by_their_choices(engine: str, keep: str, legal: str) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    game = ranked(engine, keep=keep)
    state = game.state_from("..\nm.\nmover: anna\nplies: 1")
    assert " ".join(map(str, game.legal_moves(state))) == legal


def test_prose_speaks_of_the_choice() -> None:
    page = " ".join(prose.rules_page(ranked("interpreter", keep="[most many]")).split())
    assert "the chosen many" in page
