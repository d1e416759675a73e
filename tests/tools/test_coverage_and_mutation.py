"""Coverage of a spec's clauses and mutation of its rules, on specs small enough to reason about."""

import re
from pathlib import Path

import pytest

from rulesengine import load
from rulesengine.language import parameters, pipeline
from rulesengine.loading import load_source, open_spec
from rulesengine.support.source import Source
from rulesengine.tools.coverage.watched_game import ClauseRecord, InstrumentedGame
from rulesengine.tools.mutation import mutation
from rulesengine.tools.mutation.budgeted_game import BudgetedGame, EvaluationBudget, OperationLimit
from rulesengine.tools.spectests import run_test
from tests.helpers.cli_calls import call
from tests.helpers.each_game import LARGER, each_game

ROOT = Path(__file__).parents[2]

# One row of three cells. The player who completes it wins, so no full board is left without a
# winner. No player has two pieces in `left`, which is one cell.
ROW = """\
spec: 1
name: Row
board: {rows: 1, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves:
    place: stone
    to: empty
  end:
    - when: none(empty) and any(own and right)
      result: player wins
    - when: none(empty)
      result: draw
    - when: count(own and left) = 2 or plies > 8
      result: draw
"""
LAST_LINE = 15


def lines_of(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"^<stdin>:(\d+):", text, re.MULTILINE)]


def test_clauses_that_never_hold_are_shown_with_their_lines() -> None:
    result = call("coverage", "-", stdin=ROW.encode())
    assert result.code == 0
    never = [line for line in result.out.splitlines() if " never: " in line]
    # The second end is shadowed by the first: some side always has a piece on the right. Its
    # condition is never evaluated while it holds. All three clauses of the third never hold.
    assert lines_of("\n".join(never)) == [13, 15, 15, 15]
    assert any("`when` did not hold: plies > 8" in line for line in never)


def test_coverage_separates_games_from_tests() -> None:
    text = ROW + "tests:\n  - moves: a1\n    mover: two\n"
    clauses = call("coverage", "-", "--json", stdin=text.encode()).json()["clauses"]
    held = {(c["line"], c["text"]): (c["games"], c["tests"]) for c in clauses}
    assert held[9, "empty"] == (True, True)
    assert held[11, "none(empty)"] == (True, False)
    assert held[LAST_LINE, "plies > 8"] == (False, False)


def test_without_games_only_the_tests_count() -> None:
    text = ROW + "tests:\n  - moves: a1 b1 c1\n    outcome: one wins\n"
    found = call("coverage", "-", "--json", "--games", "0", stdin=text.encode()).json()
    # `right` is a cell of the board, in any game.
    assert [clause["text"] for clause in found["clauses"] if clause["games"]] == ["right"]
    assert sum(clause["tests"] for clause in found["clauses"]) == len(found["clauses"]) - 4


def test_a_failing_test_is_reported_on_standard_error() -> None:
    text = ROW + "tests:\n  - moves: a1\n    mover: one\n"
    result = call("coverage", "-", stdin=text.encode())
    assert "1 test failed" in result.err


