"""The tables of docs/language.md, generated from the tables of the package.

`python -m tests.helpers.reference` rewrites them between their markers.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rulesengine.board.shapes import SHAPES, make_board
from rulesengine.board.topology import Topology
from rulesengine.language.check.builtin_row import Builtin
from rulesengine.language.check.builtins import EACH, FUNCTIONS, NAMES, REPLIES
from rulesengine.language.check.context import FORBIDDEN
from rulesengine.language.check.declarations import NOT_NAMES
from rulesengine.language.check.script_builtins import SCRIPTED
from rulesengine.language.syntax.expand import KEY_WORDS, expand
from rulesengine.language.syntax.parse import Start, parse
from rulesengine.language.syntax.unparse import unparse
from rulesengine.support import limits
from rulesengine.support.resources import read_text
from rulesengine.support.source import Slice
from rulesengine.tools.explain import Mistake, examples, mistakes
from rulesengine.tools.explain.board_words import EXAMPLE_BOARDS
from rulesengine.tools.explain.tables import STATEMENTS, each_head, effects, head, statements

PAGE = Path(__file__).parents[2] / "docs" / "language.md"

# Texts of phrases for the page; `expand` computes their expansions.
PHRASES = (
    "own king",
    "empty where row(it) = 1",
    "empty touching own",
    "enemy between to and own",
    "disc of white",
    "disc of neutral",
    "stock of opponent",
    "score of white",
    "column of to",
)

# An expression, and the same with every bracket: a test parses both.
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

LIMITS = MappingProxyType(
    {
        "MAX_GAME_FILE_BYTES": "bytes of a file of games or positions",
        "MAX_ENGINE_LINE": "bytes of a line that an engine reads",
        "MAX_SPEC_BYTES": "bytes of a spec",
        "MAX_NODES": "values and keys of a spec",
        "MAX_DEPTH": "levels of lists and maps in a spec, of blocks in `io`",
        "MAX_STRING": "characters of one value",
        "MAX_TOKENS": "words and signs of an expression; ten times as many in `io`",
        "MAX_EXPRESSION_DEPTH": "levels of brackets and operators in an expression",
        "MAX_ERRORS_SHOWN": "errors shown for one expression",
        "MAX_IDENTIFIER": "characters of a name (`[a-z][a-z0-9_]*`)",
        "MAX_SHOWN_NAME": "characters of the game's `name`",
        "MAX_CELL_VALUES": "different values of a number at a cell",
        "MAX_CELLS": "cells of a board",
        "MAX_NATIVE_CELLS": "cells of a board that is compiled to machine code; larger boards are"
        " played by Python code",
        "MAX_BOARD_STEPS": "operations of an expression for holes",
        "MAX_AUTOMORPHISMS": "automorphisms of a board; a board with more is treated as if it had"
        " no symmetry",
        "MAX_STACK": "pieces on a cell",
        "MAX_TILE_CELLS": "cells of a tile",
        "MAX_KINDS": "kinds of piece",
        "MAX_PLAYERS": "players",
        "MAX_MOVES": "legal moves of a position",
        "MAX_CHOICES": "combinations of the named choices of a group",
        "MAX_ACTIONS": "actions of a game, for learners; if there are more, a step from a cell to"
        " a cell is two actions",
        "MAX_PLAYOUTS": "random games from each state of a batch, in one call",
        "MAX_PLIES": "moves of a random game; a longer game counts as unfinished",
        "MAX_SEARCH_PLIES": "`plies` of a search in a strategy",
        "MAX_FREE_PASSES": "consecutive moves that take no ply in a count",
        "MAX_WEIGHT": "weight of a branch of chance",
        "MAX_PLY_COST": "set operations that the rules of one move can cost at worst, summed"
        " before anything runs",
        "MAX_WRITTEN_OUT": "operations of the rules with each name replaced by its definition",
        "MAX_CHAIN_STEPS": "steps listed for the chains of a position",
        "MAX_MOVE_STEPS": "steps of a move",
        "MAX_CHOICE_STEPS": "steps listed for one choice of a strategy",
        "MAX_AFTER_DEPTH": "nested `after` and `replies`",
        "MAX_ROUNDS": "rounds of a `repeat` in effects",
        "MAX_INPUT_LINE": "bytes of a word, line or list that `io` reads from the input",
        "MAX_IDLE_ROUNDS": "consecutive rounds of loops in `io` that neither read, print nor play;"
        " twice as many if each loop has a number of rounds",
        "MAX_COMPILE_SECONDS": "seconds of processor time to compile native code",
        "MAX_COMPILE_BYTES": "bytes of memory to compile native code",
        "MAX_MESSAGE": "characters of a message",
        "MAX_QUOTED_LINE": "characters of a line that a message quotes",
        "INTEGER_MIN": "least number",
        "INTEGER_MAX": "greatest number",
    }
)

_NOT_KEYS = frozenset({"names", "screen"})


def main() -> None:
    """Rewrite the tables of the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def filled(page: str) -> str:
    """Return the page with every table regenerated."""
    for name, make in TABLES.items():
        begin, end = f"<!-- begin:{name} -->\n", f"<!-- end:{name} -->"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n{make()}\n\n{end}{rest.split(end)[1]}"
    return with_default_script(page)


