"""Studies: tiny games with known results, figures computed by hand, and errors.

Rows of height one are decided by their rules: on 3 cells one in a row wins at once, on 2 cells
neither player can have two in a row.
"""

import doctest
import random
import re
import sqlite3
from collections import Counter
from contextlib import closing
from math import log2, log10, sqrt
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from rulesengine import UsageError, load
from rulesengine.cli.arguments import read_arguments
from rulesengine.contests import threads, tournament
from rulesengine.contests.ply_metrics import PlyMetrics, knuth, measure_game, read, written
from rulesengine.contests.stats.intervals import Interval, mean_of, share_of, student, wilson
from rulesengine.contests.study import (
    Design,
    Findings,
    IncrementalStudy,
    Study,
    Variant,
    as_json,
    grid,
    study,
    study_page,
    study_text,
)
from rulesengine.contests.study.lead_changes import (
    Course,
    Leads,
    changes,
    drama,
    lost_lead,
    uncertainty,
    undecided_share,
)
from rulesengine.contests.study.metrics import METRICS
from rulesengine.contests.study.tree_size import estimate
from rulesengine.job import Job
from rulesengine.support.frozen import replace
from tests.helpers.cli_calls import call
from tests.helpers.processes import COMMAND, running, wait_for_writes

ROOT = Path(__file__).parents[2]
WEAK, STRONG = "mcts:playouts=2", "mcts:playouts=8"
SMALL = Design(players=(WEAK, STRONG), games=6, samples=9, judge=4, seed=1)
# Three moves from the start: a1 wins at once; after b1 or c1 there are two more, one of which wins.
LOPSIDED = """\
spec: 1
name: A <lopsided> game
board: {rows: 1, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves:
    - {place: stone, to: empty}
    - {place: stone, to: empty, when: plies > 90}
  end:
    - {when: any(own and a1), result: player wins, reason: the first cell}
    - {when: plies > 90, result: draw, reason: too long}
"""


@pytest.fixture
def lopsided(tmp_path: Path) -> str:
    path = tmp_path / "lopsided.yaml"
    path.write_text(LOPSIDED)
    return str(path)


def near(value: float, within: float = 1e-6) -> Any:
    return pytest.approx(value, abs=within)


def row(cells: int, wins: int) -> list[str]:
    return [f"m={cells}", "n=1", f"k={wins}"]


def found(one: Study, number: int = 0) -> Findings:
    findings = one.variants[number].findings
    assert findings is not None
    return findings


# intervals, by published values


def test_shares_have_wilsons_interval() -> None:
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert share_of(0, 10) == Interval(0.0, 0.0, near(0.2775, 1e-4), 10)
    assert share_of(0, 0) is None


def test_means_have_students_interval() -> None:
    table = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
    for freedom, quantile in table.items():
        assert student(freedom) == pytest.approx(quantile, abs=0.005)
    reach = 4.3027 / sqrt(3)  # of variance 1
    assert mean_of([1, 2, 3]) == Interval(2.0, near(2 - reach, 1e-3), near(2 + reach, 1e-3), 3)
    assert mean_of([]) is None
    assert mean_of([5]) == Interval(5.0, float("-inf"), float("inf"), 1)


def test_an_interval_of_means_stays_in_range() -> None:
    # Two values, 114 and 211: Student's interval reaches from -453 to 778 plies.
    assert mean_of([114, 211]) == Interval(162.5, near(-453.75, 0.01), near(778.75, 0.01), 2)
    assert mean_of([114, 211], 0) == Interval(162.5, 0, near(778.75, 0.01), 2)
    assert mean_of([114, 211], 0, 500) == Interval(162.5, 0, 500, 2)
    two = Design(players=(WEAK,), games=2, samples=2, judge=2)
    one = found(study([Variant("chat-noir")], two))
    for interval in (one.length, one.chance_length, one.leads.changes, one.branching):
        assert interval is not None
        assert 0 <= interval.low <= interval.value <= interval.high


# leads and trees, by hand


def test_the_course_of_a_game_by_hand() -> None:
    course = Course((0.5, -0.25, 0.0, -0.5, 1.0), 1)
    assert changes(course) == 2
    assert drama(course) == pytest.approx((sqrt(0.25) + sqrt(0.5)) / 2)
    assert uncertainty(course) == pytest.approx(1 - 2.25 / 5)
    assert lost_lead(course) == 0.5
    assert undecided_share(course, 0.5) == pytest.approx(1 / 5)
    assert undecided_share(course, 0.4) == pytest.approx(5 / 5)
    assert undecided_share(course, 1.0) == 0
    lost = Course(course.values, -1)
    assert drama(lost) == pytest.approx((sqrt(0.5) + sqrt(1.0)) / 2)
    assert lost_lead(lost) == 1.0


