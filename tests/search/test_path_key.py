"""Path-dependent rules in searches: positions reached by different paths are different entries."""

from collections.abc import Iterator
from random import Random

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.monotone_counts import lasting
from rulesengine.engine.drivers.search.path_key import note, path_of
from rulesengine.engine.drivers.search.result import Budget
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.job import Job
from rulesengine.loading import load_source
from rulesengine.search.iterative_deepening import AlphaBeta
from rulesengine.support.frozen import replace
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import needs_native
from tests.search.test_search import Plain, found

pytestmark = pytest.mark.usefixtures("in_haste")

BACKENDS = tuple(sorted(backend.name for backend in working()))
# A player who repeats a position has won, or has lost, and no other rule decides. Values depend
# only on paths.
ROUND = """
spec: 1
name: Round
board: {{rows: 2, columns: 3}}
players: [white, black]
pieces: {{stone: {{white: O, black: X}}, empty: "."}}
start: |
  {first}
  {second}
rules:
  moves: [{moves}]
  end:
    - {{when: "{repeats} >= {times}", result: mover {result}, reason: it was there}}
    - {{when: not can_move(mover), result: draw, reason: nobody moves}}
"""
WALK = '{move: own, to: "neighbours(from) and empty"}'
TAKE = '{move: own, to: "neighbours(from) minus own"}'
KINDS = [
    (WALK, "O.X", "..X", "board_repeats", 1, "wins"),
    (WALK, "O.X", "..X", "board_repeats", 1, "loses"),
    (WALK, "O.X", "..X", "position_repeats", 1, "loses"),
    (WALK, "O.X", "..X", "position_repeats", 2, "loses"),
    (TAKE, "O.X", "X.O", "position_repeats", 1, "loses"),
]
Kind = tuple[str, str, str, str, int, str]


def round_game(kind: Kind, engine: str = "auto") -> Game:
    return load_source(Source("round.yaml", ROUND.format(**named(kind))), engine=engine)


def named(kind: Kind) -> dict[str, object]:
    names = ("moves", "first", "second", "repeats", "times", "result")
    return dict(zip(names, kind, strict=True))


def positions(game: Game, count: int) -> Iterator[State]:
    """Yield positions of random games with up to five earlier ones."""
    for seed in range(count):
        draw, state = Random(seed), game.initial_state()
        for _ in range(seed % 6):
            if moves := game.legal_moves(state):
                state = game.apply(state, draw.choice(moves))
        if game.legal_moves(state):
            yield state


def searched(
    game: Game, state: State, plies: int, entries: int, *, solves: bool = False
) -> AlphaBeta:
    """Run a search with a table of so many entries, or without one."""
    count, room = len(game.legal_moves(state)), max(entries, 2)
    search = AlphaBeta(game._dispatcher, state, count, Budget(plies=plies), room, solves=solves)
    if not entries:
        search.own.numbers[layout.ENTRIES] = 0
    search.run(Job())
    return search


def best(search: AlphaBeta) -> tuple[int, int]:
    return search.value, search.order[0]


@pytest.mark.parametrize(
    "kind", [KINDS[0], *(pytest.param(kind, marks=pytest.mark.deep) for kind in KINDS[1:])]
)
def test_a_table_changes_no_result_that_depends_on_the_path(kind: Kind) -> None:
    game = round_game(kind)
    for state in positions(game, 12):  # two of each number of earlier positions
        for plies in (7, 10):
            alone = best(searched(game, state, plies, 0))
            assert best(searched(game, state, plies, 16)) == alone
            assert best(searched(game, state, plies, 1 << 12)) == alone
            # Positions that are equivalent up to symmetry differ after the same path.
            assert best(searched(game, state, plies, 1 << 12, solves=True)) == alone


def test_successor_probe_uses_the_path_key_of_the_successor() -> None:
    game = rulesengine.load("popout", columns=4, rows=3)
    assert game._dispatcher.interpreted.search_functions().has_threats(game.initial_state())
    for seed in range(8):
        state, draw = game.initial_state(), Random(seed)
        for _ in range(8 + seed):
            if moves := game.legal_moves(state):
                state = game.apply(state, draw.choice(moves))
        if game.legal_moves(state):
            assert best(searched(game, state, 7, 1 << 12)) == best(searched(game, state, 7, 0))


@pytest.mark.deep
def test_a_table_of_another_way_serves_none_but_its_own() -> None:
    differ = 0
    for kind in KINDS:
        game = round_game(kind)
        table = Memory(2 << 12)
        for state in positions(game, 60):
            count, budget = len(game.legal_moves(state)), Budget(plies=8)
            search = AlphaBeta(game._dispatcher, state, count, budget, 1 << 12, table=table)
            search.run(Job())
            assert best(search) == best(searched(game, state, 8, 0))
            bare = replace(state, history=())
            differ += best(searched(game, bare, 8, 0)) != best(search)
    assert differ > 0


