"""Execution of a script, statement by statement: blocks, loops and cases."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Literal

from rulesengine.errors import EvaluationError, InputError, LimitError
from rulesengine.language.ir.rules import Statement
from rulesengine.script import (
    assignment,
    board_statements,
    play_statements,
    print_statements,
    read_statements,
    take_back_statements,
)
from rulesengine.script.loop_guard import LoopGuard
from rulesengine.script.patterns import match
from rulesengine.script.runtime import ScriptState, StatementError
from rulesengine.script.tokens import EndOfInput
from rulesengine.support.limits import INTEGER_MAX

Signal = Literal["stop", "leave", "next"]
Block = Callable[[], tuple[Statement, ...]]

# The statements without a nested block, by name.
STATEMENTS: MappingProxyType[str, Callable[[ScriptState, Statement], None]] = MappingProxyType(
    {
        "print": print_statements.print_text,
        "prompt": print_statements.prompt,
        "fail": print_statements.fail,
        "print_board": print_statements.print_board,
        "print_moves": print_statements.print_moves,
        "print_each": print_statements.print_each,
        "prompt_moves": print_statements.prompt_moves,
        "prompt_each": print_statements.prompt_each,
        "read_number": read_statements.read_number,
        "read_numbers": read_statements.read_numbers,
        "read_some_numbers": read_statements.read_some_numbers,
        "read_word": read_statements.read_word,
        "read_words": read_statements.read_words,
        "read_some_words": read_statements.read_some_words,
        "read_line": read_statements.read_line,
        "read_cell": read_statements.read_cell,
        "read_cells": read_statements.read_cells,
        "read_board": board_statements.read_board,
        "read_symbols": board_statements.read_symbols,
        "read_whole_board": board_statements.read_whole_board,
        "read_mover": read_statements.read_mover,
        "read_parameter": read_statements.read_parameter,
        "accept_numbers": read_statements.accept_numbers,
        "accept_all": read_statements.accept_all,
        "layout_lines": read_statements.layout,
        "layout_line": read_statements.layout,
        "layout_blank": read_statements.layout,
        "play_word": play_statements.play_word,
        "play_text": play_statements.play_text,
        "play_where": play_statements.play_where,
        "play_pass": play_statements.play_pass,
        "play_chance": play_statements.play_chance,
        "play_one": play_statements.play_one,
        "play_all": play_statements.play_all,
        "play_many": play_statements.play_many,
        "take_back": take_back_statements.take_back,
        "take_back_all": take_back_statements.take_back_all,
        "replay": take_back_statements.replay,
        "replay_all": take_back_statements.replay_all,
        "choose": play_statements.choose,
        "solve": play_statements.solve,
        "forfeit": play_statements.forfeit,
        "let": assignment.let,
        "append": assignment.append,
        "set_parameter": assignment.set_parameter,
        "effect": assignment.effect,
        "put_symbols": board_statements.put_symbols,
        "start_anew": assignment.start_new_game,
    }
)


class Runner:
    """The interpreter of a script: statements, blocks, loops and cases, as a tree."""

    def __init__(self, stage: ScriptState) -> None:
        self.stage = stage
        self.rounds = LoopGuard(stage)
        self.at_end: Block = tuple

    def run(self) -> None:
        """Execute the script, then the `at end` lines if they were set when the input ended."""
        try:
            self.block(lambda: self.stage.view.script)
        except EndOfInput:
            if self.at_end is tuple:
                self.stage.report_end()
            with suppress(EndOfInput):
                self.block(self.at_end)

    def run_with_locations(self) -> None:
        """Run the script; add the location in the script and the input to error messages."""
        try:
            self.run()
        except StatementError as failure:
            raise InputError(self._placed(failure)) from failure
        except (EvaluationError, LimitError, InputError) as error:
            raise type(error)(self._placed(error)) from error

    def _placed(self, error: Exception) -> str:
        # imported here: most runs have no error
        from rulesengine.script.error_location import with_location

        return with_location(self.stage, error)

    def block(self, block: Block) -> Signal | None:
        """Execute a block; fetch it again after a statement has changed the game's parameters."""
        game, statements, at = self.stage.game, block(), 0
        while at < len(statements):
            signal = self.statement(statements[at], _nth(block, at))
            if signal:
                return signal
            if self.stage.game is not game:
                game, statements = self.stage.game, block()
            at += 1
        return None

    def statement(self, statement: Statement, again: Callable[[], Statement]) -> Signal | None:
        self.stage.enter(statement)
        match statement.name:
            case "stop" | "leave" | "next":
                return statement.name
            case "if":
                test = self.stage.value(statement.operands[0])
                return self.block(lambda: again().body if test else again().otherwise)
            case "repeat" | "repeat_from" | "repeat_in":
                return self._repeat(again)
            case "command" | "command_of_line":
                return self._command(again)
            case "block":
                return None
            case "do":
                return self._do(statement)
            case "at_end":
                self.at_end = lambda: again().body
                return None
        try:
            STATEMENTS[statement.name](self.stage, statement)
        except StatementError:
            if not statement.otherwise:
                raise
            return self.block(lambda: again().otherwise)
        return None

    def _do(self, statement: Statement) -> Signal | None:
        """Execute a named block with argument values; `leave` and `next` end it."""
        stage, (name, *arguments) = self.stage, statement.words
        values = [assignment.own_value(stage.value(op)) for op in statement.operands]
        with stage.local(*arguments):
            stage.variables |= zip(arguments, values, strict=True)
            for argument, op in zip(arguments, statement.operands, strict=True):
                stage.note(argument, op)
            signal = self.block(lambda: self._named(name))
        return signal if signal == "stop" else None

    def _named(self, name: str) -> tuple[Statement, ...]:
        """Return the lines of a named block."""
        script = self.stage.view.script
        return next(s.body for s in script if s.name == "block" and s.words[0] == name)

    def _repeat(self, again: Callable[[], Statement]) -> Signal | None:
        """Execute a loop; its variable is local to the block."""
        statement, printed = again(), self.stage.printed
        with self.stage.local(*statement.words[:1]):
            signal = self._rounds(statement, again)
        # otherwise an enclosing loop may still have to print its separator
        if self.stage.printed > printed:
            self.stage.separator = ""
        return signal

    def _rounds(self, statement: Statement, again: Callable[[], Statement]) -> Signal | None:
        stage, printed = self.stage, self.stage.printed
        counted = statement.name != "repeat" or statement.operands[0] is not None
        for value in self.values(statement):
            stage.variables |= dict.fromkeys(statement.words[:1], value)
            stage.at = statement
            self.rounds.begin(counted=counted)
            until, separator = again().operands[-2:]
            if until is not None and stage.value(until):
                break
            if separator is not None and stage.printed > printed:
                stage.separator = stage.text(separator) + "\n"
            signal = self.block(lambda: again().body)
            if signal == "stop":
                return "stop"
            if signal == "leave":
                break
        return None

    def values(self, statement: Statement) -> Iterable[int]:
        """Return the values of the loop variable, or a range with one number per round."""
        stage, operands = self.stage, statement.operands
        match statement.name:
            case "repeat_from":
                return range(stage.value(operands[0]), stage.value(operands[1]) + 1)
            case "repeat_in":
                return self._members(statement)
        return range(INTEGER_MAX if operands[0] is None else stage.value(operands[0]))

    def _members(self, statement: Statement) -> list[int]:
        """Return the values of a domain, sorted by the keys of the loop."""
        stage, (name, domain) = self.stage, statement.words
        op, *keys, _, _ = statement.operands
        values = stage.members(domain, op)

        def rank(value: int) -> list[Any]:
            stage.variables[name] = value
            return [stage.value(key) for key in keys]

        return sorted(values, key=rank) if keys else values

    def _command(self, again: Callable[[], Statement]) -> Signal | None:
        statement, stage = again(), self.stage
        word = stage.word() if statement.name == "command" else stage.line()
        for i, case in enumerate(again().body):
            fields = match(case.words, word)
            if fields is not None:
                self.stage.variables |= fields
                return self._case(again, i)
        return None

    def _case(self, command: Callable[[], Statement], number: int) -> Signal | None:
        return self.block(lambda: command().body[number].body)


def _nth(block: Block, at: int) -> Callable[[], Statement]:
    """Return a function that fetches a statement of a block each time it is called."""
    return lambda: block()[at]
