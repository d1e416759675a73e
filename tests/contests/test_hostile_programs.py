"""A folder of hostile programs: each gets its verdict, and none leaves a process or a file."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulesengine.contests.judge import (
    Case,
    CaseLimits,
    Contestant,
    Expected,
    Result,
    contestants_in,
    judge,
)
from rulesengine.sandbox import Programs
from tests.helpers.hostile_programs import PROGRAMS, START
from tests.helpers.processes import COMMAND, ROOT, are_running
from tests.helpers.script_runs import text_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descendants are known on Linux")

LETTERS = {"presentation": "P", "wrong": "W", "time": "T", "memory": "M", "crash": "C"}
BOUNDS = CaseLimits(seconds=0.5, memory=2**26)
BRIEF = CaseLimits(seconds=0.2, memory=2**26)
CASE = (Case("secret", b"x\n"), Expected("secret\n"))
THREADS = 6
# These end the supervisors of all programs where there are no namespaces.
ALONE = ("stops_both", "kills_both")


@pytest.fixture(scope="module", params=["namespace", "subreaper"])
def programs(request: pytest.FixtureRequest) -> Iterator[Programs]:
    with Programs(namespaces=request.param == "namespace") as starter:
        if starter.confinement().kind != request.param:
            pytest.skip(str(starter.confinement()))
        yield starter


@pytest.mark.slow
def test_hostile_programs_get_their_verdicts_and_leave_no_process(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, temporary = tmp_path / "programs", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    for folder in (tmp_path, place):
        (folder / "secret.ans").write_text("secret\n")
    for name, (text, *_) in PROGRAMS.items():
        (place / f"{name}.py").write_text(START + text)
    monkeypatch.chdir(place)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    contestants = [
        one for one in contestants_in(str(place), programs, tmp_path) if one.name.endswith(".py")
    ]

    def run(contestant: Contestant) -> Result:
        (result,) = judge(programs, contestant, [CASE], BOUNDS)
        return result

    together = [one for one in contestants if Path(one.name).stem not in ALONE]
    alone = [one for one in contestants if one not in together]
    with ThreadPoolExecutor(THREADS) as pool:
        results = dict(zip(together, pool.map(run, together), strict=True))
    results |= {one: run(one) for one in alone}
    assert len(results) == len(PROGRAMS) >= 30
    column = 1 + (programs.confinement().kind == "subreaper")
    for contestant, result in results.items():
        name = Path(contestant.name).stem
        assert LETTERS[result.verdict] in PROGRAMS[name][column], result
        assert result.note.isprintable()
    assert not any(temporary.iterdir())
    assert not are_running(str(place))
    assert programs.run("cat", b"next").output == b"next"


@pytest.mark.slow
@pytest.mark.first
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.deep)])
def test_the_command_ends_within_the_sum_of_the_limits_and_leaves_no_process(
    every: int, tmp_path: Path
) -> None:
    place, spec = tmp_path / "programs", tmp_path / "spec.yaml"
    place.mkdir()
    names = [*PROGRAMS][::every]
    for name in names:
        (place / f"{name}.py").write_text(START + PROGRAMS[name][0])
    (tmp_path / "case.in").write_bytes(CASE[0].input)
    (tmp_path / "case.ans").write_text(CASE[1].text)
    spec.write_text(text_of('read word w\nprint "secret"'))
    command = (
        *(*COMMAND, "judge", str(spec), "--cases", str(tmp_path), "--programs", str(place)),
        *("--seconds", str(BRIEF.seconds), "--memory", "64"),
    )
    wall = BRIEF.limits.wall
    assert wall is not None
    # Expires, as an error, after the sum of the limits.
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=wall * len(names),
        env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    rows = [line for line in done.stdout.splitlines() if ".py" in line]
    assert {row.split(".py")[0].split()[-1] for row in rows} == {*names}
    assert "\x1b" not in done.stdout
    assert not are_running(str(place))


def test_control_sequences_of_errors_do_not_reach_the_report(
    programs: Programs, tmp_path: Path
) -> None:
    (tmp_path / "escapes.py").write_text(START + PROGRAMS["escape_sequences"][0])
    (contestant,) = contestants_in(str(tmp_path), programs, tmp_path)
    (result,) = judge(programs, contestant, [CASE], BOUNDS)
    assert result.note == "exit code 3: bad\ufffd\ufffd?worse"