WATCHED = (
    *("othello", "nine-mens-morris", "ataxx"),
    *("three-mens-morris", "pig", "connect-four-knockout"),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", WATCHED)
def test_watching_a_game_does_not_change_it(name: str) -> None:
    analysis = pipeline.analyse(open_spec(name))
    rules, clauses = pipeline.clauses(analysis)
    watch = tuple((i, op) for i, clause in enumerate(clauses) for op in clause.ops)
    values = parameters.bind(rules.parameters, {})
    watched = InstrumentedGame(rules, values, watch, ClauseRecord())
    plain = load(name, engine="interpreter")
    assert watched.playouts(2, seed=3).checksum == plain.playouts(2, seed=3).checksum
    assert watched.perft(2) == plain.perft(2)


TILES = """\
spec: 1
name: tiles
board: {rows: 3, columns: 3}
players: [one, two]
pieces:
  square: {one: x, two: o}
  bar: {tile: "##", is: piece}
  bend: {tile: "#. ##", is: piece}
  empty: "."
registers: {used: {type: flag, each: [player, kind]}}
rules:
  moves:
    - place: square
      cover: piece
      to: empty
      when: not used of tile and any(covered and corners)
      do: set used of tile to true
    - otherwise
    - pass
  end: {when: plies = 6, result: draw}
"""


def test_clauses_on_tiles_and_on_registers_of_kinds_are_watched() -> None:
    source = Source("tiles.yaml", TILES)
    rules, clauses = pipeline.clauses(pipeline.analyse(source))
    watch = tuple((i, op) for i, clause in enumerate(clauses) for op in clause.ops)
    watched = InstrumentedGame(rules, {}, watch, ClauseRecord())
    plain = load_source(source, engine="interpreter")
    assert watched.playouts(4, seed=1).checksum == plain.playouts(4, seed=1).checksum
    found = call("coverage", "-", "--json", "--games", "5", stdin=TILES.encode()).json()
    counts = {clause["text"]: clause["games"] for clause in found["clauses"]}
    # Each condition holds and fails: pieces are used up, and a tile in the middle is no corner.
    assert all(counts.values())
    assert len(counts) > 3


def test_a_limited_game_stops_when_its_allowance_is_spent() -> None:
    analysis = pipeline.analyse(Source("row.yaml", ROW))
    assert analysis.checked is not None
    game = BudgetedGame(analysis.checked.rules, {}, (), EvaluationBudget(40))
    with pytest.raises(OperationLimit):
        game.perft(3)


@pytest.mark.slow
def test_mutants_that_survive_are_shown_and_the_exit_code_is_1() -> None:
    text = ROW + "tests:\n  - moves: a1 b1\n    legal: [c1]\n"
    result = call("mutate", "-", stdin=text.encode())
    assert result.code == 1
    # No test covers the winner; one covers the cells for a placement.
    assert 12 in lines_of(result.out)
    assert "survived: `wins` -> `loses`" in result.out
    assert "`empty` -> `all`" not in result.out


@pytest.mark.slow
def test_a_test_of_the_outcome_kills_a_mutant_that_survives_without_it() -> None:
    text = ROW + "tests:\n  - moves: a1 b1 c1\n    outcome: one wins\n"
    found = call("mutate", "-", "--json", stdin=text.encode()).json()
    statuses = [(change["change"], change["status"]) for change in found["changes"]]
    assert ("`wins` -> `loses`", "killed") in statuses
    assert found["killed"] == [status for _, status in statuses].count("killed")


@pytest.mark.slow
def test_a_change_that_gives_the_same_program_counts_as_none() -> None:
    text = ROW.replace("plies > 8", "plies > 8 + 0")
    found = mutation(Source("row.yaml", text), run_test, games=0, seed=0)
    statuses = {(one.site.line, one.change): one.status for one in found.results}
    assert statuses[LAST_LINE, "`+` -> `-`"] == "equivalent"
    assert statuses[LAST_LINE, "`8` -> `9`"] == "survived"


@pytest.mark.slow
def test_a_mutant_that_differs_with_other_parameters_is_killed_by_a_test_with_them() -> None:
    text = ROW.replace("plies > 8", "plies = 1 and short").replace(
        "board:", "parameters: {short: {type: flag, default: false}}\nboard:"
    )
    test = "tests:\n  - parameters: {short: true}\n    moves: a1\n    outcome: draw\n"
    for tests, status in (("", "likely_equivalent"), (test, "killed")):
        found = mutation(Source("row.yaml", text + tests), run_test, games=3, seed=0)
        statuses = {(one.site.line, one.change): one.status for one in found.results}
        assert statuses[LAST_LINE + 1, "`1` -> `2`"] == status


@pytest.mark.slow
def test_a_change_without_effect_in_random_games_counts_as_none() -> None:
    found = mutation(Source("row.yaml", ROW), run_test, games=5, seed=0)
    statuses = {(one.site.line, one.change): one.status for one in found.results}
    # No game of three cells has nine plies: no test can detect this.
    assert statuses[LAST_LINE, "`8` -> `9`"] == "likely_equivalent"
    assert statuses[12, "`wins` -> `loses`"] == "survived"


@pytest.mark.slow
def test_a_mutant_that_makes_the_tests_too_long_is_killed() -> None:
    text = """\
spec: 1
name: Waiting
board: {rows: 1, columns: 1}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
define:
  busy: count(n in numbers(1 to 300), count(m in numbers(1 to 10), n > m) = 3)
rules:
  moves: pass
  end:
    - when: plies >= 1
      result: draw
    - when: plies >= 0 and busy > 400
      result: draw
tests:
  - random: 1
"""
    found = mutation(Source("waiting.yaml", text), run_test, games=0, seed=0)
    statuses = {one.change: one.status for one in found.results if one.site.line == 11}
    assert statuses["leave out `when: plies >= 1 result: draw`"] == "killed"


@pytest.mark.slow
def test_tests_that_fail_without_any_change_kill_no_mutant() -> None:
    text = ROW + "tests:\n  - moves: a1 b1 c1\n    outcome: two wins\n"
    result = call("mutate", "-", stdin=text.encode())
    assert "1 test failed" in result.err
    assert "`wins` -> `loses`" in result.out


@pytest.mark.parametrize("command", ["coverage", "mutate"])
def test_a_broken_spec_is_shown_as_check_shows_it(command: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(ROW.replace("empty)", "emty)"), encoding="utf-8")
    result = call(command, str(file))
    assert result.code == 1
    assert "did you mean `empty`?" in result.err
    assert call(command, "no-such-game").code == 2


@each_game(deep=LARGER)
def test_each_change_to_a_bundled_spec_is_another_text_at_its_place(name: str) -> None:
    source = open_spec(name)
    mutants = pipeline.mutants(pipeline.analyse(source))
    texts = [mutant.text for mutant in mutants]
    assert len({source.text, *texts}) == len(texts) + 1
    for mutant in mutants:
        assert mutant.span.source == source
        before = source.text[: mutant.span.start].splitlines(keepends=True)[:-1]
        assert mutant.text.startswith("".join(before))


@pytest.mark.slow
def test_examples_of_the_testing_page_match_the_output() -> None:
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    examples = re.findall(r"```sh\nrulesengine ([^\n]*)\n```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert [words.split()[0] for words, _ in examples] == ["coverage", "mutate"]
    for words, shown in examples:
        command, spec = words.split()
        found = call(command, str(ROOT / spec)).out
        assert found.replace(f"{ROOT}/", "") == shown


def test_the_changes_to_a_condition_are_those_that_can_be_thought_of() -> None:
    condition = "count(own) >= 3 and not any(enemy touching top)"
    text = ROW.replace("count(own and left) = 2 or plies > 8", condition)
    mutants = pipeline.mutants(pipeline.analyse(Source("row.yaml", text)))
    line = f"    - when: {condition}"
    found = {
        other.removeprefix("    - when: ")
        for mutant in mutants
        for before, other in zip(text.split("\n"), mutant.text.split("\n"), strict=False)
        if before == line and other != line and "when" in other
    }
    found.discard("none(empty)")  # this end and the one before it are swapped
    assert found == {
        "count(own) >= 4 and not any(enemy touching top)",
        "count(own) >= 2 and not any(enemy touching top)",
        "count(own) > 3 and not any(enemy touching top)",
        "count(enemy) >= 3 and not any(enemy touching top)",
        "count(own) >= 3 or not any(enemy touching top)",
        "true and not any(enemy touching top)",
        "count(own) >= 3 and true",
        "count(own) >= 3 and any(enemy touching top)",
        "count(own) >= 3 and not none(enemy touching top)",
        "count(own) >= 3 and not any(own touching top)",
        "count(own) >= 3 and not any(enemy)",
    }


def test_changes_to_directions_groups_effects_and_ends_are_tried() -> None:
    text = (
        ROW.replace("to: empty\n", "to: empty\n      do: [set turns to 1]\n")
        .replace(
            "  moves:\n    place: stone\n    to: empty",
            "  moves:\n    - move: own\n      to: shift(from, [east, west]) and empty\n"
            "      when: plies > 1\n    - place: stone\n      to: empty",
        )
        .replace("rules:", "registers: {turns: {type: number, from: 0, to: 9}}\nrules:")
    )
    changes = [m.change for m in pipeline.mutants(pipeline.analyse(Source("row.yaml", text)))]
    assert "`[east, west]` -> `[west]`" in changes
    assert "`[east, west]` -> `[east]`" in changes
    assert "leave out `when: plies > 1`" in changes
    assert "leave out `do: [set turns to 1]`" in changes
    assert any(change.startswith("leave out `place: stone") for change in changes)
    assert changes.count("exchange this one with the next") == 2
    assert "`wins` -> `loses`" in changes
