"""Every engine against the interpreter: the bundled games, edge cases by hand, generated specs.

At every ply the tests compare the legal moves in order and notation, their successors and records,
the outcome, the scores and the choices of strategies; also counts and random games. An error is
compared by its type and its text.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, assume, given, settings

import rulesengine
from rulesengine import SpecError
from rulesengine.engine.drivers import playouts
from rulesengine.engine.interpreter import move_generation
from rulesengine.engine.kernel.emit import generation, move_prefixes
from rulesengine.engine.kernel.selection import Engine
from rulesengine.support.frozen import replace
from rulesengine.support.limits import MAX_MOVES
from rulesengine.support.resources import bundled_names
from tests.helpers.each_game import LARGER, LONG_TO_MAKE, OTHER_PLAYERS, OTHERS, SOME, each_game
from tests.helpers.engine_comparison import (
    COMPILED,
    QUICK,
    Engines,
    Failure,
    TooLong,
    needs_engines,
    needs_native,
    spec_engines,
)
from tests.helpers.spec_strategies import random_spec, specs

pytestmark = needs_engines
NOTHING: Mapping[str, int] = MappingProxyType({})
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


def bundled(
    name: str, names: Sequence[Engine] = (*COMPILED, "auto"), values: Mapping[str, int] = NOTHING
) -> Engines:
    """Return a bundled game, by the interpreter and by other engines."""
    engines = ("interpreter", *names)
    games = (rulesengine.load(name, engine=engine).bind(**values) for engine in engines)
    return Engines(*games)


# the bundled games


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SOME))
def test_a_bundled_game_is_the_same_for_a_few_plies(name: str) -> None:
    engines = bundled(name, QUICK)
    engines.play(0, 6)
    engines.count(1)
    engines.playouts(1, seed=3)


# The deep test below compares every ply of twenty games, by `auto` too.
@each_game(quick=(), deep=OTHER_PLAYERS | LONG_TO_MAKE)
def test_a_bundled_game_is_the_same_from_its_start_to_its_end(
    name: str, request: pytest.FixtureRequest
) -> None:
    if name not in SOME:
        request.getfixturevalue("in_haste")
    engines = bundled(name, QUICK if name in LARGER else COMPILED)
    engines.play(1, 4 if name in LARGER else 60, every=6)
    assert not any(other.engine_problems for other in engines.others)


@each_game(quick=(), deep=OTHERS)
def test_a_bundled_game_has_the_same_counts_and_random_games(name: str) -> None:
    engines = bundled(name, COMPILED)
    assert not isinstance(engines.playouts(2, seed=0), Failure)
    first, start = engines.first, engines.first.initial_state()
    moves = len(first.legal_moves(start)) * (12 if first.weights(start) else 1)
    engines.count(3 if moves < 12 else 2 if moves < 130 else 1)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "othello-6x6", "clobber"])
@pytest.mark.parametrize("count", [0, 1, 3, 9])
def test_any_number_of_games_is_played_though_some_are_played_in_turn(
    name: str, count: int
) -> None:
    # Two interleaved, eight from memory, one after the other.
    assert not isinstance(bundled(name).playouts(count, seed=5), Failure)


@pytest.mark.deep
@pytest.mark.parametrize("name", bundled_names())
def test_a_bundled_game_is_the_same_at_every_ply_of_twenty_games(name: str) -> None:
    engines = bundled(name)
    for seed in range(20):
        engines.play(seed, 500)
    engines.playouts(100, seed=1)


SIZES: list[tuple[str, dict[str, int]]] = [
    ("othello", {"n": 4}),
    ("connect-four", {"rows": 12, "columns": 13, "k": 5}),
    ("tic-tac-toe", {"m": 32, "n": 32, "k": 4}),
    ("breakthrough", {"rows": 4, "columns": 2}),
    ("hex", {"n": 32}),
    ("go", {"n": 2}),
]
MORE_SIZES: list[tuple[str, dict[str, int]]] = [
    ("othello", {"n": 10}),
    ("othello", {"n": 26}),
    ("connect-four", {"rows": 4, "columns": 5, "k": 3}),
    ("breakthrough", {"rows": 9, "columns": 9}),
    ("clobber", {"rows": 8, "columns": 9}),
    ("gomoku", {"n": 19}),
    ("gomoku", {"n": 32}),
    ("go", {"n": 13}),
]


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters"),
    [*SIZES, *(pytest.param(*size, marks=pytest.mark.deep) for size in MORE_SIZES)],
    ids=str,
)
def test_a_game_of_another_size_is_the_same(name: str, parameters: dict[str, int]) -> None:
    engines = bundled(name, COMPILED, values=parameters)
    engines.play(4, 6)
    # A whole game on a large board takes the interpreter many seconds.
    large = engines.first.program.topology.cells > 200
    (Engines(*engines.others) if large else engines).playouts(1, seed=4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["othello", "english-draughts", "go", "nine-mens-morris"])
def test_the_states_and_moves_of_one_engine_are_good_for_the_others(name: str) -> None:
    engines = bundled(name, QUICK)
    for one in (engines.first, *engines.others):
        for other in (engines.first, *engines.others):
            state = one.initial_state()
            for _ in range(6):
                move = one.legal_moves(state)[0]
                assert other.move_record(state, move) == one.move_record(state, move)
                state = other.apply(state, move)
            assert other.legal_moves(state) == one.legal_moves(state)


# edge cases by hand

HEAD = """\
spec: 1
name: Edges
board: {{rows: {rows}, columns: {columns}}}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, king: {{white: O}}, rock: {{neutral: "*"}}, empty: "."}}
registers:
  n: {{type: number, from: -9223372036854775808, to: 9223372036854775807, start: 3}}
  few: {{type: number, from: 0, to: 2, each: player}}
  hops: {{type: number, from: 0, to: 9999, lives: move}}