def test_a_random_game_estimates_the_size_of_a_tree() -> None:
    assert knuth([log2(2), log2(3)]) == pytest.approx(log2(1 + 2 + 6))
    tree = estimate([log2(n) for n in (4, 10, 16)])  # the three kinds of game of the lopsided one
    assert 10**tree.log == pytest.approx(10)
    spread = sqrt(36 / 3) / 10 * 1.959964  # the error of the mean, of the mean
    assert (tree.high - tree.log) * log2(10) == pytest.approx(spread / 0.6931472)
    one = estimate([log2(7)])
    assert (10**one.log, one.low, one.high) == (near(7), float("-inf"), float("inf"))


def test_measures_of_a_game_by_hand(lopsided: str) -> None:
    game = load(lopsided, engine="interpreter")
    state, moves = game.initial_state(), []
    for text in ("b1", "c1", "a1"):
        moves.append(game.move(text, state))
        state = game.apply(state, moves[-1])
    one = measure_game(game, moves)
    assert one == PlyMetrics((3, 2, 1), (1, 2, 0), (0,), 0, (), near(log2(1 + 3 + 6 + 6)))
    assert read(written(one)) == one
    judged = measure_game(game, moves, since=2, judge=4).values
    assert judged == (1000,)  # left is to move, and wins at once
    assert measure_game(game, moves[:2], judge=4).end == -1


# whole studies of known games


def test_a_game_that_is_won_at_once() -> None:
    one = found(study(grid("tic-tac-toe", row(3, 1)), SMALL))
    everything = pytest.approx((1.0, 0.6097, 1.0), abs=1e-4)  # 6 of 6, by Wilson
    assert one.first is not None
    assert (one.first.value, one.first.low, one.first.high) == everything
    assert one.wins["nought"] == share_of(0, 6)
    assert (one.lengths, one.branching) == ({1: 6}, Interval(3.0, 3.0, 3.0, 6))
    assert one.tree is not None
    assert (one.tree.nodes, one.tree.positions) == (1 + 3, 1 + 3)
    assert one.skill is not None
    assert one.skill.value == 0.5  # the first player wins, and both begin equally often
    assert one.unused == ("The game is drawn (“the board is full”) if there is no empty cell.",)


def test_a_game_that_is_always_drawn() -> None:
    one = found(study(grid("tic-tac-toe", row(2, 2)), SMALL))
    assert one.draws == share_of(6, 6)
    assert one.first is not None
    assert one.first.value == 0.5
    assert (one.lengths, one.median) == ({2: 6}, 2)
    assert one.branching == Interval(1.5, 1.5, 1.5, 6)
    assert one.tree is not None
    assert (one.tree.nodes, one.tree.positions) == (1 + 2 + 2, 1 + 2 + 2)
    assert one.complexity == near(2 * log2(1.5) / log2(10))
    assert one.cells == Counter({0: 6, 1: 6})
    assert one.leads.drama is None  # there is no winner


SINGLE = """\
spec: 1
name: One or two
board: {rows: 1, columns: 1}
players: [solver]
pieces: {one: {solver: o}, two: {solver: t}, empty: "."}
rules:
  moves: {place: choice, choice: [one, two], to: empty}
  end: {when: none(empty), payoffs: "if any(two) then 2 else 1"}
"""


def test_a_study_of_one_player_has_payoffs(tmp_path: Path) -> None:
    path = tmp_path / "single.yaml"
    path.write_text(SINGLE)
    design = Design(players=(WEAK, "mcts:playouts=20"), games=5, samples=400, judge=4)
    several = study([Variant(str(path))], design)
    one = found(several)
    assert one.payoff == Interval(2.0, 2.0, 2.0, 5)
    assert one.chance_payoff is not None
    assert one.chance_payoff.low < 1.5 < one.chance_payoff.high
    assert (one.first, one.draws, one.by_chance, one.skill) == (None, None, None, None)
    text = study_text(several)
    assert "payoff of a game            2.00 [2.00, 2.00]" in text
    assert "payoff of a random game" in text
    for other in ("won by", "drawn", "first seat", "lead", "drama"):
        assert other not in text
    assert "payoff" in study_page(several)
    data: Any = as_json(several)
    assert data["variants"][0]["payoff"]["value"] == 2.0
    assert data["variants"][0]["wins"] == {}


