"""Every word of the expression language has the meaning in its row: cases computed by hand."""

import itertools

import pytest

from rulesengine.errors import EvaluationError, SpecError
from rulesengine.language.check.base import COERCED
from rulesengine.language.check.builtins import EACH, FUNCTIONS, NAMES, OTHER_FORMS, REPLIES
from rulesengine.language.syntax.vocabulary import EFFECTS
from tests.helpers import meanings

CASES = meanings.read_cases()
WORDS = {case.word for case in CASES}
FAILING = [case for case in CASES if "fails" in case.case]
GIVING = [case for case in CASES if "gives" in case.case]
DOMAINS = ("cells", "directions", "players", "groups", "numbers", "along")
PHRASES = ("words", "where", "touching", "between", "of")
OPERATORS = (
    "and or minus not in = != < > <= >= + - * / % negative if precedence define attribute list"
).split()


@pytest.mark.parametrize("case", GIVING, ids=str)
def test_expression_value_matches_its_definition(case: meanings.Case) -> None:
    game, op = meanings.load_group(case)
    state = meanings.state_of(case, game)
    given = meanings.value_of(game, op, state, case.get("move"))
    assert given == meanings.expected(case, op.type)


@pytest.mark.parametrize("case", FAILING, ids=str)
def test_a_failing_expression_names_itself_and_its_place(case: meanings.Case) -> None:
    game = meanings.load(case)
    state = meanings.state_of(case, game)
    with pytest.raises(EvaluationError) as error:
        meanings.value_of(game, meanings.expression_in(game), state, case.get("move"))
    part = case.case.get("part", case.ask)
    lines = meanings.spec_text(case).splitlines()
    line, column = len(lines), lines[-1].rindex(part) + 1
    what = f"{case.file}.yaml:{line}:{column}: {case.case['fails']} in `{part}`"
    assert str(error.value) == what


def test_every_case_gives_or_fails() -> None:
    assert [c for c in CASES if ("gives" in c.case) == ("fails" in c.case)] == []


@pytest.mark.parametrize("word", sorted(FUNCTIONS | NAMES))
def test_every_function_and_name_has_a_case(word: str) -> None:
    mine = [case for case in CASES if case.word == word]
    assert mine
    assert all(word in case.ask for case in mine)


@pytest.mark.parametrize(("function", "domain"), list(itertools.product(EACH, DOMAINS)))
def test_every_form_over_every_domain_has_a_case(function: str, domain: str) -> None:
    if function in ("where", "reach") and domain != "cells":
        pytest.skip("it goes through cells alone")
    assert f"{function} in {domain}" in WORDS


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("where(c in {}, any(own))", "expected a set of cells"),
        ("reach(c in {}, own)", "`reach` goes from cell to cell, found {}"),
    ],
)
@pytest.mark.parametrize("domain", DOMAINS[1:])
def test_only_cells_can_be_kept_and_reached(domain: str, form: str, message: str) -> None:
    over = {"directions": "orthogonal", "groups": "groups(own)", "numbers": "numbers(1 to 2)"}
    over["along"] = "along(path, b1, 1)"
    ask = form.format(over.get(domain, domain))
    group = {"position": "o.", "spec": {"tracks": {"path": "a1-b1"}}}
    case = meanings.Case("where", 1, group, {"ask": ask})
    with pytest.raises(SpecError, match=message.format(domain)):
        meanings.load(case)


@pytest.mark.parametrize("function", sorted(REPLIES))
def test_every_look_at_replies_has_a_case(function: str) -> None:
    assert f"{function} over replies" in WORDS


def test_every_phrase_operator_and_other_form_has_a_case() -> None:
    forms = set(OTHER_FORMS) - {"groups", "replies", "along"}
    assert {*PHRASES, *OPERATORS, *forms, "number at", "set at"} <= WORDS


def test_every_effect_has_a_case() -> None:
    assert {"( )", "carry each", "carry to", "effects"} <= WORDS
    assert {*EFFECTS} <= {word.split()[0] for word in WORDS}


@pytest.mark.parametrize("pair", sorted(COERCED))
def test_every_coercion_has_a_case(pair: tuple[str, str]) -> None:
    assert f"{pair[0]} as {pair[1]}" in WORDS