rules:
{rules}
"""
BIG = "9223372036854775807"
# An effect of the first move, and the message it must raise; empty if it is no error.
EFFECTS = [
    (f"set n to n - 3 + {BIG}", ""),
    (f"set n to {BIG} + n - 3", "a number beyond 64 bits"),
    (f"set n to {BIG} + (n - 2)", "a number beyond 64 bits"),
    (f"set n to -{BIG} - (n - 2)", ""),
    (f"set n to -{BIG} - (n - 1)", "a number beyond 64 bits"),
    (f"set n to -(-{BIG} - (n - 2))", "a number beyond 64 bits"),
    (f"set n to abs(-{BIG} - (n - 2))", "a number beyond 64 bits"),
    (f"set n to (-{BIG} - (n - 2)) / (n - 4)", "a number beyond 64 bits"),
    (f"set n to (-{BIG} - (n - 2)) % (n - 4)", ""),
    ("set n to 3037000500 * (3037000497 + n)", "a number beyond 64 bits"),
    ("set n to 3037000499 * (3037000496 + n)", ""),
    ("set n to -7 / (n - 1)", ""),
    ("set n to 7 / (n - 6)", ""),
    ("set n to -7 % (n - 1)", ""),
    ("set n to 7 % (n - 6)", ""),
    ("set n to 7 / (n - 3)", "a division by zero"),
    ("set n to 7 % (n - 3)", "a division by zero"),
    (f"set n to sum(i in numbers(1 to 3), {BIG} / 2)", "a number beyond 64 bits"),
    ("set n to sum(i in numbers(2 to 1), n)", ""),
    ("set n to least(c in enemy, row(c))", "the least of nothing"),
    ("set n to most(c in enemy, row(c))", "the most of nothing"),
    ("set n to row(first(enemy))", "the first of nothing"),
    ("set n to row(last(enemy))", "the last of nothing"),
    ("set n to row(cell_at(n, 1))", "a cell off the board"),
    ("set n to row(cell_at(1, n - 3))", "a cell off the board"),
    ("set n to column(if n = 3 then no_cell else to)", "a cell off the board"),
    ("carry to to (if n = 3 then no_cell else to)", "a cell off the board"),
    ("carry c in all to no_cell", ""),
    ("carry c in all to (if n = 3 then to else c)", ""),
    ("(put rock on empty, carry c in all to to)", "a second piece is carried to"),
    ("(put rock on empty, carry c in all to (if n = 3 then c else a1))", ""),
    ("carry c in to to cell_at(n, column(c))", "a cell off the board"),
    ("carry c in empty to cell_at(n, column(c))", ""),
    ("repeat set n to n + 1 until n = 1003", ""),
    ("repeat set n to n + 1 until n = 1004", "not done after 1,000 rounds"),
    ("repeat set n to n + 1 until nothing changes", "not done after 1,000 rounds"),
    ("repeat (set n to n + 1, set n to n - 1) until nothing changes", ""),
    ("repeat set n to 6 / (n - 3) until true", "a division by zero"),
    ("for i in numbers(1 to 3) do set n to n - 1 / (i - 4)", ""),
    ("for i in numbers(1 to 3) do set n to n / (i - 2)", "a division by zero"),
    ("for c in nowhere do set n to n / (n - 3)", ""),
    ("set hops to count(i in numbers(1 to 10000), true)", "`hops` is 0 to 9999, not 10000"),
    ("set few to n", "`few` is 0 to 2, not 3"),
    ("set few of black to n - 4", "`few` is 0 to 2, not -1"),
    ("set few of owner(c2) to 1", "`few` of a player that is not there"),
    ("promote to to kind(c2)", "a piece of no kind"),
    ("put king of next(player) on c2", "there is no `king` of black"),
    ("flip to to owner(c2)", "there is no neutral `man`"),
    # The first operand that decides ends the evaluation; operands after it are not evaluated, and
    # all others are.
    ("if n = 3 or 1 / (n - 3) = 1 then set n to 9", ""),
    ("if 1 / (n - 3) = 1 or n = 3 then set n to 9", "a division by zero"),
    ("if n = 4 and row(first(enemy)) = 1 then set n to 9", ""),
    ("set n to (if n = 3 then 1 else 1 / (n - 3))", ""),
    ("if any(i in numbers(1 to 9), i = 2 or 6 / (i - n) < 0) then set n to 1", ""),
    ("if every(i in numbers(1 to 9), 6 / (i - n) < 0) then set n to 1", "a division by zero"),
    ("set n to count(nowhere) * (1 / (n - 3))", "a division by zero"),
    ("set n to smaller(0, 1 / (n - 3))", "a division by zero"),
    ("remove nowhere and (if 1 / (n - 3) = 1 then all else own)", "a division by zero"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "error"), EFFECTS, ids=[effect for effect, _ in EFFECTS])
def test_an_effect_fails_everywhere_or_nowhere(effect: str, error: str) -> None:
    compare_effect(effect, error, QUICK)


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.parametrize(
    ("effect", "error"),
    [  # Some of each kind of failure; other tests cover each instruction by itself.
        pytest.param(*case, id=case[0], marks=pytest.mark.deep if i % 9 else pytest.mark.slow)
        for i, case in enumerate(EFFECTS)
    ],
)
def test_an_effect_fails_natively_or_nowhere(effect: str, error: str) -> None:
    compare_effect(effect, error, ("native",))


def compare_effect(effect: str, error: str, names: Sequence[Engine]) -> None:
    rules = f'  moves: {{place: man, to: empty, do: "{effect}"}}'
    engines = spec_engines(HEAD.format(rows=2, columns=3, rules=rules), names)
    played = engines.play(0, 1)
    assert {error in failure.text for failure in played.failures} == ({True} if error else set())
    engines.playouts(2, seed=0)
    engines.count(2)


CHAIN = "move: own, to: empty, do: set hops to hops + 1, then: {{step: hop, when: hops < {hops}}}"
CHAIN_STEPS = 2_000
# Rules, the size of the board, and the limit that they exceed; none if they are just below it.
LIMITS = [
    ("move: all minus own, to: all", 8, 8, ""),
    ("move: all, to: all", 8, 9, f"more than {MAX_MOVES} moves"),
    ("name: hop, " + CHAIN.format(hops=256), 1, 2, ""),
    ("name: hop, " + CHAIN.format(hops=257), 1, 2, "a move of more than 256 steps"),
    (
        "name: hop, place: man, to: empty, do: set hops to hops + 1,"
        " then: {step: hop, when: hops < 4}",
        5,
        5,
        f"more than {CHAIN_STEPS} steps",
    ),
]


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize(("group", "rows", "columns", "limit"), LIMITS)
def test_a_limit_is_met_everywhere_or_nowhere(
    group: str, rows: int, columns: int, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (
        move_generation,
        generation,
        move_prefixes,
    ):  # the permitted number takes seconds to list
        monkeypatch.setattr(module, "MAX_CHAIN_STEPS", CHAIN_STEPS)
    rules = f"  moves: {{{group}}}"
    text = HEAD.format(rows=rows, columns=columns, rules=rules) + "start: put man of white on a1\n"
    engines = spec_engines(text)
    state = engines.first.initial_state()
    found = engines.same("moves", lambda game: [str(move) for move in game.legal_moves(state)])
    assert isinstance(found, Failure) == bool(limit)
    assert limit in str(found)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
def test_a_game_without_end_is_unfinished_everywhere() -> None:
    rules = "  moves: [{move: own, to: empty}, pass]"
    text = HEAD.format(rows=1, columns=3, rules=rules) + "start: put man of white on a1\n"
    found = spec_engines(text).playouts(1, seed=5)
    assert (found.unfinished, found.mean_length) == (1, 10_000)


# conditions that kernels evaluate for all cells at once

BOARDS = [
    "rows: 6, columns: 7",
    "rows: 6, columns: 6, holes: b2 d3",
    "shape: hexagon, size: 4",
    "rows: 9, columns: 9",
    "rows: 9, columns: 10, holes: b2 d3 i9",
    "shape: hexagon, size: 6",
    "shape: triangle, size: 9",
    "shape: staggered, rows: 9, columns: 8",
    "rows: 5, columns: 5, wrap: columns",
    "rows: 4, columns: 6, wrap: both, holes: b2",
]
ASKED = [
    "any(run(it, enemy, own, at least 2))",
    "any(run(it, enemy, own, exactly 2))",
    "any(run(it, enemy, own, 2 to 3, along: [east, west]))",
    "any(run(it, enemy, empty, at most 1, along: [east, northeast]))",
    "any(run(it, enemy, own, at least 7))",
    # A row extends as far as it can, past cells where it could also end.
    "any(run(it, enemy, enemy or own))",
    "any(run(it, not empty, own, at least 1))",
    "any(slide(it, all, empty) and own)",
    "any(slide(it, [east, northwest], not own) and enemy)",
    "none(slide(it, [east], empty) and rows(2 to 3))",
    # By whole frontiers, and cell by cell; a start is reached only if a path returns to it.
    "it in reach(c in it, slide(c, [east, northeast, west], empty))",
    "count(reach(c in it, neighbours(c) minus own)) > 3",
    "any(reach(c in it, if c in empty then first(neighbours(c)) else nowhere) and own)",
]


@pytest.mark.parametrize(
    ("condition", "board"),
    [  # Each question on every fifth board, each board with every fifth question.
        pytest.param(asked, board, marks=pytest.mark.deep if (a + b) % 5 else pytest.mark.slow)
        for (a, asked), (b, board) in product(enumerate(ASKED), enumerate(BOARDS))
    ],
)
def test_a_question_of_all_cells_has_the_answers_of_each_cell(condition: str, board: str) -> None:
    compare(condition_spec(condition, board), 100_000, QUICK)


@pytest.mark.usefixtures("in_haste")
@needs_native
@pytest.mark.parametrize(
    ("condition", "board"),
    [  # Each question on one board, each board with a question.
        pytest.param(asked, board, marks=marks)
        for (a, asked), (b, board) in product(enumerate(ASKED), enumerate(BOARDS))
        for marks in [pytest.mark.slow if b == a % len(BOARDS) else pytest.mark.deep]
    ],
)
def test_a_question_of_all_cells_has_its_answers_natively(condition: str, board: str) -> None:
    compare(condition_spec(condition, board), 100_000, ("native",))


def condition_spec(condition: str, board: str) -> str:
    """Return a spec in which a condition decides on which cells a player may place."""
    return f"""