def test_a_study_is_read_while_its_games_arrive() -> None:
    game = load("tic-tac-toe", engine="interpreter", m=2, n=1, k=2)
    growing = IncrementalStudy(game, Design((WEAK, STRONG), games=4, samples=2, judge=0))
    seen = [(growing.games_played, growing.findings()) for _ in growing.play()]
    # Four between equals, two at random, and two rounds of the two players, in turn.
    assert [done for done, _ in seen] == [1, 2, 4, 5, 6, 8, 9, 10]
    assert growing.total == 10
    first, last = seen[0][1], seen[-1][1]
    assert (first.games, first.tree, first.skill) == (1, None, None)
    assert (last.games, last.lengths) == (4, {2: 4})
    # Two moves, then one: 1 + 2 + 2 nodes, which are estimated and not counted.
    assert last.tree
    assert (last.tree.log, last.tree.nodes) == (near(log10(5)), None)
    assert last.skill
    assert last.skill.value == 0.5


def test_a_lopsided_tree_and_rules_without_use(lopsided: str) -> None:
    one = found(study(grid(lopsided), SMALL))
    assert one.tree is not None
    assert one.tree.nodes == 1 + 3 + 2 * (2 + 1)
    assert len(one.unused) == 2
    assert "90" in one.unused[0]
    assert "too long" in one.unused[1]
    assert one.first is not None
    assert one.first.value > 0.5


# the grid, and its errors


def test_a_grid_is_all_combinations() -> None:
    labels = [v.label for v in grid("x", ["n=4..5", "m=1,3"], ["pie", "size=6,8"])]
    assert labels[:5] == ["n=4, m=1, size=6", "n=4, m=1, size=8", "n=4, m=1, pie, size=6",
                          "n=4, m=1, pie, size=8", "n=4, m=3, size=6"]  # fmt: skip
    assert len(labels) == 2 * 2 * 2 * 2
    assert grid("x") == [Variant("x")]
    assert grid("x")[0].label == "as it is"


