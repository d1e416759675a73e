"""Messages for wrong numbers of arguments, for every function; and drawings in quotes."""

import pytest

from rulesengine import loads
from rulesengine.language.check.builtins import DOMAINS, FUNCTIONS
from rulesengine.language.pipeline import analyse
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source

SPEC = """\
spec: 1
name: Arguments
board: {{rows: 3, columns: 3}}
players: [black, white]
pieces: {{stone: {{black: X, white: O}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  end: [{{when: "{}", result: draw}}, {{when: none(empty), result: draw}}]
"""
# A function with any number of arguments has none too many.
REPEATABLE = [word for word, row in FUNCTIONS.items() if row.parameters[-1].type.endswith("*")]

# On a board without stacks, `height` is reported whatever its arguments.
ON_ANY_BOARD = sorted(FUNCTIONS.keys() - {"height"})


def errors(condition: str) -> list[Diagnostic]:
    findings = analyse(Source("spec.yaml", SPEC.format(condition))).findings
    return [finding for finding in findings if finding.severity == "error"]


@pytest.mark.parametrize("word", ON_ANY_BOARD)
def test_a_function_without_arguments_names_its_form(word: str) -> None:
    (found,) = errors(f"any({word}())")
    assert (found.code, bool(found.help)) == ("argument-count", True)


@pytest.mark.parametrize("word", [word for word in ON_ANY_BOARD if word not in REPEATABLE])
def test_a_function_with_too_many_arguments_names_its_form(word: str) -> None:
    given = ", ".join(["own"] * (len(FUNCTIONS[word].parameters) + 1))
    (found,) = errors(f"any({word}({given}))")
    assert (found.code, bool(found.help)) == ("argument-count", True)


@pytest.mark.parametrize("word", sorted(DOMAINS))
def test_a_domain_with_too_many_arguments_is_a_known_word(word: str) -> None:
    (found,) = errors(f"any(x in {word}(own, own, own, own, own), true)")
    assert (found.code, bool(found.help)) == ("argument-count", True)


def test_a_drawing_in_quotes_is_the_same_as_a_block_text() -> None:
    board = "board: {rows: 2, columns: 2"
    text = SPEC.format("plies = 3").replace("board: {rows: 3, columns: 3", board)
    start = text + 'start: "X\\nO."\nregions: {home: "#\\n.."}\n'
    drawn = start.replace(board, board + ', holes: ".#\\n.."').replace("to: empty", "to: not home")
    state = loads(drawn, engine="interpreter").initial_state()
    assert str(state).splitlines()[:2] == ["X", "O."]