spec: 1
name: Questions
board: {{{board}}}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, empty: "."}}
start:
  - put man of white on all where (row(it) * 5 + column(it) * 3) % 7 < 2
  - put man of black on all where (row(it) * 5 + column(it) * 3) % 7 > 4
rules:
  moves: {{place: man, to: "empty where {condition}"}}
"""


# generated specs


def compare(text: str, budget: int, names: Sequence[Engine]) -> None:
    """Compare engines on a spec within a budget."""
    engines = spec_engines(text, names)
    engines.limit(budget)
    compare_all(engines)


def compare_all(engines: Engines) -> None:
    """Compare two games, counts and random games, within the first engine's budget."""
    try:
        for seed in (0, 1):
            engines.play(seed, 12)
        engines.count(2)
        engines.playouts(2, seed=1)
    except TooLong:
        return


@pytest.mark.slow
@settings(max_examples=3, suppress_health_check=SLOW)
@given(specs())
def test_generated_specs_are_the_same(text: str) -> None:
    try:
        compare(text, 30_000, QUICK)
    except SpecError:
        assume(False)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=pytest.mark.slow if first < 5 else pytest.mark.deep)
        for first in range(0, 200, 5)
    ],
)
def test_many_generated_specs_are_the_same(first: int) -> None:
    compare_seeds(first, 5, QUICK)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@needs_native
