"""Names and texts of a spec never reach generated code: only numbers from its rules do."""

import io
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from rulesengine import Game, SpecError
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.engine_comparison import COMPILED, Engines, needs_engines

pytestmark = needs_engines

# A spec with arbitrary user text: thirteen names, a label, a reason and a text in an expression.
SPEC = """\
spec: 1
name: {title}
parameters:
  {0}: {{type: integer, from: 1, to: 9, default: 4}}
board: {{rows: {0}, columns: 5}}
regions: {{{1}: rows(1 to 2)}}
directions: {{{2}: [north, east]}}
players:
  {3}: {{label: {label}, {4}: north}}
  {5}: {{label: {label}, {4}: south}}
pieces: {{{6}: {{{3}: o, {5}: x}}, {7}: {{{3}: O, {5}: X}}, empty: "."}}
define: {{"{8}({9})": neighbours({9}) and empty}}
registers: {{{10}: {{type: number, from: 0, to: 9, each: player}}}}
start: [put {6} of {3} on a1 or b2, put {7} of {5} on c3 or e4]
rules:
  moves:
    - name: {11}
      move: own
      along: "[{2}, {4}]"
      to: shift(from, direction) minus own
      do: [set {10} to ({10} + 1) % 9, promote to and {1} to {7}]
      then: {{step: {11}, from: to, when: {10} % 3 = 1 and any(captured)}}
    - otherwise
    - place: {6}
      to: {8}(own) where any({12} in {8}(it), row({12}) <= {0})
  score: sum({12} in own, row({12}) + {10})
  end:
    - {{when: none(enemy), result: player wins, reason: {reason}}}
    - {{when: any(own {7} and {1}) and plies > 20, result: highest score wins, reason: {reason}}}
strategies: {{{11}: [most score + after({10} of {3}), leftmost]}}
"""
PLAIN = [f"plain_{letter}" for letter in "abcdefghijklm"]
KEYWORDS = "class lambda def while return import yield async try raise global with pass".split()
BUILTINS = "exec eval open print compile getattr vars bytes bin hex id map zip".split()
OURS = "v1 v2 w3 rest_v1 seed state legal mask perft singles playouts kernel lists".split()
SHAPES = ["o0", "oo", "l1", "ll", "il", "li", "x_", "x__", "x___", "a" * 32, "a" * 31, "o_o", "oo0"]
NAMES = {"keywords": KEYWORDS, "builtins": BUILTINS, "our own": OURS, "look-alikes": SHAPES}
# Double-quoted YAML of texts that would have an effect as code, or end a comment.
TEXTS = {
    "quotes": r""""'\"\"\" """ + "''' " + r'''\\"''',
    "code": '''"'); raise SystemExit(3)  # {0} %s"''',
    "lines": r'''"a\nraise SystemExit(3)\n# b"''',
    "other scripts": r'''"\u0430\u0455 ｅxec \U0001f600 \u5b57"''',
    "backslashes": r'''"\\N{BULLET} \\x41 \\\\ \\"''',
}
with_some_texts = pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=kind, marks=() if kind in ("code", "lines") else pytest.mark.deep)
        for kind, text in TEXTS.items()
    ],
)
# Characters that end a line in some formats, and one that reverses the writing direction.
REFUSED = [r"\r", r"\u2028", r"\u2029", r"\x85", r"\x0c", r"\x0b", r"\0", r"\u202e"]
CELLS = ["os.abort()", "__import__", "x;y", "'", "#", "{0}", "%s", "v1", "class"]
GRAPH = """\
spec: 1
name: cells
board: {{shape: graph, cells: [{cells}], edges: [{edges}]}}
players: [white, black]
pieces: {{man: {{white: o, black: x}}, empty: "."}}
rules:
  moves: {{place: man, to: empty minus neighbours(enemy)}}
  end: {{when: not can_move(mover), result: mover loses}}
"""


