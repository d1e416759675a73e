"""Frozen specs of earlier versions: they load for ever, with the same meaning."""

import json
from typing import Any

import pytest

from rulesengine import load
from rulesengine.language.pipeline import analyse
from rulesengine.loading import open_spec
from tests.helpers.freeze import FROZEN, record

SPECS = sorted(FROZEN.glob("*/*.yaml"))

each_spec = pytest.mark.parametrize("path", SPECS, ids=lambda path: str(path.stem))


def test_there_are_frozen_specs_and_each_has_its_record() -> None:
    assert len(SPECS) >= 21
    records = sorted(path.with_suffix("") for path in FROZEN.glob("*/*.json"))
    assert [path.with_suffix("") for path in SPECS] == records


@pytest.mark.slow
@each_spec
def test_frozen_spec_keeps_its_meaning(path: Any) -> None:
    stored = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(record(load(path)))) == stored


@each_spec
def test_a_frozen_spec_says_its_version_and_has_no_errors(path: Any) -> None:
    assert f"\nspec: {path.parent.name}\n" in path.read_text(encoding="utf-8")
    assert [f for f in analyse(open_spec(path)).findings if f.severity == "error"] == []
