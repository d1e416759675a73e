"""Parts of a game that have an engine of their own."""

import re

import pytest

import rulesengine
from rulesengine import UsageError

PARTS = "singles, perft, playouts, strategy 1, strategy 2"


@pytest.mark.parametrize("name", ["", "playout", "strategy nobody", "choose 0"])
@pytest.mark.parametrize("method", ["engines", "kernel_kinds"])
def test_an_unknown_part_is_refused(method: str, name: str) -> None:
    game = rulesengine.load("bio97-othello", engine="interpreter")
    with pytest.raises(UsageError, match=re.escape(f"no part `{name}`: there is {PARTS}")):
        getattr(game, method)("singles", name)


def test_the_engines_of_chosen_parts_are_given() -> None:
    game = rulesengine.load("bio97-othello", engine="interpreter")
    assert game.engines("perft") == {"perft": "interpreter"}
