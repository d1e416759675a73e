"""Drivers as code: every back end returns the results of the Python functions."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesengine import EvaluationError, Game, InternalError, LimitError, SpecError, State, load
from rulesengine.engine.drivers.memory import Word
from rulesengine.engine.drivers.perft import count
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.kernel.backends.protocol import Backend, CompiledModule
from rulesengine.engine.kernel.backends.python import build as plain
from rulesengine.engine.kernel.backends.python.statements import source
from rulesengine.engine.kernel.backends.registry import backend_by_name, working
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.emit.context import Context
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.entries.single_calls import finish_module, history_entry
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.translate import driver_entry, read
from rulesengine.loading import load_source
from rulesengine.state import Step
from rulesengine.support.resources import bundled_names
from rulesengine.support.source import Source
from tests.helpers import driver_examples as examples
from tests.helpers import driver_refusals
from tests.helpers.each_game import LARGER
from tests.helpers.engine_comparison import Metered, TooLong
from tests.helpers.spec_strategies import random_spec

BACKENDS = tuple(sorted(backend.name for backend in working()))
SOME = ("english-draughts", "hex-pie", "othello", "three-player-tic-tac-toe")
NATIVE: list[tuple[str, str]] = [(n, b) for n in SOME for b in BACKENDS if b == "native"]
Steps = tuple[Step, ...]
Function = Callable[..., Any]


def row(name: str) -> Backend:
    found = backend_by_name(name)
    assert found is not None
    return found


def compiled(
    game: Game, backend: str, functions: Sequence[Function], seats: int = 1
) -> CompiledModule:
    """Compile a module with an entry point for each driver, by its name."""
    ctx = Context(optimised(game.program), EMIT)
    ctx.seats = seats
    for function in functions:
        driver_entry(ctx, function, function.__name__)
    history_entry(ctx)
    return compile_module(finish_module(ctx), backend)


def compile_module(module: Module, backend: str, items: int = 1 << 20) -> CompiledModule:
    """Compile without optimisation: slow compilation would produce equivalent code."""
    module.items = items
    if backend == "python":
        return plain.compiled(module)
    from rulesengine.engine.kernel.backends.native.build import native

    return native(module, level=0)


class Engines:
    """A game by the interpreter's functions and by compiled code, with the same arguments."""

    def __init__(self, game: Game, backend: str, functions: Sequence[Function]) -> None:
        self.game = game
        self.functions = game._dispatcher.interpreted.search_functions()
        self.kernels = Kernels(game.machine, row(backend))
        self.code = compiled(game, backend, functions)

    def agree(self, function: Function, state: State, *more: int) -> bool:
        """True if both return the same, False if both fail. Raises AssertionError otherwise."""
        try:
            wanted = function(self.functions, state, *more)
        except (EvaluationError, LimitError, IndexError):
            wanted = None
        given = self.code.call(function.__name__, (*self.kernels.words(state, self.code), *more))
        whole = wanted if wanted is None or isinstance(wanted, tuple) else (wanted,)
        assert given == whole, (function, more)
        return given is not None


PLAIN = (count, examples.judge, examples.negamax)
ODD = (examples.alpha_beta, examples.second_moves, examples.walked)


def later(game: Game, plies: int) -> State:
    """The state after so many random plies, or where the game ends."""
    state, draw = game.initial_state(), Generator(1, plies)
    for _ in range(plies):
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.apply(state, moves[draw.below(len(moves))])
    return state


def agree_on_plain(engines: Engines, state: State) -> None:
    """Compare perft with all its options, random games, and a search of a few hundred states."""
    for keep, free in product((0, 1), repeat=2):
        for depth in range(max(1, _depth(engines.game, state)) + 1):
            engines.agree(count, state, depth, keep, free, 0)
    for number in range(2):
        engines.agree(examples.judge, state, 5, number)
    engines.agree(examples.negamax, state, _depth(engines.game, state), len(engines.game.players))


def agree_on_odd(engines: Engines, state: State) -> None:
    bounds = (-examples.LARGE, examples.LARGE)
    depth, sides = _depth(engines.game, state), len(engines.game.players)
    engines.agree(examples.alpha_beta, state, depth, *bounds, sides)
    engines.agree(examples.second_moves, state, 40)
    engines.agree(examples.walked, state, 12)


def _depth(game: Game, state: State) -> int:
    """Return a depth that reaches a few hundred states, estimated from the first moves."""
    count = len(game.machine.legal(state))
    return next((depth for depth in (3, 2, 1) if count**depth <= 500), 0)


LONG = {("english-draughts", "python"), ("othello", "native")}
QUICK = {("hex-pie", "python"), ("pig", "python")}


