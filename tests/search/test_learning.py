"""Learning: features, updates of weights, files, and searches that use them."""

import doctest
import json
import math
import random
import signal
import sys
from array import array
from collections import Counter
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State, UsageError
from rulesengine.contests import match
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search import td_layout as at
from rulesengine.engine.drivers.search.layout import STAKE
from rulesengine.engine.drivers.search.sigmoid import ONE, apply_sigmoid
from rulesengine.engine.drivers.search.td_learning import learn
from rulesengine.engine.kernel.backends.registry import working
from rulesengine.engine.patterns import active_entries, network_of
from rulesengine.job import Job
from rulesengine.play.players.search_players import plies_of_move
from rulesengine.search import batch_learning, correction, learned_weights, named_evaluations
from rulesengine.search.learned_weights import TrainingTables, read_lessons, write, write_brief
from rulesengine.support.resources import bundled_file, bundled_learned, open_names
from tests.helpers.cli_calls import call
from tests.helpers.engine_comparison import needs_native
from tests.helpers.learned_files import CORRECTIONS, GAMES, KING_RELATIVE, MOVES
from tests.helpers.processes import PATIENCE, running

pytestmark = pytest.mark.usefixtures("in_haste")
BACKENDS = tuple(sorted(backend.name for backend in working()))
# Together these have numbers at cells, registers, per-side weights, gaps between bits of cells.
QUICK = frozenset({"connect-four", "kalah", "peg-solitaire"})
POSITIONS = [path for path in bundled_learned() if Path(path).stem not in MOVES]


def position(game: Game, text: str) -> State:
    return game.state_from(text)


# features


def test_a_pattern_is_a_number_whose_digits_are_what_its_cells_hold() -> None:
    game = rulesengine.load("tic-tac-toe")
    network = network_of(game.program)
    (pattern,) = network.patterns
    assert pattern.cells[0] == (4, 0, 1, 2, 3, 5, 6, 7, 8)
    # The middle comes first, then the corner a3: own 1, the other's 2, in powers of 3. After its
    # 3**9 entries come those of counts, ten for own pieces and ten for the other's.
    text = "x..\n.o.\no..\nmover: {}\n"
    after = {"cross": (2 + 3 + 2 * 3**6, 1, 2), "nought": (1 + 2 * 3 + 3**6, 2, 1)}
    for mover, (entry, own, other) in after.items():
        found = list(active_entries(network, position(game, text.format(mover))))
        assert found == [entry, 3**9 + own, 3**9 + 10 + other]


