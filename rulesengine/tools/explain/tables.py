"""The words of effects and of scripts with what they do, and how words are written: tables.

docs/language.md is made of these and of the tables of `check`.
"""

import re
from types import MappingProxyType

from rulesengine.language.check.builtins import Builtin
from rulesengine.language.check.context import SHOWN_TYPES
from rulesengine.support.frozen import record
from rulesengine.support.resources import read_text

STATEMENTS = MappingProxyType(
    {
        "if": "the lines below it if the condition holds",
        "else_if": "after an `if`: otherwise, if the condition holds",
        "else": "after an `if`, a `read` or a `play`: otherwise, or if that did not work",
        "repeat": "the lines below it again and again: so many times, until the condition holds"
        " (asked before each round), with a line of text before the first output of each round"
        " but the first that prints",
        "repeat_from": "the same, the name being one number after the other",
        "repeat_in": "the same, the name being each member of a set of cells or of another domain"
        " (see [for each](#for-each)), as it is before the first round",
        "command": "reads a word and does what stands below the first pattern that fits it; the"
        " last may be `else`, without it other words are ignored",
        "command_of_line": "the same with a line; blank ones are left out",
        "case": 'below `command`: a pattern, such as `"n"` or `"M{r:digit}{c:digit}"`',
        "print": "prints a text and ends the line",
        "prompt": "prints a text and does not end the line",
        "print_board": "prints the board as `drawing` says",
        "print_moves": "prints a text for each legal move but passes, `to` and `from` being its"
        " cells and `move` its notation; each on a line, or joined by a text on one line; prints"
        " nothing if there is none",
        "print_each": "prints a text for each member of a set of cells or of another domain (see"
        " [for each](#for-each)), likewise",
        "prompt_moves": "the same, and does not end the line",
        "prompt_each": "the same, and does not end the line",
        "read_number": "reads a word that is a number, for each name one",
        "read_numbers": "reads the numbers of a line, a list",
        "read_some_numbers": "reads so many numbers, a list",
        "read_word": "reads a word, for each name one",
        "read_words": "reads the words of a line, a list",
        "read_some_words": "reads so many words, a list",
        "read_line": "reads the rest of the line",
        "read_board": "reads a word for each line of the board, or of the cells given, and starts"
        " the game anew with these pieces there",
        "read_cell": "reads a word that is the name of a cell, for each name one",
        "read_cells": "reads the names of cells on a line, a set of cells",
        "read_symbols": "the same, but reads symbol by symbol, blanks between them or not",
        "read_whole_board": "reads lines up to a blank one or the end of the input, and starts the"
        " game anew on a board of that size with these pieces; `rows` and `columns` of the board"
        " are parameters, which get their values",
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
        "play_chance": "draws what chance does, as long as chance is to move",
        "let": "gives a value a name, from here on",
        "set": "gives a parameter a value, and starts the game anew; or a register, as an effect",
        "effect": "changes the position by an [effect](#effects), as if no move had led to it",
        "start_anew": "starts the game anew, with the parameters as they are",
        "at_end": "the lines below it are what happens when the input ends, from here on",
        "block": "gives the lines below it a name, and names for what they are given; it does"
        " nothing where it stands",
        "do": "does the lines of a block, its names being these values",
        "stop": "ends the program",
        "leave": "ends the innermost `repeat`, or the block if there is none in it",
        "next": "goes on with the next round of the innermost `repeat`, or ends the block if there"
        " is none in it",
        "forfeit": "of two players, the one to move loses; the board stays as it is",
        "fail": "prints a text as an error and ends the program with exit code 1",
    }
)


@record
class Effect:
    """An effect: each way to write it with what it does, and which version knew it first."""

    forms: tuple[tuple[str, str], ...]
    since: int


