"""The choice of the search method from the program, and from the trials of bundled games."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.search.method_choice import bundled_trial, choose_by_rules, key_of, row_of
from rulesengine.search.searches import start_search
from rulesengine.search.tree_search import TreeSearch
from rulesengine.search.trial_cache import Match, Trial
from rulesengine.support.resources import bundled_names, data_file

LONG_GAME = """
spec: 1
name: Othello by corners
extends: othello
rules: {evaluate: count(own and corners)}
tests: null
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))


def by_rules(game: Game) -> str:
    return str(choose_by_rules(game._dispatcher))


def test_a_score_of_pieces_that_are_taken_suggests_tree_search() -> None:
    for name in ("othello", "anti-othello"):
        found = by_rules(rulesengine.load(name))
        assert found.startswith("mcts (by the rules: the score counts pieces"), name
    # Boxes are never lost again, and in Ataxx pieces move.
    for name in ("dots-and-boxes", "ataxx", "kalah"):
        assert by_rules(rulesengine.load(name)).startswith("alpha-beta ("), name
    assert by_rules(rulesengine.load("hex")) == "mcts (by the rules: no evaluation before the end)"


def test_a_small_game_suggests_alpha_beta() -> None:
    assert by_rules(rulesengine.load("nim")) == (
        "alpha-beta (by random games: alpha-beta reaches the end)"
    )
    assert by_rules(rulesengine.load("othello", n=4)).startswith("alpha-beta (by random games")
    assert by_rules(rulesengine.load("cram")).startswith("mcts (")
    assert by_rules(rulesengine.load("notakto")).startswith("alpha-beta (")


def test_an_evaluation_of_the_author_suggests_alpha_beta(tmp_path: Path) -> None:
    spec = tmp_path / "corners.yaml"
    spec.write_text(LONG_GAME)
    assert by_rules(rulesengine.load(spec)).startswith("alpha-beta (")


@pytest.mark.parametrize("size", [9, 13])
def test_a_timed_search_of_go_is_a_tree_search(size: int) -> None:
    game = rulesengine.load("go", n=size, engine="interpreter")
    state, budget = game.initial_state(), Budget(seconds=1)
    search = start_search(game._dispatcher, state, size**2 + 1, budget, Settings())
    assert isinstance(search, TreeSearch)
    assert game.search_method != "alpha-beta"


@pytest.mark.slow
def test_trials_of_the_package_belong_to_their_games() -> None:
    rows = data_file("games/trials.txt").read_text().splitlines()
    names = [row.split(" | ")[0] for row in rows if not row.startswith("#")]
    assert names == sorted(set(names))
    assert set(names) <= set(bundled_names())
    assert len(names) >= 80
    for name in names:
        game = rulesengine.load(name)
        trial = bundled_trial(game.program)
        assert trial is not None, name
        assert game.search_method == trial.method
        # The chosen method has at least a quarter of the points in each match that it played.
        for match in trial.matches:
            won = dict(zip(match.methods, match.points, strict=True))
            assert 4 * won.get(trial.method, sum(match.points)) >= sum(match.points), name
        assert row_of(name, game.program, trial) == f"{rows[1 + names.index(name) + 1]}\n"


def test_another_evaluation_has_another_key(tmp_path: Path) -> None:
    spec = tmp_path / "corners.yaml"
    spec.write_text(LONG_GAME)
    game = rulesengine.load("othello")
    assert key_of(rulesengine.load(spec).program) != key_of(game.program)
    assert key_of(rulesengine.load("othello", n=6).program) != key_of(game.program)
    trial = Trial("uct", (Match(("alpha-beta", "uct"), (3, 5)),))
    row = row_of("othello", game.program, trial)
    assert row == f"othello | {key_of(game.program)} | uct | alpha-beta 3, uct 5\n"
