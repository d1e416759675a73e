"""King-relative tables: the games that have them, their entries, and kernels that sum them."""

import random
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game, State, UsageError
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search.sigmoid import ONE
from rulesengine.engine.kernel.analysis.manager import AnalysisManager
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.kernel.emit import king_relative
from rulesengine.engine.kernel.emit.context import Context, SearchFacts
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.entries.single_calls import finish_module, history_entry
from rulesengine.engine.kernel.kernels import Kernels
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.passes.optional_analyses import OPTIONAL_ANALYSES
from rulesengine.engine.kernel.selection import Engine
from rulesengine.engine.kernel.translate import driver_entry
from rulesengine.engine.patterns import active_entries, king_relative_of
from rulesengine.engine.patterns.king_relative import PHASES, KingRelative
from rulesengine.job import Job
from rulesengine.search.learned_weights import LearnedWeights, TrainingTables, write_brief
from rulesengine.search.recorded_games import RecordedGame, RecordedPly, Recorder
from tests.engine.test_translate import compile_module, row
from tests.helpers.driver_examples import estimated

BACKENDS = tuple(sorted(backend.name for backend in working()))
# One with a small board, one with more cells than a word, and one with pieces in hand.
NAMES = ("dobutsu-shogi", "los-alamos", "xiangqi")
UNIT = 400


def tables_of(game: Game) -> KingRelative:
    tables = king_relative_of(game.program)
    assert tables is not None
    return tables


