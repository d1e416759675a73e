"""Tables of the effects, script statements and other words, with their syntax and meaning.

docs/language.md is generated from these tables and those of `check`.
"""

import re
from types import MappingProxyType

from rulesengine.language.check.builtin_row import Builtin
from rulesengine.language.check.context import SHOWN_TYPES
from rulesengine.support.frozen import record
from rulesengine.support.resources import read_text

STATEMENTS = MappingProxyType(
    {
        "if": "executes the lines below it if the condition holds",
        "else_if": "after an `if`: otherwise, if the condition holds",
        "else": "after an `if`: otherwise; after a `read` or a `play`: if it failed",
        "repeat": "repeats the lines below it: a number of times, or until the condition holds"
        " (evaluated before each round); `separated by` prints a line before the first output of"
        " each round except the first that prints",
        "repeat_from": "the same; the name has each number in turn",
        "repeat_in": "the same; the name has each value of a cell set or of another"
        " [domain](#for-each), as it is before the first round",
        "command": "reads a word and executes the lines below the first pattern that matches; the"
        " last pattern may be `else`, without it other words are ignored",
        "command_of_line": "the same with a line; blank lines are skipped",
        "case": 'below `command`: a pattern, such as `"n"` or `"M{r:digit}{c:digit}"`',
        "print": "prints a text and ends the line",
        "prompt": "prints a text and does not end the line",
        "print_board": "prints the board as `drawing` defines",
        "print_moves": "prints a text for each legal move except passes, one per line, or joined by"
        " a text on one line; `to` and `from` are the cells of the move, `move` is its text;"
        " prints no line if there is no move",
        "print_each": "prints a text for each value of a cell set or of another"
        " [domain](#for-each), in the same way",
        "prompt_moves": "the same, and does not end the line",
        "prompt_each": "the same, and does not end the line",
        "read_number": "reads a number for each name",
        "read_numbers": "reads the numbers of a line as a list",
        "read_some_numbers": "reads that many numbers as a list",
        "read_word": "reads a word for each name",
        "read_words": "reads the words of a line as a list",
        "read_some_words": "reads that many words as a list",
        "read_line": "reads the rest of the line",
        "read_board": "reads a word for each line of the board, or of the given cells, and begins a"
        " new game with these pieces",
        "read_cell": "reads the name of a cell for each name",
        "read_cells": "reads the names of cells on a line as a cell set",
        "read_symbols": "the same, symbol by symbol; blanks between symbols are optional",
        "read_whole_board": "reads lines up to a blank line or the end of the input. A new game"
        " begins with these pieces on a board of that size: the parameters `rows` and `columns` of"
        " the board get these values",
        "read_mover": "reads a word that names the player to move",
        "read_parameter": "reads the value of a parameter, and begins a new game",
        "accept_numbers": "ignores all other words from here on",
        "accept_all": "ignores no words from here on",
        "layout_lines": "in the input each later statement reads from a line of its own; a script"
        " begins so",
        "layout_line": "in the input later statements read from one line, up to the next `layout`",
        "layout_blank": "the input has a blank line here",
        "play_word": "plays the legal move that the word names",
        "play_text": "plays the legal move with that text",
        "play_where": "plays the first legal move, passes excepted, for which the condition holds",
        "choose": "assigns to a name the text of the move that a strategy chooses, without playing"
        " it",
        "play_one": "plays one move by a strategy; `solving within NUMBER nodes` in its place plays"
        " the move with the best exact value",
        "play_all": "plays by a strategy to the end of the game",
        "play_many": "plays that many moves by a strategy, or fewer if the game ends",
        "solve": "finds the exact value by a search of so many nodes at most: the winner if both"
        " players play best, `nobody` for a draw, and the plies to the end, 0 for a draw; it fails,"
        " for `else`, if the nodes do not suffice",
        "play_pass": "plays the pass",
        "play_chance": "draws chance moves as long as chance is to move",
        "take_back": "takes back so many moves of the current game, branches of chance included",
        "take_back_all": "takes back all moves of the current game",
        "replay": "plays again so many of the moves that were taken back, the earliest first",
        "replay_all": "plays again all moves that were taken back",
        "let": "assigns a value to a name, from here on",
        "set": "assigns a value to a parameter and begins a new game; or to a register, as an"
        " effect",
        "effect": "changes the position by an [effect](#effects), as if no move had led to it",
        "start_anew": "begins a new game with the same parameters",
        "at_end": "the lines below it are executed when the input ends, from here on",
        "block": "defines a block with names for its arguments; it is executed only by `do`",
        "do": "executes a block with these arguments",
        "stop": "ends the program",
        "leave": "ends the innermost `repeat`, or the block if it has none",
        "next": "continues with the next round of the innermost `repeat`, or ends the block if it"
        " has none",
        "forfeit": "the player to move loses, of two players; the board stays as it is",
        "fail": "prints a text as an error and ends the program with exit code 1",
    }
)


