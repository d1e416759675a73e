"""The tables of docs/language.md, made from the tables of the package.

`python -m tests.reference` rewrites them between their markers.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType

from rulesengine import limits
from rulesengine.board.shapes import SHAPES, make_board
from rulesengine.board.topology import Topology
from rulesengine.check.builtins import EACH, FUNCTIONS, NAMES, REPLIES, Builtin
from rulesengine.check.context import FORBIDDEN, SHOWN_TYPES
from rulesengine.check.declarations import NOT_NAMES
from rulesengine.resources import read_text
from rulesengine.source import Slice
from rulesengine.syntax.expand import KEY_WORDS, expand
from rulesengine.syntax.parse import Start, parse
from rulesengine.syntax.unparse import unparse

PAGE = Path(__file__).parent.parent / "docs" / "language.md"

# Phrases to show: the text; their expansions are what `expand` gives.
PHRASES = (
    "own king",
    "empty where row(it) = 1",
    "empty touching own",
    "enemy between to and own",
    "disc of white",
    "disc of neutral",
    "stock of opponent",
    "score of white",
)

# What is written, and the same with every bracket: a test parses both.
PRECEDENCE = (
    ("if any(own) then 1 else 2 + 3", "if any(own) then 1 else (2 + 3)"),
    ("empty where it in top or it in left", "empty where ((it in top) or (it in left))"),
    ("own minus top where row(it) > 1", "(own minus top) where (row(it) > 1)"),
    ("own or enemy and top", "own or (enemy and top)"),
    ("not own and top", "(not own) and top"),
    ("not count(own) = 1", "not (count(own) = 1)"),
    ("own and top minus corners", "own and (top minus corners)"),
    ("own minus top or left", "(own minus top) or left"),
    ("own touching enemy and top", "(own touching enemy) and top"),
    ("own touching enemy minus top", "own touching (enemy minus top)"),
    ("enemy between to and own and top", "(enemy between to and own) and top"),
    ("to in own minus top", "to in (own minus top)"),
    ("7 - 2 - 1 * 3", "(7 - 2) - (1 * 3)"),
    ("own of next(player) and top", "(own of next(player)) and top"),
    ("own king or top", "(own king) or top"),
)

STATEMENTS = MappingProxyType(
    {
        "if": "the lines below it if the condition holds",
        "else_if": "after an `if`: otherwise, if the condition holds",
        "else": "after an `if`, a `read` or a `play`: otherwise, or if that did not work",
        "repeat": "the lines below it again and again: so many times, until the condition holds"
        " (asked before each round), with a line of text before the first output of each round"
        " but the first that prints",
        "command": "reads a word and does what stands below the first pattern that fits it; the"
        " last may be `else`, without it other words are ignored",
        "case": 'below `command`: a pattern, such as `"n"` or `"M{r:digit}{c:digit}"`',
        "print": "prints a text and ends the line",
        "prompt": "prints a text and does not end the line",
        "print_board": "prints the board as `drawing` says",
        "print_moves": "prints a text for each legal move but passes, `to` and `from` being its"
        " cells and `move` its notation; each on a line, or joined by a text on one line; prints"
        " nothing if there is none",
        "print_each": "prints a text for each member of a set of cells or of another domain (see"
        " [for each](#for-each)), likewise",
        "read_number": "reads a word that is a number",
        "read_word": "reads a word",
        "read_line": "reads the rest of the line",
        "read_board": "reads a word for each line of the board, or of the cells given, and starts"
        " the game anew with these pieces there",
        "read_cell": "reads a word that is the name of a cell",
        "read_symbols": "the same, but reads symbol by symbol, blanks between them or not",
        "read_mover": "reads a word that says who is to move",
        "read_parameter": "reads a word that is the value of a parameter, and starts the game anew",
        "accept_numbers": "from here on every word that is not such a number is ignored",
        "accept_all": "from here on no word is ignored",
        "play_word": "plays the legal move whose notation is the word that was read",
        "play_text": "plays the legal move whose notation is the text",
        "play_where": "plays the first legal move, but no pass, for which the condition holds",
        "choose": "gives the notation of the move that a strategy would play a name, and plays"
        " nothing",
        "play_one": "plays one move by a strategy",
        "play_all": "plays by a strategy to the end of the game",
        "play_many": "plays so many moves by a strategy, or as many as are left",
        "play_pass": "plays the pass",
        "let": "gives a value a name, from here on",
        "at_end": "the lines below it are what happens when the input ends, from here on",
        "stop": "ends the program",
        "leave": "ends the innermost `repeat`",
        "next": "goes on with the next round of the innermost `repeat`",
        "forfeit": "of two players, the one to move loses; the board stays as it is",
        "fail": "prints a text as an error and ends the program with exit code 1",
    }
)

EFFECTS = MappingProxyType(
    {
        "put": "puts pieces on cells; what stood there is removed. A piece is a kind (of"
        " `player`, or neutral if the kind has only a neutral symbol), or `KIND of SIDE`,"
        " `KIND of neutral`",
        "remove": "takes the pieces off",
        "flip": "pieces change to `player`, or to the side given; their kinds stay",
        "carry": "moves the piece on a cell to another cell; what stood there is removed",
        "promote": "pieces change their kind; their sides stay",
        "set_register": "gives a register a value; `set NAME of SIDE to …` for that of a side",
        "effect_if": "one effect or another",
    }
)

LIMITS = MappingProxyType(
    {
        "MAX_SPEC_BYTES": "bytes of a spec",
        "MAX_NODES": "values and keys of a spec",
        "MAX_DEPTH": "levels of lists and maps in a spec, of blocks in `io`",
        "MAX_STRING": "characters of one value",
        "MAX_TOKENS": "words and signs of an expression; ten times as many in `io`",
        "MAX_EXPRESSION_DEPTH": "levels of brackets and operators in an expression",
        "MAX_ERRORS_SHOWN": "errors shown for one expression",
        "MAX_IDENTIFIER": "characters of a name (`[a-z][a-z0-9_]*`)",
        "MAX_SHOWN_NAME": "characters of the game's `name`",
        "MAX_CELLS": "cells of a board",
        "MAX_KINDS": "kinds of piece",
        "MAX_PLAYERS": "players",
        "MAX_MOVES": "legal moves of a position",
        "MAX_PLIES": "moves of a random game; a longer one counts as unfinished",
        "MAX_PLY_COST": "set operations that the rules of one move may cost at worst, summed"
        " before anything runs",
        "MAX_CHAIN_STEPS": "steps listed for the chains of a position",
        "MAX_CHOICE_STEPS": "steps listed for one choice of a strategy",
        "MAX_AFTER_DEPTH": "moves that `after` and `replies` look ahead, one inside another",
        "MAX_MESSAGE": "characters of a message",
        "MAX_QUOTED_LINE": "characters of a line that a message quotes",
        "INTEGER_MIN": "the least number",
        "INTEGER_MAX": "the greatest number",
    }
)

# What stands at the places of VALUE, one after the other.
_OPERANDS = MappingProxyType(
    {
        "if": "CONDITION",
        "else_if": "CONDITION",
        "repeat": "NUMBER CONDITION",
        "read_number": "NUMBER NUMBER",
        "read_board": "CELLS",
        "read_symbols": "CELLS",
        "accept_numbers": "NUMBER NUMBER",
        "play_where": "CONDITION",
        "play_many": "NUMBER",
        "put": "PIECE CELLS",
        "remove": "CELLS",
        "flip": "CELLS SIDE",
        "carry": "CELL CELL",
        "promote": "CELLS KIND",
        "set_register": "VALUE",
        "effect_if": "CONDITION",
    }
)

# How large the board is that shows what a shape has.
_EXAMPLES: MappingProxyType[str, dict[str, object]] = MappingProxyType(
    {
        "rectangle": {"rows": 3, "columns": 3},
        "rhombus": {"rows": 3, "columns": 3},
        "hexagon": {"size": 2},
        "box": {"layers": 2, "rows": 2, "columns": 2},
        "graph": {"cells": ("a", "b"), "edges": (("a", "b"),)},
    }
)
_NOT_KEYS = frozenset({"names", "screen"})
_SHOWN_TERMINALS = MappingProxyType(
    {
        "STRING": '"TEXT"', "NAME": "NAME", "NUMBER_WORD": "number", "LINE_WORD": "line",
        "expr": "VALUE", "sum": "CELLS", "mapping": '"TEXT" VALUE, …', "strategy": "STRATEGY",
        "primary": "NAME", "action": "EFFECT", "AT_END": "at end",
    }
)  # fmt: skip


def main() -> None:
    """Rewrite the tables of the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def filled(page: str) -> str:
    """The page with every table made anew."""
    for name, make in TABLES.items():
        begin, end = f"<!-- begin:{name} -->\n", f"<!-- end:{name} -->"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n{make()}\n\n{end}{rest.split(end)[1]}"
    return with_default_script(page)


