"""The rules of a one-player game in English: no opponent is mentioned."""

import re

import pytest

from rulesengine.loading import load_source
from rulesengine.prose import rules_page
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: Alone
board: {rows: 3, columns: 3}
players: [solver]
pieces: {stone: {solver: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  turn: if plies > 3 then next(player) else player
  score: count(own)
  end:
"""


def page(ends: str) -> str:
    """Return the rules with these ends, on one line each."""
    page_text = rules_page(load_source(Source("alone.yaml", SPEC + ends)))
    return " ".join(page_text.split())


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        (
            "{when: not can_move(mover), reason: stuck, payoffs: 9 - count(own)}",
            "ends (“stuck”) if you have no legal move. You get 9 minus the number of your stones.",
        ),
        (
            "{when: none(empty), reason: full, result: highest score wins}",
            "ends (“full”) if there is no empty cell. Your score is your result.",
        ),
        (
            "{when: any(own and top), reason: there, result: mover wins}",
            "You win (“there”) if one of your",
        ),
        (
            "{when: position_repeats > 0, reason: again, result: solver loses}",
            "You lose (“again”) if the same position has occurred before.",
        ),
    ],
)
def test_the_only_player_is_you(end: str, sentence: str) -> None:
    text = page(f"    - {end}\n    - {{when: none(empty), result: draw}}\n")
    assert sentence in text
    assert "One player: solver. " in text
    assert not re.search("each player|who gets|moves first|turns|the player to move|next", text)
