"""Selection by `keep` as target sets: the same legal moves as move by move, in random positions."""

from collections.abc import Callable

import pytest

from rulesengine import Game
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.kernel.emit import tallies
from rulesengine.engine.kernel.passes import optimised, rank_sets
from rulesengine.language.ir.tallies import make_best
from rulesengine.language.ir.verify import verify
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.engine.test_emission import emitted, found_by
from tests.engine.test_emission import positions as board_positions
from tests.engine.test_passes import game_of as passes_game
from tests.engine.test_passes import target
from tests.engine.test_placement_lines import positions
from tests.helpers.engine_comparison import optimised_game

SPEC = """
spec: 1
name: Ranked
board: {{{board}}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, rock: {{neutral: "*"}}, empty: "."}}
rules:
  moves:
    - {{place: stone, to: "{to}", do: [{do}]}}
    - otherwise
    - pass
  keep: {keep}
  end: {{when: none(empty), result: draw}}
"""
FLIP, TAKE = "flip enemy between to and own", "remove neighbours(to) and enemy"
CAPTURING = "empty where any(enemy between it and own)"
BOARDS = ("rows: 5, columns: 6", "rows: 5, columns: 6, holes: b2 d3 d4", "shape: hexagon, size: 3")
# Targets, effects and keys that become sets.
RANKED = (
    (CAPTURING, FLIP, "most count(captured)"),
    (CAPTURING, FLIP, "least count(captured)"),
    ("empty", FLIP, "most count(captured)"),
    ("empty", "remove run(to, enemy, own, exactly 2)", "most count(captured)"),
    (CAPTURING, FLIP, "[most count(captured), least count(neighbours(to) and own)]"),
    ("empty", "", "most count(neighbours(to) and enemy) + count(neighbours(to) and own)"),
    ("empty", "", "least 3 + count(run(to, own, empty))"),
)
# Keys that rank the moves one by one.
REMAINING = (
    (CAPTURING, FLIP, "most count(flipped)"),
    ("empty", f'{FLIP}", "{TAKE}', "most count(captured)"),
    ("empty", "remove run(to, occupied, own)", "most count(captured)"),
    ("all where any(enemy between it and own)", FLIP, "most count(captured)"),
    ("empty", "", "most count(own) * count(neighbours(to) and own)"),
    ("empty", FLIP, "[most count(captured), one of each result]"),
)


def game_of(to: str, do: str, keep: str, board: str = BOARDS[0]) -> Game:
    text = SPEC.format(board=board, to=to, do=f'"{do}"' if do else "", keep=keep)
    return load_source(Source("ranked.yaml", text), engine="interpreter")


def assert_ranked(game: Game) -> None:
    """Compare the moves after all passes in random positions; some moves must be dropped."""
    passed = optimised_game(game)
    verify(passed.machine.program)
    assert not passed.machine.program.rules.keep
    dropped = 0
    for state in positions(game, 60):
        moves = list(map(str, game.legal_moves(state)))
        assert list(map(str, passed.legal_moves(state))) == moves
        (tier, *_) = game.program.rules.tiers
        dropped += len(moves) < len(list(game.machine.tier(state, state.side, tier)))
    assert dropped


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("to", "do", "keep"), RANKED)
def test_the_selected_moves_are_those_of_move_by_move(
    to: str, do: str, keep: str, board: str
) -> None:
    assert_ranked(game_of(to, do, keep, board))


@pytest.mark.parametrize(("to", "do", "keep"), REMAINING)
def test_other_keys_rank_the_moves_one_by_one(to: str, do: str, keep: str) -> None:
    assert optimised(game_of(to, do, keep).program).rules.keep


@pytest.mark.parametrize("order", ["most", "least"])
def test_code_finds_the_cells_with_the_best_sum(order: str) -> None:
    assert_best(order)


def assert_best(order: str) -> None:
    game = passes_game("own", "square")
    cells, *sets = (
        target(passes_game(text, "square").program)
        for text in ("all minus king", "own", "enemy or goal", "empty", "neighbours(own)")
    )
    op, machine = make_best(cells, sets, (3, 1, 2, 5), order), Interpreter(game.program)
    module, _ = emitted(game.program, op, 0)
    for state, at in board_positions(game.program, 40):
        frame = Frame(state, {"player": 0, **at})
        domain, *values = (machine.evaluate_in(one, frame) for one in (cells, *sets))
        totals = {
            cell: sum(w for w, of in zip((3, 1, 2, 5), values, strict=True) if of >> cell & 1)
            for cell in range(game.program.topology.cells)
            if domain >> cell & 1
        }
        best = (max if order == "most" else min)(totals.values(), default=0)
        right = sum(1 << cell for cell, total in totals.items() if total == best)
        assert machine.evaluate_in(op, frame) == right
        assert found_by(module, op, game.program, state, at) == right


@pytest.mark.parametrize(
    ("to", "do", "keep"),
    [
        pytest.param(*rule, marks=pytest.mark.deep if number else pytest.mark.slow)
        for number, rule in enumerate(RANKED)
    ],
)
def test_kernels_play_the_games_of_the_interpreter(to: str, do: str, keep: str) -> None:
    text = SPEC.format(board=BOARDS[0], to=to, do=f'"{do}"' if do else "", keep=keep)
    start = "start: [put stone of black on b2 or c3 or d4, put stone of white on c2 or b3 or d3]\n"
    source = Source(
        "ranked.yaml",
        text.replace("rules:", f"{start}rules:").replace(
            "when: none(empty)", "when: none(empty) or plies > 30"
        ),
    )
    slow, fast = (load_source(source, engine=engine) for engine in ("interpreter", "python"))
    assert fast.playouts(20, seed=3) == slow.playouts(20, seed=3)
    assert fast.perft(3) == slow.perft(3)


Plant = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, tuple[Plant, Callable[[], None]]] = {
    "own pieces count as captured": (
        lambda patch: patch.setattr(rank_sets.RankSets, "_are_of_others", lambda self, cells: True),
        lambda: assert_ranked(game_of("empty", "remove run(to, occupied, own)", RANKED[0][2])),
    ),
    "occupied targets count as empty": (
        lambda patch: patch.setattr(rank_sets.RankSets, "_are_empty", lambda self, cells: True),
        lambda: assert_ranked(game_of("all minus own", FLIP, RANKED[0][2])),
    ),
    "the least sum is the greatest": (
        lambda patch: patch.setattr(tallies, "best_of", lambda op: ("most", (3, 1, 2, 5))),
        lambda: assert_best("least"),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, check = FAULTS[fault]
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check()
