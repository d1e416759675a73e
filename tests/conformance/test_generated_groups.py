"""Bans, captures, ends and keys that read groups: kernels play as the interpreter does."""

import pytest

from tests.helpers.compare_generated import results
from tests.helpers.group_specs import group_spec


@pytest.mark.parametrize(
    "seed",
    [
        *(pytest.param(seed, marks=pytest.mark.slow) for seed in (4, 9)),
        *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1000, 1300)),
    ],
)
def test_random_groups_are_those_of_the_interpreter(seed: int) -> None:
    text = group_spec(seed)
    assert results(text, seed, "python") == results(text, seed, "interpreter")


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1300, 1330))
def test_machine_code_plays_random_groups(seed: int) -> None:
    pytest.importorskip("llvmlite")
    text = group_spec(seed)
    assert results(text, seed, "native") == results(text, seed, "interpreter")