def weighted(tables: KingRelative) -> LearnedWeights:
    """Return weights of all sizes and signs."""
    numbers = array("q", (n * 0x9E3779B1 % ONE - ONE // 2 for n in range(tables.size)))
    memory = Memory(tables.size + 2)
    memory.numbers[:] = memoryview(numbers + array("q", (UNIT, 1)))
    return LearnedWeights(tables, memory, pays=False)


def positions(game: Game, count: int) -> Iterator[State]:
    """Yield the positions of random games."""
    draw, state = random.Random(5), game.initial_state()
    for _ in range(count):
        yield state
        moves = game.legal_moves(state)
        state = game.apply(state, draw.choice(moves)) if moves else game.initial_state()


def differences(game: Game, backend: str, count: int) -> int:
    """Return in how many positions a kernel has another correction than the interpreter."""
    weights = weighted(tables_of(game))
    rows = [row for row in OPTIONAL_ANALYSES if "royal" in row.parts]
    ctx = Context(
        optimised(game.program),
        EMIT,
        AnalysisManager(game.program, rows),
        weight_types=("a",),
        search=SearchFacts(corrects=True),
    )
    driver_entry(ctx, estimated, "estimated")
    history_entry(ctx)
    code = compile_module(finish_module(ctx), backend)
    kernels, found = Kernels(game.machine, row(backend)), 0
    for state in positions(game, count):
        for player in range(2):
            args = *kernels.words(state, code), player, weights.memory.bytes
            found += code.call("estimated", args) != (weights.correction(state, player),)
    return found


@pytest.mark.parametrize(
    ("name", "has_tables"),
    [
        ("chess", True),
        ("minishogi", True),
        ("xiangqi", True),
        ("hive", False),  # the queens come from the hand
        ("breakthrough", False),
        ("tic-tac-toe", False),
    ],
)
def test_games_with_one_royal_piece_of_each_side_have_tables(name: str, has_tables: bool) -> None:
    tables = king_relative_of(rulesengine.load(name, engine="interpreter").program)
    assert (tables is not None) == has_tables


def test_entries_are_those_of_the_cells_of_both_kings() -> None:
    # White sees its king at e1 (60), the queen at d4 (35) and the black king at g8 (6). Black sees
    # the same after the exchange of colours, with the ranks reversed.
    game = rulesengine.load("chess", engine="interpreter")
    tables, found = tables_of(game), []
    for board in ("6k1/8/8/8/3Q4/8/8/4K3 w", "4k3/8/8/3q4/8/8/8/6K1 b"):
        state = game.state_from(f"{board} - - 0 1")
        found.append(list(active_entries(tables, state)))
    kinds = len(tables.pieces)
    assert (kinds, tables.row, tables.taken) == (12, 12 * 64, 32)
    wanted = []
    for kind, cell in ((0, 60), (1, 6), (2, 35)):
        within = 64 * kind + cell
        wanted += [within, 4 * 768 + 60 * 768 + within, 68 * 768 + 6 * 768 + within]
    assert found == [wanted, wanted]
    start = next(active_entries(tables, game.initial_state()))
    assert start // tables.row == tables.phase(32) == PHASES - 1


def test_the_last_royal_piece_counts_and_a_missing_one_is_at_the_first_cell() -> None:
    tables = tables_of(rulesengine.load("chess", engine="interpreter"))
    sets = [0] * 18
    sets[tables.royal[0]], sets[tables.pieces[2][0]] = 1 << 3 | 1 << 60, 1 << 35
    found, row = list(tables.entries(sets, 0)), tables.row
    queen = 2 * 64 + 35
    assert found[-3:] == [queen, (4 + 60) * row + queen, (68 + 0) * row + queen]
    assert found[:3] == [3, (4 + 60) * row + 3, 68 * row + 3]


def test_a_file_of_tables_corrects_by_a_part_of_its_own(tmp_path: Path) -> None:
    game = rulesengine.load("dobutsu-shogi", engine="interpreter")
    tables, file = TrainingTables(tables_of(game), 0, UNIT), tmp_path / "tables"
    tables.memory.numbers[5] = ONE
    write_brief(file, game.program, tables)
    weights = game.learned_in(file)
    assert (weights.part, weights.half, weights.memory.numbers[5]) == ("royal", UNIT, ONE)
    assert weights.network == tables_of(game)
    damaged = tmp_path / "other"
    damaged.write_bytes(file.read_bytes().replace(b'"patterns": "', b'"patterns": "0'))
    with pytest.raises(UsageError, match="another version of the package"):
        game.learned_in(damaged)


@pytest.mark.slow
@pytest.mark.deep
def test_positions_before_captures_are_not_quiet_and_those_before_drops_are() -> None:
    pytest.importorskip("numpy", reason="the fit needs NumPy")
    from tests.helpers.king_relative_fit import read_positions

    # The chicks take each other with the help of a lion, and the second one is dropped.
    game = rulesengine.load("dobutsu-shogi", engine="interpreter")
    state, plies = game.initial_state(), list[RecordedPly]()
    for text in ("b2b3", "b4b3", "c1c2", "C@a2"):
        moves = game.legal_moves(state)
        move = game.move(text, state)
        plies.append(RecordedPly(moves.index(move), 10, 20))
        state = game.apply(state, move)
    positions = read_positions(game, tables_of(game), [RecordedGame(tuple(plies), 1)])
    assert positions.is_quiet.tolist() == [False, False, True, True]
    assert positions.results.tolist() == [0, 1, 0, 1]
    # The board has eight pieces at first, and two fewer after both captures.
    assert [len(board.nonzero()[0]) for board in positions.boards] == [8, 7, 6, 6]


def test_games_are_recorded_alike_in_every_engine() -> None:
    def recorded(engine: Engine) -> list[RecordedGame]:
        game = rulesengine.load("dobutsu-shogi", engine=engine)
        recorder = Recorder(game._dispatcher, tables_of(game), 10)
        return [recorder.play(3, number, Job()) for number in range(2)]

    wanted = recorded("interpreter")
    assert len({played.plies for played in wanted}) == 2
    assert all(recorded(engine) == wanted for engine in BACKENDS)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
def test_kernels_correct_as_the_interpreter_does_at_every_ply(name: str, backend: str) -> None:
    assert differences(rulesengine.load(name, engine="interpreter"), backend, 20) == 0


def test_a_kernel_that_does_not_turn_the_board_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(king_relative._Total, "_seen", lambda self, cell: cell)
    assert differences(rulesengine.load("dobutsu-shogi", engine="interpreter"), "python", 20) > 5
