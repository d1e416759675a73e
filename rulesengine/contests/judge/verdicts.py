"""Runs of a program on test cases, with a verdict and a note for each."""

from collections.abc import Iterator, Sequence
from typing import Literal

from rulesengine.contests.judge.cases import FAILED, Case, Expected, decoded
from rulesengine.contests.judge.comparison import Difference, compare
from rulesengine.sandbox import (
    ExitReason,
    Limits,
    ProgramError,
    Programs,
    RunResult,
    work_folder,
)
from rulesengine.support.frozen import record
from rulesengine.support.printable import printable

Verdict = Literal["right", "presentation", "wrong", "time", "memory", "crash"]
_ERRORS_SHOWN = 200
_PROCESSES = 32


@record
class CaseLimits:
    """Limits of a program per case: `seconds` of CPU time, and `memory` in bytes.

    The wall time is limited too, for programs that wait forever. It is five times the CPU time plus
    one second, so a loaded machine does not change a verdict.
    """

    seconds: float = 2.0
    memory: int = 2**28

    @property
    def limits(self) -> Limits:
        return Limits(
            cpu=self.seconds,
            wall=5 * self.seconds + 1,
            memory=self.memory,
            processes=_PROCESSES,
        )


@record
class Result:
    """The result of a case. `note` explains it, `difference` is set if the output is not right.

    `seconds` is CPU time; `memory` is in bytes. For a game `points` are those of the program: 1 for
    a win, 0.5 for a draw, 0 for a loss.
    """

    case: str
    verdict: Verdict
    note: str
    seconds: float
    memory: int
    difference: Difference | None = None
    points: float | None = None


@record
class Contestant:
    """A named program; `problem` explains why it cannot run, if that is known in advance.

    `source` is its source file, if any.
    """

    name: str
    command: tuple[str, ...]
    problem: str = ""
    source: str = ""


def judge(
    programs: Programs,
    contestant: Contestant,
    cases: Sequence[tuple[Case, Expected]],
    bounds: CaseLimits,
) -> Iterator[Result]:
    """Yield a result for each case in order; a program that cannot run crashes on all of them.

    Each run has an empty folder of its own.
    """
    for case, expected in cases:
        try:
            if contestant.problem:
                raise ProgramError(contestant.problem)
            with work_folder() as folder:
                ran = programs.run(contestant.command, case.input, bounds.limits, folder=folder)
        except ProgramError as error:
            yield Result(case.name, "crash", str(error), 0.0, 0)
        else:
            yield result(case.name, expected, ran, bounds)


def result(case: str, expected: Expected, ran: RunResult, bounds: CaseLimits) -> Result:
    """Return the verdict of a run: limits first, then the exit code, then the output."""
    ending, difference = ran.ending, None
    verdict, note = of_limits(ending, bounds)
    if not verdict and ending.exit not in (0, FAILED if expected.error else 0):
        verdict, note = "crash", f"{ending}{_errors(ran)}"
    if not verdict:
        same, difference = compare(expected, decoded(ran.output))
        verdict = "right" if not difference else "presentation" if same else "wrong"
        note = str(difference or "")
    if verdict == "right" and ending.exit != expected.exit:
        verdict, note = "wrong", f"exit code {ending.exit}, expected {expected.exit}"
    return Result(case, verdict, note, ending.cpu, ending.memory, difference)


def of_limits(ending: ExitReason, bounds: CaseLimits) -> tuple[Verdict | None, str]:
    """Return the verdict of a broken limit, or None; time and memory are checked once more."""
    match ending.limit:
        case "output":
            return "wrong", str(ending)
        case "processes" | "stopped" | "lost":
            return "crash", str(ending)
    if ending.limit == "memory" or ending.memory > bounds.memory:
        return "memory", f"{ending.memory // 2**20} MB, at most {bounds.memory // 2**20}"
    if ending.limit == "wall":
        return "time", f"{ending.wall:.1f} s of the clock"
    if ending.limit == "cpu" or ending.cpu > bounds.seconds:
        return "time", f"more than {bounds.seconds:g} s"
    return None, ""


def _errors(ran: RunResult) -> str:
    """Return the last line of standard error, for a note."""
    lines = ran.errors.decode("utf-8", "replace").split("\n")
    printed = [line.strip() for line in lines if line.strip()]
    return f": {printable(printed[-1])[:_ERRORS_SHOWN]}" if printed else ""