@record
class Effect:
    """An effect: its forms, each with a meaning, and the first version that has it."""

    forms: tuple[tuple[str, str], ...]
    since: int


# Effects by their first word.
EFFECTS = MappingProxyType(
    {
        "put": Effect(
            (
                (
                    "put PIECE on CELLS",
                    "puts pieces on cells; pieces there are removed. A piece is a kind (of"
                    " `player`, or neutral if the kind has only a neutral symbol), or `KIND of"
                    " SIDE`, `KIND of neutral`",
                ),
                (
                    "put TEXT on CELLS",
                    "in scripts: puts the pieces of symbols on cells, one symbol on all of them, or"
                    " one for each in reading order; it fails, for `else`, if a symbol is unknown",
                ),
                (
                    "put PIECE under CELLS",
                    "on a [board with stacks](#stacks): puts pieces under the stacks on the cells",
                ),
            ),
            since=1,
        ),
        "remove": Effect(
            (
                ("remove CELLS", "removes the pieces"),
                (
                    "remove CELLS taking NUMBER",
                    "on a board with stacks: removes so many upper pieces of each stack",
                ),
            ),
            since=1,
        ),
        "flip": Effect(
            (
                (
                    "flip CELLS [to SIDE]",
                    "changes the owner of the pieces to `player`, or to the given side",
                ),
            ),
            since=1,
        ),
        "carry": Effect(
            (
                (
                    "carry CELL to CELL",
                    "moves the piece on a cell to another cell; a piece there is removed",
                ),
                (
                    "carry NAME in CELLS to CELL",
                    "moves all pieces on the cells at once, each to the cell computed for its own;"
                    " a piece with no destination is removed, and so is a piece on a destination"
                    " that is not carried itself; two pieces to one cell are an error",
                ),
                (
                    "carry CELLS to DIRECTION",
                    "moves all pieces on the cells at once, one step in a direction; pieces that"
                    " leave the board are removed, and so are pieces in the way that are not"
                    " carried themselves",
                ),
                (
                    "carry CELL to CELL taking NUMBER",
                    "on a board with stacks: moves so many upper pieces, in their order, to the top"
                    " of the stack on another cell",
                ),
                (
                    "carry CELL under CELL [taking NUMBER]",
                    "on a board with stacks: moves the pieces under the stack on another cell",
                ),
                (
                    "carry CELL to DIRECTION laying NUMBER",
                    "on a board with stacks: lifts as many upper pieces as the sum of the digits,"
                    " and continues in a direction from cell to cell; each digit is the number of"
                    " pieces that stay on a cell, so `laying 21` lifts three",
                ),
            ),
            since=1,
        ),
        "promote": Effect(
            (("promote CELLS to KIND", "changes the kind of the pieces; their owners stay"),),
            since=1,
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
        "add": Effect(
            (
                (
                    "add NUMBER to NAME",
                    "adds to a register that is a number; also `NAME of SIDE`, `NAME of KIND`, and"
                    " `NAME of CELLS`, which adds the same number at each of the cells",
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
                    "the effect once for each value of a [domain](#for-each), which is computed"
                    " before the first round; each round sees the results of those before it",
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
                    "several effects in the place of one, in order",
                ),
            ),
            since=1,
        ),
    }
)

# The placeholders that replace VALUE in a statement, in order.
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
        "_moves": "moves", "_nodes": "nodes", "COMMA": ",",
    }
)  # fmt: skip


