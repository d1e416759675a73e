"""Weights of moves by patterns: features worked out by hand, the fit, the file and the search."""

import json
from fractions import Fraction
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State, Stopped, UsageError
from rulesengine.engine.drivers.memory import Memory
from rulesengine.engine.drivers.search import mcts
from rulesengine.engine.drivers.search import pattern_layout as at
from rulesengine.engine.drivers.search import tree_layout as tree_at
from rulesengine.engine.drivers.search.context import TreeContext
from rulesengine.engine.drivers.search.expansion import expand
from rulesengine.engine.drivers.search.prior_selection import value_with_prior
from rulesengine.engine.patterns import move_patterns_of
from rulesengine.job import Job
from rulesengine.play.players.search_players import budget_of, choose, plies_of_move
from rulesengine.search.bundled_weights import bundled_of
from rulesengine.search.move_file import MoveLogarithms, read_moves, write_moves
from rulesengine.search.move_fit import Choice, fit
from rulesengine.search.move_learning import FeatureReader
from rulesengine.search.move_training import MoveTraining, read_training, write_training
from rulesengine.search.move_weights import last_placement
from rulesengine.support.resources import bundled_file
from tests.helpers.cli_calls import call
from tests.helpers.engine_comparison import needs_native
from tests.helpers.learned_files import MOVES

NONE = (None, None)
CAPTURES, SAVES, ATTACKS = 12, 6, 3  # of the index of features, by class
NEAR = 4 * CAPTURES
BOARD = """\
.xo..
xo...
o....
...xo
.....
"""
ATTACKED = """\
.ox..
ox...
.....
.....
.....
"""
SURROUNDED = """\
.....
..o..
.ox..
..o..
.....
"""
VACANT = "\n".join(["....."] * 5) + "\n"


def go() -> Game:
    return rulesengine.load("go", engine="interpreter", n=5)


def choice_of(position: str, last: str = "") -> dict[str, tuple[tuple[int, int] | None, int]]:
    """Return the neighbourhood and the features of each move of the first player."""
    game = go()
    state = game.state_from(f"{position}mover: black")
    moves = game.legal_moves(state)
    cell = game.program.topology.cell(last) if last else None
    read = FeatureReader(game._dispatcher).choice(state, moves, 0, -1 if cell is None else cell)
    names = map(str, moves)
    return dict(zip(names, zip(read.codes, read.features, strict=True), strict=True))


def features_of(position: str, last: str = "") -> dict[str, int]:
    return {move: features for move, (_, features) in choice_of(position, last).items()}


def test_groups_in_atari_and_moves_into_atari_are_features() -> None:
    found = features_of(BOARD)
    assert "a5" not in found  # suicide
    assert found["c4"] == found["d5"] == found["b3"] == found["e3"] == ATTACKS
    assert found["e1"] == ATTACKS + 1  # it has a single liberty itself
    assert found["c1"] == 0
    assert found["pass"] == at.PASS


def test_a_capture_and_a_capture_of_the_last_stone_are_features() -> None:
    assert features_of(ATTACKED)["a5"] == CAPTURES + ATTACKS
    found = features_of(ATTACKED, "b5")
    assert found["a5"] == 3 * CAPTURES + ATTACKS + at.ADJACENT * NEAR


def test_a_move_that_adds_liberties_to_a_group_in_atari_saves_it() -> None:
    assert features_of(SURROUNDED)["d3"] == SAVES


