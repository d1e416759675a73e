"""The page on batches: its examples run, and the network that it shows learns."""

import doctest
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from rulesengine import load
from rulesengine.engine.kernel.backends.registry import working

pytestmark = pytest.mark.usefixtures("in_haste")

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
def test_the_examples_run() -> None:
    done = doctest.testfile(str(DOCS / "batches.md"), module_relative=False)
    assert done.attempted > 15
    assert not done.failed


def learning() -> Any:
    spec = spec_from_file_location("learning", DOCS / "learning.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_small_network_learns_to_beat_random_play() -> None:
    example, game = learning(), load("tic-tac-toe", engine=working()[0].name)
    untaught = example.against_random(game, example.learned(game, 0))
    taught = example.against_random(game, example.learned(game, 400))
    # The mean of 512 games of one point each is within 0.15 of its expectation. The two means
    # therefore do not differ this much by chance.
    assert taught > untaught + 0.3
