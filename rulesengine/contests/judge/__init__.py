"""Judging of programs that implement a spec's I/O protocol, on test cases and in games."""

from rulesengine.contests.judge.cases import (
    Case,
    Expected,
    expectation,
    read_cases,
    write_cases,
)
from rulesengine.contests.judge.comparison import Difference, compare
from rulesengine.contests.judge.generation import GeneratedCases, generate, generate_malformed
from rulesengine.contests.judge.html_page import judge_page
from rulesengine.contests.judge.input_description import describe_input
from rulesengine.contests.judge.input_grammar import input_grammar
from rulesengine.contests.judge.input_validator import accepts
from rulesengine.contests.judge.judged_games import GameSeries, judge_in_games
from rulesengine.contests.judge.problem_package import write_package
from rulesengine.contests.judge.reports import JudgedProgram, as_json, junit, table
from rulesengine.contests.judge.submissions import contestant_of, contestants_in
from rulesengine.contests.judge.verdicts import (
    CaseLimits,
    Contestant,
    Result,
    Verdict,
    judge,
    result,
)

__all__ = [
    "Case",
    "CaseLimits",
    "Contestant",
    "Difference",
    "Expected",
    "GameSeries",
    "GeneratedCases",
    "JudgedProgram",
    "Result",
    "Verdict",
    "accepts",
    "as_json",
    "compare",
    "contestant_of",
    "contestants_in",
    "describe_input",
    "expectation",
    "generate",
    "generate_malformed",
    "input_grammar",
    "judge",
    "judge_in_games",
    "judge_page",
    "junit",
    "read_cases",
    "result",
    "table",
    "write_cases",
    "write_package",
]
