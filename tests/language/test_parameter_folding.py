"""Conditions on parameters are decided when a spec is lowered: kernels contain no trace of them."""

import io
from typing import Any

import pytest

from rulesengine.game import Game
from rulesengine.language.ir.rules import Group
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source

SPEC = """\
spec: 1
name: Folded
parameters:
  takes: {{type: flag, default: false}}
  mood: {{choices: [calm, wild], default: calm}}
board: {{rows: 3, columns: 3}}
players: [black, white]
pieces: {{disc: {{black: x, white: o}}, empty: "."}}
rules:
  moves:
    place: disc
    to: empty
    when: {when}
    do: {do}
  end: {{when: none(empty), result: draw}}
"""


def load_group(when: str, do: str, **parameters: Any) -> Group:
    game: Game = load_source(Source("folded.yaml", SPEC.format(when=when, do=do)), **parameters)
    ((group,),) = game.program.rules.tiers
    return group


@pytest.mark.parametrize(
    ("parameters", "folded"),
    [
        ({"takes": True}, "remove enemy touching to"),
        ({"takes": False}, "remove own"),
    ],
)
def test_an_effect_with_a_constant_condition_is_its_branch(
    parameters: dict[str, Any], folded: str
) -> None:
    choice = "if takes then remove enemy touching to else remove own"
    effects = load_group("true", choice, **parameters).effects
    assert effects == load_group("true", folded, **parameters).effects


def test_an_effect_that_never_happens_is_left_out() -> None:
    effects = load_group("true", "[if takes then remove own, remove enemy]", takes=False).effects
    assert effects == load_group("true", "remove enemy").effects
    assert len(effects) == 1


@pytest.mark.parametrize(("mood", "folded"), [("calm", "any(own)"), ("wild", "none(own)")])
def test_a_comparison_of_texts_is_decided(mood: str, folded: str) -> None:
    when = 'if mood = "calm" then any(own) else none(own)'
    assert load_group(when, "[]", mood=mood).when == load_group(folded, "[]").when


def test_an_effect_of_a_script_that_never_happens_does_nothing() -> None:
    script = "io: |\n  if takes then put disc of black on a1\n  print board\n"
    spec = SPEC.format(when="true", do="remove enemy") + script
    game: Game = load_source(Source("folded.yaml", spec), takes=False)
    target = io.BytesIO()
    run(game, io.BytesIO(), target)
    assert target.getvalue() == b"...\n...\n...\n"
