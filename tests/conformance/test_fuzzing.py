"""Fuzzed specs: a small seeded run of `python -m tests.helpers.fuzz_specs`."""

import re

import pytest

from rulesengine.errors import UsageError
from rulesengine.language.document import parse
from rulesengine.support.files import decode_source
from rulesengine.support.source import Source
from tests.helpers import fuzz_specs
from tests.helpers.fuzz_specs import judge, make

SEED = 4
EACH = 25


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=pytest.mark.slow if first < EACH else pytest.mark.deep)
        for first in range(0, 2_000, EACH)
    ],
)
def test_no_broken_spec_breaks_the_check(first: int) -> None:
    found = [(index, judge(make(SEED, index))[0]) for index in range(first, first + EACH)]
    assert [(index, problem) for index, problem in found if problem] == []


def test_a_broken_spec_is_the_same_every_time() -> None:
    assert [make(1, i) for i in range(20)] == [make(1, i) for i in range(20)]
    assert make(1, 3) != make(2, 3)


@pytest.mark.slow
def test_half_of_the_broken_specs_are_bytes_and_half_are_words() -> None:
    specs = [make(5, i) for i in range(200)]
    readable = [_is_document(spec) for spec in specs]
    assert sum(readable[1::2]) > sum(readable[::2])
    assert len({*specs}) > 190


def test_an_exception_and_much_work_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(source: Source) -> tuple[()]:
        raise IndexError("out of range")

    monkeypatch.setattr(fuzz_specs, "findings", fails)
    assert judge(b"spec: 1")[0][0].startswith("IndexError at fails in test_fuzzing.py:")
    monkeypatch.setattr(fuzz_specs, "findings", lambda source: ())
    assert judge(b"spec: 1")[0] == []
    monkeypatch.setattr(fuzz_specs, "CALLS", 10_000)
    monkeypatch.setattr(fuzz_specs, "findings", lambda source: [len("") for _ in range(10_000)][:0])
    assert re.fullmatch(r"100\d\d calls", judge(b"spec: 1")[0][0])


def _is_document(data: bytes) -> bool:
    try:
        return parse(decode_source(data, "fuzz.yaml"))[1] == []
    except UsageError:
        return False
