"""Random games reported to a search one by one, and the AMAF statistics of their moves."""

from collections import Counter
from itertools import product
from typing import Any, TypeVar

import pytest

from rulesengine import Game, State, load
from rulesengine.engine.drivers.memory import Memory, Word
from rulesengine.engine.drivers.protocol import SearchFunctions
from rulesengine.engine.drivers.random import draw, generator
from rulesengine.engine.drivers.search import tree_layout as at
from rulesengine.engine.drivers.search.amaf import add_moves, clear_moves, count_moves
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.leaf_playouts import play_leaf
from rulesengine.engine.drivers.search.rollouts import (
    LINE,
    MAX_RECORDS,
    MOST_NOTES,
    NOTED,
    NOTES,
    PLAYER_BITS,
    WINNER,
    PlayoutRecords,
    note_of,
    rollouts,
)
from rulesengine.engine.drivers.search.tree_settings import is_target_unique, tree_settings_of
from rulesengine.engine.kernel.backends.native_backend import NativeBackend
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.loading import load_source
from rulesengine.support.limits import MAX_PLIES
from rulesengine.support.source import Source
from tests.certificates.test_certificates import ENDLESS
from tests.engine.test_translate import BACKENDS, compiled, later, row
from tests.helpers.each_game import OTHERS, each_game

S = TypeVar("S")
M = TypeVar("M")
Line = tuple[int, list[int]]
SEED, FIRST = 7, 20


def recorded_rollouts(
    game: SearchFunctions[S, M],
    state: S,
    seed: Word,
    first: int,
    count: int,
    places: int,
    memory: Memory,
) -> int:
    return game.rollouts(state, seed, first, count, places, memory, 1)


def lines_in(memory: Memory, count: int) -> list[Line]:
    """Return the winner of each game, and its recorded moves."""
    numbers, found = memory.numbers, []
    for start in range(1, 1 + count * LINE, LINE):
        assert numbers[start + NOTED] <= MOST_NOTES
        notes = start + NOTES
        found.append(
            (numbers[start + WINNER], list(numbers[notes : notes + numbers[start + NOTED]]))
        )
    return found


def interpreted_notes(game: Game, state: State, count: int, places: int) -> list[Line]:
    memory = Memory(1 + count * LINE)
    functions = game._dispatcher.interpreted.search_functions()
    played = rollouts(functions, state, SEED, FIRST, count, PlayoutRecords(places, memory, 1))
    assert played == count
    return lines_in(memory, count)


def as_code(game: Game, backend: str, state: State, count: int, places: int) -> list[Line]:
    code = compiled(game, backend, (recorded_rollouts,), min(row(backend).seats, MAX_RECORDS))
    memory = Memory(1 + count * LINE)
    words = Kernels(game.machine, row(backend)).words(state, code)
    arguments = (*words, SEED, FIRST, count, places, memory.bytes)
    assert code.call("recorded_rollouts", arguments) == (count,)
    return lines_in(memory, count)


def places_of(game: Game) -> int:
    return tree_settings_of(game.program, "grave").slots // len(game.players)


def played(game: Game, state: State, number: int) -> Line:
    """The same by what anyone may ask of a game, where all moves place."""
    random, notes = generator(SEED, number), list[int]()
    while moves := game.legal_moves(state):
        random, chosen = draw(random, len(moves))
        player, places = game.players.index(state.mover), places_of(game)
        cell = moves[chosen].steps[0].target + 1
        notes.append(cell + player * places << PLAYER_BITS | player)
        state = game.apply(state, moves[chosen])
    outcome = game.outcome(state)
    winner = outcome.winner if outcome else None
    return -1 if winner is None else game.players.index(winner), notes


@pytest.mark.parametrize("name", ["tic-tac-toe", "othello", "hex-pie", "three-player-tic-tac-toe"])
def test_recorded_playouts_match_played_games(name: str) -> None:
    game = load(name, engine="interpreter")
    assert is_target_unique(game.program)
    for state in (game.initial_state(), later(game, 2)):
        found = interpreted_notes(game, state, 5, places_of(game))
        assert found == [played(game, state, FIRST + i) for i in range(5)]
        assert interpreted_notes(game, state, 5, 0) == [(winner, []) for winner, _ in found]


@each_game(deep=OTHERS)
def test_recorded_playouts_are_equal_on_all_engines(name: str) -> None:
    game = load(name, engine="interpreter")
    state, places = later(game, 3), places_of(game)
    if not game.legal_moves(state):
        state = game.initial_state()
    wanted = interpreted_notes(game, state, MAX_RECORDS, places)
    for backend in BACKENDS:
        assert as_code(game, backend, state, MAX_RECORDS, places) == wanted
        winners: list[Line] = [(winner, []) for winner, _ in wanted[:3]]
        assert as_code(game, backend, state, 3, 0) == winners


@pytest.mark.parametrize("backend", BACKENDS)
def test_notes_are_of_players_who_may_have_changed_sides(backend: str) -> None:
    game = load("hex-pie", engine="interpreter")
    state = game.apply(game.apply(game.initial_state(), "f6"), "swap")
    wanted = [played(game, state, FIRST + i) for i in range(MAX_RECORDS)]
    assert wanted[0][1][0] & 1 == 0
    assert as_code(game, backend, state, MAX_RECORDS, places_of(game)) == wanted