def hostile_game(names: Sequence[str], text: str = "plain", engine: str = "interpreter") -> Game:
    """Return the game of the spec; a label is one line at most, a reason may be several."""
    label = "plain" if r"\n" in text else text
    spec = SPEC.format(*names, title="plain", label=label, reason=text)
    return load_source(Source("spec.yaml", spec), engine=engine)


def executed(game: Game, *, remarks: bool = False) -> str:
    """Return the generated Python of a game, all parts of it; with `remarks`, the rules as
    comments.
    """
    from rulesengine.engine.kernel.backends.python.statements import source
    from rulesengine.engine.kernel.emission import emitted
    from rulesengine.engine.kernel.kernels import parts_of

    machine = game.machine
    modules = (emitted(machine, part) for part in parts_of(machine))
    return "\n".join(source(module, remarks=remarks) for module in modules)


def tokens(code: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(code).readline)


def without_remarks(code: str) -> list[str]:
    """Return the tokens of code, indentation included, without comments."""
    left = (tokenize.COMMENT, tokenize.NL)
    return [token.string for token in tokens(code) if token.type not in left]


@pytest.mark.slow
@pytest.mark.parametrize("names", [KEYWORDS, SHAPES], ids=["keywords", "look-alikes"])
def test_the_code_does_not_depend_on_names(names: list[str]) -> None:
    assert len(set(names)) == len(PLAIN)
    assert executed(hostile_game(names)) == executed(hostile_game(PLAIN))


@pytest.mark.slow
@with_some_texts
def test_the_code_does_not_depend_on_texts(text: str) -> None:
    assert executed(hostile_game(PLAIN, text)) == executed(hostile_game(PLAIN))


@pytest.mark.parametrize("sign", REFUSED)
def test_signs_that_may_end_a_remark_are_no_part_of_a_spec(sign: str) -> None:
    with pytest.raises(SpecError):
        hostile_game(PLAIN, f'"a{sign}b"')


@pytest.mark.slow
def test_the_code_holds_no_texts_and_no_remarks() -> None:
    code = executed(hostile_game(KEYWORDS, TEXTS["code"]))
    assert "def " in code
    kinds = {token.type for token in tokens(code)}
    assert not kinds & {tokenize.STRING, tokenize.COMMENT, tokenize.ERRORTOKEN}


@pytest.mark.slow
@with_some_texts
def test_comments_of_rules_change_no_word_of_the_code(text: str) -> None:
    game = hostile_game(PLAIN, text)
    assert "#" in executed(game, remarks=True)
    assert without_remarks(executed(game, remarks=True)) == without_remarks(executed(game))


@pytest.mark.slow
@with_some_texts
def test_shown_kernel_contains_the_rules_only_in_comments(text: str) -> None:
    shown, plain = hostile_game(PLAIN, text).show_kernel(), hostile_game(PLAIN).show_kernel()
    assert without_remarks(shown) == without_remarks(plain)


def test_the_names_of_cells_are_not_in_the_code() -> None:
    plain = [f"p{i}" for i in range(len(CELLS))]
    assert executed(graph(CELLS)) == executed(graph(plain))


def graph(cells: Sequence[str], engine: str = "interpreter") -> Game:
    quoted = ["'" + cell.replace("'", "''") + "'" for cell in cells]
    pairs = [f"[{a}, {b}]" for a, b in pairwise(quoted)]
    text = GRAPH.format(cells=", ".join(quoted), edges=", ".join(pairs))
    return load_source(Source("spec.yaml", text), engine=engine)


@pytest.mark.usefixtures("in_haste")
@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(names, id=kind, marks=pytest.mark.deep if place else ())
        for place, (kind, names) in enumerate(NAMES.items())
    ],
)
def test_games_with_hostile_names_are_the_same_by_every_engine(names: list[str]) -> None:
    text = TEXTS["code"]
    engines = Engines(
        hostile_game(names, text), *(hostile_game(names, text, engine) for engine in COMPILED)
    )
    engines.play(1, 12)
    assert engines.playouts(4, seed=2).checksum == hostile_game(PLAIN).playouts(4, seed=2).checksum