def with_default_script(page: str) -> str:
    """The page with the script that holds where a spec has no `io`."""
    before, rest = page.split("<!-- default.io -->\n```text\n")
    after = rest[rest.index("```\n") :]
    return f"{before}<!-- default.io -->\n```text\n{read_text('grammars/default.io')}{after}"


def parsed(text: str, start: Start = "expression") -> object:
    """The node of a text, which must be right."""
    node, findings = parse(Slice.of(text), start)
    assert node is not None, (text, findings)
    return node


def expansion(text: str) -> str:
    node, _ = parse(Slice.of(text))
    assert node is not None
    return unparse(expand(node, frozenset({"disc", "king"})))


def _table(*heads: str) -> Callable[[Sequence[tuple[str, ...]]], str]:
    def made(rows: Sequence[tuple[str, ...]]) -> str:
        lines = [heads, tuple("---" for _ in heads), *rows]
        return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)

    return made


def _code(text: str) -> str:
    return f"`{text}`"


def _names() -> str:
    rows = [(_code(b.word), b.result, b.meaning) for b in NAMES.values()]
    return _table("name", "type", "meaning")(rows)


def _functions() -> str:
    rows = [(_code(_head(b)), b.result, b.meaning, _code(b.example)) for b in FUNCTIONS.values()]
    return _table("function", "gives", "meaning", "example")(rows)


