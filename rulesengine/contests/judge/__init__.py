"""Programs that speak a spec's own input and output, judged on cases and in games."""

from rulesengine.contests.judge.cases import (
    Case,
    Expected,
    expectation,
    read_cases,
    write_cases,
)
from rulesengine.contests.judge.comparing import Difference, compare
from rulesengine.contests.judge.contestants import contestant_of, contestants_in
from rulesengine.contests.judge.generating import generate
from rulesengine.contests.judge.judging import Bounds, Contestant, Result, Verdict, judge, result
from rulesengine.contests.judge.package import write_package
from rulesengine.contests.judge.playing import judge_in_games
from rulesengine.contests.judge.reports import Judged, as_json, junit, table

__all__ = [
    "Bounds",
    "Case",
    "Contestant",
    "Difference",
    "Expected",
    "Judged",
    "Result",
    "Verdict",
    "as_json",
    "compare",
    "contestant_of",
    "contestants_in",
    "expectation",
    "generate",
    "judge",
    "judge_in_games",
    "junit",
    "read_cases",
    "result",
    "table",
    "write_cases",
    "write_package",
]