def cost_of(name: str, backend: str) -> pytest.MarkDecorator:
    """Mark slow cases, and as deep those of games that add no coverage."""
    is_large = name not in SOME or name in LARGER
    # A game that is slow to search is slow in each back end: one of them searches it.
    return pytest.mark.deep if is_large or (name, backend) in LONG else pytest.mark.slow


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "backend"),
    [
        pytest.param(*case, marks=() if case in QUICK else cost_of(*case))
        for case in product(bundled_names(), BACKENDS)
    ],
)
def test_drivers_do_as_code_what_they_do_as_they_stand(name: str, backend: str) -> None:
    game = load(name, engine="interpreter")
    is_odd = backend == "python" or name in SOME
    engines = Engines(game, backend, (*PLAIN, *ODD) if is_odd else PLAIN)
    for state in (game.initial_state(), later(game, 9)):
        agree_on_plain(engines, state)
        if is_odd:
            agree_on_odd(engines, state)


@pytest.mark.parametrize(
    ("name", "backend"),
    [
        pytest.param(*case, marks=pytest.mark.slow if case[0] in SOME else pytest.mark.deep)
        for case in [(name, "python") for name in bundled_names()] + NATIVE
    ],
)
def test_drivers_count_and_play_as_the_kernels_that_are_made_for_it(
    name: str, backend: str
) -> None:
    game = load(name, engine="interpreter")
    engines = Engines(game, backend, (count, examples.games))
    modules = (emitted(game.machine, part, row(backend).seats) for part in ("perft", "playouts"))
    perft, playouts = (compile_module(module, backend) for module in modules)
    words = engines.kernels.words(game.initial_state(), perft)
    depth = max(1, _depth(game, game.initial_state()))
    for keep, free in product((0, 1), repeat=2):
        counted = engines.code.call("count", (*words, depth, keep, free, 0))
        special = perft.call("perft", (*words, depth, keep, free, 1, bytearray(16)))
        assert counted is not None
        assert special is not None
        assert counted[0] == special[0]
    played = playouts.call("playouts", (*words, 0, 20, 7, bytearray(16)))
    assert played is not None
    assert engines.code.call("games", (*words, 0, 20, 7)) == played[-2:]


def generated() -> Iterator[Game]:
    for seed in range(5):
        with suppress(SpecError):
            game = load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
            game.machine = Metered(game.program, 60_000)
            yield game


@pytest.mark.slow
def test_drivers_do_in_generated_games_what_they_do_as_they_stand() -> None:
    agreed = 0
    for game in generated():
        engines, state = Engines(game, "python", (*PLAIN, *ODD)), game.initial_state()
        with suppress(TooLong):
            agreed += engines.agree(examples.walked, state, 12)
            agreed += engines.agree(examples.second_moves, state, 20)
            agreed += engines.agree(count, state, 1, 1, 1, 0)
            agreed += engines.agree(examples.negamax, state, 1, len(game.players))
    assert agreed > 9


# the subset, construct by construct


def arguments(function: Function) -> st.SearchStrategy[tuple[Any, ...]]:
    kinds: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(-40, 40),
        bool: st.booleans(),
        Word: st.integers(0, 2**64 - 1),
    }
    hints = [p.annotation for p in inspect.signature(function).parameters.values()]
    return st.tuples(*(kinds[hint] for hint in hints))


@pytest.fixture(scope="module", params=BACKENDS)
def numbers(request: pytest.FixtureRequest) -> CompiledModule:
    """Compile the examples that need no game."""
    return compiled(load("tic-tac-toe"), request.param, examples.OF_NUMBERS)


@pytest.mark.parametrize("function", examples.OF_NUMBERS, ids=lambda f: f.__name__)
def test_each_construct_gives_what_python_gives(
    numbers: CompiledModule, function: Function
) -> None:
    @settings(max_examples=50, deadline=None)
    @given(arguments(function))
    def same(args: tuple[Any, ...]) -> None:
        try:
            wanted = function(*args)
        except (ZeroDivisionError, ValueError):
            wanted = None
        if wanted is not None:
            wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        assert numbers.call(function.__name__, args) == wanted

    same()


def rejections() -> Iterator[tuple[str, int, str]]:
    """Yield each function that is no driver, the line of the error and its message."""
    lines = inspect.getsource(driver_refusals).splitlines()
    name = ""
    for number, line in enumerate(lines, start=1):
        name = line.split("(")[0].removeprefix("def ") if line.startswith("def ") else name
        if "  # " in line:
            yield name, number, line.rsplit("  # ", 1)[1]


@pytest.mark.parametrize(
    ("name", "line", "text"), list(rejections()), ids=[r[0] for r in rejections()]
)
def test_invalid_driver_is_rejected_at_its_line(name: str, line: int, text: str) -> None:
    with pytest.raises(InternalError) as caught:
        read(getattr(driver_refusals, name))
    assert str(caught.value) == f"{driver_refusals.__file__}:{line}: {text}"


