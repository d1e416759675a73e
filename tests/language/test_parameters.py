"""Parameters: their types, ranges, steps, choices and defaults, from any source of a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulesengine import Game, UsageError
from rulesengine.language.pipeline import analyse
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call

SPEC = """spec: 1
name: Parameters
parameters:
  n: {type: integer, from: 3, to: 9, step: 2, default: 5}
  low: {type: integer, from: -4, to: 4, default: -1}
  fast: {type: flag, default: true}
  level: {choices: [1, 3], default: 3}
  mood: {choices: [calm, wild], default: calm}
  first: {choices: [left, right], default: right}
board: {rows: 1, columns: n}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  score: if fast and mood = "calm" then level + low else 100
  end:
    when: none(empty)
    result: first wins
io: |
  read parameter n
  else
    fail "no {word}"
  read parameter mood from "w" wild, "c" calm
  print "{count(all)} {score of left}"
"""


def game(**values: Any) -> Game:
    return load_source(Source("parameters.yaml", SPEC), **values)


def test_parameters_without_a_value_have_their_default() -> None:
    loaded = game()
    assert loaded.parameters == {
        "n": 5, "low": -1, "fast": 1, "level": 3, "mood": "calm", "first": "right",
    }  # fmt: skip
    assert loaded.scores(loaded.initial_state()) == {"left": 2, "right": 2}


@pytest.mark.parametrize(
    ("values", "score"),
    [
        ({"low": 4}, 7),
        ({"low": "-4"}, -1),
        ({"level": 1}, 0),
        ({"level": "1"}, 0),
        ({"mood": "wild"}, 100),
        ({"fast": False}, 100),
        ({"fast": "false"}, 100),
        ({"fast": "true"}, 2),
        ({"fast": 0}, 100),
    ],
)
def test_a_value_may_be_of_its_type_or_its_text(values: dict[str, int | str], score: int) -> None:
    loaded = game(**values)
    assert loaded.scores(loaded.initial_state())["left"] == score
    assert game().bind(**values).parameters == loaded.parameters


def test_a_choice_of_players_is_a_player() -> None:
    loaded = game(first="left", n=3)
    state = loaded.initial_state()
    for move in ("a1", "b1", "c1"):
        state = loaded.apply(state, loaded.move(move, state))
    outcome = loaded.outcome(state)
    assert outcome is not None
    assert outcome.winner == "left"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"n": 4}, "n: expected a number from 3 to 9 in steps of 2, found `4`"),
        ({"n": 1}, "n: expected a number from 3 to 9 in steps of 2, found `1`"),
        ({"n": 11}, "n: expected a number from 3 to 9 in steps of 2, found `11`"),
        ({"n": "5.0"}, "n: expected a number from 3 to 9 in steps of 2, found `5.0`"),
        ({"n": True}, "n: expected a number from 3 to 9 in steps of 2, found `True`"),
        ({"n": "９"}, "n: expected a number from 3 to 9 in steps of 2, found `９`"),
        ({"n": "5" * 60}, f"n: expected a number from 3 to 9 in steps of 2, found `{'5' * 39}…`"),
        ({"low": 5}, "low: expected a number from -4 to 4, found `5`"),
        ({"fast": "yes"}, "fast: expected true or false, found `yes`"),
        ({"fast": 2}, "fast: expected true or false, found `2`"),
        ({"level": 2}, "level: expected 1 or 3, found `2`"),
        ({"mood": "Calm"}, "mood: expected calm or wild, found `Calm`"),
        ({"first": "nobody"}, "first: expected left or right, found `nobody`"),
        ({"moot": "calm"}, "no parameter `moot`: did you mean `mood`?"),
    ],
)
def test_any_other_value_is_wrong_use(values: dict[str, int | str | bool], message: str) -> None:
    with pytest.raises(UsageError) as error:
        game(**values)
    assert str(error.value) == message
    with pytest.raises(UsageError):
        game().bind(**values)


@pytest.mark.slow
def test_every_value_between_the_ends_is_taken() -> None:
    taken = []
    for n in range(-5, 15):
        try:
            taken.append(game(n=n).parameters["n"])
        except UsageError:
            continue
    assert taken == [3, 5, 7, 9]


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "parameters.yaml"
    file.write_text(SPEC, encoding="utf-8")
    return str(file)


def test_values_from_the_command_line(path: str) -> None:
    assert call("perft", path, "1", "--set", "n=7", "--set", "fast=false").out == "7\n"
    found = call("perft", path, "1", "--set", "n=6")
    assert (found.code, found.out) == (2, "")
    assert "n: expected a number from 3 to 9 in steps of 2, found `6`" in found.err
    assert call("perft", path, "1", "--set", "first=").code == 2


def test_values_from_the_input_of_the_game(path: str) -> None:
    found = call("run", path, "--set", "low=1", stdin=b"7\nc\n")
    assert (found.code, found.out) == (0, "7 4\n")
    assert call("run", path, stdin=b"9\nw\n").out == "9 100\n"
    found = call("run", path, stdin=b"8\n")
    assert (found.code, found.out) == (1, "")
    assert "no 8" in found.err
    assert call("run", path, "--set", "n=7", stdin=b"7\nc\n").code == 2


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("from: 3, to: 9, step: 2, default: 5", "from: 3, to: 9, step: 2, default: 6",
         ["not-allowed-value"]),
        ("from: 3, to: 9, step: 2, default: 5", "from: 3, to: 9, default: 10",
         ["not-allowed-value"]),
        ("from: 3, to: 9, step: 2, default: 5", "from: 9, to: 3, default: 5", ["bad-range"]),
        ("from: 3, to: 9, step: 2, default: 5", "to: 9, step: 2, default: 5", ["bad-range"]),
        ("from: 3, to: 9, step: 2, default: 5", "from: 3, to: 9, step: 0, default: 5",
         ["not-allowed-value"]),
        ("from: 3, to: 9, step: 2, default: 5", "from: 3, to: 9", ["missing-key"]),
        ("[1, 3], default: 3", "[1, 3], default: 2", ["not-allowed-value"]),
        ("[1, 3], default: 3", "[1, wild], default: 1", ["bad-range"]),
        ("[1, 3], default: 3", "[1, 1], default: 1", ["bad-range"]),
        ("[1, 3], default: 3", "[], default: 1", ["wrong-count"]),
        ("[1, 3], default: 3", "[1, 3], from: 1, default: 1", ["misplaced-key"]),
        ("type: flag, default: true", "type: flag, to: 1, default: true", ["misplaced-key"]),
        ("type: flag, default: true", "type: flag, default: 1", ["wrong-type"]),
        ("  first:", "  seed:", ["name-taken"]),
        ("  first:", "  transforms:", ["name-taken"]),
        ("  first:", "  left:", ["name-taken"]),
    ],
)  # fmt: skip
def test_a_parameter_that_cannot_be_is_reported(old: str, new: str, codes: list[str]) -> None:
    assert old in SPEC
    findings = analyse(Source("parameters.yaml", SPEC.replace(old, new))).findings
    found = [f.code for f in findings if f.severity == "error" and f.code != "unknown-name"]
    assert found[: len(codes)] == codes


def test_an_open_range_reaches_as_far_as_numbers_do() -> None:
    text = SPEC.replace("from: -4, to: 4, default: -1", "default: -1")
    text = text.replace("low: {type: integer", "low: {type: integer, from: -9223372036854775808")
    loaded = load_source(Source("parameters.yaml", text), low=-(2**63))
    assert loaded.parameters["low"] == -(2**63)
    with pytest.raises(UsageError):
        loaded.bind(low=2**63)


def test_a_game_that_was_bound_before_is_that_game() -> None:
    loaded = game()
    small = loaded.bind(n=3)
    assert loaded.bind(n="3") is small
    assert loaded.bind(n=5, mood="calm") is loaded
    assert small.parameters == {**loaded.parameters, "n": 3}
    assert loaded.bind(mood="wild") is not small


def test_only_the_last_games_that_were_bound_are_kept() -> None:
    loaded = game()
    bound = [loaded.bind(low=low, level=level) for low in range(-4, 5) for level in (1, 3)]
    assert loaded.bind(low=4, level=1) is bound[-2]
    assert loaded.bind(low=-4, level=1) is not bound[0]
