"""Formats of a variant: inherited keys that do not fit are left out, own mistakes are reported."""

import pytest

from rulesengine import SpecError
from rulesengine.formats.options import option
from rulesengine.loading import load_source
from rulesengine.support.source import Source

# The parent names a parameter, a group of moves and registers that the variant does not have.
VARIANT = """
spec: 1
name: Variant
extends: {parent}
{changes}
"""
SMALL = """
parameters: null
board: {rows: 7, columns: 9}
start: [put disc of white on d3 or e4, put disc of black on e3 or d4]
define: null
"""


def test_key_that_names_a_missing_parameter_is_left_out() -> None:
    game = load_source(Source("variant.yaml", VARIANT.format(parent="othello", changes=SMALL)))
    assert option(game.program, "gtp", "size", None) is None
    assert game.state_from(game.export()) == game.initial_state()


def test_own_mistake_is_reported() -> None:
    text = VARIANT.format(parent="othello", changes=SMALL + "formats: {gtp: {size: n}}\n")
    with pytest.raises(SpecError, match="no parameter `n`"):
        load_source(Source("variant.yaml", text))