@pytest.mark.parametrize("backend", BACKENDS)
def test_notes_are_below_the_number_of_slots(backend: str) -> None:
    game = load("tic-tac-toe", engine="interpreter")
    wanted = interpreted_notes(game, game.initial_state(), 2, 3)
    places = {note >> PLAYER_BITS for _, notes in wanted for note in notes}
    assert {2, 5} <= places <= {1, 2, 4, 5}
    assert as_code(game, backend, game.initial_state(), 2, 3) == wanted


class Recorder:
    """A stand-in for a game that records the requested random games."""

    def __init__(self) -> None:
        self.numbers = list[int]()

    def rollouts(self, state: object, seed: Word, first: int, count: int, *rest: object) -> int:
        assert 0 < count <= MAX_RECORDS
        self.numbers += range(first, first + count)
        return count


@pytest.mark.parametrize(("games", "end", "played"), [(1, 99, 1), (6, 99, 6), (9, 13, 5)])
def test_games_from_a_leaf_have_numbers_in_a_row(games: int, end: int, played: int) -> None:
    own, pool, game, number = Memory(at.OWN), Memory(at.TREE + 20), Recorder(), 8
    own.numbers[at.GAMES], own.numbers[at.PATH] = games, at.TREE
    pool.numbers[at.NEXT] = number + 1
    driver_game: Any = game
    assert play_leaf(driver_game, None, number, end, SEED, 1, TreeContext(2, own, pool)) == played
    assert game.numbers == list(range(number, number + played))
    assert pool.numbers[at.NEXT] == number + played
    assert pool.numbers[at.TREE + at.VISITS] == own.numbers[at.PLAYOUTS] == played


@each_game(quick=(), deep=OTHERS - {"backgammon", "quarto"})
def test_a_tree_with_its_random_games_is_one_module(name: str) -> None:
    machine = load(name, engine="interpreter").machine
    module = emitted(machine, "tree", NativeBackend.seats)
    assert "rollouts" in module.functions


def test_only_the_first_moves_of_long_playouts_are_recorded() -> None:
    game = load_source(Source("endless.yaml", ENDLESS), engine="interpreter")
    state, places = game.initial_state(), 8
    ((winner, notes),) = wanted = interpreted_notes(game, state, 1, places)
    assert (winner, len(notes)) == (-1, MOST_NOTES)
    assert MOST_NOTES < MAX_PLIES
    assert {note & 1 for note in notes[::2]} == {0}
    assert all(as_code(game, backend, state, 1, places) == wanted for backend in BACKENDS)


def test_statistics_of_a_node_are_of_all_moves_behind_it() -> None:
    """Count for each node the moves of the line below it, and those of each game."""
    places, games = 5, [(1, [(0, 1), (3, 0), (0, 1)]), (-1, [(4, 0)]), (0, [(1, 0), (2, 1)])]
    line = [(2, 0), (3, 1), None, (4, 0)]  # a chance node between them
    own, pool = Memory(at.OWN), Memory(at.TREE + 1000)
    width, slots = at.width(2), 2 * places
    nodes = [at.TREE + i * width for i in range(len(line) + 1)]
    tables = [at.TREE + 500 + i * slots for i in range(2)]
    own.numbers[at.SLOTS] = slots
    for i, node in enumerate(nodes):
        own.numbers[at.PATH + i] = node
    for node, table in zip(nodes, tables, strict=False):
        pool.numbers[node + at.MOVES] = table
    for i, move in enumerate(line):
        own.numbers[at.NOTES + i] = note_of(*move, places) if move else -1
    wanted: dict[Any, Counter[tuple[int, int]]] = {"games": Counter(), "won": Counter()}
    own.numbers[at.ADDED] = 12345
    assert clear_moves(slots, own) == slots
    for i, (winner, moves) in enumerate(games):
        start = at.RECORDS + i * LINE
        notes = [note_of(*move, places) for move in moves]
        own.numbers[start + WINNER], own.numbers[start + NOTED] = winner, len(notes) + 1
        for j, note in enumerate([*notes, -1]):
            own.numbers[start + NOTES + j] = note
        for player in range(2):
            own.numbers[at.GAINED + player] += worth(winner, player)
        assert add_moves(start, own) == len(notes) + 1
    assert count_moves(len(games), len(nodes), own, pool) == 2
    for i, table in enumerate(tables):
        wanted = {"games": Counter(), "won": Counter()}
        for winner, moves in games:
            for place, player in (*filter(None, line[i:]), *moves):
                wanted["games"][place, player] += 1
                wanted["won"][place, player] += worth(winner, player)
        for place, player in product(range(places), range(2)):
            word = pool.numbers[table + player * places + place]
            assert word >> 32 == wanted["games"][place, player]
            assert word & 0xFFFFFFFF == wanted["won"][place, player]


def worth(winner: int, player: int) -> int:
    return 1 if winner < 0 else 2 * (winner == player)
