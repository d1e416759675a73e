"""Clauses that kernels evaluate cell by cell, group by group or move by move."""

import pytest

from rulesengine.cli import main
from rulesengine.support.source import Source
from rulesengine.tools.inspect import SlowClause, slow_clauses, slow_text

SPEC = """\
spec: 1
name: Slow
board: {{rows: 5, columns: 6}}
players: [black, white]
pieces: {{stone: {{black: x, white: o}}, empty: "."}}
rules:
  moves:
    place: stone
    to: {to}
    do: [{do}]
    forbid: {forbid}
  score: {score}
  end:
    when: {end}
    result: draw
"""
PLAIN = {
    "to": "empty",
    "do": "",
    "forbid": "any(line(own, at least 3))",
    "score": "count(own)",
    "end": "none(empty)",
}
# Changes of the rules, and the name, line, unit and factor of the only slow clause.
SLOW: tuple[tuple[dict[str, str], tuple[str, int, str, int]], ...] = (
    ({"forbid": "count(line(own, exactly 3)) > 3"}, ("rules.moves.forbid", 11, "move", 30)),
    ({"do": "'flip run(to, enemy, own)'"}, ("rules.moves.forbid", 11, "move", 30)),
    (
        {"to": "empty where count(line(it or own, exactly 3)) > 2"},
        ("rules.moves.to", 9, "cell", 30),
    ),
    (
        {"score": "sum(g in groups(own), count(g) * count(g))"},
        ("rules.score", 12, "group", 2 * 30),
    ),
    (
        {"end": "none(empty) or any(g in groups(own), count(empty touching g) % 3 = 1)"},
        ("rules.end.when", 14, "group", 2 * 30),
    ),
)
FAST: tuple[dict[str, str], ...] = (
    {},
    {"forbid": "any(g in groups(own), count(g) > 4 and none(g and edge))"},
    {"to": "empty where count(run(it, enemy, own)) != 1"},
    {"end": "none(empty) or any(g in groups(own), count(g) > 4)"},
    {"score": "count(union(g in groups(own), if none(empty touching g) then g else nowhere))"},
)


def found_in(changes: dict[str, str]) -> tuple[SlowClause, ...]:
    return slow_clauses(Source("slow.yaml", SPEC.format(**{**PLAIN, **changes})), {})


@pytest.mark.parametrize(("changes", "clause"), SLOW)
def test_a_clause_that_is_no_set_has_its_line_and_factor(
    changes: dict[str, str], clause: tuple[str, int, str, int]
) -> None:
    (slow,) = found_in(changes)
    assert (slow.name, slow.line, slow.unit, slow.times) == clause


@pytest.mark.parametrize("changes", FAST)
def test_clauses_that_are_sets_are_not_named(changes: dict[str, str]) -> None:
    assert found_in(changes) == ()


def test_a_line_of_the_report_has_name_unit_and_factor() -> None:
    found = found_in(SLOW[0][0])
    wanted = "    11  rules.moves.forbid: evaluated move by move, up to 30 times a ply\n"
    assert slow_text(found, "slow.yaml") == wanted


def test_keys_that_are_no_sets_are_named() -> None:
    text = SPEC.format(**PLAIN).replace("    forbid: any(line(own, at least 3))\n", "")
    for key, slow in (("most count(neighbours(to) and own)", 0), ("one of each result", 1)):
        changed = text.replace("  score:", f"  keep: {key}\n  score:")
        found = slow_clauses(Source("slow.yaml", changed), {})
        assert [(one.name, one.unit, one.times) for one in found] == (
            [("rules.keep", "move", 30)] * slow
        )


def test_check_prints_the_report_with_cost(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--cost", "gomoku"]) == 0
    assert capsys.readouterr().out == "gomoku: ok\nall clauses are evaluated as sets\n"
    assert main(["check", "--cost", "--json", "gomoku"]) == 2
