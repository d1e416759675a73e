"""Judged programs of every kind get the right verdict, with the specs of four games."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import which

import pytest

import rulesengine
from rulesengine.contests.judge import (
    Case,
    CaseLimits,
    Expected,
    contestants_in,
    expectation,
    generate_malformed,
    judge,
)
from rulesengine.contests.judge import generate as from_spec
from rulesengine.sandbox import Programs
from tests.helpers.judged_programs import FOUR, INPUTS, ORACLES, Program, programs
from tests.oracles.programs import transcripts
from tests.oracles.random_input import generate

PROGRAMS = {program.name: program for program in programs()}
BOUNDS = CaseLimits(seconds=2.0, memory=2**27)
SEEDS = range(14)
NO_COMPILER = pytest.mark.skipif(which("gcc") is None, reason="there is no gcc")
SAMPLE = (
    "bio04.py", "bio04-other-pieces.py", "blanks.py", "exception.py", "hoard.py", "c-loop.c",
    "c-no-program.c",
)  # fmt: skip


def marked(names: tuple[str, ...]) -> list[object]:
    return [pytest.param(n, marks=[NO_COMPILER] * n.endswith(".c")) for n in names]


@pytest.fixture(scope="module")
def starter() -> Iterator[Programs]:
    with Programs() as made:
        yield made


@cache
def cases(game: str, limit: int) -> list[tuple[Case, Expected]]:
    """Return runs of the documents, inputs for some programs and random input; for strategy 1."""
    values = {"strategy": 1} if "bio97" in game else {}
    spec = rulesengine.load(game, engine="interpreter").bind(**values)
    shown = [run.input for run in transcripts() if run.spec == game and run.parameters == values]
    made = (generate(game, seed) for seed in SEEDS)
    inputs = [
        *INPUTS.get(game, ()),
        *shown,
        *(data for parameters, data in made if parameters in (values, {})),
    ]
    given = [Case(str(number), data) for number, data in enumerate(inputs[:limit])]
    return [(case, expectation(spec, case)) for case in given]


def verdicts(program: Program, starter: Programs, folder: Path, limit: int) -> set[str]:
    """Return the verdicts other than `right` that a program earns."""
    source = folder / program.name
    source.write_text(program.text)
    (contestant,) = contestants_in(str(folder), starter, folder)
    found = judge(starter, contestant, cases(program.game, limit), BOUNDS)
    return {str(each.verdict) for each in found} - {"right"}


@pytest.mark.parametrize("name", marked(SAMPLE))
def test_a_program_gets_its_verdict(name: str, starter: Programs, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    assert verdicts(program, starter, tmp_path, 1) == program.verdicts


@pytest.mark.deep
@pytest.mark.parametrize("name", marked(tuple(PROGRAMS)))
def test_every_program_gets_its_verdicts(name: str, starter: Programs, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    slow = program.verdicts & {"time", "memory"} or program.name in ("children.py", "flood.py")
    found = verdicts(program, starter, tmp_path, 1 if slow else 100)
    assert found == program.verdicts


@pytest.mark.deep
@pytest.mark.parametrize("game", ["acm92-othello", FOUR, "bio97-othello"])
def test_cases_made_of_the_spec_alone_find_every_mutant(
    game: str, starter: Programs, tmp_path: Path
) -> None:
    values = {"strategy": 1} if "bio97" in game else {}
    spec = rulesengine.load(game, engine="interpreter").bind(**values)
    given = [*from_spec(spec, 25, 3).cases, *generate_malformed(spec, 25, 3)]
    made = [(case, expectation(spec, case)) for case in given]
    for program in programs():
        if program.game == game and program.name.startswith(ORACLES[game]):
            (tmp_path / program.name).write_text(program.text)
    for contestant in contestants_in(str(tmp_path), starter, tmp_path):
        found = {each.verdict for each in judge(starter, contestant, made, BOUNDS)}
        assert (found == {"right"}) == (contestant.name == f"{ORACLES[game]}.py"), contestant.name


def test_there_are_sixty_programs_for_all_four_games() -> None:
    assert len(PROGRAMS) >= 60
    assert len({program.game for program in PROGRAMS.values()}) == 4
    assert {v for program in PROGRAMS.values() for v in program.verdicts} == {
        "presentation", "wrong", "time", "memory", "crash",
    }  # fmt: skip
    assert FOUR in {program.game for program in PROGRAMS.values() if not program.verdicts}