@pytest.mark.parametrize(
    "first",
    [1001, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1002, 1010))],
)
def test_many_generated_specs_are_the_same_natively(first: int) -> None:
    compare_seeds(first, 1, ("native",))


def compare_seeds(first: int, count: int, names: Sequence[Engine]) -> None:
    """Compare engines on the specs of so many seeds; `random_spec` reproduces a differing one."""
    for seed in range(first, first + count):
        try:
            compare(random_spec(seed), 100_000, names)
        except SpecError:
            continue
        except AssertionError as error:
            raise AssertionError(f"random_spec({seed}): {error}") from error


@pytest.mark.deep
@settings(max_examples=5_000, suppress_health_check=SLOW)
@given(specs())
def test_thousands_of_generated_specs_are_the_same(text: str) -> None:
    try:
        compare(text, 400_000, COMPILED)
    except SpecError:
        assume(False)


# code that is cached from one process to the next


def entries(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@needs_native
@pytest.mark.parametrize(
    "name",
    [
        "nine-mens-morris",
        *(
            pytest.param(n, marks=pytest.mark.deep)
            for n in ("atari-go", "othello", "go", "english-draughts")
        ),
    ],
)
def test_a_bundled_game_from_the_cache_is_the_one_made_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))
    use(bundled(name, ("native",)))
    kept = entries(tmp_path)
    assert len(kept) > 3
    again = bundled(name, ("native",))
    use(again)
    assert entries(tmp_path) == kept
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    fresh = bundled(name, ("native",))
    use(Engines(again.first, *again.others, *fresh.others))


