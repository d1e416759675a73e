"""Lint findings in valid specs: proved from the rules, or observed in random games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from rulesengine.language.lower import lower
from rulesengine.loading import load_source
from rulesengine.support.diagnostic import Diagnostic, render
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_path
from rulesengine.support.source import Source
from rulesengine.tools.lint import findings, fuzz, tested_values
from tests.helpers.cli_calls import call
from tests.helpers.each_game import LARGER, each_game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesengine.language.ir.program import Program
    from rulesengine.language.ir.rules import Rules

BASE = """spec: 1
name: Meaning
parameters: {n: {type: integer, from: 2, to: 4, default: 2}}
board: {rows: n, columns: 2, origin: bottom-left}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
registers: {passes: {type: number, from: 0, to: 2}}
define: {half: rows(1)}
strategies: {one: [leftmost, lowest]}
rules:
  moves:
    - {place: stone, to: empty, do: set passes to 0}
    - otherwise
    - {pass: true, do: set passes to passes + 1}
  end:
    - {when: "any(line(own, at least 3)) and any(own and half)", result: player wins}
    - {when: passes = 2, result: draw}
    - {when: none(empty), result: draw}
"""


def found(text: str, games: int = 0) -> list[Diagnostic]:
    return [*findings(Source("meaning.yaml", text), games=games)]


def only(text: str, games: int = 0) -> Diagnostic:
    all_found = found(text, games)
    assert len(all_found) == 1, "\n".join(map(render, all_found))
    assert all_found[0].severity == "warning"
    return all_found[0]


def changed(old: str, new: str) -> str:
    assert old in BASE
    return BASE.replace(old, new)


def test_a_spec_without_fault_has_no_warning() -> None:
    assert found(BASE) == []


@each_game(quick=(), deep=LARGER)
def test_a_bundled_spec_has_no_warning(name: str) -> None:
    assert findings(read_source(bundled_path(name))) == ()


# unused names


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("{n: {", "{m: {type: flag, default: true}, n: {", "m"),
        ("define: {", "define: {spare: empty, ", "spare"),
        ("define: {", "define: {near(c): neighbours(c), ", "near(c)"),
        ("registers: {", "registers: {spare: {type: flag}, ", "spare"),
        ("pieces: {", "pieces: {king: {left: X}, ", "king"),
        ("players: [left, right]", "regions: {spare: top}\nplayers: [left, right]", "spare"),
        ("players: [left, right]", "directions: {spare: north}\nplayers: [left, right]", "spare"),
        ("[left, right]", "{left: {goal: top}, right: {goal: bottom}}", "goal"),
    ],
)
def test_a_name_without_use_is_reported(old: str, new: str, word: str) -> None:
    warning = only(changed(old, new))
    assert (warning.code, warning.span.text) == ("unused-name", word)


def test_a_register_that_is_only_set_is_without_use() -> None:
    text = changed("registers: {", "registers: {last: {type: cell}, ")
    warning = only(text.replace("do: set passes to 0", 'do: ["set passes to 0", "set last to to"]'))
    assert (warning.code, warning.span.text) == ("unused-name", "last")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("place: stone", "choice: [stone, king], place: choice"),
        ("to: empty", "to: empty minus king"),
        ("players: [left, right]", "start: |\n  ..\n  X.\nplayers: [left, right]"),
    ],
)
def test_a_kind_that_is_named_or_drawn_is_in_use(old: str, new: str) -> None:
    text = changed("pieces: {", "pieces: {king: {left: X, right: O}, ")
    codes = [
        f.code for f in found(text.replace("from: 2, to: 4", "from: 2, to: 2").replace(old, new))
    ]
    assert "unused-name" not in codes


def test_names_of_a_parent_may_be_without_use() -> None:
    text = "extends: tic-tac-toe\nrules: {end: [{when: none(empty), result: draw}]}\ntests: null\n"
    assert found(text) == []


# parts that can never apply


@pytest.mark.parametrize(
    "group",
    [
        "{place: stone, to: empty and own}",
        "{place: stone, to: own and enemy}",
        "{place: stone, to: empty and (own touching top)}",
        "{move: own and own of opponent, to: empty}",
        "{place: stone, to: empty where false}",
        "{place: stone, to: empty, when: passes > 2}",
        "{place: stone, to: empty, when: count(own) > 8}",
        "{place: stone, to: empty minus occupied minus empty}",
        "{move: own, to: 'neighbours(from) and nowhere'}",
        "{place: stone, to: 'line(own, at least 6)'}",
    ],
)
def test_a_group_that_can_never_apply_is_reported(group: str) -> None:
    warning = only(changed("  moves:\n", f"  moves:\n    - {group}\n"))
    assert warning.code == "never-applies"
    assert warning.span.source.position(warning.span.start)[0] == 12


def test_a_group_without_cells_is_reported_at_rows_that_the_board_does_not_have() -> None:
    warning = only(changed("  moves:\n", "  moves:\n    - {place: stone, to: rows(9 to 10)}\n"))
    assert (warning.code, warning.span.text) == ("off-board", "rows(9 to 10)")


@pytest.mark.parametrize(
    "group",
    [
        "{place: stone, to: rows(3)}",  # there is a third row where n is 4
        "{place: stone, to: empty, when: n > 2}",
        "{place: stone, to: 'line(own, at least 4)'}",
        "{place: stone, to: empty touching own}",
        "{place: stone, to: empty, when: passes > 1}",
        "{move: own, to: enemy touching from}",
    ],
)
def test_applicable_group_has_no_finding(group: str) -> None:
    codes = [f.code for f in found(changed("  moves:\n", f"  moves:\n    - {group}\n"))]
    assert "never-applies" not in codes


@pytest.mark.parametrize(
    "condition",
    [
        "passes = 3",
        "count(own) > 8",
        "any(own and enemy)",
        "plies < 0",
        "none(all)",
        "not (passes <= 2)",
        "passes = 1 and any(own and empty)",
        "any(line(own, at least 5))",
    ],
)
def test_an_end_that_cannot_be_reached_is_reported(condition: str) -> None:
    warning = only(changed("  end:\n", f"  end:\n    - {{when: '{condition}', result: draw}}\n"))
    assert (warning.code, warning.span.text) == ("never-holds", f"'{condition}'")


def test_an_end_below_one_with_the_same_condition_is_reported() -> None:
    warning = only(BASE + "    - {when: none(empty), result: player wins}\n")
    assert warning.code == "never-holds"
    assert "same condition" in warning.message
    assert warning.span.source.position(warning.span.start)[0] == 19


# parameters


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("from: 2, to: 4", "from: 0, to: 4", "n = 0 breaks the game: "),
        ("from: 2, to: 4", "from: 2, to: 6000", "n = 6000 breaks the game: "),
        ("from: 2, to: 4, ", "from: 2, ", "n = 9223372036854775807 breaks the game: "),
        ("rows(1)", "a3", "n = 4 breaks the game: "),
    ],
)
def test_a_value_that_breaks_the_game_is_reported(old: str, new: str, message: str) -> None:
    text = changed(old, new)
    if new == "a3":
        text = text.replace("from: 2, to: 4, default: 2", "from: 2, to: 4, default: 4")
        message = "n = 2 breaks the game: "
    warnings = [f for f in found(text) if f.code == "bad-parameter"]
    assert [f.message[: len(message)] for f in warnings] == [message]
    assert warnings[0].span.text == "n"


def test_a_parameter_of_a_parent_is_reported_in_the_file_that_it_breaks() -> None:
    text = "spec: 1\nname: Blocked\nextends: tic-tac-toe\nboard: {holes: b2}\ntests: null\n"
    warnings = found(text)
    assert [(f.code, f.message[:21]) for f in warnings] == [
        ("bad-parameter", "m = 1 breaks the game"),
        ("bad-parameter", "n = 1 breaks the game"),
    ]
    for warning in warnings:
        assert (warning.span.source.name, warning.span.text) == ("meaning.yaml", "tic-tac-toe")
        assert warning.notes[0].span.source.name.endswith("tic-tac-toe.yaml")
    assert found(text + "parameters: {m: {from: 2}, n: {from: 2}}\n") == []


# games


def test_a_game_that_is_over_at_the_start_is_reported() -> None:
    warning = only(changed("passes = 2", "passes = 0"))
    assert warning.code == "over-at-start"


def test_a_start_that_fails_is_reported() -> None:
    text = changed(
        "players: [left, right]", "start: put stone of right on all\nplayers: [left, right]"
    )
    (error,) = found(text.replace("right: o", "neutral: o"))
    assert (error.code, error.severity) == ("bad-start", "error")
    assert error.message.startswith("the game cannot start: ")


ENDLESS = """spec: 1
name: Endless
board: {rows: 1, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
start: |
  x.o
rules:
  moves:
    - {move: own, to: empty touching from}
    - otherwise
    - pass
  end: {when: none(empty), result: draw}
"""


def test_a_small_game_without_a_way_to_its_end_is_proved_endless() -> None:
    warning = only(ENDLESS)
    assert warning.code == "never-ends"
    assert warning.message == "no end can be reached at the start, whatever is played"


def test_a_cycle_that_can_be_left_is_no_warning() -> None:
    assert findings(read_source(bundled_path("mu-torere"))) == ()


STUCK = changed("    - otherwise\n    - {pass: true, do: set passes to passes + 1}\n", "").replace(
    "    - {when: none(empty), result: draw}\n", ""
)


def test_fuzzing_shows_the_shortest_game() -> None:
    text = STUCK.replace("when: passes = 2", "when: plies > 9")
    warnings = {f.code: f for f in found(text, 20)}
    # Four cells: after any four moves no legal move is left.
    words = (
        warnings["stuck"].message.removeprefix("`left` has no move after ").split(",")[0].split()
    )
    assert sorted(words) == ["a1", "a2", "b1", "b2"]


@pytest.mark.slow
def test_a_rule_that_fails_deep_in_a_game_is_found_and_shortened() -> None:
    text = changed("do: set passes to 0", "do: set passes to count(own) * 2").replace(
        "to: 2}}", "to: 5}}"
    )
    text = text.replace("passes = 2", "plies > 20").replace("at least 3", "at least 4")
    warning = next(
        f for f in found(text.replace("default: 2", "default: 4"), 30) if f.code == "fails"
    )
    # The third stone of a player gives 6: at the fifth move, and not before.
    assert len(warning.message.split(": ")[0].removeprefix("a rule fails after ").split()) == 5


def test_fuzzing_tries_other_values_of_parameters() -> None:
    text = changed("do: set passes to 0", "do: set passes to count(own)").replace(
        "at least 3", "at least 4"
    )
    text = text.replace("passes = 2", "plies > 20")
    assert found(text) == []
    warning = next(f for f in found(text, 10) if f.code == "fails")
    assert warning.message.endswith(("with n = 3", "with n = 4"))


def test_a_tie_break_that_leaves_ties_is_reported() -> None:
    warning = only(changed("[leftmost, lowest]", "[leftmost]"), 4)
    assert (warning.code, warning.span.text) == ("ties-left", "one")
    assert warning.message.startswith("`one` ranks `a2` and `a1` equally at the start")


def test_a_strategy_without_a_place_in_its_last_key_may_leave_ties() -> None:
    assert found(changed("[leftmost, lowest]", "[most count(own)]"), 4) == []


@pytest.mark.slow
def test_a_side_that_never_moves_is_reported() -> None:
    text = changed("  end:\n", "  turn: player\n  end:\n").replace(
        "from: 2, to: 4, default: 2", "from: 2, to: 2, default: 2"
    )
    warnings = [f for f in found(text, 100) if f.code == "never-moves"]
    assert [f.message for f in warnings] == ["`right` never moves in 100 random games"]


def aborted_findings(monkeypatch: pytest.MonkeyPatch, work: int, games: int) -> list[str]:
    """Return the findings about aborted games, if games may take so much work."""
    monkeypatch.setattr(fuzz, "_WORK", work)
    return [f.message for f in found(BASE, games) if "given up" in f.message]


@pytest.mark.slow
def test_games_that_are_given_up_are_reported_where_all_might_have_been_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (message,) = aborted_findings(monkeypatch, 100, 100)
    assert message.startswith("100 of 100 random games were given up")
    (message,) = aborted_findings(monkeypatch, 100, 3)  # too few games to report absent events
    assert re.fullmatch(
        r"none of 3 random games came to an end, the longest was given up after \d moves", message
    )


@pytest.mark.slow
def test_games_that_were_given_up_are_reported_next_to_those_that_came_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for message in (messages := aborted_findings(monkeypatch, 300, 220)):
        counted = re.search(r"in (\d+) random games \((\d+) more were given up\)", message)
        assert counted
        assert int(counted[1]) + int(counted[2]) == 220
    assert messages


def test_a_kind_called_like_a_region_is_reported_at_its_name() -> None:
    warning = only(changed("{stone: {", "{top: {").replace("place: stone", "place: top"))
    assert (warning.code, warning.span.text) == ("name-taken", "top")
    assert warning.message == "`top` is a kind here, so that it no longer means the region"
    assert warning.fix
    assert warning.fix.text == "my_top"


def test_unreachable_clause_without_parameters_is_proved() -> None:
    text = changed("rows: n", "rows: 2").replace(
        "parameters: {n: {type: integer, from: 2, to: 4, default: 2}}\n", ""
    )
    text = text.replace("at least 3", "at least 2").replace(
        "any(own and half)", "count(own) > 2 and any(own and half)"
    )
    warnings = [f.message for f in found(text, 1)]
    # Of four cells no player has three, and no player passes before all are full.
    assert warnings == [
        "no move of this group is legal in any game",
        "this end is not reached in any game",
        "this end is not reached in any game",
    ]


def test_the_same_seed_finds_the_same() -> None:
    text = STUCK
    assert found(text, 10) == found(text, 10)


@pytest.mark.slow
def test_expensive_analysis_is_skipped() -> None:
    text = "extends: othello\nwith: {size: 26}\n"
    assert found(text) == []
    assert load_source(Source("big.yaml", text)).parameters == {"n": 26}


def test_fuzzing_from_the_command_line(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "stuck.yaml"  # type: ignore[operator]
    path.write_text(STUCK.replace("when: passes = 2", "when: plies > 9"), encoding="utf-8")
    found = call("check", str(path), "--fuzz", "5", "--seed", "3")
    assert found.code == 0
    assert "warning[stuck]: `left` has no move after " in found.out
    assert call("check", str(path), "--fuzz", "some").code == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param("tic-tac-toe", marks=pytest.mark.deep), "mu-torere"])
def test_random_games_of_bundled_specs_show_no_problem(name: str) -> None:
    assert findings(read_source(bundled_path(name)), games=12) == ()


# the start, and limits over the ranges of parameters

MANY = """
spec: 1
name: Many parameters
parameters:
PARAMETERS
board: {rows: 2, columns: 2}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
registers: {sum: {type: number, from: 0, to: 1000}}
start: [set sum to TOTAL]
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty) and sum >= 0, result: draw}
"""


def many(count: int, total: str, **defaults: int) -> str:
    """Return a spec with so many parameters from 0 to 20."""
    lines = [
        f"  p{i}: {{type: integer, from: 0, to: 20, default: {defaults.get(f'p{i}', 1)}}}"
        for i in range(count)
    ]
    return MANY.replace("PARAMETERS", "\n".join(lines)).replace("TOTAL", total)


def broken(text: str) -> list[str]:
    return [f.message for f in found(text) if f.code == "bad-parameter"]


def test_a_game_that_cannot_start_is_an_error() -> None:
    (error,) = [f for f in found(many(2, "p0 + p1 * 1001")) if f.severity == "error"]
    assert error.code == "bad-start"
    assert error.message.startswith("the game cannot start: ")
    assert "`sum` is 0 to 1000, not 1002" in error.message


def test_values_of_a_parameter_with_which_a_game_cannot_start_are_reported() -> None:
    (message,) = broken(many(2, "p0 + p1 * 51"))
    assert message.startswith("p1 = 20 breaks the game: ")
    assert "`sum` is 0 to 1000, not 1021" in message


def test_values_that_break_a_game_only_together_are_reported() -> None:
    (message,) = broken(many(3, "p0 * 26 + p2 * 26"))
    assert message.startswith("p0 = 20, p2 = 20 breaks the game: ")
    assert broken(many(3, "p0 * 25 + p2 * 25")) == []


@pytest.mark.parametrize("count", [3, 70, 130])
@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 20), (20, 0), (20, 20)])
def test_each_pair_of_extreme_values_is_tested(count: int, first: int, second: int) -> None:
    one, two = f"p{count // 3}", f"p{count - 1}"
    (message,) = broken(many(count, f"if {one} = {first} and {two} = {second} then 2000 else 0"))
    assert message.startswith(f"{one} = {first}, {two} = {second} breaks the game: ")


def test_pairs_of_choices_and_numbers_are_tested() -> None:
    mood = "  mood: {choices: [calm, wild, odd], default: calm}\nboard:"
    for choice in ("wild", "odd"):
        total = f'if p0 = 20 and mood = "{choice}" then 2000 else 0'
        (message,) = broken(many(2, total).replace("board:", mood, 1))
        assert message.startswith(f"p0 = 20, mood = {choice} breaks the game: ")


def test_pairs_do_not_repeat_values_that_break_a_game_alone() -> None:
    total = "if p1 = 20 then 2000 else if p0 = 20 and p2 = 0 then 3000 else 0"
    values = {message.split(" breaks the game: ")[0] for message in broken(many(3, total))}
    assert values == {"p1 = 20", "p0 = 20, p2 = 0"}


@pytest.mark.parametrize("count", [3, 70, 150])
def test_one_value_of_many_that_breaks_a_game_is_found(count: int) -> None:
    (message,) = broken(many(count, f"p{count - 2} * 51"))
    assert message.startswith(f"p{count - 2} = 20 breaks the game: ")


def test_the_programs_of_a_check_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered = list[int]()

    def counted(rules: Rules, values: Mapping[str, int | str]) -> Program:
        lowered.append(1)
        return lower(rules, values)

    monkeypatch.setattr(tested_values, "lower", counted)
    for count, most in ((10, 31), (100, 84), (400, 88)):
        lowered.clear()
        assert broken(many(count, "p0")) == []
        assert len(lowered) <= most


@pytest.mark.parametrize(
    ("default", "code", "message"),
    [
        (200, "not-allowed-value", "a search goes at most 127 plies deep, found 200"),
        (2, "bad-parameter", "depth = 300 breaks the game: a search goes at most 127 plies"),
    ],
)
def test_limits_of_searches_are_checked(default: int, code: str, message: str) -> None:
    parameter = f"  depth: {{type: integer, from: 1, to: 300, default: {default}}}\nboard:"
    text = many(1, "p0").replace("board:", parameter)
    text += "strategies: {deep: {search: {plies: depth}}}\n"
    (finding, *_) = [f for f in found(text) if f.code == code]
    assert finding.message.startswith(message)
    assert finding.severity == ("warning" if code == "bad-parameter" else "error")


@pytest.mark.parametrize(
    ("search", "message", "wrong", "fix"),
    [
        ("{nodes: 0}", "a search needs more than 0 nodes, found 0", "0", "1"),
        ("{seconds: 1, plies: -2}", "a search needs more than 0 plies, found -2", "-2", "1"),
        (f"{{playouts: {2**62 + 1}}}", f"a search has at most {2**62} playouts", f"{2**62 + 1}",
         f"{2**62}"),
        ("{nodes: p0 - 1}", "a search needs more than 0 nodes, found 0", "p0 - 1", None),
        ("{nodes: 5, playouts: 6}", "random games are counted by playouts, not by nodes",
         "{nodes: 5, playouts: 6}", None),
    ],
)  # fmt: skip
def test_a_wrong_limit_of_a_strategy_is_reported_at_its_value(
    search: str, message: str, wrong: str, fix: str | None
) -> None:
    text = many(1, "p0") + f"strategies:\n  right: [leftmost]\n  deep: {{search: {search}}}\n"
    (finding,) = [f for f in found(text) if f.code == "not-allowed-value"]
    assert finding.message.startswith(message)
    assert finding.span.text == wrong
    assert (finding.fix.text if finding.fix else None) == fix
    assert finding.severity == "error"


# Holes in a board of another size than `n`: each finding is in a line of Othello.
HOLES = """spec: 1
name: Holes
extends: othello
board:
  holes: |
    ........
    ........
    ..#..#..
    ........
    ........
    ..#..#..
    ........
    ........
"""


def test_findings_in_a_parent_that_is_right_are_reported_in_the_spec() -> None:
    shown = [finding for finding in found(HOLES) if finding.span.source.name == "meaning.yaml"]
    assert shown == found(HOLES)
    assert [finding.code for finding in shown] == ["bad-cell", "bad-parameter", "bad-parameter"]
    assert {finding.span.text for finding in shown} == {"othello"}
    assert all(finding.notes and finding.fix is None for finding in shown)
    assert shown[0].help == "replace the inherited tests: `tests: null` leaves them out"
    assert "in `parameters`" in shown[1].help


def test_without_the_inherited_tests_and_with_one_size_the_spec_has_no_findings() -> None:
    size = "parameters: {n: {from: 8, to: 8}}\ntests: null\n"
    assert found(HOLES + size) == []


def test_a_player_without_a_move_learns_that_unseen_cells_are_not_empty() -> None:
    text = """\
spec: 1
name: Blind
board: {rows: 2, columns: 2}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  sees: {cells: own}
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: draw}
"""
    stuck = findings(Source("blind.yaml", text))
    assert [finding.code for finding in stuck] == ["stuck", "never-applies"]
    assert all("`empty` has only cells that the player sees" in one.help for one in stuck)
