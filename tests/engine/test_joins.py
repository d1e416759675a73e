"""Joins of a board: Surakarta against a program that walks its arcs on coordinates."""

import pytest

import rulesengine
from rulesengine.engine.kernel.selection import Engine
from rulesengine.loading import load_source
from rulesengine.support.source import Source as Text
from tests.helpers.authorities import Source, replay
from tests.helpers.engine_comparison import QUICK, needs_native
from tests.oracles import plain_arcs
from tests.oracles.plain_arcs import Arcs, count

SOURCES = [
    Source(plain_arcs.random_game, "9", "surakarta", 50, frozenset({"no piece is left"})),
    Source(
        plain_arcs.random_game, "0", "surakarta", 50, frozenset({"fifty moves without a capture"})
    ),
]

BOARDS = (
    "{rows: 3, columns: 4, joins: [b1 north to a2 east, d3 southeast to d1 southwest]}",
    "{rows: 9, columns: 9, holes: e5, joins: [a1 west to a1 east, e4 south to a9 north]}",
    "{shape: hexagon, size: 3, joins: [a1 northwest to e5 west]}",
)
SPEC = """\
spec: 1
name: Joined
board: {board}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, empty: "."}}
registers: {{way: {{type: direction, start: west}}}}
rules:
  moves:
    - place: man
      to: empty
      do: ["flip run(to, enemy, own)", "flip run(to, enemy, own, 2 to 3, way)"]
    - move: own
      along: all
      to: slide(from, direction, empty, at most 1)
      when: any(slide(to, way, empty, at least 1))
  do: if plies % 2 = 0 then set way to southeast else set way to west
  end: {{when: plies >= 12, result: draw}}
"""


ENGINES = (*QUICK, pytest.param("native", marks=[needs_native, pytest.mark.deep]))


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("board", BOARDS)
def test_engines_walk_the_same_ways(board: str, engine: Engine) -> None:
    text = Text("joined.yaml", SPEC.format(board=board))

    def games(engine: Engine) -> tuple[int, str]:
        game = load_source(text, engine=engine)
        return game.perft(2), str(game.playouts(4, seed=1))

    assert games(engine) == games("interpreter")


@pytest.mark.slow
def test_the_first_moves_are_as_many_as_another_program_counts() -> None:
    game = rulesengine.load("surakarta")
    assert [game.perft(d) for d in (1, 2)] == [count(Arcs(), d) for d in (1, 2)]


@pytest.mark.deep
def test_the_first_three_plies_are_as_many_as_another_program_counts() -> None:
    assert rulesengine.load("surakarta").perft(3) == count(Arcs(), 3)


@pytest.mark.slow
def test_a_random_game_agrees_at_every_ply() -> None:
    replay(rulesengine.load("surakarta"), plain_arcs.random_game("9", 0))


@pytest.mark.deep
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_many_random_games_agree_at_every_ply(source: Source) -> None:
    source.compare(source.count)