def test_the_distance_from_the_last_placement_has_five_classes() -> None:
    found = features_of(VACANT, "a1")
    classes = {move: number // NEAR for move, number in found.items()}
    assert [classes[move] for move in ("b1", "b2", "c3", "c1", "e5")] == [1, 2, 3, 3, 4]
    assert set(features_of(VACANT).values()) == {0, at.PASS}


def test_equivalent_neighbourhoods_share_a_weight() -> None:
    found = {move: code for move, (code, _) in choice_of(VACANT).items()}
    corners, edges = ("a1", "a5", "e1", "e5"), ("a3", "c5", "e2", "b1")
    assert len({found[move] for move in corners}) == 1
    assert len({found[move] for move in edges}) == 1
    assert len(set(found.values())) == 4  # also the other cells and the pass
    beside = {move: code for move, (code, _) in choice_of(SURROUNDED).items()}
    assert beside["b4"] == beside["b2"]
    assert beside["b4"] != beside["d4"]


@pytest.mark.parametrize("name", ["connect-four", "kalah", "breakthrough", "tic-tac-toe-3d"])
def test_games_of_other_moves_or_boards_have_no_weights_of_moves(name: str, tmp_path: Path) -> None:
    game = rulesengine.load(name, engine="interpreter")
    if move_patterns_of(game.program) is None:
        with pytest.raises(UsageError, match="weights of moves are learned for placements"):
            game.learn_moves(tmp_path / "file", games=1, playouts=1)
    else:
        assert name == "connect-four"


@pytest.mark.parametrize(("name", "counts"), [("go", True), ("nogo", True), ("hex", False)])
def test_liberties_are_features_where_the_rules_ban_or_remove_groups_without(
    name: str, counts: bool
) -> None:
    found = move_patterns_of(rulesengine.load(name, engine="interpreter").program)
    assert found is not None
    assert found.liberties == counts


def test_the_fit_finds_the_odds_of_two_patterns() -> None:
    chance, codes = Random(1), ((0, 5), (0, 6))
    choices = [Choice(codes, NONE, (0, 0), int(chance.random() > 0.75)) for _ in range(4_000)]
    found = fit(choices, 0).codes
    assert found[codes[0]] - found[codes[1]] == pytest.approx(log(3), abs=0.12)


def test_rare_neighbourhoods_have_no_weight_of_their_own() -> None:
    choices = [Choice(((0, 5), (0, 6)), NONE, (0, 1), 0)] * 3
    assert not fit(choices, 0).codes
    assert set(fit(choices * 2, 0).codes) == {(0, 5), (0, 6)}


def test_the_fit_finds_the_odds_of_two_larger_patterns_with_one_neighbourhood() -> None:
    chance, code, larger = Random(1), (0, 5), ((0, 70), (0, 90))
    choices = [
        Choice((code, code), larger, (0, 0), int(chance.random() > 0.75)) for _ in range(4_000)
    ]
    found = fit(choices, 2).larger
    # Three to one; the decay of larger patterns takes a part of it.
    assert 0.8 < found[larger[0]] - found[larger[1]] < log(3) + 0.12
    assert found[larger[0]] == pytest.approx(-found[larger[1]], abs=0.12)


def test_the_most_important_larger_patterns_are_kept() -> None:
    strong, weak, rare = (((0, 70), (0, 90)), ((0, 71), (0, 91)), ((0, 72), (0, 92)))
    chance, code = Random(1), (0, 5)
    choices = [Choice((code, code), strong, (0, 0), 0)] * 60
    choices += [Choice((code, code), weak, (0, 0), chance.randrange(2)) for _ in range(60)]
    choices += [Choice((code, code), rare, (0, 0), 0)] * 7
    assert set(fit(choices, 2).larger) == set(strong)
    assert set(fit(choices, 9).larger) == {*strong, *weak}
    assert not fit(choices, 0).larger


def test_a_value_is_the_mean_of_prior_statistics_and_playouts() -> None:
    chance, own, pool = Random(2), Memory(at.PATTERNED), Memory(400)
    own.numbers[tree_at.BIAS], own.numbers[at.PRIOR] = 300, 40
    node, table, player, place = 100, 200, 1, 7
    for _ in range(200):
        visits, games = chance.choice((0, chance.randrange(900))), chance.randrange(3000)
        total, won = chance.randint(0, 2 * visits), chance.randint(0, 2 * games)
        prior = chance.randrange(1 << 16)
        pool.numbers[node + tree_at.VISITS] = visits
        pool.numbers[node + tree_at.TOTALS + player] = total
        pool.numbers[node + tree_at.NOTE] = (prior << 32) + (place << 6) + player
        pool.numbers[table + place] = (games << 32) + won
        found = value_with_prior(node, player, table, TreeContext(2, own, pool))
        weight = games * 300 // (games + 300) + 1 if games else 0
        moves = Fraction(won, 2 * games) * weight if games else 0
        exact = (Fraction(total, 2) + moves + Fraction(prior, 1 << 16) * 40) / (
            visits + weight + 40
        )
        assert abs(found - exact * (1 << 16)) <= 2


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write weights with all kinds of features, drawn at random."""
    path, chance, game = tmp_path_factory.mktemp("moves") / "go.learned", Random(3), go()
    codes = {(0, chance.randrange(at.CODE_COUNT)): chance.uniform(-3, 3) for _ in range(300)}
    features = [chance.uniform(-2, 2) for _ in range(at.PASS + 1)]
    write_moves(path, game.program, MoveLogarithms(codes, features), 7, 0)
    return path


def test_a_file_gives_each_class_its_weight(learned: Path) -> None:
    game = go()
    patterns = move_patterns_of(game.program)
    assert patterns is not None
    code, image = 1 << 2 * 3, {(0, 1 << 2 * way) for way in range(4)}
    found = MoveLogarithms({(0, code): log(2)}, [0.0] * at.PASS + [log(4)])
    write_moves(learned.with_name("one"), game.program, found, 1, 0)
    own = Memory(at.PATTERNED)
    read_moves(learned.with_name("one"), game.program).write(own)
    table = own.numbers[at.GAMMA : at.GAMMA + at.CODE_COUNT]
    changed = {(0, code) for code, weight in enumerate(table) if weight != at.UNIT}
    assert changed == image
    assert table[code] == pytest.approx(2 * at.UNIT, abs=4)
    assert own.numbers[at.FEATURES + at.PASS] == pytest.approx(4 * at.UNIT, abs=8)


def searched(game: Game, path: Path, playouts: int) -> list[tuple[str, int]]:
    start = game.initial_state()
    for name in ("c3", "d3"):
        start = game.apply(start, name)
    found = game.search(start, playouts=playouts, method="grave", learned=path, seed=4)
    assert found.evaluation == "learned"
    return [(str(move), value.number) for move, value in found.moves]


@pytest.mark.deep
def test_python_kernels_search_as_the_interpreter(learned: Path) -> None:
    python = rulesengine.load("go", engine="python", n=5)
    assert searched(go(), learned, 120) == searched(python, learned, 120)
    assert line_of_reused_trees(go(), learned) == line_of_reused_trees(python, learned)


def line_of_reused_trees(game: Game, learned: Path) -> list[object]:
    """Return the results of a searcher, which continues with its tree after each move."""
    searcher, state = game.searcher(playouts=60, seed=1, learned=learned), game.initial_state()
    found: list[object] = []
    for _ in range(4):
        result = searcher.search(state)
        found.append([(str(move), value) for move, value in result.moves])
        state = game.apply(state, result.move)
    return found


@needs_native
@pytest.mark.deep
@pytest.mark.parametrize(("name", "settings"), [("go", {"n": 5}), ("hex", {"n": 4})])
def test_native_kernels_search_as_the_interpreter(
    name: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    native = rulesengine.load(name, engine="native", **settings)
    plain = rulesengine.load(name, engine="interpreter", **settings)
    path = tmp_path / "file"
    native.learn_moves(path, games=2, playouts=60)
    found = [
        game.search(playouts=80, method="grave", learned=path, seed=4) for game in (native, plain)
    ]
    assert found[0].moves == found[1].moves
    assert found[0].evaluation == "learned"


def small() -> Game:
    return rulesengine.load("tic-tac-toe", engine="interpreter")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write weights of moves learned from four games, with the choices."""
    path = tmp_path_factory.mktemp("trained") / "whole"
    found = small().learn_moves(path, games=4, playouts=5, threads=1)
    assert (found.games, found.new) == (4, 4)
    return path


def test_threads_and_parts_change_no_byte_of_weights_of_moves(
    trained: Path, tmp_path: Path
) -> None:
    for threads in (2, 3):
        path = tmp_path / str(threads)
        small().learn_moves(path, games=4, playouts=5, threads=threads)
        assert path.read_bytes() == trained.read_bytes()
    parts, brief = tmp_path / "parts", tmp_path / "brief"
    small().learn_moves(parts, games=1, playouts=5)
    assert small().learn_moves(parts, games=3, brief=brief).new == 3
    assert parts.read_bytes() == trained.read_bytes()
    weights = [read_moves(path, small().program).words for path in (brief, trained)]
    assert weights[0] == weights[1]
    small().learn_moves(tmp_path / "other", games=4, playouts=5, seed=1)
    assert (tmp_path / "other").read_bytes() != trained.read_bytes()


def test_an_interrupted_run_has_no_weights_and_is_continued(trained: Path, tmp_path: Path) -> None:
    class Ending(Job):
        """A job that is stopped after a game."""

        def advance(self, count: int) -> None:
            super().advance(count)
            self.stop()

    path, game, job = tmp_path / "file", small(), Ending()
    with pytest.raises(Stopped):
        game.learn_moves(path, games=4, playouts=5, threads=1, job=job)
    assert job.done == json.loads(path.read_bytes().partition(b"\n")[0])["games"] == 1
    with pytest.raises(UsageError, match="learning was interrupted"):
        game.search(playouts=5, method="grave", learned=path)
    game.learn_moves(path, games=3)
    assert path.read_bytes() == trained.read_bytes()


def test_a_file_of_moves_is_continued_with_its_own_settings(trained: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(trained.read_bytes())
    with pytest.raises(UsageError, match="learned with the seed 0, not with 3"):
        small().learn_moves(copy, games=1, seed=3)
    with pytest.raises(UsageError, match="learned with 5 playouts, not with 6"):
        small().learn_moves(copy, games=1, playouts=6)
    write_moves(copy, small().program, MoveLogarithms({}, [0.0] * (at.PASS + 1)), 4, 0)
    with pytest.raises(UsageError, match="is a compact file: continue with the complete file"):
        small().learn_moves(copy, games=1)


def test_choices_that_no_position_has_are_damage(tmp_path: Path) -> None:
    key, path = (1, 2), tmp_path / "file"
    large = (1, 1 << at.PATTERN_BITS - 1)
    for codes, larger, features, chosen in (
        ((key, None), NONE, (0, at.PASS), 2),
        ((key, None), NONE, (0, at.PASS + 1), 0),
        (((2, 0), None), NONE, (0, at.PASS), 0),
        (((0, -2), None), NONE, (0, at.PASS), 0),
        ((key, None), ((2, 5), None), (0, at.PASS), 0),
        ((key, None), (large, None), (0, at.PASS), 1),
    ):
        training = MoveTraining(0, 5)
        training.games, training.choices = 1, [Choice(codes, larger, features, chosen)]
        write_training(path, small().program, training, None)
        if chosen == 1:
            assert read_training(path, small().program).choices == training.choices
        else:
            with pytest.raises(UsageError, match="damaged"):
                read_training(path, small().program)


def test_files_of_moves_and_of_positions_are_not_confused(learned: Path, tmp_path: Path) -> None:
    game = go()
    with pytest.raises(UsageError, match="has weights of moves, not of positions"):
        game.search(nodes=9, learned=learned)
    game.learn(tmp_path / "positions", games=1)
    with pytest.raises(UsageError, match="has weights of positions, not of moves"):
        game.search(playouts=9, learned=tmp_path / "positions")


def test_a_file_of_other_rules_or_damaged_is_refused(learned: Path, tmp_path: Path) -> None:
    other = rulesengine.load("go", engine="interpreter", n=5, komi=3)
    with pytest.raises(UsageError, match="was learned by other rules"):
        other.search(playouts=9, learned=learned)
    data, damaged = learned.read_bytes(), tmp_path / "damaged"
    for wrong in (data[:-1], data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]):
        damaged.write_bytes(wrong)
        with pytest.raises(UsageError, match="damaged"):
            go().search(playouts=9, learned=damaged)


def test_only_tree_search_with_statistics_takes_weights_of_moves(learned: Path) -> None:
    with pytest.raises(UsageError, match="weights of moves are for `grave`, not for `uct`"):
        go().search(playouts=9, method="uct", learned=learned)


def test_a_game_without_a_bundled_file_says_so() -> None:
    game = rulesengine.load("go", engine="interpreter", n=5)
    text = "grave:playouts=5,evaluation=learned"
    budget = budget_of(game, text)
    assert budget is not None
    assert budget.evaluation == "learned"
    with pytest.raises(UsageError, match="no weights of moves of this game"):
        choose(game, game.initial_state(), text, 0, 0)


def test_a_player_of_a_file_plays_by_its_weights(learned: Path) -> None:
    game = go()
    text, start = f"learned:{learned},playouts=9", game.initial_state()
    found = game.search(playouts=9, method="grave", learned=learned, seed=3)
    assert choose(game, start, text, 3, 0) == found.move


def test_bundled_weights_of_moves_are_the_default_of_tree_search_alone() -> None:
    game = rulesengine.load("go", engine="interpreter")
    assert game.evaluation_choice.weighs_moves
    named = (("auto", ""), ("auto", "rules"), ("grave", ""), ("uct", ""))
    used = [game.search(playouts=1, method=m, evaluation=e).evaluation for m, e in named]
    assert used == ["learned", "rules", "learned", "rules"]
    assert game.search(seconds=0.001, evaluation="learned").evaluation == "learned"
    other = rulesengine.load("go", engine="interpreter", n=5)
    assert (other.search(playouts=1).evaluation, other.evaluation_choice.weighs_moves) == (
        "rules",
        False,
    )


@pytest.mark.parametrize(
    ("name", "text", "evaluation", "part"),
    [
        ("go", "search:level=1", "learned", "guided"),
        ("go", "mcts:level=1", "learned", "guided"),
        ("go", "grave:level=8", "learned", "guided"),
        ("go", "uct:level=1", "", "tree"),
        ("gomoku", "grave:level=1", "learned", "guided"),
        ("gomoku", "search:level=1", "", "search"),
    ],
)
def test_levels_of_tree_search_use_bundled_weights_of_moves(
    name: str, text: str, evaluation: str, part: str
) -> None:
    game = rulesengine.load(name, engine="interpreter")
    budget = budget_of(game, text)
    assert budget is not None
    assert budget.evaluation == evaluation
    assert list(plies_of_move(game, text, 9)) == [part]


def test_levels_of_a_board_without_a_file_play_by_the_rules() -> None:
    game = rulesengine.load("go", engine="interpreter", n=5)
    assert game.level(1, method="grave").evaluation == ""


def test_the_cost_of_a_player_counts_plies_with_weights_of_moves() -> None:
    game = rulesengine.load("go", engine="interpreter")
    assert plies_of_move(game, "grave:playouts=5", 9) == {"guided": 45}
    assert plies_of_move(game, "grave:playouts=5,evaluation=rules", 9) == {"tree": 45}
    assert plies_of_move(game, "uct:playouts=5", 9) == {"tree": 45}


def test_players_of_bundled_weights_of_moves_play_a_match() -> None:
    players = ("--player", "w=grave:playouts=2,evaluation=learned", "--player", "p=random")
    done = call("match", "go", *players, "--games", "2", "--plies", "5", "--engine", "interpreter")
    assert (done.code, done.err) == (0, "")


def test_the_last_placement_follows_from_the_history() -> None:
    game = go()
    state = game.initial_state()
    assert last_placement(state) == -1
    for name in ("c3", "d3"):
        state = game.apply(state, name)
    assert last_placement(state) == game.program.topology.cell("d3")
    assert last_placement(game.apply(state, "pass")) == -1


def test_a_node_has_the_last_placement_of_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list[tuple[int, int]]()
    game = rulesengine.load("go", engine="interpreter", n=2)
    weights = MoveLogarithms({}, [0.0] * (at.PASS + 1))
    write_moves(tmp_path / "file", game.program, weights, 1, 0)

    def spy(functions: Any, state: State, *rest: Any) -> int:
        own = rest[3]
        if state.history:
            found.append((own.numbers[at.NOW_LAST], last_placement(state)))
        return expand(functions, state, *rest)

    monkeypatch.setattr(mcts, "expand", spy)
    game.search(playouts=150, method="grave", learned=tmp_path / "file", seed=1)
    placements = [pair for pair in found if pair[1] >= 0]
    assert len(placements) > 10
    assert all(stored == last for stored, last in placements)


@pytest.mark.parametrize("option", [("--correction",), ("--batch", "4"), ("--brief-size", "9")])
def test_the_command_names_the_options_of_weights_of_moves(option: tuple[str, ...]) -> None:
    done = call("learn", "go", "--moves", "--games", "1", "--out", "x", *option)
    assert (done.code, "`--moves` takes no `--correction`" in done.err) == (2, True), done.err


def test_the_command_learns_weights_of_moves(trained: Path, tmp_path: Path) -> None:
    words = ("learn", "tic-tac-toe", "--moves", "--out", str(tmp_path / "file"))
    assert "a limit is missing" in call(*words).err
    assert "`--playouts` is for `--moves`" in call(
        "learn", "go", "--games", "1", "--playouts", "9", "--out", "x"
    ).err  # fmt: skip
    done = call(*words, "--games", "4", "--playouts", "5", "--threads", "2", "--json").json()
    assert (done["games"], done["new"], done["file"]) == (4, 4, str(tmp_path / "file"))
    assert (tmp_path / "file").read_bytes() == trained.read_bytes()


def test_bundled_weights_of_moves_fit_their_games() -> None:
    for name, plan in MOVES.items():
        file = Path(bundled_file(name)).parent / "learned" / f"{name}.learned"
        game = rulesengine.load(name, engine="interpreter")
        assert bundled_of(game._dispatcher, moves=True) == file
        assert file.stat().st_size <= 150_000
        own = Memory(at.PATTERNED)
        read_moves(file, game.program).write(own)
        assert any(weight != at.UNIT for weight in own.numbers[at.GAMMA : at.FEATURES])
        found = game.search(playouts=1, method="grave", evaluation="learned")
        assert found.evaluation == "learned"
        assert json.loads(file.read_bytes().partition(b"\n")[0])["games"] == plan.games
