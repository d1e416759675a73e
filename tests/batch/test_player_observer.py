"""The views of players as planes and registers: equal where the interpreter's observations are."""

import random

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.adapters.observed_game import observed_svg
from rulesengine.batch import Batch, PlayerObserver
from rulesengine.engine.observation import Observer
from tests.helpers.hidden_states import HIDDEN_NAMES, SMALLER, mixed, random_states

# Three players, numbers at cells, registers of several types, neutral pieces, and pieces of which
# only the owner is seen.
WIDE = """
spec: 1
name: Wide
board: {rows: 3, columns: 3}
players: [red, green, blue]
pieces:
  man: {red: r, green: g, blue: b}
  king: {red: R, green: G, blue: B}
  rock: {neutral: "#"}
  empty: "."
registers:
  gold: {type: number, each: cell, from: 0, to: 3}
  wind: {type: number, each: cell, from: 0, to: 3, seen: nobody}
  fame: {type: number, each: cell, from: 0, to: 3, seen: all}
  marks: {type: cells, each: player, seen: own}
  met: {type: number, each: player, from: 0, to: 9, seen: own}
  total: {type: number, from: 0, to: 9}
  secret: {type: cell, seen: nobody}
rules:
  sees: {cells: own or a1, owners: neighbours(own)}
  moves:
    place: choice
    choice: [man, king]
    to: empty or unknown
    do:
      - add 1 to gold of to
      - add 1 to wind of to
      - add 1 to fame of to
      - set marks to marks or to
      - add 1 to met
      - set secret to to
      - if choice = king then (add 1 to total, put rock on empty and c3)
  end: {when: plies = 6 or none(empty), result: draw}
tests:
  - random: 1
"""


def views_of(game: Game, states: list[State]) -> tuple[int, int]:
    """Compare observations and views of states; return the numbers of states and of observations.

    A view is equal to another one exactly if the text of the board and of the registers is.
    """
    observer = PlayerObserver(game)
    texts: dict[object, object] = {}
    views: dict[object, object] = {}
    pictures: dict[object, str] = {}
    for state in states:
        for player, name in (*enumerate(game.players), (None, None)):
            seen = game.observation(state, name)
            planes, numbers = observer.observe(state, player)
            text = (name, seen.rows, seen.registers)
            view = (name, planes.tobytes(), numbers.tobytes())
            assert texts.setdefault(text, view) == view
            assert views.setdefault(view, text) == text
            if len(pictures) < 30:
                picture = observed_svg(game, state, player)
                assert pictures.setdefault((*text, seen.mover, seen.outcome), picture) == picture
    return len(states) * (len(game.players) + 1), len(texts)


QUICK = {"dark-hex", "kuhn-poker", "liars-dice"}
CASES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.deep) for name in HIDDEN_NAMES
]


