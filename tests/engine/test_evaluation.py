"""The evaluation that is derived from the rules: values of pieces, tables, captures, threats."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from time import sleep

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.evaluation import evaluation_of, followed_tactics, is_capture, material_of
from rulesengine.engine.evaluation.derivation import derivation_of
from rulesengine.engine.interpreter import Interpreter
from rulesengine.loading import load_source
from rulesengine.state import Move
from rulesengine.support.resources import open_names
from rulesengine.support.source import Source

# A spec with two kinds of piece, each with its steps.
TWO_KINDS = """
spec: 1
name: Two kinds
board: {{rows: 6, columns: 6}}
players: [white, black]
pieces:
  first: {{white: A, black: a}}
  second: {{white: B, black: b}}
  empty: "."
start: |
  aabbaa
  ......
  ......
  ......
  ......
  AABBAA
rules:
  moves:
    - move: own first
      to: {first}
    - move: own second
      to: {second}
  end:
    - {{when: none(own), result: player loses, reason: nothing left}}
"""
# A spec in which each stone adds its column to the score of its player.
COSTS = """
spec: 1
name: Costs
board: {{rows: 1, columns: 5}}
players: [first, second]
pieces: {{stone: {{first: x, second: o}}, empty: "."}}
registers: {{paid: {{type: number, each: player, from: 0, to: 15}}}}
rules:
  moves: {{place: stone, to: empty, do: set paid to paid + column(to)}}
  score: paid
  misere: {misere}
  end: {{when: none(empty), result: {best} score wins}}
"""
STEP = "neighbours(from) minus own"
SLIDE = "slide(from, all, empty) or shift(slide(from, all, empty) or from, all) minus own"


def game_of(text: str) -> Game:
    return load_source(Source("two-kinds.yaml", text))


def values_of(game: Game) -> dict[str, int]:
    kinds = [kind.name for kind in game.program.rules.kinds]
    return dict(zip(kinds, material_of(game.machine).values, strict=True))


def evaluated(game: Game, state: State, player: int = 0) -> int:
    return game.machine.number_of(evaluation_of(game.machine), state, player)


def test_pieces_of_chess_have_about_their_usual_values() -> None:
    # Shannon (1950): queen 9, rook 5, bishop 3, knight 3, pawn 1.
    usual = {"queen": 9, "rook": 5, "bishop": 3, "knight": 3, "pawn": 1}
    found = values_of(rulesengine.load("chess"))
    assert found["pawn"] == 100
    assert all(0.75 <= found[kind] / (100 * value) <= 1.35 for kind, value in usual.items())


def test_the_page_gives_the_values_of_chess_that_the_package_derives() -> None:
    page = Path(__file__).parents[2] / "docs" / "search-algorithms.md"
    (line,) = (row for row in page.read_text(encoding="utf-8").splitlines() if "a queen is" in row)
    values = values_of(rulesengine.load("chess"))
    for kind in ("queen", "rook", "bishop", "knight"):
        assert re.search(rf"{kind} (is worth )?{values[kind]}\b", line), (kind, values[kind])


def test_pieces_of_xiangqi_have_the_usual_order() -> None:
    found = values_of(rulesengine.load("xiangqi"))
    assert found["chariot"] > found["cannon"] > found["horse"] > found["soldier"]
    assert found["soldier"] > found["elephant"] > found["advisor"]


def test_a_flying_king_is_worth_more_than_a_short_one() -> None:
    short = values_of(rulesengine.load("english-draughts"))
    flying = values_of(rulesengine.load("international-draughts"))
    assert 100 < short["king"] < 2 * 100 < flying["king"]


@pytest.mark.parametrize("slides", ["first", "second"])
def test_values_follow_from_the_moves_of_a_variant(slides: str) -> None:
    other = "second" if slides == "first" else "first"
    found = values_of(game_of(TWO_KINDS.format(**{slides: SLIDE, other: STEP})))
    assert found[slides] > 1.3 * found[other]


def test_equal_moves_give_nearly_equal_values() -> None:
    found = values_of(game_of(TWO_KINDS.format(first=STEP, second=STEP)))
    assert abs(found["second"] - found["first"]) < 25


def test_equal_positions_of_both_sides_have_equal_values() -> None:
    for name in ("chess", "xiangqi", "english-draughts", "breakthrough"):
        game = rulesengine.load(name)
        start = game.initial_state()
        assert evaluated(game, start, 0) == evaluated(game, start, 1)


@pytest.mark.parametrize(
    ("best", "misere", "move", "lead"),
    [
        # A stone in column n costs n: the lead of the first move is that of its cost.
        ("highest", "false", "e1", 5),
        ("lowest", "false", "a1", -1),
        ("highest", "true", "a1", -1),
        ("lowest", "true", "e1", 5),
    ],
)
def test_the_player_with_the_lowest_score_is_ahead_where_it_wins(
    best: str, misere: str, move: str, lead: int
) -> None:
    found = game_of(COSTS.format(best=best, misere=misere)).search(plies=1)
    assert str(found.move) == move
    assert (found.value, found.unit) == (lead, "estimate")


# The same moves by kind of piece: groups of their own, a table, and a condition.
BY_GROUP = """
    - move: own first
      to: shift(from, diagonal) minus own
    - move: own second
      to: (shift(from, orthogonal) or slide(from, all, empty)) minus own