@pytest.mark.deep
@needs_native
def test_generated_specs_from_the_cache_are_those_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(1004, 1007):
        try:
            monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))
            made = [spec_engines(random_spec(seed), ("native",)) for _ in range(2)]
        except SpecError:
            continue
        both = Engines(made[0].first, *made[0].others, *made[1].others)
        both.limit(30_000)
        compare_all(both)


def use(engines: Engines) -> None:
    engines.play(3, 8)
    engines.count(1)
    engines.playouts(2, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_interpreter_serves_states_unsupported_by_kernels(name: Engine) -> None:
    # A history longer than native kernels store.
    game = rulesengine.load("go", n=3, engine=name)
    start = game.initial_state()
    before = ((0,) * len(start.planes), 0)
    long = replace(start, history=(before,) * 17_000)
    defined = rulesengine.load("go", n=3, engine="interpreter")
    assert game.legal_moves(long) == defined.legal_moves(long)
    move = game.legal_moves(long)[0]
    assert game.apply(long, move) == defined.apply(long, move)
    assert game.perft(1, long) == defined.perft(1, long)
    assert game.playouts(1, seed=1, state=long) == defined.playouts(1, seed=1, state=long)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_too_many_groups_for_kernels_are_interpreted(name: Engine, tmp_path: Path) -> None:
    moves = "\n".join(f"    - {{place: stone, to: columns({i} to {i})}}" for i in range(1, 301))
    text = (
        "spec: 1\nname: Many\nboard: {rows: 1, columns: 300}\nplayers: [a, b]\n"
        'pieces: {stone: {a: x, b: o}, empty: "."}\n'
        f"rules:\n  moves:\n{moves}\n  end: {{when: any(occupied), result: draw}}\n"
    )
    path = tmp_path / "many.yaml"
    path.write_text(text, encoding="utf-8")
    game = rulesengine.load(path, engine=name)
    assert game.perft(1) == 300
    assert [str(m) for m in game.legal_moves(game.initial_state())][-1].endswith("1")
    assert (name, "perft") in game.engine_problems


@needs_native
def test_threads_begin_with_no_line_of_play_that_an_earlier_one_had_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*args: object) -> list[int]:
        raise AssertionError("a game was left to the interpreter")

    monkeypatch.setattr(playouts, "tally", refuse)
    game = rulesengine.load("go", n=3, engine="native")
    state = game.initial_state()
    for _ in range(4):
        state = game.apply(state, game.legal_moves(state)[0])
    alone = game.playouts(400, seed=3, state=state)
    for _ in range(3):
        assert game.playouts(400, seed=3, state=state, threads=2) == alone