def with_default_script(page: str) -> str:
    """Return the page with the default script, for specs without `io`."""
    before, rest = page.split("<!-- default.io -->\n```text\n")
    after = rest[rest.index("```\n") :]
    return f"{before}<!-- default.io -->\n```text\n{read_text('grammars/default.io')}{after}"


def parsed(text: str, start: Start = "expression") -> object:
    """Parse a text, which must be valid, and return its node."""
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
    rows = [(_code(b.word), b.result, b.meaning, _code(_use(b))) for b in NAMES.values()]
    return _table("name", "type", "meaning", "example")(rows)


def _use(name: Builtin) -> str:
    """Return an example that uses a name together with others, if there is one."""
    shown = [name.example, *(e.text for e in examples() if e.word == name.word)]
    return max(shown[:4], key=lambda text: (text != name.word, -len(text)))


def _functions() -> str:
    return _calls(FUNCTIONS)


def _scripted() -> str:
    return _calls(SCRIPTED)


def _calls(table: Mapping[str, Builtin]) -> str:
    rows = [(_code(head(b)), b.result, b.meaning, _code(b.example)) for b in table.values()]
    return _table("function", "gives", "meaning", "example")(rows)


def _each() -> str:
    rows = [
        (_code(each_head(word, want)), gives, meaning, _code(_each_example(word)))
        for word, (want, gives, meaning) in EACH.items()
    ]
    return _table("form", "gives", "meaning", "example")(rows)


def _each_example(word: str) -> str:
    """Return the first example of a word that loops over a domain."""
    shown = (e.text for e in examples() if e.word == word and f"{word}(" in e.text)
    return next(text for text in shown if " in " in text)


def _codes() -> str:
    rows = [(_code(m.code), m.meaning.replace("|", r"\|"), _piece(m)) for m in mistakes()]
    return _table("code", "meaning", "for instance")(rows)


def _piece(mistake: Mistake) -> str:
    """Return the shortest piece of a spec with the mistake that a table can show, line by line."""
    special = ("SHOWN", "EMPTY", "LONG")
    fit = [p for p in mistake.pieces if not p.startswith(special) and not set("`\t") & set(p)]
    plain = [p for p in fit if p.replace("\n", "").isprintable() and len(p) < 200]
    lines = min(plain, key=lambda p: (p.count("\n"), len(p)), default="").split("\n")
    return "<br>".join(map(_code, lines)).replace("|", r"\|") if lines[0] else "see `explain`"


def _replies() -> str:
    return ", ".join(f"`{word}(replies, {want})`" for word, want in REPLIES.items())


def _phrases() -> str:
    return _table("phrase", "expansion")([(_code(p), _code(expansion(p))) for p in PHRASES])


def _keys() -> str:
    rows = [(_code(w), _code(f"{order} {f}(to)")) for w, (order, f) in KEY_WORDS.items()]
    return _table("key", "expansion")(rows)


def _precedence() -> str:
    return _table("written", "read as")([(_code(a), _code(b)) for a, b in PRECEDENCE])


def _effects() -> str:
    return _table("effect", "does")([(_code(shown), meaning) for _, shown, meaning in effects()])


def _statements() -> str:
    rows = [(_code(shown), STATEMENTS[name]) for name, shown in statements()]
    return _table("statement", "does")(rows)


def _limits() -> str:
    values = {name: getattr(limits, name) for name in vars(limits) if name.isupper()}
    return _table("limit", "value")([(LIMITS[n], f"{v:,}") for n, v in values.items()])


def _reserved() -> str:
    return ", ".join(_code(word) for word in sorted(NOT_NAMES | set(NAMES)))


def _forbidden() -> str:
    by_slots: dict[str, list[str]] = {}
    order = "board start sees moves keep effects forbid turn end score evaluate".split()
    for word, slots in FORBIDDEN.items():
        shown = ", ".join(_code({"effects": "do"}.get(s, s)) for s in order if s in slots)
        if shown:
            by_slots.setdefault(shown, []).append(_code(word))
    return _table("words", "not in")([(", ".join(w), s) for s, w in by_slots.items()])


def _shapes() -> str:
    rows = []
    for name, shape in SHAPES.items():
        board = make_board(name, EXAMPLE_BOARDS[name])
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
        "scripted": _scripted,
        "each": _each,
        "replies": _replies,
        "phrases": _phrases,
        "precedence": _precedence,
        "forbidden": _forbidden,
        "limits": _limits,
        "reserved": _reserved,
        "codes": _codes,
    }
)

if __name__ == "__main__":
    main()