@pytest.mark.parametrize("name", CASES)
def test_views_are_equal_exactly_where_observations_are(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter", **SMALLER.get(name, {}))
    draw = random.Random(3)
    states = random_states(game, draw, 40)[:60]
    changed = [mixed(game, s, draw.choice(states), p) for s in states for p in game.players]
    count, different = views_of(game, [*states, *changed])
    assert different < count


def test_views_of_three_players_with_registers_of_all_types() -> None:
    game = rulesengine.loads(WIDE, engine="interpreter")
    draw = random.Random(3)
    states = random_states(game, draw, 25)
    changed = [mixed(game, s, draw.choice(states), p) for s in states for p in game.players]
    count, different = views_of(game, [*states, *changed])
    assert different < count - 50
    names = game.batch(1).planes("mover")
    assert names[-5:] == (
        "unseen",
        *("own unseen piece", "opponent 1 unseen piece", "opponent 2 unseen piece"),
        "neutral unseen piece",
    )


def play(batch: Batch, moves: list[str]) -> None:
    """Make a move of one action in each game of a batch."""
    game, actions = batch.game, []
    for number, text in enumerate(moves):
        state = batch.state(number)
        (action,) = next(p for p, m in game.actions.paths(state).items() if str(m) == text)
        actions.append(action)
    assert not batch.step(actions).size


def test_a_batch_shows_each_player_its_own_card() -> None:
    game = rulesengine.load("kuhn-poker", engine="interpreter")
    batch = game.batch(2, seed=1)
    for cards in (["queen", "king"], ["king", "jack"], ["bet", "pass"]):
        play(batch, cards)
    # Planes of jack, queen, king, and of the card not seen; the first player has the left one.
    queen_left, jack_right = [[0, 0], [1, 0], [0, 0], [0, 1]], [[0, 1], [0, 0], [0, 0], [1, 0]]
    king_left, king_right = [[0, 0], [0, 0], [1, 0], [0, 1]], [[0, 0], [0, 0], [0, 1], [1, 0]]
    assert batch.planes() == ("jack", "queen", "king", "unseen")
    assert batch.mover.tolist() == [1, 1]
    assert batch.observe().astype(int).tolist() == [king_right, jack_right]
    assert batch.observe(1).astype(int).tolist() == [king_right, jack_right]
    assert batch.observe(0).astype(int).tolist() == [queen_left, king_left]
    assert batch.observe("absolute").astype(int).tolist() == 2 * [[[0, 0]] * 3 + [[1, 1]]]
    # The stakes. The last mover and the number of plies are not seen, so they have initial values.
    assert batch.numbers().tolist() == [[2, 1, -1, 0], [1, 1, -1, 0]]


def test_registers_of_a_batch_are_those_that_the_view_sees() -> None:
    game = rulesengine.load("phantom-tic-tac-toe", engine="interpreter")
    batch = game.batch(1)
    for cell in ("a3", "a3"):
        play(batch, [cell])
    assert batch.planes(1) == (
        *("nought mark", "cross mark"),
        *("nought met", "cross met"),
        "unseen",
    )
    # Nought has met the mark on a3, which is the upper left cell; cross does not notice.
    nought, cross = (batch.observe(player)[0].astype(int).tolist() for player in (1, 0))
    upper_left, other = [1] + [0] * 8, [0] + [1] * 8
    assert nought == [[0] * 9, upper_left, upper_left, [0] * 9, other]
    assert cross == [upper_left, [0] * 9, [0] * 9, [0] * 9, other]


def test_owners_that_are_seen_alone_have_planes_in_order_from_the_side_of_a_player() -> None:
    batch = rulesengine.loads(WIDE, engine="interpreter").batch(1)
    for move in ("b2=man", "b3=man", "b1=man"):  # of red, green and blue
        play(batch, [move])
    # Cells in reading order, from a1 to c3. Red on b2 sees the owners of the pieces on b3 and b1.
    unseen, none = [0, 1, 0, 0, 0, 0, 0, 1, 0], [0] * 9
    b1, b2, b3 = ([int(cell == place) for cell in range(9)] for place in (1, 4, 7))
    assert batch.observe(0)[0, -5:].astype(int).tolist() == [unseen, none, b3, b1, none]
    # Green on b3 sees that b2 is red.
    unseen = [0, 1, 1, 0, 1, 0, 0, 0, 0]
    assert batch.observe(1)[0, -5:].astype(int).tolist() == [unseen, none, none, b2, none]


def test_no_side_is_visible_unless_a_player_is_to_move() -> None:
    game = rulesengine.load("kuhn-poker", engine="interpreter")
    observer = game.machine.derived(Observer)
    for moves in (
        "",
        "king jack",
        "king jack pass",
        "king jack pass pass",
        "king jack pass bet bet",
    ):
        session = game.start()
        for move in moves.split():
            session.push(move)
        state, seen = session.state, game.observation(session.state, "first")
        expected = game.players.index(seen.mover) if seen.mover in game.players else 0
        assert observer.visible_part(state, 0).state.side == expected
