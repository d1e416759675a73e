"""The input grammar of a script: the instructions of `input_validator` for its well-formed input.

Statements that read become instructions for words and lines; loops, cases and tests of numbers that
were read become jumps. Whatever depends on the position may happen or not.

See decision 100.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

from rulesengine.contests.judge.read_analysis import (
    endless_rounds,
    is_refused,
    is_silent,
    refuses,
    statements,
)
from rulesengine.contests.judge.script_expressions import UNKNOWN, Expressions, name_of
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Parameter, Statement
from rulesengine.notation.state_reader import alphabet
from rulesengine.script.game_view import GameView
from rulesengine.script.runtime import to_pairs

Instruction = tuple[object, ...]

_NUMBER = r"(?:0|-?[1-9][0-9]*)"
_WORD = r"[^ \t\n\r\v\f]+"
_KINDS = MappingProxyType(
    {"digit": "[0-9]", "number": _NUMBER, "letter": "[A-Za-z]", "word": _WORD, "line": ".*"}
)
_DEEPEST = 8  # named blocks inside each other


def input_grammar(game: Game) -> tuple[Instruction, ...]:
    """Return the instructions that accept the well-formed input of a game's script."""
    return _Compiler(game).program()


class _Compiler:
    """Compiles statements to instructions; targets of jumps are one-element lists until the end."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._script = game.rules.script
        self._endless = endless_rounds(self._script)
        self._expressions = Expressions(game)
        reads_board = any(s.name == "read_whole_board" for s in statements(self._script))
        # True if the board has always the same cells
        self._is_fixed = not self._expressions.changing and not reads_board
        self._out: list[list[object]] = []
        self._counters = 0
        self._depth = 0
        self._stop = [-1]

    def program(self) -> tuple[Instruction, ...]:
        self._block(self._script, self._stop, self._stop)
        self._place(self._stop)
        self._emit("end")
        jumps = ((line[0], *(_target(part) for part in line[1:])) for line in self._out)
        return tuple(jumps)

    def _emit(self, *parts: object) -> None:
        self._out.append([*parts])

    def _place(self, label: list[int]) -> None:
        label[0] = len(self._out)

    def _block(self, block: Sequence[Statement], leave: list[int], again: list[int]) -> None:
        for statement in block:
            self._statement(statement, leave, again)

    def _statement(self, statement: Statement, leave: list[int], again: list[int]) -> None:
        name = statement.name
        if reader := _READERS.get(name):
            reader(self, statement)
            return
        match name:
            case "layout_blank":
                self._emit("blank")
            case "layout_lines" | "layout_line":
                self._emit("layout", name)
            case "stop":
                self._emit("goto", self._stop)
            case "leave":
                self._emit("goto", leave)
            case "next":
                self._emit("goto", again)
            case "fail":
                self._emit("goto")
            case "let":
                self._emit(
                    "set",
                    name_of(statement.words[0]),
                    self._expressions.text(statement.operands[0]),
                )
            case "set_parameter":
                text = self._expressions.text(statement.operands[0])
                value = UNKNOWN if statement.otherwise else text
                self._emit("set", f"p_{statement.words[0]}", value)
                self._otherwise(statement, leave, again)
            case "if":
                self._if(statement, leave, again)
            case "repeat" | "repeat_from" | "repeat_in":
                self._repeat(statement)
            case "command" | "command_of_line":
                self._command(statement, leave, again)
            case "do":
                self._do(statement)
            case _:
                self._otherwise(statement, leave, again)

    def _otherwise(self, statement: Statement, leave: list[int], again: list[int]) -> None:
        """Compile the block of a statement that may fail."""
        if statement.otherwise and not is_refused(statement):
            self._branch(UNKNOWN, (), statement.otherwise, leave, again)

    def _branch(
        self,
        test: str,
        body: Sequence[Statement],
        otherwise: Sequence[Statement],
        leave: list[int],
        again: list[int],
    ) -> None:
        other, end = [-1], [-1]
        self._emit("test", test, other)
        self._block(body, leave, again)
        self._emit("goto", end)
        self._place(other)
        self._block(otherwise, leave, again)
        self._place(end)

    def _if(self, statement: Statement, leave: list[int], again: list[int]) -> None:
        test = self._expressions.text(statement.operands[0])
        self._branch(test, statement.body, statement.otherwise, leave, again)

    def _repeat(self, statement: Statement) -> None:
        if is_silent(statement.body):
            self._forget((statement, *statements(statement.body)))
            return
        begin, end = [-1], [-1]
        operands = statement.operands
        counter, limit, step = self._count(statement)
        self._place(begin)
        if statement.body and statement.body[0].site in self._endless:
            self._emit("goto", [len(self._out) + 1], self._stop)
        if limit:
            self._emit("test", limit, end)
        until = self._expressions.text(operands[-2]) if operands[-2] is not None else ""
        if until:
            self._emit("test", f"not ({until})", end)
        if counter:
            self._emit("set", counter, step)
        self._block(statement.body, end, begin)
        self._emit("goto", begin)
        self._place(end)

    def _forget(self, block: Iterable[Statement]) -> None:
        """Mark the values as unknown that a block assigns without reading them from the input."""
        for statement in block:
            if statement.name in ("let", "repeat_from"):
                self._emit("set", name_of(statement.words[0]), UNKNOWN)
            elif statement.name == "set_parameter":
                self._emit("set", f"p_{statement.words[0]}", UNKNOWN)

    def _count(self, statement: Statement) -> tuple[str, str, str]:
        """Set the counter of a loop; return its name, the test of a round, and the next value.

        A loop with a variable has a counter of its own, so that the body may change the variable.
        """
        operands = statement.operands
        if statement.name == "repeat" and operands[0] is None:
            return "", "", ""
        self._counters += 1
        counter = f"count_{self._counters}"
        if statement.name == "repeat_in":
            return "", UNKNOWN, ""
        if statement.name == "repeat_from":
            low, high = map(self._expressions.text, operands[:2])
            self._emit("set", counter, f"({high}) - ({low}) + 1")
            self._emit("set", name_of(statement.words[0]), UNKNOWN)
        else:
            self._emit("set", counter, self._expressions.text(operands[0]))
        return counter, f"{counter} > 0", f"{counter} - 1"

    def _command(self, statement: Statement, leave: list[int], again: list[int]) -> None:
        begin, end = [-1], [-1]
        self._place(begin)
        cases = [case for case in statement.body if case.words and not refuses(case.body)]
        for case in cases:
            other = [-1]
            self._emit("goto", [len(self._out) + 1], other)
            regex = "".join(map(_pattern, case.words))
            if statement.name == "command":
                self._emit("word", True, regex, None)
            else:
                self._emit("line", regex)
            self._block(case.body, leave, again)
            self._emit("goto", end)
            self._place(other)
        self._emit("goto")
        self._place(end)

    def _do(self, statement: Statement) -> None:
        name, *arguments = statement.words
        if self._depth >= _DEEPEST:
            return
        for argument, operand in zip(arguments, statement.operands, strict=True):
            self._emit("set", name_of(argument), self._expressions.text(operand))
        end = [-1]
        self._depth += 1
        bodies = (s.body for s in self._script if s.name == "block" and s.words[0] == name)
        self._block(next(bodies), end, end)
        self._depth -= 1
        self._place(end)

    # Statements that read

    def numbers(self, statement: Statement) -> None:
        condition = self._bounds(statement)
        for number, name in enumerate(statement.words):
            test = condition and condition.replace("value", name_of(name))
            self._emit("word", not number, f"(?P<{name_of(name)}>{_NUMBER})", test)

    def words(self, statement: Statement) -> None:
        kind = self._cells() if statement.name == "read_cell" else _WORD
        for number in range(len(statement.words)):
            self._emit("word", not number, kind, None)

    def list_of_line(self, statement: Statement) -> None:
        regex, condition = self._items(statement)
        more, end = [-1], [-1]
        self._emit("word", True, regex, condition)
        self._place(more)
        self._emit("goto", [len(self._out) + 1], end)
        self._emit("word", False, regex, condition)
        self._emit("goto", more)
        self._place(end)

    def list_of_length(self, statement: Statement) -> None:
        regex, condition = self._items(statement)
        self._counters += 1
        counter, more, end = f"count_{self._counters}", [-1], [-1]
        self._emit("set", counter, self._expressions.text(statement.operands[0]))
        self._emit("test", f"{counter} > 0", end)
        self._emit("word", True, regex, condition)
        self._place(more)
        self._emit("set", counter, f"{counter} - 1")
        self._emit("test", f"{counter} > 0", end)
        self._emit("word", False, regex, condition)
        self._emit("goto", more)
        self._place(end)

    def line(self, statement: Statement) -> None:
        self._emit("line", "[^\n]*")

    def mover(self, statement: Statement) -> None:
        self._emit("word", True, _one_of(to_pairs(statement.words)), None)

    def parameter(self, statement: Statement) -> None:
        name, *pairs = statement.words
        declared = next(p for p in self._game.rules.parameters if p.name == name)
        texts = pairs[::2] or [str(choice) for choice in declared.choices]
        if texts:
            self._emit("word", True, _one_of(texts), None)
            return
        key = f"p_{name}"
        self._emit("word", True, f"(?P<{key}>{_NUMBER})", _in_range(declared, key))

    def board(self, statement: Statement) -> None:
        symbols = {symbol: int(plane) for symbol, plane in to_pairs(statement.words).items()}
        known = symbols or alphabet(self._game.initial_state().form)
        symbol = f"(?:{_one_of(known)})"
        lengths = self._lengths(statement) if self._is_fixed else None
        spaced = any(" " in each for each in known)
        if lengths is not None:
            for length in lengths:
                self._row(f"{symbol}{{{length}}}", spaced=spaced)
            return
        more, end = [-1], [-1]
        self._place(more)
        self._row(f"{symbol}+", spaced=spaced)
        self._emit("goto", more, end)
        self._place(end)

    def whole_board(self, statement: Statement) -> None:
        pairs = to_pairs(statement.words[2:])
        known = pairs or alphabet(self._game.initial_state().form)
        symbol = f"(?:{_one_of(known)})"
        more, end = [-1], [-1]
        self._place(more)
        self._row(f"{symbol}+", spaced=any(" " in each for each in known))
        self._emit("goto", more, end)
        self._place(end)
        self._emit("blank")

    def accept(self, statement: Statement) -> None:
        low, high = statement.operands[-2:]
        for key, bound in (("accept_low", low), ("accept_high", high)):
            self._emit("set", key, UNKNOWN if bound is None else self._expressions.text(bound))

    def accept_all(self, statement: Statement) -> None:
        for key in ("accept_low", "accept_high"):
            self._emit("set", key, UNKNOWN)

    def _row(self, regex: str, *, spaced: bool) -> None:
        if spaced:
            self._emit("line", regex)
        else:
            self._emit("word", True, regex, None)

    def _lengths(self, statement: Statement) -> list[int] | None:
        """Return the numbers of symbols in the lines of a board, or None if they vary."""
        region, state = statement.operands[0], self._game.initial_state()
        inside = -1
        if region is not None:
            assert isinstance(region, Op)
            try:
                inside = int(GameView(self._game).value(region, state, {}))
            except (RulesError, KeyError):
                return None
        counts = [sum(inside >> cell & 1 for cell in cells) for cells in state.form.lines]
        return [count for count in counts if count]

    def _items(self, statement: Statement) -> tuple[str, str | None]:
        """Return the pattern of the words of a list, and their condition."""
        match statement.name:
            case "read_numbers" | "read_some_numbers":
                return f"(?P<value>{_NUMBER})", self._bounds(statement)
            case "read_cells":
                return self._cells(), None
        return _WORD, None

    def _cells(self) -> str:
        return _one_of(self._game.initial_state().form.cells) if self._is_fixed else _WORD

    def _bounds(self, statement: Statement) -> str:
        low, high = statement.operands[-2:]
        parts = [f"({self._expressions.text(low)}) <= value"] if low is not None else []
        parts += [f"value <= ({self._expressions.text(high)})"] if high is not None else []
        return " and ".join(parts) or "True"


def _target(part: object) -> object:
    return part[0] if isinstance(part, list) else part


def _one_of(texts: object) -> str:
    assert isinstance(texts, (dict, list, tuple, MappingProxyType))
    longest_first = sorted(texts, key=lambda text: -len(text))
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


def _pattern(part: str) -> str:
    """Return the regular expression of a part of a case."""
    if part.startswith("'"):
        return re.escape(part[1:])
    name, _, kind = part.partition(":")
    return f"(?P<{name_of(name)}>{_KINDS[kind]})"


def _in_range(parameter: Parameter, key: str) -> str:
    low, high, step = parameter.low, parameter.high, parameter.step or 1
    return f"{low} <= {key} <= {high} and ({key} - {low}) % {step} == 0"


_READERS: MappingProxyType[str, Callable[[_Compiler, Statement], None]] = MappingProxyType(
    {
        "read_number": _Compiler.numbers,
        "read_word": _Compiler.words,
        "read_cell": _Compiler.words,
        "read_numbers": _Compiler.list_of_line,
        "read_words": _Compiler.list_of_line,
        "read_cells": _Compiler.list_of_line,
        "read_some_numbers": _Compiler.list_of_length,
        "read_some_words": _Compiler.list_of_length,
        "read_line": _Compiler.line,
        "read_board": _Compiler.board,
        "read_symbols": _Compiler.board,
        "read_whole_board": _Compiler.whole_board,
        "read_mover": _Compiler.mover,
        "read_parameter": _Compiler.parameter,
        "accept_numbers": _Compiler.accept,
        "accept_all": _Compiler.accept_all,
    }
)
