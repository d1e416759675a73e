"""Players who take part for some values of the parameters; all else depends on them."""

import io

import pytest

from rulesengine import Game, SpecError
from rulesengine.loading import load_source
from rulesengine.prose import rules_page
from rulesengine.script import run
from rulesengine.support.source import Source

# By `n`: 0 no player, 1 ann and bob, 2 bob and cid, 3 all.
SPEC = """
spec: 1
name: Seats
board: {rows: 2, columns: 3}
parameters:
  n: {type: integer, from: 0, to: 3, default: 3}
players:
  ann: {when: n % 2 = 1, label: Ann, goal: left}
  bob: {when: n > 0, label: Bob, goal: top}
  cid: {when: n > 1, label: Cid, goal: right}
pieces:
  stone: {ann: a, bob: b, cid: c}
  wall: {neutral: "#"}
  empty: "."
registers:
  stock: {type: number, from: 0, to: 3, start: 2, each: player}
rules:
  moves:
    - place: stone
      to: empty
      when: stock > 0 and count(own of ann) < 2
      do: set stock to stock - 1
    - otherwise
    - place: wall
      to: empty
  score: count(own) + count(neutral)
  end:
    - when: count(own and goal) > 1
      result: player wins
    - when: none(empty)
      result: highest score wins
io: |
  read mover from "1" ann, "2" bob, "3" cid
  else
    print "{word} is not here"
    stop
  prompt each p in players "{label of p}, "
  print "{mover} to move, not {label of ann}"
  read board with "A" stone of ann, "C" stone of cid, "#" wall of neutral, "-" empty
  else
    print "no {word}"
    stop
  print board
"""


def seats(n: int, engine: str = "interpreter", text: str = SPEC) -> Game:
    return load_source(Source("seats.yaml", text), engine=engine, n=n)


def output(n: int, given: str) -> str:
    target = io.BytesIO()
    run(seats(n), io.BytesIO(given.encode()), target)
    return target.getvalue().decode()


@pytest.mark.parametrize(
    ("n", "names"),
    [(1, ("ann", "bob")), (2, ("bob", "cid")), (3, ("ann", "bob", "cid"))],
)
def test_present_players_move_in_order_and_have_registers(n: int, names: tuple[str, ...]) -> None:
    game = seats(n)
    assert game.players == names
    state = game.initial_state()
    for name in names:
        assert state.mover == name
        state = game.apply(state, game.legal_moves(state)[0])
    assert state.mover == names[0]
    drawn = "".join(name[0] for name in names)
    lines = [drawn.ljust(3, "."), "...", f"mover: {names[0]}", *(f"stock of {p}: 1" for p in names)]
    assert str(state) == "\n".join(lines)
    assert game.state_from(str(state)) == state


def test_the_pieces_of_those_who_stay_away_are_no_pieces() -> None:
    state = seats(2).state_from("bc.\n#..\nmover: bob")
    assert str(state).startswith("bc.\n#..\n")
    with pytest.raises(Exception, match="`a`"):
        seats(2).state_from("ba.\n#..\nmover: bob")


def test_scripts_know_players_and_pieces_by_the_same_words() -> None:
    assert output(3, "3 A#C ---") == "Ann, Bob, Cid, cid to move, not Ann\na#c\n...\n"
    assert output(2, "3 -#C ---") == "Bob, Cid, cid to move, not nobody\n.#c\n...\n"
    assert output(2, "1") == "1 is not here\n"
    assert output(2, "2 A-- ---") == "Bob, Cid, bob to move, not nobody\nno A--\n"


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.usefixtures("in_haste")
def test_every_engine_plays_with_those_who_take_part(n: int, engine: str) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    made, expected = seats(n, engine), seats(n)
    assert made.playouts(20, seed=n) == expected.playouts(20, seed=n)
    assert [made.perft(d) for d in (1, 2, 3)] == [expected.perft(d) for d in (1, 2, 3)]


def test_the_rules_describe_the_players_that_take_part() -> None:
    page = rules_page(seats(2))
    assert "Two players: bob and cid; bob moves first." in page
    assert "Stone: b for bob and c for cid." in page
    assert "top row" in page
    assert "ann" not in page


def test_somebody_must_take_part() -> None:
    with pytest.raises(SpecError, match="no player takes part"):
        seats(0)