def test_cells_that_lie_alike_by_a_symmetry_share_a_table() -> None:
    network = network_of(rulesengine.load("othello").program)
    tables = {frozenset(pattern.cells[0]): pattern.table for pattern in network.patterns}
    assert len(tables) == len(network.patterns) == 8 + 8 + 2 * 9 + 6 * 6
    for cells, table in tables.items():
        turned = frozenset(8 * (cell % 8) + 7 - cell // 8 for cell in cells)
        assert tables[turned] == table
    # Rows and columns by distance from an edge, diagonals by length, and a middle for each cell in
    # an eighth of the inner board.
    assert len(set(tables.values())) == 4 + 5 + 6


def test_sides_that_are_alike_when_the_board_is_turned_learn_as_one() -> None:
    game = rulesengine.load("breakthrough", rows=6, columns=5)
    network = network_of(game.program)
    assert not network.apart
    state = game.initial_state()
    for move in list(game.legal_moves(state))[:5]:
        after = game.apply(state, move)
        *rows, _ = str(after).splitlines()
        one, two = game.program.form.symbols[:2]
        names = {one: two, two: one}
        flipped = ["".join(names.get(sign, sign) for sign in row) for row in reversed(rows)]
        other = position(game, "\n".join([*flipped, f"mover: {state.mover}"]) + "\n")
        assert list(active_entries(network, after)) == list(active_entries(network, other))


def test_the_distances_of_backgammon_are_its_pip_counts() -> None:
    # 167 pips each: 2 * 24 + 5 * 13 + 3 * 8 + 5 * 6. On the track of the opponent, which ends where
    # the own one begins, they are 15 * 25 less.
    game = rulesengine.load("backgammon")
    network = network_of(game.program)
    state = game.initial_state()
    sets = (*state.planes, *state.registers)
    sums = {distance.sums(sets, side) for distance in network.distances for side in (0, 1)}
    assert sums == {(167, 167), (15 * 25 - 167, 15 * 25 - 167)}
    rolled = game.apply(state, next(m for m in game.legal_moves(state) if str(m) == "3-1"))
    moved = game.apply(rolled, next(m for m in game.legal_moves(rolled) if str(m) == "p8/3,p6/1"))
    sets = (*moved.planes, *moved.registers)
    found = {distance.sums(sets, moved.side) for distance in network.distances}
    assert (167, 163) in found


def test_backgammon_learns_the_sides_as_one_and_stacks_as_blots_and_points() -> None:
    game = rulesengine.load("backgammon")
    network = network_of(game.program)
    assert not network.apart
    texts = (
        """
        o......x......
        .......o......
        mover: white
        men: 2 0 0 0 0 0 0 1 0 0 0 0 0 0 / 0 0 0 0 0 0 0 3 0 0 0 0 0 0
        one: 6
        """,
        """
        .......x......
        x......o......
        mover: black
        men: 0 0 0 0 0 0 0 3 0 0 0 0 0 0 / 2 0 0 0 0 0 0 1 0 0 0 0 0 0
        one: 6
        """,
    )
    states = [game.state_from(dedent(text).strip() + "\n") for text in texts]
    white, black = (list(active_entries(network, state)) for state in states)
    assert white == black
    # White's two men on p13, with p12 to p9 and p8 empty: a digit 2 in a number to the base 5.
    patterns = zip(network.patterns, white, strict=False)
    digits = {
        (entry - pattern.table) // 5 ** pattern.cells[0].index(0) % 5
        for pattern, entry in patterns
        if pattern.alphabet.base == 5 and 0 in pattern.cells[0]
    }
    assert digits == {2}


# updates of weights


def test_a_game_moves_entries_towards_what_came_of_it() -> None:
    # Two plies of one entry each; player 1, the mover of the second, has won. Its value was 0 and
    # its slope 1, so the entry moves by the full step, ONE. The position before belongs to the
    # other player: three quarters of the step reach it, as a loss.
    own, tables = Memory(at.entries_of(2, 2, 1)), Memory(3 * 2)
    for place, number in {at.WIDTH: 1, at.SIZE: 2, at.WAYS: 2, at.MOST: 2}.items():
        own.numbers[place] = number
    for ply in range(2):
        own.numbers[at.HEAD + 2 * ply] = ply
        own.numbers[at.entries_of(ply, 2, 1)] = ply
    learn(2, 1, False, own, tables, own)
    assert tables.numbers.tolist()[:2] == [-3 * ONE // 4, ONE]
    # Again: the value of the second is half a win by now, by x / (1 + x), and its slope a quarter.
    learn(2, 1, False, own, tables, own)
    assert apply_sigmoid(ONE) == STAKE // 2
    assert tables.numbers[1] == ONE + ONE // 2 // 4
    # A loss now: an entry that has moved both ways moves less, by the share of the net movement.
    before, way = tables.numbers[1], ONE + ONE // 8
    learn(2, 0, False, own, tables, own)
    value = apply_sigmoid(before)
    step = (STAKE + value) * (STAKE - value) ** 2 * ONE / STAKE**3
    assert tables.numbers[1] == pytest.approx(before - step, rel=1e-3)
    assert tables.numbers[3] == pytest.approx((way - step) / 2**at.FINE, rel=1e-3)


def test_moves_at_random_say_nothing_of_what_was_before() -> None:
    own, tables = Memory(at.entries_of(2, 2, 1)), Memory(3 * 2)
    for place, number in {at.WIDTH: 1, at.SIZE: 2, at.WAYS: 2, at.MOST: 2, at.HEAD + 3: 1}.items():
        own.numbers[place] = number
    own.numbers[at.entries_of(1, 2, 1)] = 1
    learn(2, 0, False, own, tables, own)
    assert set(tables.numbers.tolist()) == {0}


@pytest.mark.slow
@needs_native
def test_learned_evaluation_beats_an_untrained_one(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe")
    empty, full = tmp_path / "empty", tmp_path / "full"
    write(empty, game.program, TrainingTables(network_of(game.program), 0))
    assert game.learn(full, games=3000, seed=1, batch=1).games == 3000
    assert lost(game, full) < lost(game, empty) / 3


def lost(game: Game, file: Path) -> int:
    """Return how many of some games a one-ply player does not win against a random one."""
    count = 0
    for number in range(40):
        draw, state = random.Random(number), game.initial_state()
        while game.outcome(state) is None:
            moves = game.legal_moves(state)
            found = moves[draw.randrange(len(moves))]
            if state.mover == "cross":
                found = game.search(state, plies=1, learned=file).move
            state = game.apply(state, found)
        outcome = game.outcome(state)
        count += outcome is None or outcome.winner != "cross"
    return count


# the same in every engine, in one run or in parts


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", pytest.param("pig", marks=(pytest.mark.deep,))])
def test_games_teach_the_same_in_every_engine_and_in_parts(name: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    rulesengine.load(name, engine="interpreter").learn(whole, games=12, seed=7)
    for engine in BACKENDS:
        game, file = rulesengine.load(name, engine=engine), tmp_path / engine
        game.learn(file, games=5, seed=7)
        again = rulesengine.load(name, engine=engine).learn(file, games=7)
        assert (again.games, again.new) == (12, 7)
        assert file.read_bytes() == whole.read_bytes()
    other = tmp_path / "other"
    rulesengine.load(name, engine="interpreter").learn(other, games=12, seed=8)
    assert other.read_bytes() != whole.read_bytes()


@pytest.fixture
def early_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let batches grow from the first games on: 1, 1, 2, 4, 8 games, and so on."""
    monkeypatch.setattr(learned_weights, "_PER_BATCH", 1)


@needs_native
@pytest.mark.usefixtures("early_batches")
def test_the_number_of_threads_changes_no_byte_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, files = rulesengine.load("tic-tac-toe", engine="native"), list[bytes]()
    played = Counter[int]()
    play = batch_learning._BatchPlayer.play

    def spied(player: batch_learning._BatchPlayer, *args: Any) -> None:
        played[id(player)] += 1
        play(player, *args)

    monkeypatch.setattr(batch_learning._BatchPlayer, "play", spied)
    # Threads learn from games while others play if that pays, else after them.
    for threads, copied in ((1, 0), (2, 0), (2, 1 << 30), (3, 1 << 30)):
        monkeypatch.setattr(batch_learning, "_COPIED", copied)
        file = tmp_path / f"{threads} {copied}"
        played.clear()
        game.learn(file, games=200, threads=threads)
        assert len(played) == threads
        files.append(file.read_bytes())
    assert len(set(files)) == 1
    game.learn(tmp_path / "single", games=200, batch=1)
    single, batched = (game.learned_in(tmp_path / name) for name in ("single", "1 0"))
    assert single.memory.numbers != batched.memory.numbers


@pytest.mark.usefixtures("early_batches")
@pytest.mark.parametrize(
    "engine",
    [pytest.param(name, marks=(pytest.mark.deep,) * (name == "native")) for name in BACKENDS],
)
def test_batches_are_the_same_in_every_engine_and_from_several_starts(
    engine: str, tmp_path: Path
) -> None:
    plain = rulesengine.load("tic-tac-toe", engine="interpreter")
    start = plain.initial_state()
    starts = start, plain.apply(start, "b2"), plain.apply(start, "a1")
    plain.learn(tmp_path / "whole", games=13, starts=starts)
    game, file = rulesengine.load("tic-tac-toe", engine=engine), tmp_path / "file"
    game.learn(file, games=13, starts=starts, threads=2)
    assert file.read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.usefixtures("early_batches")
def test_runs_that_end_within_a_batch_change_no_byte(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe", engine="python")
    game.learn(tmp_path / "whole", games=120, batch=32)
    for games in (62, 1, 17, 40):  # ends after 30 games of a batch, 31, 16 and 24
        game.learn(tmp_path / "parts", games=games, batch=32)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_batch_has_at_most_one_in_32_of_the_games_before() -> None:
    tables = TrainingTables(network_of(rulesengine.load("tic-tac-toe").program), 0, batch=64)
    begin, sizes = 0, set[int]()
    while begin < 5_000:
        tables.games = begin
        size = tables.batch_size
        assert tables.games_in_batch == 0
        assert size == 1 or size <= min(64, begin / 32) < max(2 * size, 65)
        for tables.games in range(begin + 1, begin + size):
            assert (tables.batch_size, tables.games_in_batch) == (size, tables.games - begin)
        begin += size
        sizes.add(size)
    assert sizes == {1, 2, 4, 8, 16, 32, 64}


def test_a_file_keeps_the_size_of_its_batches(learned: Path) -> None:
    assert "batches of 128, not of 4 games" in call(*LEARN, str(learned), "--batch", "4").err
    assert "a power of two of games, found 6" in call(*LEARN, str(learned), "--batch", "6").err
    assert "at most 1,024, found 2,048" in call(*LEARN, str(learned), "--batch", "2048").err
    learned.write_bytes(head_with(learned, batch=3))
    assert "damaged" in call(*LEARN, str(learned)).err


@pytest.mark.parametrize(
    "engine",
    [pytest.param(name, marks=(pytest.mark.deep,) * (name == "native")) for name in BACKENDS],
)
def test_corrections_are_the_same_in_every_engine_and_in_parts(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correction, "TRIED", 4)
    whole, file = tmp_path / "whole", tmp_path / "file"
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    game.learn(whole, games=12, seed=7, correction=True)
    assert json.loads(whole.read_bytes().partition(b"\n")[0])["unit"] > 0
    game = rulesengine.load("tic-tac-toe", engine=engine)
    game.learn(file, games=5, seed=7, correction=True)
    assert game.learn(file, games=7, correction=True).new == 7
    assert file.read_bytes() == whole.read_bytes()
    file.unlink()
    game.learn(file, games=12, seed=7)
    assert file.read_bytes() != whole.read_bytes()


def test_a_correction_is_learned_as_by_a_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(named_evaluations, "games_of_fit", lambda *args: 9)
    monkeypatch.setattr(named_evaluations, "beats_the_rules", lambda *args: True)
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    game, file = rulesengine.load("tic-tac-toe", engine="python"), tmp_path / "file"
    game.learn(file, games=9, correction=True)
    fitted = named_evaluations.fitted_weights(game._dispatcher, Job())
    assert game.learned_in(file).memory.numbers == fitted.memory.numbers
    assert any(fitted.memory.numbers)


def test_an_unknown_keyword_is_reported_with_the_name_of_the_function(tmp_path: Path) -> None:
    game: Any = rulesengine.load("tic-tac-toe", engine="python")
    for name in ("learn", "learn_moves"):
        expected = rf"Game\.{name}\(\) got an unexpected keyword argument 'gmaes'"
        with pytest.raises(TypeError, match=expected):
            getattr(game, name)(tmp_path / "file", gmaes=1)


def test_a_correction_and_a_replacement_are_not_confused(learned: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "correction")
    assert call(*LEARN, file, "--correction", "--seed", "3", "--engine", "python").code == 0
    assert "corrects the evaluation of the rules: continue with" in call(*LEARN, file).err
    assert "with the seed 3, not with 0" in call(*LEARN, file, "--correction", "--seed", "0").err
    done = call(*LEARN, str(learned), "--correction")
    assert "replaces the evaluation of the rules: continue without" in done.err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("peg-solitaire", "a correction is learned for two players, found 1"),
        ("three-player-tic-tac-toe", "for games of one or two players, found 3"),
    ],
)
def test_games_without_corrections_are_refused(name: str, message: str, tmp_path: Path) -> None:
    out = tmp_path / "file"
    done = call("learn", name, "--correction", "--games", "1", "--out", str(out))
    assert (done.code, message in done.err, out.exists()) == (2, True, False), done.err


def test_no_file_corrects_the_evaluation_of_a_spec(tmp_path: Path) -> None:
    text = "extends: tic-tac-toe\nname: Mine\ntests: null\nrules: {evaluate: count(own)}\n"
    with pytest.raises(UsageError, match="the spec has its own `evaluate`"):
        rulesengine.loads(text).learn(tmp_path / "file", games=1, correction=True)


DECIDED = 900_000  # values of games that are won or lost, in any number of plies


def is_learnable(name: str) -> bool:
    return len(rulesengine.load(name).players) <= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else (pytest.mark.deep,))
        for name in open_names()
    ],
)
def test_searches_by_tables_are_the_same_in_every_engine(name: str, tmp_path: Path) -> None:
    if not is_learnable(name):
        pytest.skip("nothing is learned for more than two players")
    game = rulesengine.load(name, engine="interpreter")
    network, draw = network_of(game.program), random.Random(name)
    lessons, file = TrainingTables(network, 0), tmp_path / "tables"
    numbers = array("q", (n * 0x9E3779B1 % (2 * ONE) - ONE for n in range(network.size)))
    lessons.memory.numbers[: network.size] = memoryview(numbers)
    write(file, game.program, lessons)
    state = game.initial_state()
    for _ in range(6):
        if game.outcome(state) is None and game.legal_moves(state):
            moves = game.legal_moves(state)
            state = game.apply(state, moves[draw.randrange(len(moves))])
    while game.outcome(state) is None and game.machine.is_chance(state):
        state = game.apply(state, game.legal_moves(state)[0])
    if game.outcome(state) is not None or not game.legal_moves(state):
        pytest.skip("over before there is anything to search")
    expected = seen(game, state, file)
    for engine in BACKENDS if name != "kalah" else ("python",):
        assert seen(rulesengine.load(name, engine=engine), state, file) == expected
    value, is_choice = expected[1], len(game.legal_moves(state)) > 1
    assert isinstance(value, int)
    if is_choice and abs(value) < DECIDED:  # a decided value depends on no weights
        assert expected != seen(game, state, None)


def seen(game: Game, state: State, file: Path | None) -> tuple[object, ...]:
    found = game.search(game.state_from(str(state)), nodes=120, learned=file)
    assert not game.engine_problems
    values = [(str(move), value.number) for move, value in found.moves]
    return str(found.move), found.value, found.depth, found.nodes, values


# files


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    file = tmp_path / "learned"
    rulesengine.load("tic-tac-toe", engine="interpreter").learn(file, games=2)
    return file


def head_with(file: Path, **changes: object) -> bytes:
    line, _, rest = file.read_bytes().partition(b"\n")
    return json.dumps({**json.loads(line), **changes}).encode() + b"\n" + rest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tic-tac-toe", "--set", "m=4", "--set", "n=4"), "on another board"),
        (("misere-tic-tac-toe",), "by other rules"),
        (("three-player-tic-tac-toe",), "for games of one or two players, found 3"),
        (("tic-tac-toe", "--method", "mcts"), "has weights of positions, not of moves"),
    ],
)
def test_a_file_serves_its_own_game_alone(
    words: tuple[str, ...], message: str, learned: Path
) -> None:
    done = call("search", *words, "--seconds", "0.1", "--learned", str(learned))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.slow
def test_invalid_learned_file_is_rejected_and_unchanged(learned: Path, tmp_path: Path) -> None:
    good = learned.read_bytes()
    line, _, _ = good.partition(b"\n")
    wrong = {
        b"": "not a learned evaluation",
        b"spec: 1\n": "not a learned evaluation",
        b"\x80" * 9: "not a learned evaluation",
        b"[" * 4000: "not a learned evaluation",
        line: "damaged",
        good[:-1]: "damaged",
        good[:-1] + b"!": "damaged",
        good + b"!": "damaged",
        head_with(learned, bytes=[1, -1]): "not a learned evaluation",
        head_with(learned, games=True): "not a learned evaluation",
        head_with(learned, digest=5): "not a learned evaluation",
        head_with(learned, learned=2): "another version",
        head_with(learned, patterns="0"): "another version",
        head_with(learned, bytes=[2**40, 1]): "too large",
    }
    for data, message in wrong.items():
        learned.write_bytes(data)
        for words in (("search", "tic-tac-toe", "--plies", "1", "--learned"), LEARN):
            done = call(*words, str(learned))
            assert (done.code, done.out) == (2, ""), data
            assert message in done.err
            assert learned.read_bytes() == data
    assert "is a directory" in call(*LEARN, str(tmp_path)).err
    assert "no such file" in call("search", "nim", "--learned", str(tmp_path / "none")).err


LEARN = ("learn", "tic-tac-toe", "--games", "1", "--out")


def test_a_part_that_is_not_as_long_as_it_should_be_is_damage(learned: Path) -> None:
    # An attacker who writes such a file can compute its digest too.
    game = rulesengine.load("tic-tac-toe")
    network = network_of(game.program)
    short = TrainingTables(network, 0)
    short.memory = Memory(2 * network.size)
    write(learned, game.program, short)
    with pytest.raises(UsageError, match="damaged"):
        read_lessons(learned, game.program, network, None)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless file")
def test_no_more_of_a_file_is_read_than_it_announces(learned: Path) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    with pytest.raises(UsageError, match="not a learned evaluation"):
        game.search(plies=1, learned="/dev/zero")
    with learned.open("r+b") as file:
        file.truncate(2**40)  # a sparse file
    with pytest.raises(UsageError, match="damaged"):
        game.search(plies=1, learned=learned)


@pytest.mark.slow
def test_numbers_that_learning_cannot_come_to_are_damage(learned: Path) -> None:
    game = rulesengine.load("tic-tac-toe")
    network = network_of(game.program)
    lessons = TrainingTables(network, 0)
    for number, is_right in (
        (2**53, True),
        (-(2**53), True),
        (2**53 + 1, False),
        (-(2**63), False),
    ):
        lessons.memory.numbers[5] = number
        write(learned, game.program, lessons)
        done = call("search", "tic-tac-toe", "--plies", "1", "--learned", str(learned))
        assert (done.code == 0) is is_right
        assert ("damaged" in done.err) is not is_right


def test_learn_goes_on_with_its_own_seed_alone(learned: Path) -> None:
    assert "learned with the seed 0, not with 3" in call(*LEARN, str(learned), "--seed", "3").err
    found = call(*LEARN, str(learned), "--seed", "0", "--json").json()
    assert found == {
        "games": 3, "new": 1, "patterns": 3, "entries": 3**9 + 20, "file": str(learned)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "x"), "a limit is missing: `--minutes M` or `--games N`"),
        (("--minutes", "1"), "--out"),
        (("--minutes", "0", "--out", "x"), "more than 0 and at most 10080"),
        (("--minutes", "-1", "--out", "x"), "a number of minutes"),
        (("--games", "0", "--out", "x"), "at least 1 game"),
        (("--games", "1", "--out", "/dev/null/x"), "/dev/null/x"),
    ],
)
def test_learning_that_makes_no_sense_is_refused(words: tuple[str, ...], message: str) -> None:
    done = call("learn", "tic-tac-toe", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.slow
def test_players_use_the_learned_evaluation(learned: Path) -> None:
    player = f"wise=learned:{learned},nodes=20"
    done = call("match", "tic-tac-toe", "--player", player, "--player", "random", "--games", "2")
    assert done.code == 0, done.err
    assert "wise" in done.out
    done = call("match", "tic-tac-toe", "--player", f"learned:{learned}x", "--player", "random")
    assert (done.code, done.out) == (2, "")
    assert "no such file" in done.err
    done = call("match", "tic-tac-toe", "--player", f"learned:{learned},nodes=x", "--games", "1")
    assert done.code == 2


@pytest.mark.slow
def test_doctor_reports_the_size_of_the_network() -> None:
    found = call("doctor", "tic-tac-toe", "--engine", "interpreter", "--json").json()
    assert found["games"]["tic-tac-toe"]["learn"] == {"patterns": 3, "entries": 3**9 + 20}


# Progress is reported every round; the file is written now and then, and at the end.
COMMAND = """
import sys
from rulesengine.cli import main
from rulesengine.search import learning
class Telling(learning.BatchRun):
    def run(self, job, each):
        super().run(job, lambda: (print("round", flush=True), each()))
learning.BatchRun = Telling
sys.exit(main())
"""


@pytest.mark.slow
def test_interrupted_learning_saves_its_file(tmp_path: Path) -> None:
    file = tmp_path / "learned"
    words = ("learn", "tic-tac-toe", "--minutes", "9", "--engine", "python", "--out", str(file))
    with running(sys.executable, "-c", COMMAND, *words) as process:
        assert process.stdout
        assert process.stdout.readline() == b"round\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"has the weights so far" in err
    games = json.loads(file.read_bytes().partition(b"\n")[0])["games"]
    assert games > 0
    again = tmp_path / "again"
    rulesengine.load("tic-tac-toe").learn(again, games=games)
    assert again.read_bytes() == file.read_bytes()


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "learning.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 5
    assert not found.failed


# the compact format, and files in the package


def test_a_file_in_brief_holds_the_same_numbers_rounded(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    lessons = TrainingTables(network_of(game.program), 0)
    # Of 19,703 entries one may be beyond the range: 32,767 steps of 2**6, the least that hold
    # 2,000,000. 96 is one step and a half, which rounds up, and so does -96; 31 is less than half.
    numbers = array("q", [5_000_000, 2_000_000, 96, -96, 31])
    lessons.memory.numbers[:5] = memoryview(numbers)
    file = tmp_path / "brief"
    write_brief(file, game.program, lessons)
    found = game.learned_in(file).memory.numbers
    assert found.tolist()[:6] == [32767 * 64, 2_000_000, 128, -64, 0, 0]
    # A file that is too large has one byte for each number: 127 steps of 2**14.
    write_brief(file, game.program, lessons, 10)
    found = game.learned_in(file).memory.numbers
    assert found.tolist()[:4] == [127 * 2**14, 122 * 2**14, 0, 0]
    assert not any(found[5:])
    with pytest.raises(
        UsageError, match="is a compact evaluation: continue with the complete file"
    ):
        game.learn(file, games=1)


def test_learn_writes_both_files(tmp_path: Path) -> None:
    whole, brief = tmp_path / "whole", tmp_path / "brief"
    assert call(*LEARN, str(whole), "--brief", str(brief)).code == 0
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    numbers = [game.learned_in(file).memory.numbers.tolist() for file in (whole, brief)]
    step = json.loads(brief.read_bytes().partition(b"\n")[0])["step"]
    assert any(numbers[0])
    assert all(abs(a - b) <= step / 2 for a, b in zip(*numbers, strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": math.nan}, "the number of games is a whole number, found nan"),
        ({"games": "3"}, "the number of games is a whole number, found '3'"),
        ({"games": 0}, "to learn takes at least 1 game, and more than 0 seconds"),
        ({"seconds": math.nan}, "to learn takes at least 1 game, and more than 0 seconds"),
        ({"seconds": "3"}, "the number of seconds is a number, found '3'"),
        ({"games": 1, "seed": -1}, "the seed is at least 0, found -1"),
        ({"games": 1, "seed": 2**64}, "the seed is at most 18,446,744,073,709,551,615, found"),
        ({"games": 1, "seed": 1.5}, "the seed is a whole number, found 1.5"),
    ],
)
def test_numbers_out_of_range_are_refused(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    for learned_by in (game.learn, game.learn_moves):
        with pytest.raises(UsageError, match=message):
            learned_by(tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_the_brief_file_does_not_overwrite_the_complete_one(tmp_path: Path) -> None:
    game, out = rulesengine.load("tic-tac-toe"), tmp_path / "out"
    (tmp_path / "link").symlink_to(out)
    for brief in (out, tmp_path / "link"):
        with pytest.raises(UsageError, match="is the complete file: the compact one needs another"):
            game.learn(out, games=1, brief=brief)
        with pytest.raises(UsageError, match="is the complete file: the compact one needs another"):
            game.learn_moves(out, games=1, playouts=2, brief=brief)
    assert not out.exists()


def test_a_brief_file_has_at_most_the_given_size(tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    lessons = TrainingTables(network_of(game.program), 0)
    draw = random.Random(0)
    for entry in range(lessons.network.size):
        lessons.memory.numbers[entry] = draw.randrange(-(10**6), 10**6)
    sizes = []
    for size in (None, 30_000, 22_000):
        write_brief(tmp_path / "brief", game.program, lessons, size)
        sizes.append((tmp_path / "brief").stat().st_size)
        assert any(game.learned_in(tmp_path / "brief").memory.numbers)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[1] <= 30_000
    assert sizes[2] <= 22_000
    with pytest.raises(UsageError, match="size of the brief file"):
        game.learn(tmp_path / "whole", games=1, brief=(tmp_path / "brief", 0))
    done = call(*LEARN, str(tmp_path / "whole"), "--brief-size", "9")
    assert "`--brief-size` takes a file" in done.err


@pytest.mark.parametrize("is_brief", [False, True])
def test_a_file_keeps_the_unit_of_a_correction(is_brief: bool, tmp_path: Path) -> None:
    game = rulesengine.load("tic-tac-toe", engine="python")
    network, file = network_of(game.program), tmp_path / "tables"
    tables = TrainingTables(network, 0, 100)
    tables.memory.numbers[5] = ONE
    (write_brief if is_brief else write)(file, game.program, tables)
    weights = game.learned_in(file)
    # The least unit of a search is 256, which three times the values of the rules exceed.
    assert weights.memory.numbers[network.size :].tolist() == [300, 3]
    assert (weights.part, weights.half, weights.factor) == ("fitted", 300, 3)
    assert weights.memory.numbers[5] > 0
    if not is_brief:
        assert weights.memory.numbers[5] == ONE
        continued = read_lessons(file, game.program, network, 0)
        assert (continued.unit, continued.memory.numbers[5]) == (100, ONE)
    assert game.search(nodes=30, learned=file).evaluation == "learned"
    assert plies_of_move(game, f"learned:{file},nodes=30", 9) == {"fitted": 30}


def test_the_bundled_files_have_two_megabytes_at_most_and_a_command_each() -> None:
    files = [Path(path) for path in bundled_learned()]
    assert len(files) >= 20
    assert sum(file.stat().st_size for file in files) <= 2_000_000
    heads = {file.stem: json.loads(file.read_bytes().partition(b"\n")[0]) for file in files}
    moves = {name: plan.games for name, plan in MOVES.items()}
    wanted = GAMES | CORRECTIONS | KING_RELATIVE | moves
    assert {name: head["games"] for name, head in heads.items()} == wanted
    assert {name for name, head in heads.items() if "moves" in head} == set(MOVES)


@pytest.mark.slow
@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: Path(path).stem)
def test_bundled_learning_fits_its_game(path: str, tmp_path: Path) -> None:
    file = Path(path)
    game = rulesengine.load(file.stem)
    stale = game.evaluation_choice.stale
    assert stale == "", "run tests.helpers.learned_files, with `confirm` if play has not changed"
    assert game.bundled_learning == file
    assert file.stat().st_size <= 150_000
    assert any(game.learned_in(file).memory.numbers)
    data = file.read_bytes()
    damaged = tmp_path / "damaged"
    for wrong in (data[:-1], data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]):
        damaged.write_bytes(wrong)
        with pytest.raises(UsageError, match="damaged"):
            game.learned_in(damaged)


@pytest.mark.slow
def test_the_bundled_file_is_known_by_the_rules(tmp_path: Path) -> None:
    copy = tmp_path / "mine.yaml"
    copy.write_text("# a copy\n" + Path(bundled_file("breakthrough")).read_text())
    mine = rulesengine.load(copy, engine="interpreter")
    assert mine.bundled_learning.stem == "breakthrough"
    small = rulesengine.load("breakthrough", engine="interpreter", rows=6)
    with pytest.raises(UsageError, match="the package has no learned evaluation of this game"):
        assert small.bundled_learning.stem
    searched = call("search", "tic-tac-toe", "--plies", "1", "--learned")
    matched = call("match", "tic-tac-toe", "--player", "learned:nodes=9", "--player", "random")
    for done in (searched, matched):
        assert (done.code, done.out) == (2, "")
        assert "the package has no learned evaluation of this game" in done.err


@pytest.mark.parametrize("name", ["breakthrough", "hex"])
def test_a_copy_under_another_name_plays_like_its_original(name: str) -> None:
    text = Path(bundled_file(name)).read_text()
    original = rulesengine.load(name, engine="interpreter")
    named = f"name: {original.name}\n"
    assert text.count(named) == 1
    copy = rulesengine.loads(text.replace(named, "name: A Copy\n"), engine="interpreter")
    assert copy.name == "A Copy"
    assert original.method_choice.trial is not None
    assert copy.method_choice == original.method_choice
    chosen = original.evaluation_choice
    assert chosen.name == "learned" or chosen.weighs_moves
    assert copy.evaluation_choice == chosen
    assert [copy.level(n) for n in (1, 8)] == [original.level(n) for n in (1, 8)]


@needs_native
@pytest.mark.deep
@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: Path(path).stem)
def test_bundled_learning_beats_the_evaluation_of_the_rules(path: str) -> None:
    game = rulesengine.load(Path(path).stem, engine="native")
    rules = "search:nodes=1000,evaluation=rules"
    standing = match(game, ["learned:nodes=1000", rules], 20, plies=3000)
    wins, _, losses = standing.table.against(0, 1)
    assert wins > losses


@pytest.mark.parametrize("name", ["breakthrough", "connect-four", "othello"])
def test_bundled_weights_are_of_the_bundled_rules(name: str) -> None:
    game = rulesengine.load(name)
    found = game.search(learned=game.bundled_learning, plies=1)
    assert found.move in game.legal_moves(game.initial_state())
