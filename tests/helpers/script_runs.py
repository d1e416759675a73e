"""Games that consist mainly of a script, and their output: for the tests of statements."""

import io
from collections.abc import Callable

import pytest

from rulesengine.errors import RulesError
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from tests.helpers.script_engines import ending

BOARD = "{rows: 2, columns: 3}"


BASE = f"""
spec: 1
name: Script
board: {BOARD}
players: [left, right]
pieces: {{stone: {{left: x, right: o}}, empty: "."}}
rules:
  moves: {{place: stone, to: empty}}
  end: {{when: none(empty), result: draw}}
"""


FLIPS = "strategies: {greedy: [most column(to)]}\n"


SIZES = "parameters: {n: {type: integer, from: 1, to: 9, default: 4}}\n"


ROWS = "r: {type: integer, from: 1, to: 9, default: 2}"


COUNT = f"parameters: {{{ROWS}, c: {{type: integer, from: 2, to: 9, default: 3}}}}\n"


def text_of(script: str, more: str = "", board: str = BOARD) -> str:
    body = "".join(f"  {line}\n" for line in script.strip("\n").splitlines())
    return f"{BASE.replace(BOARD, board)}{more}io: |\n{body}"


HEAD = len(text_of("").splitlines())


def output(script: str, given: str = "", more: str = "") -> str:
    """Return the output of a script by the interpreter; its kernel must do the same."""
    game = load_source(Source("script.yaml", text_of(script, more)))
    target = io.BytesIO()
    expected = ending(game, given.encode(), "interpreter")
    assert ending(game, given.encode(), "python") == expected
    run(game, io.BytesIO(given.encode()), target)
    return target.getvalue().decode()


def failure(script: str, given: str = "", more: str = "") -> str:
    """Return the error message that ends a run."""
    with pytest.raises(RulesError) as caught:
        output(script, given, more)
    return str(caught.value)


def sized(script: str, board: str = "{rows: r, columns: c}") -> Callable[[str], str]:
    """Return a function from the input of a script's game to its output."""
    game = load_source(Source("script.yaml", text_of(script, COUNT, board)))

    def printed(given: str) -> str:
        target = io.BytesIO()
        expected = ending(game, given.encode(), "interpreter")
        assert ending(game, given.encode(), "python") == expected
        run(game, io.BytesIO(given.encode()), target)
        return target.getvalue().decode()

    return printed


def run_with_size(script: str, given: str, board: str = "{rows: r, columns: c}") -> str:
    return sized(script, board)(given)


def run_with_sizes(script: str, given: str) -> str:
    text = text_of(script, SIZES, "{rows: 1, columns: n}")
    target, game = io.BytesIO(), load_source(Source("script.yaml", text))
    expected = ending(game, given.encode(), "interpreter")
    assert ending(game, given.encode(), "python") == expected
    run(game, io.BytesIO(given.encode()), target)
    return target.getvalue().decode()
