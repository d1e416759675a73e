"""Move lookup by text: the result of a search in the full list, with fewer moves generated."""

import random
from collections.abc import Iterator

import pytest

import rulesengine
from rulesengine import Game, SpecError, State
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.independence import are_apart
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.each_game import LARGER, OTHERS, each_game
from tests.helpers.rule_games import make
from tests.helpers.spec_strategies import random_spec

PLIES = 4
JUNK = ("", "a", "zz", "a1a1", "pass", "a1-b2 ")
# Generated specs with distinguishable moves, and specs with chains, keys or rules that may fail.
SEEDS = range(30)


def line_of(game: Game, seed: int, plies: int = PLIES) -> Iterator[State]:
    draw, state = random.Random(seed), game.initial_state()
    for _ in range(plies):
        yield state
        moves = game.legal_moves(state)
        if not moves:
            return
        state = game.apply(state, draw.choice(moves), check=False)


def some_texts(game: Game, state: State) -> set[str]:
    moves = game.legal_moves(state)
    return {move.text for move in moves[:: len(moves) // 4 + 1]}


def assert_finds(game: Game, state: State, texts: set[str]) -> None:
    """Check that each text is found as in the full list; of equal texts the first move counts."""
    moves = game.legal_moves(state)
    listed = {move.text: move for move in reversed(moves)}
    for text in texts:
        found = game.find(text, state)
        assert found == listed.get(text), text
        if found:
            assert found.steps[0].group == listed[text].steps[0].group


@each_game(deep=OTHERS)
@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_each_legal_move_is_found_by_its_text_and_no_other(name: str, engine: str) -> None:
    game = rulesengine.load(name, engine=engine)
    before = set(JUNK)
    for state in line_of(game, 1):
        texts = some_texts(game, state)
        assert_finds(game, state, texts | before)
        before = {*JUNK, *texts}


@pytest.mark.usefixtures("in_haste")
@each_game(quick=(), deep=OTHERS - {"gomoku"})
def test_fast_calls_find_the_same(name: str) -> None:
    pytest.importorskip("llvmlite")
    game = rulesengine.load(name, engine="native")
    for state in line_of(game, 2):
        assert_finds(game, state, {*JUNK, *some_texts(game, state)})


@pytest.mark.parametrize(
    ("move", "capture"), [("{from}{to}", "{from}{to}"), ("{to}", "{to}"), ("go", "take")]
)
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_lookup_finds_the_first_of_moves_with_equal_notation(
    move: str, capture: str, engine: str
) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    rest = f'notation: {{columns: numbers, move: "{move}", capture: "{capture}"}}\n'
    made = make(
        1, 12, "moves: {move: own man, to: empty}\nend: {when: none(empty), result: draw}", rest
    )
    game = Game(made.rules, made.parameters, engine)
    state = game.state_from("x.x........x\nmover: black")
    assert_finds(game, state, {m.text for m in game.legal_moves(state)})


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
@pytest.mark.parametrize("first", ["select", "place"])
def test_lookup_in_cached_moves_finds_the_first_with_equal_notation(
    first: str, engine: str
) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    groups = ["{select: empty, do: put rock on to}", "{place: man, to: empty}"]
    groups = groups if first == "select" else groups[::-1]
    made = make(1, 3, f"moves: [{', '.join(groups)}]\nend: {{when: none(empty), result: draw}}")
    game = Game(made.rules, made.parameters, engine)
    for state in line_of(game, 6, 2):
        assert_finds(game, state, {"a1", "b1", "c1"})
        found = game.find(game.legal_moves(state)[0].text, state)
        assert found
        assert found.steps[0].kind == first


def masks(cells: int, draw: random.Random) -> Iterator[tuple[int, int]]:
    yield -1, -1
    for _ in range(4):
        chosen = draw.sample(range(cells), min(3, cells))
        mask = sum(1 << cell for cell in chosen)
        yield from ((mask, mask), (-1, mask), (mask, -1))


def within(moves: tuple[Steps, ...], origins: int, targets: int) -> tuple[Steps, ...]:
    return tuple(
        steps
        for steps in moves
        if (steps[0].origin < 0 or origins >> steps[0].origin & 1)
        and (steps[-1].target < 0 or targets >> steps[-1].target & 1)
    )


def assert_apart(machine: Interpreter, state: State, draw: random.Random) -> None:
    moves = machine.legal(state)
    for origins, targets in masks(machine.program.topology.cells, draw):
        found = machine.legal_among(state, origins, targets)
        assert found == within(moves, origins, targets)
        directions = [(step.group, step.direction) for steps in found for step in steps]
        listed = within(moves, origins, targets)
        assert directions == [(step.group, step.direction) for steps in listed for step in steps]


def is_apart(game: Game) -> bool:
    return are_apart(game.program.rules, game.program.topology.cells)


@each_game(deep=LARGER)
def test_moves_over_some_cells_are_those_of_the_whole_list(name: str) -> None:
    game = rulesengine.load(name, engine="interpreter")
    if is_apart(game):
        for state in line_of(game, 3):
            assert_apart(game.machine, state, random.Random(4))


def test_most_bundled_games_have_distinct_move_texts() -> None:
    names = ["gomoku", "othello", "hex", "breakthrough", "ataxx", "nogo", "tic-tac-toe"]
    assert [name for name in names if not is_apart(rulesengine.load(name))] == []
    chains = ["english-draughts", "amazons", "nine-mens-morris", "go"]
    assert [name for name in chains if is_apart(rulesengine.load(name))] == []


@pytest.mark.slow
def test_generated_games_do_the_same() -> None:
    apart = 0
    for seed in SEEDS:
        try:
            game = load_source(Source("spec.yaml", random_spec(seed)), engine="interpreter")
        except SpecError:
            continue
        if is_apart(game):
            apart += 1
            for state in states_of(game, seed):
                assert_apart(game.machine, state, random.Random(seed))
    assert apart > 2


def states_of(game: Game, seed: int) -> Iterator[State]:
    """Yield the states of a random game until an effect fails."""
    try:
        yield from line_of(game, seed, 4)
    except rulesengine.RulesError:
        return
