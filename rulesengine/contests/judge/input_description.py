"""Description of a script's input and output in English, for the statement of a problem."""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.contests.judge.read_analysis import refuses
from rulesengine.game import Game
from rulesengine.language.ir.rules import Site, Statement
from rulesengine.script.runtime import to_pairs

_LAYOUTS = MappingProxyType(
    {
        "layout_lines": "Each of the following inputs is on a line of its own.",
        "layout_line": "The following inputs are on one line, separated by single blanks.",
        "layout_blank": "Input: a blank line.",
    }
)
_READS = MappingProxyType(
    {
        "read_number": "a whole number",
        "read_numbers": "whole numbers, at least one",
        "read_some_numbers": "whole numbers",
        "read_word": "a word",
        "read_words": "words, at least one",
        "read_some_words": "words",
        "read_line": "a line of text",
        "read_cell": "the name of a cell",
        "read_cells": "the names of cells, at least one",
        "read_mover": "the player to move",
        "read_parameter": "the value of",
        "read_board": "the board, a line for each row",
        "read_symbols": "the board, a line for each row",
        "read_whole_board": "the board, a line for each row, then a blank line",
    }
)
_ENDS = MappingProxyType(
    {
        "stop": "The input ends here.",
        "leave": "The loop ends here.",
        "next": "The next round begins here.",
        "print_board": "Output: the board.",
    }
)
_OMITTED = frozenset({"fail", "accept_numbers", "accept_all", "at_end"})


def describe_input(game: Game) -> str:
    """Return the inputs and outputs of a well-formed run, in order, as an indented list."""
    begin = "Numbers have no leading zeros. " + _LAYOUTS["layout_lines"]
    return "\n".join([begin, "", *_Description(game.rules.sites).block(game.rules.script, 0)])


class _Description:
    """Describes statements; control statements are quoted from the script."""

    def __init__(self, sites: tuple[Site, ...]) -> None:
        self._sites = sites

    def block(self, block: tuple[Statement, ...], depth: int) -> Iterator[str]:
        for statement in block:
            yield from self._statement(statement, depth)

    def _statement(self, statement: Statement, depth: int) -> Iterator[str]:
        name, indent = statement.name, "  " * depth
        quoted = self._quoted(statement)
        text = _ENDS.get(name) or _LAYOUTS.get(name)
        if name in _OMITTED:
            return
        if text is None and name in _READS:
            text = f"Input: {self._read(statement)}."
        if text is None and name.startswith(("print", "prompt")):
            text = f"Output: {quoted.partition(' ')[2]}"
        match name:
            case "if":
                yield from self._if(statement, depth)
                return
            case "command" | "command_of_line":
                text = "Input: one of the following."
        if statement.body and text is None:
            text = f"{quoted[:1].upper()}{quoted[1:]}:"
        yield f"{indent}- {text or quoted}"
        if name in ("command", "command_of_line"):
            for case in statement.body:
                if case.words and not refuses(case.body):
                    yield f"{indent}  - {self._quoted(case)}:"
                    yield from self.block(case.body, depth + 2)
            return
        yield from self.block(statement.body, depth + 1)
        is_read = name.startswith("read_")
        if statement.otherwise and not is_read and not refuses(statement.otherwise):
            yield f"{indent}- If that is not possible:"
            yield from self.block(statement.otherwise, depth + 1)

    def _if(self, statement: Statement, depth: int) -> Iterator[str]:
        indent = "  " * depth
        body, otherwise = statement.body, statement.otherwise
        if not refuses(body):
            condition = self._quoted(statement).removeprefix("else ").removeprefix("if ")
            yield f"{indent}- If {condition}:"
            yield from self.block(body, depth + 1)
        if otherwise and not refuses(otherwise):
            yield f"{indent}- Otherwise:" if not refuses(body) else f"{indent}- Always:"
            yield from self.block(otherwise, depth + 1)

    def _read(self, statement: Statement) -> str:
        name, kind = statement.name, _READS[statement.name]
        if name == "read_mover":
            return f"{kind}, {_choices(list(to_pairs(statement.words)))}"
        if name == "read_parameter":
            pairs = to_pairs(statement.words[1:])
            choices = f", {_choices(list(pairs))}" if pairs else ""
            return f"{kind} {statement.words[0]}{choices}"
        if name.startswith(("read_board", "read_symbols", "read_whole")):
            return kind
        written = self._quoted(statement).removeprefix("read ")
        if name in ("read_number", "read_word", "read_cell"):
            return f"{kind} {written.partition(' ')[2]}"
        return f"{kind} ({written})"

    def _quoted(self, statement: Statement) -> str:
        return self._sites[statement.site].text if statement.site >= 0 else statement.name


def _choices(texts: list[str]) -> str:
    return " or ".join(f"`{text}`" for text in texts)