"""
BY_TABLE = """
    - move: own
      to: >-
        (shift(from, steps of kind(from))
        or (if kind(from) = second then slide(from, all, empty) else nowhere)) minus own
"""


def test_steps_count_alike_however_the_moves_of_a_kind_are_written() -> None:
    both = TWO_KINDS.format(first=STEP, second=STEP)
    head, _, tail = both.partition("    - move: own first")
    end = "  end:" + tail.partition("  end:")[2]
    head = head.replace("a}", "a, values: {steps: diagonal}}").replace(
        "b}", "b, values: {steps: orthogonal}}"
    )
    games = [game_of(head + moves.lstrip("\n") + end) for moves in (BY_GROUP, BY_TABLE)]
    draw, states = Generator(4, 0), [game.initial_state() for game in games]
    leads = set()
    for _ in range(20):
        values = [
            [evaluated(game, state, side) for side in range(2)]
            for game, state in zip(games, states, strict=True)
        ]
        assert values[0] == values[1]
        leads.add(values[0][0] - values[0][1])
        moves = sorted(map(str, games[0].legal_moves(states[0])))
        move = moves[draw.below(len(moves))]
        states = [game.apply(state, move) for game, state in zip(games, states, strict=True)]
    assert len(leads) > 10
    # Without the activity, the steps of the table are not known.
    base = [evaluation_of(game.machine, activity=False) for game in games]
    assert base[0] == evaluation_of(games[0].machine)
    assert derivation_of(games[1].machine).activity is not None
    start = games[1].initial_state()
    assert games[1].machine.number_of(base[1], start, 0) < evaluated(games[1], start)


def test_a_central_knight_is_worth_more_than_one_in_the_corner() -> None:
    game = rulesengine.load("chess")
    board = "....k...\n........\n........\n........\n{}\n........\n........\n{}\nmover: white\n"
    centre = game.state_from(board.format("...N....", "....K..."))
    corner = game.state_from(board.format("........", "N...K..."))
    assert evaluated(game, centre) > evaluated(game, corner)


def test_a_pawn_is_worth_more_near_its_promotion() -> None:
    game = rulesengine.load("chess")
    rows = [["........"] * 8 for _ in range(6)]
    for number, board in enumerate(rows, start=1):
        board[number] = "...P...."
        board[0], board[7] = "k.......", "K......."
    values = [evaluated(game, game.state_from("\n".join(board))) for board in rows]
    assert values[0] > values[1] > values[2] > values[3] > values[4] >= values[5]


def test_men_are_worth_more_near_the_region_that_they_must_fill() -> None:
    game = rulesengine.load("halma")
    start = game.initial_state()
    assert evaluated(game, start, 0) == evaluated(game, start, 1)
    values = [evaluated(game, game.apply(start, move)) for move in game.legal_moves(start)]
    assert max(values) > evaluated(game, start)
    assert all(value == evaluated(game, start, 1) for value in others(game, start))


def others(game: Game, state: State) -> list[int]:
    """Return the values of the opponent after each move."""
    return [evaluated(game, game.apply(state, move), 1) for move in game.legal_moves(state)]


def played(game: Game, seed: int, plies: int) -> list[tuple[State, Move]]:
    """Return the positions and moves of a random game."""
    state, draw = game.initial_state(), Generator(seed, 0)
    found = list[tuple[State, Move]]()
    while len(found) < plies and (moves := game.legal_moves(state)):
        move = moves[draw.among([1] * len(moves))]
        found.append((state, move))
        state = game.apply(state, move)
    return found


def owners(state: State) -> list[int]:
    """Return the number of pieces of each of two sides."""
    return [sum(p.bit_count() for p in state.planes[side::3]) for side in range(2)]


def kinds(state: State) -> list[int]:
    """Return the number of pieces of each kind and owner."""
    return [plane.bit_count() for plane in state.planes]


# The numbers that a capture changes: the pieces of a side, or also of a kind where they promote.
CHANGED: dict[str, Callable[[State], list[int]]] = {
    "breakthrough": owners,
    "english-draughts": owners,
    "international-draughts": owners,
    "los-alamos": kinds,
    "xiangqi": owners,
    "surakarta": owners,
}


@pytest.mark.parametrize("name", CHANGED)
def test_captures_are_recognised_without_making_the_move(name: str) -> None:
    game, count = rulesengine.load(name, engine="python"), CHANGED[name]
    tactics = followed_tactics(game.machine)
    assert tactics is not None
    seen = set()
    for seed in range(6):
        for state, move in played(game, seed, 80):
            expected = count(state) != count(game.apply(state, move))
            assert is_capture(tactics, state, move.steps[0]) is expected, (str(state), str(move))
            seen.add(expected)
    assert seen == {False, True}


@pytest.mark.parametrize(
    ("name", "forces"),
    [("english-draughts", True), ("russian-draughts", True), ("chess", False), ("xiangqi", False)],
)
def test_forced_captures_are_known(name: str, forces: bool) -> None:
    tactics = followed_tactics(rulesengine.load(name).machine)
    assert tactics is not None
    assert tactics.forces is forces


@pytest.mark.parametrize("name", ["clobber", "konane", "ataxx", "hex", "othello", "amazons"])
def test_captures_are_not_followed_where_most_moves_or_none_are_captures(name: str) -> None:
    assert followed_tactics(rulesengine.load(name).machine) is None


@pytest.mark.parametrize(
    ("moves", "expected"),
    [("", False), ("e2e4 f7f6 d1h5", True), ("e2e4 e7e5 f1b5", False), ("e2e4 d7d5 f1b5", True)],
)
def test_a_ban_says_that_the_side_to_move_is_in_check(moves: str, expected: bool) -> None:
    game = rulesengine.load("chess")
    state = game.initial_state()
    for text in moves.split():
        state = game.apply(state, text)
    functions = game._dispatcher.interpreted.search_functions()
    assert functions.threatened(state) is expected


def test_games_without_a_ban_have_no_threats() -> None:
    game = rulesengine.load("english-draughts")
    functions = game._dispatcher.interpreted.search_functions()
    assert not any(functions.threatened(state) for state, _ in played(game, 0, 40))


@pytest.mark.parametrize("name", open_names())
def test_every_game_has_an_evaluation(name: str) -> None:
    """Evaluate games that hide nothing; searches of states refuse the others."""
    game = rulesengine.load(name, engine="interpreter")
    state = game.initial_state()
    values = [evaluated(game, state, player) for player in range(len(game.players))]
    assert all(abs(value) < layout.MOST for value in values)


def test_a_search_and_a_compiler_that_need_an_analysis_compute_it_once() -> None:
    machine, started, computed = (
        rulesengine.load("tic-tac-toe").machine,
        Event(),
        list[Interpreter](),
    )

    def slow(given: Interpreter) -> int:
        computed.append(given)
        started.set()
        sleep(0.05)
        return 7

    thread = Thread(target=machine.derived, args=(slow,))
    thread.start()
    started.wait()
    assert machine.derived(slow) == 7
    thread.join()
    assert computed == [machine]