def test_every_function_that_is_refused_says_why() -> None:
    functions = {n for n, f in vars(driver_refusals).items() if inspect.isfunction(f)}
    here = {n for n in functions if getattr(driver_refusals, n).__module__.endswith("refusals")}
    assert here - {"no_keywords"} == {name for name, _, _ in rejections()}


def test_a_function_inside_another_is_no_driver() -> None:
    def inner(a: int) -> int:
        return a

    with pytest.raises(InternalError, match="a driver is a function of a module"):
        read(inner)


# code


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english-draughts", "reversi"])
def test_the_code_of_drivers_is_the_same_from_run_to_run(name: str) -> None:
    texts = []
    for _ in range(2):
        ctx = Context(optimised(load(name).program), EMIT)
        for function in (*PLAIN, *ODD):
            driver_entry(ctx, function, function.__name__)
        texts.append(source(finish_module(ctx)))
    assert texts[0] == texts[1]


COUNTING = """
spec: 1
name: Counting
board: {rows: 1, columns: 9}
players: [one, two]
pieces: {disc: {one: x, two: o}, empty: "."}
registers: {discs: {type: number, from: 0, to: 2}}
rules:
  moves:
    place: disc
    to: empty
    do: set discs to discs + 1
  end:
    - when: none(empty)
      result: draw
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_driver_fails_where_the_rules_do(backend: str) -> None:
    game = load_source(Source("counting.yaml", COUNTING), engine="interpreter")
    engines = Engines(game, backend, (examples.walked, count))
    state = game.initial_state()
    assert [engines.agree(examples.walked, state, plies) for plies in (2, 3)] == [True, False]
    assert [engines.agree(count, state, n, 0, 0, 0) for n in (3, 4)] == [True, False]


PASSING = """
spec: 1
name: Passing
board: {rows: 1, columns: 3}
players: [one, two]
pieces: {disc: {one: x, two: o}, empty: "."}
rules:
  moves: [{place: disc, to: empty}, pass]
  end: [{when: none(empty), result: draw}]
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_driver_fails_where_it_raises(backend: str) -> None:
    game = load_source(Source("passing.yaml", PASSING), engine="interpreter")
    engines = Engines(game, backend, (count, examples.first_reply))
    state = game.initial_state()
    assert engines.agree(count, state, 3, 0, 0, 0)
    assert not engines.agree(count, state, 1, 0, 1, 101)
    full = game.state_from(str(state).replace("...", "xxx"))
    assert [engines.agree(examples.first_reply, at) for at in (state, full)] == [True, False]


@pytest.mark.slow
@pytest.mark.skipif("native" not in BACKENDS, reason="only native lists are limited")
@pytest.mark.parametrize(
    ("name", "function", "args", "results"),
    [
        # 225 moves of two steps each, of two numbers: read three times in two rounds of three
        ("isolation", examples.looks, (300,), (225 * 3 * 200,)),
        ("english-draughts", count, (6, 0, 0, 0), (36768,)),
    ],
)
def test_moves_are_off_the_lists_when_they_are_of_no_use(
    name: str, function: Function, args: tuple[int, ...], results: tuple[int, ...]
) -> None:
    game = load(name, engine="interpreter")
    ctx = Context(optimised(game.program), EMIT)
    driver_entry(ctx, function, "entry")
    code = compile_module(finish_module(ctx), "native", items=2048)
    words = Kernels(game.machine, row("native")).words(game.initial_state(), code)
    assert code.call("entry", (*words, *args)) == results


PIE = """
spec: 1
name: Pie
board: {rows: 1, columns: 4}
players: [one, two]
pieces: {disc: {one: x, two: o}, empty: "."}
rules:
  moves:
    - {place: disc, to: empty}
    - {swap: true, when: plies = 1}
  score: count(own)
  end: [{when: none(empty), result: highest score wins}]
"""


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_players_who_change_sides_keep_what_is_theirs(backend: str) -> None:
    game = load_source(Source("pie.yaml", PIE), engine="interpreter")
    engines = Engines(game, backend, (examples.negamax, examples.judge, examples.worth))
    states = [game.initial_state()]
    for _ in range(3):
        states = [game.apply(s, move) for s in states for move in game.legal_moves(s)]
        assert all(engines.agree(examples.worth, state, 2) for state in states)
    assert any(state.seats == (1, 0) for state in states)
    assert all(engines.agree(examples.negamax, game.initial_state(), n, 2) for n in range(6))
    assert all(engines.agree(examples.judge, game.initial_state(), 1, n) for n in range(20))
