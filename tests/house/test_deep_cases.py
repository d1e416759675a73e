"""The cases of `tests/deep.txt`: sorted, and of tests that exist."""

import subprocess
import sys

import pytest

from tests.helpers.modules import ROOT

LINES = [
    line
    for line in (ROOT / "tests/deep.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def test_each_case_is_one_of_a_test_that_exists() -> None:
    assert sorted(set(LINES)) == LINES
    for line in LINES:
        path, _, case = line.partition("::")
        name = case.partition("[")[0]
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), line


@pytest.mark.deep
def test_each_case_is_collected() -> None:
    paths = sorted({line.partition("::")[0] for line in LINES})
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "deep", *paths]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(LINES) <= set(done.stdout.splitlines())
