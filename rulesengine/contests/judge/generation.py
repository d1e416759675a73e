"""Generation of test cases from a spec alone: random input; the expected output is the spec's.

See decision 042.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

from rulesengine.contests.judge.cases import Case, encoded
from rulesengine.contests.judge.generated_input import InputGenerator
from rulesengine.contests.judge.input_grammar import input_grammar
from rulesengine.contests.judge.input_validator import accepts
from rulesengine.contests.judge.read_analysis import endless_rounds, refuses, statements
from rulesengine.contests.judge.script_expressions import Expressions
from rulesengine.contests.judge.well_formed_input import UnsuitableCandidate, WellFormedInput
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.language.ir.rules import Site, Statement
from rulesengine.script.runner import Runner, Signal
from rulesengine.script.runtime import ScriptState
from rulesengine.support.frozen import record

_MOST_STATEMENTS = 100_000  # that the script executes on one input
_ATTEMPTS = 20  # attempts to generate a new case
_SEARCHES = 400  # candidates that are searched for statements that no case reaches


@record
class Candidate:
    """A generated input, and the sites of the statements that the script executed on it."""

    text: str
    sites: frozenset[int]


@record
class GeneratedCases:
    """Generated cases, and the lines of the script that none of them reaches."""

    cases: tuple[Case, ...]
    missed: tuple[Site, ...]


def generate(game: Game, count: int, seed: int) -> GeneratedCases:
    """Generate `count` distinct well-formed cases, fewer if no more are found.

    The cases are complete input in the layout of the script. They reach as many statements as the
    search finds. The seed determines them. Chance events of the game are drawn from seed 0, as
    `rulesengine run` does.
    """
    chosen = _first_candidates(game, count, seed)
    blocks = _blocks(game.rules.script)
    excluded = _excluded(game)
    missed = blocks - excluded - {site for each in chosen for site in each.sites}
    for number in range(_SEARCHES if chosen else 0):
        if not missed:
            break
        candidate = _candidate(game, Random(f"{seed} search {number}"), is_search=True)
        if candidate and candidate.sites & missed and candidate not in chosen:
            missed -= _exchange(chosen, candidate, count)
    sites = game.rules.sites
    return GeneratedCases(
        tuple(_named([each.text for each in chosen], "generated")),
        tuple(sites[site] for site in sorted(missed | excluded & blocks)),
    )


def generate_malformed(game: Game, count: int, seed: int) -> tuple[Case, ...]:
    """Generate `count` cases with incomplete or wrong input, or in another layout."""
    texts, grammar = list[str](), input_grammar(game)
    for number in range(1, count + 1):
        for again in range(_ATTEMPTS):
            text = _any_input(game, Random(f"{seed} {number} {again}"))
            if text is not None and text not in texts and not accepts(grammar, text):
                texts.append(text)
                break
    return tuple(_named(texts, "malformed"))


def _named(texts: list[str], name: str) -> Iterator[Case]:
    width = len(str(len(texts)))
    for number, text in enumerate(texts, start=1):
        yield Case(f"{name}-{number:0{width}}", encoded(text))


def _first_candidates(game: Game, count: int, seed: int) -> list[Candidate]:
    candidates: list[Candidate] = []
    for number in range(1, count + 1):
        for again in range(_ATTEMPTS):
            each = _candidate(game, Random(f"{seed} {number} {again}"))
            if each and each.text not in {other.text for other in candidates}:
                candidates.append(each)
                break
    return candidates


def _candidate(game: Game, chance: Random, *, is_search: bool = False) -> Candidate | None:
    """Return well-formed input, or None if the attempt failed."""
    stage = ScriptState(game, io.BytesIO(), io.BytesIO(), 0)
    rounds = endless_rounds(game.rules.script)
    words = WellFormedInput(stage, chance, rounds, is_search=is_search)
    stage.words = words
    runner = _RecordingRunner(stage, words.begin)
    try:
        runner.run_with_locations()
    except (RulesError, UnsuitableCandidate):
        return None
    return Candidate(words.text, frozenset(runner.sites))


class _RecordingRunner(Runner):
    """Executes a script and records the sites of its statements.

    Raises UnsuitableCandidate after too many statements, such as those of too many rounds.
    """

    def __init__(
        self, stage: ScriptState, begin: Callable[[Statement], None] = lambda statement: None
    ) -> None:
        super().__init__(stage)
        self.sites: set[int] = set()
        self._begin = begin
        self._left = _MOST_STATEMENTS

    def statement(self, statement: Statement, again: Callable[[], Statement]) -> Signal | None:
        self.sites.add(statement.site)
        self._left -= 1
        if self._left < 0:
            raise UnsuitableCandidate
        self._begin(statement)
        return super().statement(statement, again)


def _exchange(chosen: list[Candidate], candidate: Candidate, most: int) -> frozenset[int]:
    """Add a case, or replace the last one without a statement of its own.

    Return its statements; none if there is no place for it.
    """
    if len(chosen) < most:
        chosen.append(candidate)
        return candidate.sites
    for at in range(len(chosen) - 1, -1, -1):
        others = {site for i, each in enumerate(chosen) if i != at for site in each.sites}
        if chosen[at].sites <= others | candidate.sites:
            chosen[at] = candidate
            return candidate.sites
    return frozenset()


def _blocks(script: tuple[Statement, ...]) -> set[int]:
    """Return the first site of each block that well-formed input may reach."""
    sites: set[int] = set()
    for statement in statements(script):
        is_read = statement.name.startswith("read_")
        cases = [case.body for case in statement.body if case.words]
        commands = statement.name in ("command", "command_of_line")
        blocks = cases if commands else [statement.body]
        for block in [*blocks, *([] if is_read else [statement.otherwise])]:
            if block and not refuses(block):
                sites.add(block[0].site)
    return sites


def _excluded(game: Game) -> set[int]:
    """Return the sites of statements that parameters exclude which the script does not read."""
    expressions, excluded = Expressions(game), set[int]()
    for statement in statements(game.rules.script):
        if statement.name == "if":
            test = expressions.constant(statement.operands[0])
            if test is not None:
                block = statement.otherwise if test else statement.body
                excluded |= {each.site for each in statements(block)}
    return excluded


def _any_input(game: Game, chance: Random) -> str | None:
    stage = ScriptState(game, io.BytesIO(), io.BytesIO(), 0)
    answers = InputGenerator(stage, chance)
    stage.words = answers
    try:
        with suppress(RulesError):  # input that violates the protocol is a valid case
            _RecordingRunner(stage).run_with_locations()
    except UnsuitableCandidate:
        return None
    return answers.text if chance.random() < 0.9 else answers.text.rstrip()
