"""The cases of `tests/deep.txt`: sorted, and of tests that exist."""

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