# By the word that an effect begins with.
EFFECTS = MappingProxyType(
    {
        "put": Effect(
            (
                (
                    "put PIECE on CELLS",
                    "puts pieces on cells; what stood there is removed. A piece is a kind (of"
                    " `player`, or neutral if the kind has only a neutral symbol), or `KIND of"
                    " SIDE`, `KIND of neutral`",
                ),
            ),
            since=1,
        ),
        "remove": Effect((("remove CELLS", "takes the pieces off"),), since=1),
        "flip": Effect(
            (
                (
                    "flip CELLS [to SIDE]",
                    "pieces change to `player`, or to the side given; their kinds stay",
                ),
            ),
            since=1,
        ),
        "carry": Effect(
            (
                (
                    "carry CELL to CELL",
                    "moves the piece on a cell to another cell; what stood there is removed",
                ),
                (
                    "carry NAME in CELLS to CELL",
                    "moves all pieces on the cells at once, each to the cell that is given for its"
                    " own; if that is no cell it is removed, and so is what stands there and is not"
                    " carried itself; two pieces to one cell are an error",
                ),
                (
                    "carry CELLS to DIRECTION",
                    "moves all pieces on the cells at once, one step in a direction; those that"
                    " leave the board are removed, and so is what stands in the way and is not"
                    " carried itself",
                ),
            ),
            since=1,
        ),
        "promote": Effect(
            (("promote CELLS to KIND", "pieces change their kind; their sides stay"),), since=1
        ),
        "drop": Effect(
            (
                (
                    "drop CELLS to DIRECTION",
                    "the pieces on the cells fall together in a direction, each while the next cell"
                    " is empty or one of them leaves it; other pieces stay and stop them",
                ),
            ),
            since=1,
        ),
        "set": Effect(
            (
                (
                    "set NAME to VALUE",
                    "gives a register a value; `set NAME of SIDE to …` for that of a side",
                ),
            ),
            since=1,
        ),
        "if": Effect(
            (("if CONDITION then EFFECT [else EFFECT]", "one effect or another"),), since=1
        ),
        "for": Effect(
            (
                (
                    "for NAME in DOMAIN do EFFECT",
                    "the effect once for each value of a [domain](#for-each), which is worked out"
                    " before the first round; each round sees what the ones before it left",
                ),
            ),
            since=1,
        ),
        "repeat": Effect(
            (
                (
                    "repeat EFFECT until CONDITION",
                    "the effect again and again, once at least, until the condition holds after a"
                    " round; too many rounds are an error",
                ),
                (
                    "repeat EFFECT until nothing changes",
                    "the same until a round leaves all pieces and registers as they were",
                ),
            ),
            since=1,
        ),
        "( )": Effect(
            (
                (
                    "(EFFECT, EFFECT)",
                    "effects in brackets, one after the other, where one effect stands",
                ),
            ),
            since=1,
        ),
    }
)

# What stands at the places of VALUE in a statement, one after the other.
_OPERANDS = MappingProxyType(
    {
        "if": "CONDITION",
        "else_if": "CONDITION",
        "repeat": "CONDITION",
        "repeat_from": "CONDITION",
        "repeat_in": "CELLS CONDITION",
        "print_each": "CELLS",
        "prompt_each": "CELLS",
        "read_number": "NUMBER NUMBER",
        "read_numbers": "NUMBER NUMBER",
        "read_some_numbers": "NUMBER NUMBER",
        "read_board": "CELLS",
        "read_symbols": "CELLS",
        "accept_numbers": "NUMBER NUMBER",
        "play_where": "CONDITION",
        "play_many": "NUMBER",
    }
)

_SHOWN_TERMINALS = MappingProxyType(
    {
        "STRING": '"TEXT"', "NAME": "NAME", "NUMBER_WORD": "number", "LINE_WORD": "line",
        "BLANK_WORD": "blank", "IN_ORDER": "in order of", "ranking": "NUMBER, …",
        "alphabet": '"TEXT" PIECE, …',
        "expr": "VALUE", "sum": "CELLS", "amount": "NUMBER", "mapping": '"TEXT" VALUE, …',
        "strategy": "STRATEGY", "primary": "NAME", "change": "EFFECT", "AT_END": "at end",
    }
)  # fmt: skip


def effects() -> list[tuple[str, str, str]]:
    """The word of each effect, as one writes it, and what it does."""
    return [(word, *form) for word, effect in EFFECTS.items() for form in effect.forms]


def statements() -> list[tuple[str, str]]:
    """Each statement of scripts by its name, as one writes it."""
    block = read_text("grammars/script.lark").split("\nline:")[1].split("\nstrategy:")[0]
    named = [(rule.removesuffix("_line"), said) for rule, said in _alternatives(block)]
    return [(name, _with_operands(said, _OPERANDS.get(name, ""))) for name, said in named]


def head(row: Builtin) -> str:
    """A function with its arguments, or a name alone."""
    if not row.parameters:
        return row.word
    return f"{row.word}({', '.join(_parameter(p.name, p.type, p.low) for p in row.parameters)})"


def _parameter(name: str, type: str, low: int | None) -> str:
    shown = type.rstrip("?*") + ("…" if type.endswith("*") else "")
    said = name if name == shown else f"{name}: {shown}"
    return f"[{said}]" if type.endswith("?") or low is not None else said


def each_head(word: str, want: str) -> str:
    """A form that goes through a domain."""
    return f"{word}(x in DOMAIN, {SHOWN_TYPES[want].upper().split()[-1]})"


def _alternatives(block: str) -> list[tuple[str, str]]:
    """`(rule, text)` for each alternative of a rule of a grammar."""
    found = re.findall(r"(?:^|\n *\| )(?! )(.*?) *-> (\w+)", block.strip())
    return [(rule, _said(body)) for body, rule in found]


def _with_operands(text: str, operands: str) -> str:
    for operand in operands.split():
        text = text.replace("VALUE", operand, 1)
    return text


