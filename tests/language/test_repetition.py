"""Bans on repetition that cannot hold: rules without them have the same moves."""

import random
import sys

import pytest

from rulesengine import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: Repetition
board: {{rows: 3, columns: 3}}
players: [one, two]
pieces: {{man: {{one: x, two: o}}, empty: "."}}
rules:
  moves: {moves}
  {more}
  end: {{when: plies >= 12, result: draw}}
"""
BANNED = "forbid: board_repeats > 0 or position_repeats > 0 or position_age > 1"
PLACE = f"{{place: man, to: empty, {BANNED}}}"
# Moves and further rules without a position that occurs again after a placement.
NEVER = (
    (f"[{PLACE}, pass]", ""),
    (f"{{place: man, to: 'empty where column(it) > 1 or none(own)', {BANNED}}}", ""),
    (f"[{{place: man, to: empty, do: flip enemy touching to, {BANNED}}}, otherwise, pass]", ""),
    (f"[{PLACE}, {{move: own, to: neighbours(from) and empty}}]", ""),
    (f"[{PLACE}, {{select: own}}]", "do: flip enemy and corners"),
)
# Those where a piece can leave the board, or where the ban is not one of placements.
POSSIBLE = (
    (f"[{{place: man, to: empty, do: remove enemy touching to, {BANNED}}}, pass]", ""),
    (f"[{PLACE}, {{move: own, to: neighbours(from) and (empty or enemy)}}]", ""),
    (f"[{PLACE}, pass]", "do: remove own and corners"),
    (f"[{{place: man, to: empty or enemy, {BANNED}}}, pass]", ""),
    (f"[{{place: man, to: empty}}, {{move: own, to: neighbours(from) and empty, {BANNED}}}]", ""),
)


def game(moves: str, more: str) -> Game:
    text = SPEC.format(moves=moves, more=more)
    return load_source(Source("repetition.yaml", text), engine="interpreter")


@pytest.mark.parametrize(("moves", "more"), NEVER)
def test_a_ban_on_repetition_is_dropped_where_pieces_only_come(
    moves: str, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = game(moves, more)
    assert not found.program.keeps_history
    module = sys.modules["rulesengine.language.lower.lower"]
    monkeypatch.setattr(module, "without_vain_repetition", lambda rules, board: rules)
    right = game(moves, more)
    assert right.program.keeps_history
    assert has_same_moves(found, right)


@pytest.mark.parametrize(("moves", "more"), POSSIBLE)
def test_a_ban_that_can_hold_remains(moves: str, more: str) -> None:
    assert game(moves, more).program.keeps_history


def has_same_moves(one: Game, other: Game) -> bool:
    """Return whether two games have the same moves in all positions of some random games."""
    for seed in range(12):
        draw, states = random.Random(seed), (one.initial_state(), other.initial_state())
        while moves := one.legal_moves(states[0]):
            if moves != other.legal_moves(states[1]):
                return False
            move = draw.choice(moves)
            states = one.apply(states[0], move), other.apply(states[1], move)
    return True