def _head(row: Builtin) -> str:
    return f"{row.word}({', '.join(_parameter(p.name, p.type, p.low) for p in row.parameters)})"


def _parameter(name: str, type: str, low: int | None) -> str:
    shown = type.rstrip("?*") + ("…" if type.endswith("*") else "")
    said = name if name == shown else f"{name}: {shown}"
    return f"[{said}]" if type.endswith("?") or low is not None else said


def _each() -> str:
    rows = [
        (_code(f"{word}(x in DOMAIN, {SHOWN_TYPES[want].upper().split()[-1]})"), gives, meaning)
        for word, (want, gives, meaning) in EACH.items()
    ]
    return _table("form", "gives", "meaning")(rows)


def _replies() -> str:
    return ", ".join(f"`{word}(replies, {want})`" for word, want in REPLIES.items())


def _phrases() -> str:
    return _table("phrase", "stands for")([(_code(p), _code(expansion(p))) for p in PHRASES])


def _keys() -> str:
    rows = [(_code(w), _code(f"{order} {f}(to)")) for w, (order, f) in KEY_WORDS.items()]
    return _table("key", "stands for")(rows)


def _precedence() -> str:
    return _table("written", "read as")([(_code(a), _code(b)) for a, b in PRECEDENCE])


def _effects() -> str:
    grammar = read_text("grammars/expression.lark")
    block = grammar.split("?action:")[1].split("\n\n")[0]
    rows = [(_code(shown), EFFECTS[name]) for shown, name in _alternatives(block)]
    return _table("effect", "does")(rows)


def _statements() -> str:
    block = read_text("grammars/script.lark").split("\nline:")[1].split("\nstrategy:")[0]
    shown = [(text, name.removesuffix("_line")) for text, name in _alternatives(block)]
    return _table("statement", "does")([(_code(text), STATEMENTS[name]) for text, name in shown])


def _alternatives(block: str) -> list[tuple[str, str]]:
    """`(text, rule)` for each alternative of a rule of a grammar."""
    found = re.findall(r"(?:^|\n *\| )(?! )(.*?) *-> (\w+)", block.strip())
    return [(_with_operands(_said(body), name.removesuffix("_line")), name) for body, name in found]


def _with_operands(text: str, name: str) -> str:
    for operand in _OPERANDS.get(name, "").split():
        text = text.replace("VALUE", operand, 1)
    return text


def _said(body: str) -> str:
    """A body of a rule as people would write it: words small, what may be left out in [ ]."""
    body = re.sub(r"\(([^()]*)\)\?", r"[\1]", body)
    return re.sub(r"[A-Za-z_]+", lambda m: _SHOWN_TERMINALS.get(m[0], m[0].lower()), body)


def _limits() -> str:
    values = {name: getattr(limits, name) for name in vars(limits) if name.isupper()}
    return _table("limit", "value")([(LIMITS[n], f"{v:,}") for n, v in values.items()])


def _reserved() -> str:
    return ", ".join(_code(word) for word in sorted(NOT_NAMES | set(NAMES)))


def _forbidden() -> str:
    by_slots: dict[str, list[str]] = {}
    order = ("board", "start", "moves", "effects", "forbid", "turn", "end", "score")
    for word, slots in FORBIDDEN.items():
        shown = ", ".join(_code({"effects": "do"}.get(s, s)) for s in order if s in slots)
        by_slots.setdefault(shown, []).append(_code(word))
    return _table("words", "not in")([(", ".join(w), s) for s, w in by_slots.items()])


def _shapes() -> str:
    rows = []
    for name, shape in SHAPES.items():
        board = make_board(name, _EXAMPLES[name])
        takes = [_code(key) for key in (*shape.needs, *shape.takes) if key not in _NOT_KEYS]
        rows.append(
            (_code(name), ", ".join(takes), _directions(board), _sets(board), _regions(board))
        )
    return _table("shape", "keys", "directions", "sets of directions", "regions")(rows)


def _directions(board: Topology) -> str:
    if len(board.directions) > 8:
        return "the eight of a rectangle, `up`, `up_north`, …, `down`, `down_north`, …"
    return ", ".join(_code(d.name) for d in board.directions) or "none"


def _sets(board: Topology) -> str:
    return ", ".join(_code(name) for name, _ in board.direction_sets if name != "all") or "none"


def _regions(board: Topology) -> str:
    return ", ".join(_code(name) for name, _ in board.regions) or "none"


TABLES: MappingProxyType[str, Callable[[], str]] = MappingProxyType(
    {
        "shapes": _shapes,
        "effects": _effects,
        "keys": _keys,
        "statements": _statements,
        "names": _names,
        "functions": _functions,
        "each": _each,
        "replies": _replies,
        "phrases": _phrases,
        "precedence": _precedence,
        "forbidden": _forbidden,
        "limits": _limits,
        "reserved": _reserved,
    }
)

if __name__ == "__main__":
    main()