def effects() -> list[tuple[str, str, str]]:
    """Return the word, syntax and meaning of each form of each effect."""
    return [(word, *form) for word, effect in EFFECTS.items() for form in effect.forms]


def statements() -> list[tuple[str, str]]:
    """Return each statement of scripts with its name and syntax."""
    block = read_text("grammars/script.lark").split("\nline:")[1].split("\n_moves:")[0]
    named = [(rule.removesuffix("_line"), text) for rule, text in _alternatives(block)]
    return [(name, _with_operands(text, _OPERANDS.get(name, ""))) for name, text in named]


def head(row: Builtin) -> str:
    """Format a function with its parameters, or a name alone."""
    if not row.parameters:
        return row.word
    return f"{row.word}({', '.join(_parameter(p.name, p.type, p.low) for p in row.parameters)})"


def _parameter(name: str, type: str, low: int | None) -> str:
    shown = type.rstrip("?*") + ("…" if type.endswith("*") else "")
    text = name if name == shown else f"{name}: {shown}"
    return f"[{text}]" if type.endswith("?") or low is not None else text


def each_head(word: str, argument: str) -> str:
    """Format the syntax of a form that iterates over a domain."""
    return f"{word}(x in DOMAIN, {SHOWN_TYPES[argument].upper().split()[-1]})"


def _alternatives(block: str) -> list[tuple[str, str]]:
    """Return `(rule, text)` for each alternative of a grammar rule."""
    matches = re.findall(r"(?:^|\n *\| )(?! )(.*?) *-> (\w+)", block.strip())
    return [(rule, _format_rule(body)) for body, rule in matches]


def _with_operands(text: str, operands: str) -> str:
    for operand in operands.split():
        text = text.replace("VALUE", operand, 1)
    return text


def _format_rule(body: str) -> str:
    """Format the body of a grammar rule: keywords in lower case, optional parts in brackets."""
    body = re.sub(r" ?\(LPAR (\w+) \(COMMA \w+\)\* RPAR\)\?", r"[(\1, …)]", body)
    body = body.replace(" (COMMA NAME)*", "[, …]")
    body = re.sub(r"\(([^()]*)\)\?", r"[\1]", body)
    return re.sub(r"[A-Za-z_]+", lambda m: _SHOWN_TERMINALS.get(m[0], m[0].lower()), body)


# Other words of expressions, with syntax and meaning.
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
    ("from", "from", "in moves: the cell of the piece, or the cell where the move begins"),
    ("to", "to", "in moves: the cell where the step ends; between two numbers: a range"),
    ("where", "CELLS where CONDITION", "the cells for which the condition holds; `it` is the cell"),
    ("touching", "CELLS touching CELLS", "the cells next to a cell of the other set"),
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
    ("%", "NUMBER % NUMBER", "the remainder of a division that is rounded down"),
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
    (
        "highest score wins",
        "highest score wins",
        "the player with the highest `score`; a shared one is a draw",
    ),
    (
        "lowest score wins",
        "lowest score wins",
        "the player with the lowest `score`; a shared one is a draw",
    ),
)

KEYS = (
    ("most", "most NUMBER", "keeps the moves with the greatest value"),
    ("least", "least NUMBER", "keeps the moves with the least value"),
    (
        "prefer",
        "prefer CONDITION [else CONDITION …]",
        "keeps the moves for which the first condition holds, if there are any; else the second",
    ),
    ("lowest", "lowest", "short for `most screen_row(to)`: the moves lowest on the screen"),
    ("highest", "highest", "short for `least screen_row(to)`: the moves highest on the screen"),
    ("leftmost", "leftmost", "short for `least screen_column(to)`"),
    ("rightmost", "rightmost", "short for `most screen_column(to)`"),
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
    ("tile", "tile", "with `cover:`: the kind of the tile"),
    ("form", "form", "with `cover:`: the number of the orientation of the tile"),
    ("covered", "covered", "with `cover:`: the cells of the tile"),
)
