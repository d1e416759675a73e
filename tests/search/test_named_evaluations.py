"""The evaluations `rules`, `fitted` and `learned`: their names, their weights, bad specs."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, State
from rulesengine.engine.drivers.search.result import Budget, SearchResult
from rulesengine.engine.evaluation import material_of
from rulesengine.errors import RulesError, Stopped, UsageError
from rulesengine.job import Job
from rulesengine.loading import load_source
from rulesengine.play.players.search_players import budget_of, choose, plies_of_move
from rulesengine.search import bundled_weights, named_evaluations
from rulesengine.search.learning_run import LearningRun
from rulesengine.search.named_evaluations import games_of_fit
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.lone_specs import DICE, game_of

DRAWS = """
spec: 1
name: Draws
board: {rows: 2, columns: 2}
players: [white, black]
pieces: {stone: {white: w, black: b}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: draw}
"""
STRATEGY = """
spec: 1
name: Breakthrough
extends: breakthrough
strategies:
  one: {search: {plies: 1}}
  plain: {search: {plies: 1, evaluation: rules}}
  named: {search: {plies: 1, evaluation: learned}}
tests: null
"""
SMALL: dict[str, Any] = {"rows": 4, "columns": 4}


def variant(text: str, engine: str = "python") -> Game:
    """Return a variant of tic-tac-toe."""
    head = "spec: 1\nname: Variant\nextends: tic-tac-toe\ntests: null\n"
    return load_source(Source("variant.yaml", head + text), engine=engine)


def bytes_of(found: SearchResult) -> str:
    """Return all of a result but its time."""
    return repr((str(found.move), found.value, found.nodes, found.depth, found.evaluation)) + repr(
        [(str(move), value.number) for move, value in found.moves]
    )


def test_the_default_is_the_bundled_learned_evaluation() -> None:
    game = rulesengine.load("breakthrough", engine="interpreter")
    assert game.evaluation_choice.name == "learned"
    found = game.search(plies=1)
    assert found.evaluation == "learned"
    assert bytes_of(game.search(plies=1, evaluation="learned")) == bytes_of(found)
    assert bytes_of(game.search(plies=1, evaluation="rules")) != bytes_of(found)
    # Tree search plays random games instead.
    assert game.search(playouts=1).unit == "chance"


def test_the_default_of_other_games_is_the_evaluation_of_the_rules() -> None:
    small = rulesengine.load("breakthrough", engine="interpreter", rows=6)
    text = "spec: 1\nname: Breakthrough\nextends: breakthrough\ntests: null\n"
    own = text + "rules: {evaluate: count(own)}\n"
    author = load_source(Source("own.yaml", own), engine="interpreter")
    assert author.bundled_learning.stem == "breakthrough"
    for game in (small, author):
        assert game.evaluation_choice.name == "rules"
        found = game.search(plies=1)
        assert found.evaluation == "rules"
        assert bytes_of(game.search(plies=1, evaluation="rules")) == bytes_of(found)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("rules", "breakthrough.learned was learned by other rules"),
        ("board", "breakthrough.learned was learned on another board"),
        ("patterns", "breakthrough.learned was learned by another version of the package"),
        ("digest", "breakthrough.learned: the file is damaged"),
    ],
)
def test_a_stale_file_gives_way_to_the_rules_and_doctor_reports_it(
    key: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rulesengine.load("breakthrough", engine="interpreter")
    file = tmp_path / "breakthrough.learned"
    line, _, packed = game.bundled_learning.read_bytes().partition(b"\n")
    head = json.loads(line)
    file.write_bytes(json.dumps(head | {key: "0" * 64}).encode() + b"\n" + packed)
    monkeypatch.setattr(bundled_weights, "bundled_learned", lambda: (str(file),))
    stale = rulesengine.load("breakthrough", engine="interpreter")
    assert stale.evaluation_choice.name == "rules"
    assert stale.search(plies=1).evaluation == "rules"
    assert stale.evaluation_choice.stale.startswith(reason)
    with pytest.raises(UsageError, match=reason.partition(" ")[2]):
        stale.search(plies=1, learned=file)
    shown = call("doctor", "breakthrough", "--engine", "interpreter")
    assert f"evaluation  rules ({reason}" in " ".join(shown.out.split(" ")).replace("   ", "  ")
    assert (
        f"learned evaluation that is left out: {reason}"
        in call("doctor", "breakthrough", "--evaluation", "--engine", "interpreter").out
    )


def test_a_fit_changes_the_values_and_is_the_same_in_each_process() -> None:
    games = [rulesengine.load("connect-four", **SMALL) for _ in range(2)]
    first, second = (game.search(nodes=100, evaluation="fitted") for game in games)
    assert first.evaluation == "fitted"
    assert bytes_of(first) == bytes_of(second)
    assert bytes_of(first) != bytes_of(games[0].search(nodes=100))


@pytest.mark.parametrize("kind", ["warm", "damaged", "read-only", "none"])
def test_the_cache_changes_no_byte_of_a_search(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched() -> list[str]:
        game = rulesengine.load("tic-tac-toe", engine="python")
        values = repr(material_of(game.machine))
        return [values, *(bytes_of(game.search(nodes=60, evaluation=e)) for e in ("", "fitted"))]

    folder = tmp_path / "cache"
    monkeypatch.setenv("RULESENGINE_CACHE", str(folder))
    empty = searched()
    kept = [*folder.glob("evaluation-*"), *folder.glob("fitted-*")]
    assert len(kept) == 2
    if kind == "damaged":
        for file in kept:
            data = bytearray(file.read_bytes())
            data[-1] ^= 1
            file.write_bytes(data)
    elif kind == "read-only":
        for file in kept:
            file.unlink()
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    elif kind == "none":
        monkeypatch.setenv("RULESENGINE_CACHE", "")
    try:
        assert searched() == empty
    finally:
        folder.chmod(stat.S_IRWXU)


def test_an_interrupted_fit_leaves_no_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path))
    expected = rulesengine.load("tic-tac-toe", engine="python").search(
        nodes=60, evaluation="fitted"
    )
    for file in tmp_path.glob("fitted-*"):
        file.unlink()
    job = Job()

    class Interrupted(LearningRun):
        def run(self, job: Job, each: Callable[[], None]) -> None:
            job.stop()
            super().run(job, each)

    game = rulesengine.load("tic-tac-toe", engine="python")
    with monkeypatch.context() as patched:
        patched.setattr(named_evaluations, "LearningRun", Interrupted)
        with pytest.raises(Stopped):
            game.search(nodes=60, evaluation="fitted", job=job)
    assert not list(tmp_path.glob("fitted-*"))
    assert bytes_of(game.search(nodes=60, evaluation="fitted")) == bytes_of(expected)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="affinity is of Linux")
def test_a_fit_on_one_core_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")

    def fitted() -> str:
        game = rulesengine.load("tic-tac-toe", engine="python")
        return bytes_of(game.search(nodes=60, evaluation="fitted"))

    expected, cores = fitted(), os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert fitted() == expected
    finally:
        os.sched_setaffinity(0, cores)


def test_a_game_that_is_always_drawn_is_searched_by_each_evaluation() -> None:
    game = load_source(Source("draws.yaml", DRAWS), engine="python")
    assert game.search_method == "alpha-beta"
    for name in ("rules", "fitted"):
        found = game.search(nodes=30, evaluation=name)
        assert {value.number for _, value in found.moves} == {0}
    assert {value.number for _, value in game.search(playouts=20).moves} == {0}
    assert game.solve().value == "draw"


def test_a_single_player_has_a_fit_of_the_payoff() -> None:
    game = game_of(DICE, rolls=3, engine="python")
    state = game.initial_state()
    while game.weights(state):
        state = game.apply(state, game.legal_moves(state)[0])
    found = game.search(state, plies=1, evaluation="fitted")
    assert (found.evaluation, found.unit) == ("fitted", "mean")


def test_strategies_of_a_spec_have_the_evaluation_of_a_search_or_a_named_one() -> None:
    game = load_source(Source("own.yaml", STRATEGY), engine="interpreter")
    by_rules, learned = (game.search(plies=1, evaluation=e).move for e in ("rules", "learned"))
    assert by_rules != learned
    state = game.initial_state()
    chosen = [game.choose(name, state) for name in ("one", "plain", "named", "one")]
    assert chosen == [learned, by_rules, learned, learned]


def test_strategies_by_playouts_weigh_moves_unless_they_name_the_rules() -> None:
    text = "spec: 1\nname: Hex\nextends: hex\ntests: null\n"
    plain = "plain: {search: {playouts: 8, evaluation: rules}}"
    strategies = f"strategies: {{one: {{search: {{playouts: 8}}}}, {plain}}}\n"
    game = load_source(Source("own.yaml", text + strategies), engine="interpreter")
    by_rules, learned = (game.search(playouts=8, evaluation=e).move for e in ("rules", ""))
    assert by_rules != learned
    state = game.initial_state()
    assert [game.choose(name, state) for name in ("one", "plain")] == [learned, by_rules]


def test_the_transposition_table_of_a_strategy_is_of_one_evaluation() -> None:
    strategies = "one: {search: {plies: 3}}, plain: {search: {plies: 3, evaluation: rules}}"
    text = f"spec: 1\nname: Kalah\nextends: kalah\ntests: null\nstrategies: {{{strategies}}}\n"
    game = load_source(Source("own.yaml", text), engine="python")
    state = game.initial_state()
    for move in ("b1", "b2", "a1", "d2", "a1", "a2"):
        state = game.apply(state, game.move(move, state))
    for name, evaluation in (("one", "learned"), ("plain", "rules")):
        assert game.choose(name, state) == game.search(state, plies=3, evaluation=evaluation).move


def test_a_strategy_that_names_weights_that_do_not_exist_is_refused() -> None:
    text = "strategies: {one: {search: {plies: 1, evaluation: learned}}}\n"
    game = variant(text, "interpreter")
    with pytest.raises(UsageError, match="no learned evaluation of this game"):
        game.choose("one", game.initial_state())


def test_levels_use_the_default_evaluation() -> None:
    expected = {
        "kalah": "learned",
        "international-draughts": "learned",
        "chess": "learned",
        "tic-tac-toe": "",
    }
    for name, evaluation in expected.items():
        game = rulesengine.load(name)
        assert game.level(1).evaluation == evaluation, name


def test_a_fit_does_not_replace_the_evaluation_of_a_spec() -> None:
    game = variant("rules: {evaluate: count(own and corners)}\n")
    assert game.search(nodes=20).evaluation == "rules"
    with pytest.raises(UsageError, match="its own `evaluate`, which a fit does not replace"):
        game.search(nodes=20, evaluation="fitted")


def test_names_and_files_must_agree() -> None:
    game = rulesengine.load("tic-tac-toe", engine="python")
    with pytest.raises(UsageError, match="no evaluation `best`: there is rules, fitted, learned"):
        game.search(nodes=20, evaluation="best")
    with pytest.raises(UsageError, match="is the evaluation `learned`, not `rules`"):
        game.search(nodes=20, learned="some.learned", evaluation="rules")
    with pytest.raises(UsageError, match="has no learned evaluation of this game"):
        rulesengine.load("pig").search(nodes=20, evaluation="learned")


def test_a_fit_is_for_one_or_two_players() -> None:
    three = rulesengine.load("yavalath-3")
    with pytest.raises(UsageError, match="fitted for one or two players, found 3"):
        three.search(nodes=20, evaluation="fitted")
    assert three.search(nodes=20).evaluation == "rules"
    alone = rulesengine.load("peg-solitaire")
    assert alone.search(nodes=200, evaluation="rules").evaluation == "rules"


def test_a_constant_evaluation_finds_wins_and_prefers_no_move() -> None:
    game = variant("rules: {evaluate: 7}\n")
    start = game.initial_state()
    assert {value.number for _, value in game.search(start, plies=2).moves} == {0}
    near = after(game, "a1 b2 a2 c3")
    assert str(game.search(near, nodes=200).move) == "a3"


@pytest.mark.parametrize(
    ("evaluate", "message"),
    [
        ("9 / (count(own) - 1)", "a division by zero"),
        ("9223372036854775807 * (count(own) + 1)", "overflow|too large|64 bits"),
    ],
)
def test_an_evaluation_that_fails_is_named(evaluate: str, message: str) -> None:
    game = variant(f"rules: {{evaluate: {evaluate}}}\n")
    with pytest.raises(RulesError, match=message) as caught:
        game.search(nodes=60)
    assert "variant.yaml:5" in str(caught.value)


def test_a_huge_evaluation_is_no_win() -> None:
    game = variant("rules: {evaluate: 2000000000000 * count(own and corners)}\n")
    found = game.search(nodes=100)
    assert found.unit == "estimate"
    assert str(found.move) in ("a1", "a3", "c1", "c3")


def test_the_command_names_the_evaluation() -> None:
    words = ("search", "tic-tac-toe", "--nodes", "50", "--json")
    assert call(*words).json()["evaluation"] == "rules"
    assert call(*words, "--evaluation", "fitted").json()["evaluation"] == "fitted"
    done = call(*words, "--evaluation", "worst")
    assert done.code == 2
    assert "no evaluation `worst`" in done.err


def test_a_player_names_its_evaluation() -> None:
    game = rulesengine.load("tic-tac-toe", engine="python")
    start = game.initial_state()
    text = "search:nodes=50,evaluation=fitted"
    budget = budget_of(game, text)
    assert budget is not None
    assert budget.nodes == 50
    assert choose(game, start, text, 0, 0) == game.search(nodes=50, evaluation="fitted").move
    with pytest.raises(UsageError, match="no evaluation `x`"):
        choose(game, start, "search:nodes=50,evaluation=x", 0, 0)


@pytest.mark.parametrize(
    "text",
    ["search:evaluation=rules,nodes=50,noise=1", "search:nodes=50,evaluation=rules,noise=1"],
)
def test_the_limits_of_a_player_have_any_order(text: str) -> None:
    game = rulesengine.load("tic-tac-toe", engine="interpreter")
    assert budget_of(game, text) == Budget(nodes=50, noise=1, evaluation="rules")


def test_random_games_have_no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named_evaluations, "sample_leads", None)  # no fit begins
    game = rulesengine.load("hex", engine="interpreter")
    for text in ("mcts:playouts=5", "search:playouts=5", "search:level=1"):
        with pytest.raises(UsageError, match="the evaluation `fitted` is for alpha-beta"):
            budget_of(game, f"{text},evaluation=fitted")
    for limits in ({"playouts": 5}, {"seconds": 1, "method": "uct"}):
        with pytest.raises(UsageError, match="the evaluation `fitted` is for alpha-beta"):
            game.search(**limits, evaluation="fitted")


def test_players_prepare_the_kernels_of_their_evaluation() -> None:
    game = rulesengine.load("kalah", engine="interpreter")
    assert plies_of_move(game, "search:nodes=50", 9) == {"learned": 50}
    assert plies_of_move(game, "search:nodes=50,evaluation=rules", 9) == {"search": 50}
    assert plies_of_move(game, "learned:nodes=50", 9) == {"learned": 50}
    assert plies_of_move(game, "mcts:playouts=5", 9) == {"tree": 45}
    other = rulesengine.load("tic-tac-toe", engine="interpreter")
    assert plies_of_move(other, "search:nodes=50", 9) == {"search": 50}
    assert plies_of_move(other, "search:nodes=50,evaluation=fitted", 9) == {"fitted": 50}


def test_positions_with_more_patterns_get_fewer_games() -> None:
    few, many = (rulesengine.load(name)._dispatcher for name in ("connect-four", "chess"))
    assert games_of_fit(few, 500) > games_of_fit(many, 500) >= 100
    assert games_of_fit(few, 500) > games_of_fit(few, 50_000) >= 100


def after(game: Game, moves: str) -> State:
    """Return the position after some moves."""
    state = game.initial_state()
    for text in moves.split():
        state = game.apply(state, text)
    return state
