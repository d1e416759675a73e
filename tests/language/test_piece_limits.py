"""Bounds on the pieces of a kind: no more placements at the limit, errors and failures."""

import io

import pytest

from rulesengine import EvaluationError, Game, NotationError, RulesError, SpecError
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.selection import Engine
from rulesengine.language.lower import costs
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import QUICK

# A man on the last row becomes a king; a second king is an error of the game.
SPEC = """
spec: 1
name: Few
parameters: {men: {type: integer, from: 1, to: 9, default: 2}}
board: {rows: 3, columns: 3}
players: [white, black]
pieces:
  man: {white: o, black: x, at_most: MEN}
  king: {white: O, black: X, at_most: 1}
  empty: "."
START
rules:
  moves:
    - place: man
      to: empty
    - move: own man
      to: empty touching from
      do: if to in bottom then EFFECT
  end:
    - when: plies > 20
      result: draw
io: |
  read board
  print board
"""
DRAWN = "start: |\n  {}\n  ...\n  x.x"


def game(
    effect: str = "promote to to king",
    start: str = "",
    men: str = "men",
    engine: Engine = "interpreter",
) -> Game:
    text = SPEC.replace("EFFECT", effect).replace("START", start).replace("MEN", men)
    return load_source(Source("few.yaml", text.lstrip()), engine=engine)


def test_piece_limit_forbids_placements_with_a_reason() -> None:
    found = game()
    state = found.state_from("oo.\n...\nx..")
    assert {move.text for move in found.legal_moves(state)} == {
        *("a1-a2", "a1-b2", "b1-a2", "b1-b2", "b1-c1", "b1-c2")
    }
    assert "the limit of 2 for each man of white is reached" in found.why_not("c1", state)
    other = found.state_from("oo.\n...\nx..\nmover: black")
    assert found.move("c1", other).text == "c1"


@pytest.mark.parametrize("engine", ["interpreter", *QUICK])
@pytest.mark.parametrize("effect", ["promote to to king", "put king of player on to"])
def test_an_effect_that_makes_too_many_fails_in_every_engine(effect: str, engine: Engine) -> None:
    found = game(effect, engine=engine)
    one, two = (found.state_from(f"{row}\no..\nx..") for row in ("X..", "O.."))
    assert str(found.apply(one, "a2-b3")).startswith("X..\n...\nxO.")
    with pytest.raises(
        EvaluationError, match=r"few.yaml:8:30: too many `king` of white, at most 1"
    ):
        found.apply(two, "a2-b3")


def test_flipped_pieces_are_counted_for_whose_they_become() -> None:
    found = game("flip enemy")
    assert found.apply(found.state_from("...\no..\nx.."), "a2-b3").mover == "black"
    with pytest.raises(EvaluationError, match=r"7:29: too many `man` of white, at most 2"):
        found.apply(found.state_from("x..\no..\nx.."), "a2-b3")


def test_a_position_that_is_read_or_drawn_has_no_more() -> None:
    with pytest.raises(NotationError, match="there can be at most 2 `man` of black, found 3"):
        game().state_from("xxx\n...\n...")
    with pytest.raises(RulesError, match="malformed board: there can be at most 1 `king` of white"):
        run(game(), io.BytesIO(b"O.O\n...\n..."), io.BytesIO())
    assert game(start=DRAWN.format("oo.")).initial_state().mover == "white"
    with pytest.raises(SpecError, match="there can be at most 2 `o`, found 3"):
        game(start=DRAWN.format("ooo"))


def test_the_number_follows_from_numbers_and_parameters() -> None:
    assert game(men="2 * men - 1").program.form.limits[:2] == (3, 3)
    with pytest.raises(SpecError, match="must follow from numbers and parameters alone"):
        game(men="count(top)")
    with pytest.raises(SpecError, match="`own` cannot be read in `at_most`"):
        game(men="count(own)")


def test_costs_are_reckoned_with_so_many_pieces() -> None:
    found = game()
    clause = next(c for c in costs(found.rules, found.parameters) if c.path == ("moves", 1))
    assert ("from", 2) in clause.factors


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_other_positions_are_played_if_the_start_always_fails(engine: Engine) -> None:
    """Neither kernels nor the choice of an engine may depend on the effects of the start."""
    start = "start: put king of white on a1 or b1"
    effect = "if none(own king) and any(own where row(it) > 1) then promote to to king"
    found, right = (game(effect, start, engine=name) for name in (engine, "interpreter"))
    with pytest.raises(EvaluationError, match="too many `king` of white"):
        found.initial_state()
    assert emitted(found.machine, "playouts").functions
    state = "...\no..\nx.."
    results = [one.playouts(5, seed=1, state=one.state_from(state)) for one in (found, right)]
    assert results[0] == results[1]
