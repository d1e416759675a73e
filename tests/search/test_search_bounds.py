"""Bounds of the values of moves in `search --json`, against plain negamax."""

from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import State
from rulesengine.engine.drivers.search import layout
from rulesengine.engine.drivers.search.result import WIN
from tests.helpers.cli_calls import call
from tests.search.test_search import Plain
from tests.search.test_solve_distance import random_position

SMALL: dict[str, Any] = {"n": 4}
DEPTH = 3


def exact(number: int) -> int:
    """Return a value of plain negamax as the command prints it."""
    if abs(number) < layout.CERTAIN:
        return number
    return number + (WIN - layout.WON if number > 0 else layout.WON - WIN)


@pytest.mark.usefixtures("in_haste")
def test_values_are_exact_or_marked_as_upper_bounds(tmp_path: Path) -> None:
    """Each move of some positions: the mark `at_most`, and the value of plain negamax."""
    game = rulesengine.load("othello", engine="interpreter", **SMALL)
    words = [f"--set={name}={number}" for name, number in SMALL.items()]
    bounds = values = loose = 0

    def plain(state: State, move: str) -> int:
        after = game.apply(state, move)
        return exact(Plain(game, state).value(after, DEPTH - 1, 1))

    states = (random_position(game, seed, 3) for seed in range(5))
    for state in filter(None, states):
        file = tmp_path / "position"
        file.write_text(str(state))
        found = call(
            *("search", "othello", *words, "--position", str(file)),
            *("--plies", str(DEPTH), "--engine", "interpreter", "--json"),
        ).json()
        numbers = {row["move"]: plain(state, row["move"]) for row in found["moves"]}
        assert found["value"] == max(numbers.values())
        assert not found["moves"][0]["at_most"]
        for row in found["moves"]:
            number = numbers[row["move"]]
            if row["at_most"]:
                assert number <= row["value"]
                bounds, loose = bounds + 1, loose + (number < row["value"])
            else:
                assert number == row["value"]
                values += 1
    assert values > 4
    assert bounds > 4
    assert loose > 0