@pytest.mark.parametrize(
    ("values", "transforms", "why"),
    [
        (["n=8..4"], [], "`n=8..4` has no value"),
        (["n=4,4"], [], "has a value twice"),
        (["n"], [], "expected NAME=VALUE"),
        (["n=1", "n=2"], [], "a parameter is given twice"),
        (["n=1..99999"], [], "at most 1000 variants, found 99999"),
        (["n=1..50", "m=1..50"], [], "at most 1000 variants, found 2500"),
        ([], ["=6"], "--with: expected NAME"),
        ([], ["a.=6"], "--with: expected NAME"),
    ],
)
def test_no_grid_is_reported(values: list[str], transforms: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        [variant.game() for variant in grid("tic-tac-toe", values, transforms)]


def test_a_variant_that_is_refused_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    words = ("--set", "m=2", "--set", "n=1", "--set", "k=1,99", "--games", "2", "--samples", "2",
             "--player", "random", "--engine", "interpreter")  # fmt: skip
    done = call("study", "tic-tac-toe", *words, "--out", str(tmp_path / "s.db"), "--json")
    assert done.code == 0
    assert done.err.startswith("rulesengine: m=2, n=1, k=99: ")
    one, other = done.json()["variants"]
    assert (one["refused"], one["games"], one["length"]["value"]) == (None, 2, 1.0)
    assert "99" in other["refused"]
    assert "games" not in other
    text = call("study", "tic-tac-toe", *words, "--out", str(tmp_path / "s.db")).out
    assert "refused: m=2, n=1, k=99: " in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--set", "k=99"), "nothing to study: k=99: "),
        (("--games", "0"), "--games: a study needs at least 1 game"),
        (("--player", "nobody"), "unknown player `nobody`"),
        (("--player", "human"), "a study is played without people"),
    ],
)
def test_wrong_use_is_a_sentence_and_2(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    out = tmp_path / "s.db"
    done = call("study", "tic-tac-toe", *words, "--out", str(out))
    assert (done.code, done.out) == (2, "")
    assert why in done.err
    assert not out.exists()


# files


@pytest.mark.slow
def test_a_study_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    variants, out = grid("tic-tac-toe", row(2, 2), ["misere"]), tmp_path / "s.db"
    whole = study(variants, SMALL)

    class Stopping(Job):
        def raise_if_stopped(self) -> None:
            if self.done >= 12:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study(variants, SMALL, out, job=Stopping())
    assert 12 <= stored_games(out) < 2 * (6 + 9 + 6)
    assert as_json(study(variants, SMALL, out)) == as_json(whole)
    assert stored_games(out) == 2 * (6 + 9 + 6)
    with threads(2) as pool:
        assert as_json(study(variants, SMALL, executor=pool)) == as_json(whole)


@pytest.mark.deep
def test_kills_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    out, draw = tmp_path / "s.db", random.Random(3)
    words = ("study", "tic-tac-toe", "--set", "m=3..4", "--player", WEAK, "--player", STRONG,
             "--games", "10", "--samples", "20", "--judge", "4", "--json")  # fmt: skip
    whole = call(*words, "--out", str(tmp_path / "whole.db")).out
    most = 0
    for number in range(10):
        with running(*COMMAND, *words, "--out", str(out), "--workers", str(1 + number % 2)) as run:
            wait_for_writes(out, draw.randrange(5), run)
            run.kill()
            run.wait()
        now = stored_games(out) if out.exists() and out.stat().st_size else 0
        assert now >= most
        most = now
    assert 0 < most < 2 * (10 + 20 + 10)
    assert call(*words, "--out", str(out)).out == whole


def stored_games(path: Path) -> int:
    """Return the number of games in a file, or 0 if a kill came before its tables were created."""
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'games'").fetchone():
            return 0
        (count,) = connection.execute("SELECT count(*) FROM games").fetchone()
        return int(count)


@pytest.mark.slow
def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    out, game = tmp_path / "s.db", load("tic-tac-toe", engine="interpreter")
    study(grid("tic-tac-toe", row(2, 2)), SMALL, out)
    with pytest.raises(UsageError, match="has another contest: a study of tic-tac-toe, 1 var"):
        study(grid("tic-tac-toe", row(2, 2)), Design(players=(WEAK,), games=6), out)
    with pytest.raises(UsageError, match="with other rules"):
        study(grid("tic-tac-toe", row(2, 2), ["misere"]), SMALL, out)
    with pytest.raises(UsageError, match="a study of"):
        tournament(game, ["random", "b=random"], 2, out)


def test_a_file_of_the_version_before_goes_on(tmp_path: Path) -> None:
    out, game = tmp_path / "t.db", load("tic-tac-toe", engine="interpreter")
    tournament(game, ["random", "b=random"], 2, out)
    with sqlite3.connect(out) as connection:
        connection.execute("ALTER TABLE games DROP COLUMN measures")
        connection.execute("ALTER TABLE units DROP COLUMN digest")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    assert tournament(game, ["random", "b=random"], 2, out).table.played == 2


def test_the_page_shows_every_variant_and_escapes(lopsided: str) -> None:
    few = Design(players=("random",), games=3, samples=2, judge=0)
    page = study_page(study(grid(lopsided, [], ["misere"]), few))
    assert page.count("<h2 ") == 2
    assert page.count("<svg") == 1 + 2 * 3  # the board, and of each variant two plots and a board
    assert "A &lt;lopsided&gt; game" in page
    assert "<lopsided>" not in page
    assert "src=" not in page
    assert 'href="#v"' in page


@pytest.mark.slow
def test_no_games_are_no_numbers() -> None:
    none = study(grid("tic-tac-toe", row(2, 2)), Design(players=("random",), games=1, samples=0))
    one = found(none)
    assert (one.tree, one.by_chance, one.skill) == (None, None, None)
    assert one.leads.changes == Interval(0.0, float("-inf"), float("inf"), 1)


@pytest.mark.slow
def test_the_page_of_documentation_runs() -> None:
    page = ROOT / "docs" / "study.md"
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 8
    assert not done.failed
    commands = re.findall(r"^rulesengine (.+)$", page.read_text(encoding="utf-8"), re.M)
    assert {read_arguments(command.split()).command for command in commands} == {"study", "diff"}


# the registry of metrics


def test_the_page_lists_each_key_of_the_statistics() -> None:
    page = (ROOT / "docs" / "study.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| (`[^|]+`) \|", page, re.M)
    listed = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert {metric.key for metric in METRICS} <= listed


def test_each_interval_of_the_statistics_is_one_metric() -> None:
    none: dict[str, Any] = dict.fromkeys(Findings.__dataclass_fields__)
    whole = Findings(**none | {"leads": Leads(None, None, None, None), "steps": ()})
    mark = Interval(0.5, 0.25, 0.75, 2)
    hints = get_type_hints(Findings)
    fields = [name for name, hint in hints.items() if hint == Interval | None]
    assert len(fields) >= 7
    for name in fields:
        found = [m.key for m in METRICS if m.of(replace(whole, **{name: mark})) is mark]
        assert len(found) == 1, name
    for name in Leads.__dataclass_fields__:
        leads = replace(whole.leads, **{name: mark})
        assert len([m for m in METRICS if m.of(replace(whole, leads=leads)) is mark]) == 1


def test_metrics_have_distinct_keys_titles_and_descriptions() -> None:
    for texts in zip(*((m.key, m.title, m.description) for m in METRICS), strict=True):
        assert len(set(texts)) == len(texts)