def _said(body: str) -> str:
    """A body of a rule as people would write it: words small, what may be left out in [ ]."""
    body = re.sub(r" ?\(LPAR (\w+) \(COMMA \w+\)\* RPAR\)\?", r"[(\1, …)]", body)
    body = body.replace(" (COMMA NAME)*", "[, …]")
    body = re.sub(r"\(([^()]*)\)\?", r"[\1]", body)
    return re.sub(r"[A-Za-z_]+", lambda m: _SHOWN_TERMINALS.get(m[0], m[0].lower()), body)


# What else stands in expressions: a word, how it is written, what it means.
FORMS = (
    ("numbers", "x in numbers(RANGE)", "the numbers of a range, one after the other"),
    (
        "along",
        "x in along(TRACK, CELL, NUMBER[, skipping: CELLS])",
        "the next cells of a track after the cell, so many of those that are not skipped",
    ),
    (
        "kinds",
        "x in kinds(KINDS)",
        "the kinds of piece that have an attribute, one after the other",
    ),
    ("players", "x in players", "the players, one after the other"),
    ("it", "CELLS where CONDITION", "in a condition after `where`: the cell in question"),
    ("from", "from", "in moves: the cell that the piece stands on, or where the move begins"),
    ("to", "to", "in moves: the cell where the step ends; between two numbers: a range"),
    ("where", "CELLS where CONDITION", "the cells for which the condition holds; `it` is the cell"),
    ("touching", "CELLS touching CELLS", "the cells beside a cell of the other set"),
    (
        "between",
        "CELLS between CELL and CELLS",
        "the cells of a straight row from the cell up to one of the other set",
    ),
    ("of", "NAME of SIDE", "a kind, a register, a score or a label as that side has it"),
    ("and", "A and B", "both conditions; the cells that are in both sets"),
    ("or", "A or B", "one condition at least; the cells that are in one of the sets"),
    ("not", "not A", "the opposite of a condition; all other cells"),
    ("minus", "CELLS minus CELLS", "the cells of the first set that are not in the second"),
    ("in", "A in B", "whether a cell, a whole set or a direction lies in a set"),
    ("if", "if CONDITION then A else B", "one value or another"),
    ("then", "if CONDITION then A else B", "before the value for when the condition holds"),
    ("else", "if CONDITION then A else B", "before the value for when it does not hold"),
    ("at least", "at least NUMBER", "a range without an upper end"),
    ("at most", "at most NUMBER", "a range without a lower end"),
    ("exactly", "exactly NUMBER", "the range of one number"),
    ("=", "A = B", "whether two values of one type are the same"),
    ("!=", "A != B", "whether two values of one type differ"),
    ("<", "NUMBER < NUMBER", "less"),
    ("<=", "NUMBER <= NUMBER", "less or the same"),
    (">", "NUMBER > NUMBER", "more"),
    (">=", "NUMBER >= NUMBER", "more or the same"),
    ("+", "NUMBER + NUMBER", "the sum; beyond 64 bits it is an error"),
    ("-", "NUMBER - NUMBER", "the difference, or the sign of a number"),
    ("*", "NUMBER * NUMBER", "the product; beyond 64 bits it is an error"),
    ("/", "NUMBER / NUMBER", "the quotient, rounded down; by zero it is an error"),
    ("%", "NUMBER % NUMBER", "what a division rounded down leaves over"),
    ("[ ]", "[DIRECTIONS, …]", "several directions together"),
)

RESULTS = (
    ("wins", "SIDE wins", "the game is over and the side has won"),
    (
        "loses",
        "SIDE loses",
        "the game is over and the side has lost; of two players the other wins",
    ),
    ("draw", "draw", "the game is over and nobody has won"),
    ("highest score wins", "highest score wins", "who has most by `score`; if shared, a draw"),
    ("lowest score wins", "lowest score wins", "who has least by `score`; if shared, a draw"),
)

KEYS = (
    ("most", "most NUMBER", "keeps the moves with the greatest value"),
    ("least", "least NUMBER", "keeps the moves with the least value"),
    (
        "prefer",
        "prefer CONDITION [else CONDITION …]",
        "keeps the moves for which the first condition holds, if there are any; else the second",
    ),
    ("lowest", "lowest", "stands for `most screen_row(to)`: the moves lowest on the screen"),
    ("highest", "highest", "stands for `least screen_row(to)`: the moves highest on the screen"),
    ("leftmost", "leftmost", "stands for `least screen_column(to)`"),
    ("rightmost", "rightmost", "stands for `most screen_column(to)`"),
)

MOVES = (
    (
        "one of each result",
        "keep: one of each result",
        "of moves that lead to the same position the first alone is legal",
    ),
    (
        "otherwise",
        "- otherwise",
        "in a list of groups: begins the groups for when those above have no move",
    ),
    ("direction", "direction", "with `along`: the direction in question"),
    ("choice", "choice", "with `choice:`: the value that was chosen"),
)
