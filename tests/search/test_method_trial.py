"""Method trial: games between search methods choose one, reproducibly on every machine."""

from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.drivers.search import mobility
from rulesengine.engine.drivers.search.result import Budget, Settings
from rulesengine.engine.evaluation import heuristic
from rulesengine.engine.kernel import emission
from rulesengine.engine.patterns import distances
from rulesengine.job import Job
from rulesengine.search import method_trial
from rulesengine.search.method_trial import run_trial
from rulesengine.search.searches import start_search
from rulesengine.search.tree_search import TreeSearch
from rulesengine.search.trial_cache import SOURCES, Match, Trial, keep, recall
from tests.helpers.cli_calls import call


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit trials to few games and little work."""
    for name, number in {"_PLAYOUTS": 6, "_PAIRS": 2}.items():
        monkeypatch.setattr(f"rulesengine.search.method_trial.{name}", number)


def trial_of(game: Game) -> Trial:
    return run_trial(game, game._dispatcher, Job())


def method(game: Game, **limits: float) -> str:
    """Return the method that a search with this budget uses for a game."""
    state = game.initial_state()
    count = len(game.legal_moves(state))
    budget = Budget(**limits)  # type: ignore[arg-type]
    search = start_search(game._dispatcher, state, count, budget, Settings())
    return "tree" if isinstance(search, TreeSearch) else "alpha-beta"


@pytest.mark.slow
def test_every_engine_comes_to_the_same_trial() -> None:
    slow, fast = (rulesengine.load("tic-tac-toe", engine=e) for e in ("interpreter", "python"))
    trial = trial_of(slow)
    assert trial == trial_of(fast)
    trees, last = trial.matches
    assert {*trees.methods} == {"uct", "grave"}
    assert trial.method in last.methods
    assert all(sum(match.points) == 2 * match.games for match in trial.matches)


@pytest.mark.slow
def test_trial_selects_the_method_with_more_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    won = Match(("alpha-beta", "uct"), (2, 6))
    monkeypatch.setattr("rulesengine.search.method_trial._Referee.match", lambda *_: won)
    assert trial_of(rulesengine.load("clobber", engine="interpreter")).method == "uct"
    drawn = Match(("alpha-beta", "uct"), (4, 4))
    monkeypatch.setattr("rulesengine.search.method_trial._Referee.match", lambda *_: drawn)
    assert trial_of(rulesengine.load("clobber", engine="interpreter")).method == "alpha-beta"


def test_a_trial_that_is_kept_goes_for_time_alone() -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    assert recall(game.program) is None
    assert method(game, seconds=1) == "alpha-beta"
    trial = Trial("grave", (Match(("alpha-beta", "grave"), (3, 5)),))
    keep(game.program, trial)
    again = rulesengine.load("tic-tac-toe", engine="interpreter")
    assert again.kept_trial == again.trial() == trial
    assert method(again, seconds=1) == "tree"
    assert method(again, nodes=9) == method(again, seconds=1, plies=2) == "alpha-beta"
    assert rulesengine.load("tic-tac-toe", n=4).kept_trial is None


def test_a_cached_trial_depends_on_the_code_of_searches_and_evaluations() -> None:
    package = Path(rulesengine.__file__).parent
    for module in (heuristic, distances, mobility, method_trial):
        path = Path(str(module.__file__)).relative_to(package)
        assert any(path.is_relative_to(source) for source in SOURCES), path


def test_more_than_two_players_have_no_trial() -> None:
    game = rulesengine.load("three-player-tic-tac-toe", engine="interpreter")
    trial = trial_of(game)
    assert trial == Trial(game.search_method)
    assert str(trial).endswith("(by the rules; a trial needs two players)")


@pytest.mark.slow
def test_doctor_reports_the_result_of_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    # `test_kernel_parts` covers the compilation of the other parts.
    monkeypatch.setattr(emission, "search_parts", lambda machine: ())
    guess = call("doctor", "tic-tac-toe", "--engine", "python").out
    assert f"search      {rulesengine.load('tic-tac-toe').method_choice}\n" in guess
    output = call("doctor", "tic-tac-toe", "--engine", "python", "--trial").out
    assert "(by games: uct " in output
    found = call("doctor", "tic-tac-toe", "--engine", "python", "--json").json()
    game = found["games"]["tic-tac-toe"]
    assert f"search      {game['search']} (by games" in output
    assert {*game["trial"][0]} == {"uct", "grave"}


def test_doctor_tries_a_game_that_is_named() -> None:
    done = call("doctor", "--trial")
    assert (done.code, done.err) == (2, "rulesengine: doctor: `--trial` takes a spec, or `--all`\n")
