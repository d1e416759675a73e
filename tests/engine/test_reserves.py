"""Pieces in hand count in the evaluation; their registers are found by the rules alone."""

import pytest

import rulesengine
from rulesengine.engine.evaluation.reserves import reserves


def test_registers_of_pieces_in_hand_are_found_by_the_moves_that_they_allow() -> None:
    game = rulesengine.load("minishogi")
    kinds = game.program.rules.kinds
    found = {name: kinds[kind].name for name, kind in reserves(game.machine)}
    assert found == {
        f"hand of {name}": name for name in ("gold", "silver", "bishop", "rook", "pawn")
    }


@pytest.mark.parametrize("name", ["chess", "nine-mens-morris"])
def test_other_registers_are_no_pieces_in_hand(name: str) -> None:
    assert not list(reserves(rulesengine.load(name).machine))
