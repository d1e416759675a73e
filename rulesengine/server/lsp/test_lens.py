"""The tests of a spec in an editor: a code lens above them, and their results."""

from dataclasses import dataclass

from lsprotocol import types as lsp

from rulesengine.errors import RulesError
from rulesengine.loading import load_source
from rulesengine.server.lsp.positions import Text
from rulesengine.tools.spectests import run_test

RUN_TESTS = "rulesengine.runTests"


@dataclass(frozen=True, slots=True)
class TestResults:
    """The number of passed tests, and the problems of failed ones; `problem` if none could run."""

    passed: int
    failed: dict[str, list[str]]
    problem: str = ""

    @property
    def message(self) -> str:
        """Format the result in a few lines."""
        if self.problem:
            return self.problem
        total = f"{self.passed} passed" + (f", {len(self.failed)} failed" if self.failed else "")
        return "\n".join(
            [total, *(f"FAILED {name}: {reason[0]}" for name, reason in self.failed.items())]
        )


def lenses(text: Text) -> list[lsp.CodeLens]:
    """Return a code lens in the line of `tests:` that runs them."""
    for number, line in enumerate(text.source.text.split("\n")):
        if line.startswith("tests:") and line.strip() not in ("tests: null", "tests: []"):
            range_ = lsp.Range(lsp.Position(number, 0), lsp.Position(number, len("tests")))
            return [
                lsp.CodeLens(
                    range_, lsp.Command("Run the tests", command=RUN_TESTS, arguments=[text.uri])
                )
            ]
    return []


def run_tests(text: Text) -> TestResults:
    """Run the tests of the text in the editor."""
    if text.problem:
        return TestResults(0, {}, text.problem)
    try:
        game = load_source(text.source)
    except RulesError:
        return TestResults(0, {}, "the spec has mistakes: fix them before running its tests")
    failed: dict[str, list[str]] = {}
    for number, test in enumerate(game.tests, start=1):
        problems = [problem.text for problem in run_test(game, test)]
        if problems:
            failed[str(test.get("name", f"test {number}"))] = problems
    return TestResults(len(game.tests) - len(failed), failed)
