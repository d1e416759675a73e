"""A program run on cases: a verdict for each, and what there is to say about it."""

from collections.abc import Iterator, Sequence
from typing import Literal

from rulesengine.contests.judge.cases import FAILED, Case, Expected, decoded
from rulesengine.contests.judge.comparison import Difference, compare
from rulesengine.sandbox import Ending, Limits, ProgramError, Programs, Ran
from rulesengine.support.frozen import record

Verdict = Literal["right", "presentation", "wrong", "time", "memory", "crash"]
_ERRORS_SHOWN = 200
_PROCESSES = 32


@record
class Bounds:
    """What a program may use for a case: processor seconds, twice as many of the clock and some.

    `memory` is in bytes.
    """

    seconds: float = 2.0
    memory: int = 2**28

    @property
    def limits(self) -> Limits:
        return Limits(
            cpu=self.seconds,
            wall=2 * self.seconds + 1,
            memory=self.memory,
            processes=_PROCESSES,
        )


@record
class Result:
    """What became of a case. `note` says it in words, `difference` where the output is not right.

    `seconds` are of the processor; `memory` is in bytes. Of a game `points` are those of the
    program: 1, 0.5 or 0.
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
    """A program by a name; `problem` is why it cannot be run, where that is known already.

    `source` is the file that it was made of, where it is one.
    """

    name: str
    command: tuple[str, ...]
    folder: str | None = None
    problem: str = ""
    source: str = ""


def judge(
    programs: Programs,
    contestant: Contestant,
    cases: Sequence[tuple[Case, Expected]],
    bounds: Bounds,
) -> Iterator[Result]:
    """A result for each case in order. What cannot be run crashes on all of them."""
    for case, expected in cases:
        try:
            if contestant.problem:
                raise ProgramError(contestant.problem)
            ran = programs.run(
                contestant.command, case.input, bounds.limits, folder=contestant.folder
            )
        except ProgramError as error:
            yield Result(case.name, "crash", str(error), 0.0, 0)
        else:
            yield result(case.name, expected, ran, bounds)


def result(case: str, expected: Expected, ran: Ran, bounds: Bounds) -> Result:
    """The verdict of what a program did: limits first, then how it ended, then what it printed."""
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


def of_limits(ending: Ending, bounds: Bounds) -> tuple[Verdict | None, str]:
    """What a limit that was broken comes to; those of time and memory are asked once more."""
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


def _errors(ran: Ran) -> str:
    """The end of what a program said on standard error, where one looks first."""
    lines = ran.errors.decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return f": {said[-1][:_ERRORS_SHOWN]}" if said else ""
