"""Analyses on request: each runs once, and optional ones may be removed."""

from typing import Any

import pytest

from rulesengine import load
from rulesengine.engine.kernel import emission
from rulesengine.engine.kernel.analysis.manager import AnalysisManager, OptionalAnalysis
from rulesengine.engine.kernel.analysis.optional_results import (
    Components,
    LivePieces,
    SafeMoves,
    Symmetries,
)
from rulesengine.engine.kernel.passes.optional_analyses import OPTIONAL_ANALYSES
from rulesengine.language.ir.program import Program

PLUGINS = (LivePieces, Components, SafeMoves)


def test_an_analysis_runs_once_and_on_the_first_request() -> None:
    seen: list[Program] = []

    def cells(program: Program) -> int:
        seen.append(program)
        return program.topology.cells

    program = load("tic-tac-toe", engine="interpreter").program
    manager = AnalysisManager(program, [OptionalAnalysis(int, cells, ())])
    assert seen == []
    assert (manager.get(cells), manager.get(cells), manager.optional(int)) == (9, 9, 9)
    assert seen == [program]


def test_an_optional_analysis_without_a_row_yields_none() -> None:
    manager = AnalysisManager(load("clobber", engine="interpreter").program)
    assert [manager.optional(result) for result in (*PLUGINS, Symmetries)] == [None] * 4


def test_each_optional_analysis_has_a_row_of_its_own() -> None:
    results = [row.result for row in OPTIONAL_ANALYSES]
    assert len(set(results)) == len(results)
    assert set(PLUGINS) <= set(results)


@pytest.mark.parametrize("result", PLUGINS)
@pytest.mark.parametrize("name", ["clobber", "domineering"])
def test_kernels_are_emitted_without_a_plug_in(
    monkeypatch: pytest.MonkeyPatch, name: str, result: type[Any]
) -> None:
    machine = load(name, engine="interpreter").machine
    whole = emission.emitted(machine, "solving")
    rows = [row for row in OPTIONAL_ANALYSES if row.result is not result]
    monkeypatch.setattr(emission, "OPTIONAL_ANALYSES", rows)
    rest = emission.emitted(machine, "solving")
    applies = AnalysisManager(machine.program, OPTIONAL_ANALYSES).optional(result) is not None
    assert (count(rest) < count(whole)) == applies
    assert (count(rest) == count(whole)) != applies


def count(module: Any) -> int:
    """Return the number of characters of the module's code."""
    return sum(len(repr(function)) for function in module.functions.values())
