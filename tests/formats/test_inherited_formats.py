"""Formats of a variant: inherited keys that do not fit are left out, own mistakes are reported."""

import re

import pytest

from rulesengine import SpecError
from rulesengine.formats.options import option
from rulesengine.loading import load_source
from rulesengine.play.records import rules_hash
from rulesengine.support.resources import bundled_path
from rulesengine.support.source import Source
from tests.helpers.lone_specs import game_of

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


@pytest.mark.parametrize("name", ["chess", "othello"])
def test_order_of_formats_and_of_their_keys_has_no_meaning(name: str) -> None:
    text = bundled_path(name).read_text(encoding="utf-8")
    section = re.search(r"(?m)^formats:\n((?:[ #].*\n)+)", text)
    assert section is not None
    rows = [row for row in re.split(r"(?m)^(?=  \S)", section[1]) if row]
    game, other = game_of(text), game_of(text.replace(section[1], "".join(reversed(rows))))
    assert len(rows) > 4
    formats = [
        [(row.name, [key for key, _ in row.options]) for row in each.program.rules.formats]
        for each in (game, other)
    ]
    assert formats[0] == formats[1]
    assert rules_hash(other) == rules_hash(game)


def test_order_of_the_keys_of_a_format_has_no_meaning() -> None:
    text = bundled_path("othello").read_text(encoding="utf-8")
    keys = ('joined: true, passes: ["--", ps, pa]', 'passes: ["--", ps, pa], joined: true')
    assert keys[0] in text
    assert game_of(text.replace(*keys)).program == game_of(text).program