def test_without_a_table_it_is_what_plain_negamax_finds() -> None:
    for kind in KINDS[:2]:
        game = round_game(kind)
        for state in positions(game, 6):
            plain, moves = Plain(game, state), game.legal_moves(state)
            values = [plain.value(game.apply(state, move), 5, 1) for move in moves]
            wanted = max(values), values.index(max(values))
            assert best(searched(game, state, 6, 0)) == wanted


@needs_native
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", KINDS[::2])
def test_engines_look_at_the_same_positions(kind: Kind, backend: str) -> None:
    games = [round_game(kind, engine) for engine in ("interpreter", backend)]
    for state in positions(games[0], 6):
        mine, theirs = (found(searched(game, state, 5, 16)) for game in games)
        assert mine == theirs


# irreversible changes


def test_a_number_that_lasts_never_comes_back() -> None:
    counted = set()
    for name in bundled_names():
        game = rulesengine.load(name, engine="interpreter")
        if lasting(game.program) is None:
            continue
        counted.add(name)
        state, draw, numbers = game.initial_state(), Random(1), []
        for _ in range(24):
            numbers.append(game._dispatcher.interpreted.lasting(state))
            if not (moves := game.legal_moves(state)):
                break
            state = game.apply(state, draw.choice(moves))
        assert numbers == sorted(numbers)
    assert {"chess", "brazilian-draughts", "xiangqi", "clobber"} <= counted
    assert not counted & {
        "go",
        "three-mens-morris",
        "popout",
        "quixo",
        "tic-tac-toe",
        "amazons",
        "isolation",
    }


def test_pieces_that_a_rule_puts_are_added() -> None:
    game, more = round_game(KINDS[0]), "rules:\n  do: [put stone of mover on nowhere]\n"
    text = ROUND.format(**named(KINDS[0])).replace("rules:\n", more)
    adding = load_source(Source("adding.yaml", text))
    assert lasting(game.program) is not None
    assert lasting(adding.program) is None


# path keys


def words(game: Game, line: list[State]) -> list[int]:
    """Return the path keys of the positions of a line, as a search along it has them."""
    judged = game._dispatcher.interpreted.search_functions()
    search = AlphaBeta(game._dispatcher, line[0], 1, Budget(plies=1), 2)
    for ply, state in enumerate(line[:-1]):
        note(judged, state, ply, search.own)
    return [path_of(judged, state, ply, search.own) for ply, state in enumerate(line)]


def line_of(game: Game, moves: str) -> list[State]:
    line = [game.initial_state()]
    for move in moves.split():
        line.append(game.apply(line[-1], move))
    return line


def test_positions_by_different_ways_are_one_from_the_next_capture_on() -> None:
    game = rulesengine.load("chess")
    one = line_of(game, "e2e4 d7d5 g1f3 g8f6 b1c3 b8c6 e4d5 f6d5 c3d5 d8d5")
    other = line_of(game, "e2e4 d7d5 b1c3 b8c6 g1f3 g8f6 e4d5 f6d5 c3d5 d8d5")
    ways = words(game, one), words(game, other)
    assert [a.planes == b.planes for a, b in zip(one, other, strict=True)][6:] == [True] * 5
    assert [a == b for a, b in zip(*ways, strict=True)][6:] == [False, True, True, True, True]
    assert ways[0][7:] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("chess", "g1f3 g8f6 e2e4 f6e4 b1c3 b8c6 c3b1 c6b8"),
        ("three-mens-morris", "a1 b1 c1 a2 a3 c3"),
    ],
)
def test_a_search_knows_the_way_that_one_before_it_went(name: str, moves: str) -> None:
    game = rulesengine.load(name)
    line = line_of(game, moves)
    pasts = [game._dispatcher.interpreted.past(state) for state in line]
    assert words(game, line) == pasts
    assert len(set(pasts)) > len(pasts) // 2


@pytest.mark.deep
def test_a_table_serves_from_move_to_move() -> None:
    game = rulesengine.load("chess")
    line = line_of(game, "e2e4 e7e5 g1f3 b8c6 f1b5")
    table, moves = Memory(2 << 16), len(game.legal_moves(line[2]))
    first = AlphaBeta(game._dispatcher, line[2], moves, Budget(plies=5), 1 << 16, table=table)
    first.run(Job())
    count = len(game.legal_moves(line[4]))
    again = AlphaBeta(game._dispatcher, line[4], count, Budget(plies=3), 1 << 16, table=table)
    again.run(Job())
    fresh = searched(game, line[4], 3, 1 << 16)
    assert best(again) == best(fresh)
    assert again.nodes < fresh.nodes
