"""The checker of I/O scripts: lines to statements with operations and templates."""

import re
from types import MappingProxyType
from typing import cast

from rulesengine.language.check import script_word_pairs
from rulesengine.language.check.context import GONE, Context, error_op, is_error
from rulesengine.language.check.effects import EffectChecker
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.scope import NEVER_NAMES, Keys, Scope
from rulesengine.language.check.script_blocks import BlockChecker
from rulesengine.language.check.script_boards import puts_symbols, report_else
from rulesengine.language.check.script_plays import Parts, check_cases, pattern, play
from rulesengine.language.check.texts import MEMBERS
from rulesengine.language.ir.ops import ON_BOARD, Op, reads_parts
from rulesengine.language.ir.rules import Statement, Template
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import WRONG, Line
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.source import Span

# The types of the values that these statements read.
_READ = MappingProxyType(
    {
        "read_word": "text",
        "read_line": "text",
        "read_cell": "cell",
        "read_cells": "cells",
        "read_words": "texts",
        "read_some_words": "texts",
        "read_numbers": "numbers",
        "read_some_numbers": "numbers",
    }
)


class ScriptChecker:
    """A checker of scripts from the first line to the last; reads bind names from there on."""

    def __init__(
        self, context: Context, expressions: ExpressionChecker, effects: EffectChecker, keys: Keys
    ) -> None:
        self.context = context
        self.effects = effects
        self.expressions = expressions
        self.scope = Scope(context, expressions, keys)
        self.blocks = BlockChecker(self.scope)
        self._making: set[str] = set()  # the blocks that set a parameter

    def check(self, lines: tuple[Line, ...]) -> tuple[Statement, ...]:
        """Check a whole script and return its statements."""
        self._suppress_errors(lines)
        self.blocks.declare(lines)
        while new := {name for name, line in self.blocks.lines.items() if self._is_new(line)}:
            self._making |= new
        statements = self._lines(lines)
        for line in lines:
            if line.statement == "block":
                self.blocks.report_unused(line)
        return tuple(map(self.blocks.filled, statements))

    def _suppress_errors(self, lines: tuple[Line, ...]) -> None:
        """Suppress errors at uses of the words of unparsable lines."""
        for line in lines:
            if line.statement == WRONG:
                self.context.broken.update(line.words)
                self.context.used.update(re.findall(r"[a-z][a-z0-9_]*", line.span.text))
            self._suppress_errors((*line.body, *line.otherwise))

    def _is_new(self, block: Line) -> bool:
        """True if a block sets a parameter and is not yet recorded for that."""
        makes = any(map(self._sets_parameter, block.body))
        return makes and block.words[0] not in self._making

    def _lines(self, lines: tuple[Line, ...]) -> tuple[Statement, ...]:
        return tuple(self._line(line) for line in lines)

    def _line(self, line: Line) -> Statement:
        name, site = line.statement, self.context.site(line.span)
        if name in ("repeat_from", "repeat_in"):
            return self._loop(line, site)
        if name == "block":
            self.blocks.check_place(line)
            return Statement(name, line.words, (), (), (), site)
        words, operands = self._parts(line)
        if name == "set":
            name = "set_parameter" if self._sets_parameter(line) else "effect"
        if self._grown(line):
            name = "append"
        if puts_symbols(self.scope, line):
            name = "put_symbols"
        elif name == "effect" and line.otherwise:
            report_else(self.context, line)
        if name in ("command", "command_of_line"):
            check_cases(self.scope, line)
            body = sum(self._branches(*((case,) for case in line.body)), ())
            return Statement(name, words, operands, body, self._lines(line.otherwise), site)
        body, otherwise = self._branches(line.body, line.otherwise)
        if self._sets_board(line):
            self.scope.leave_board()
        return Statement(name, words, operands, body, otherwise, site)

    def _branches(self, *blocks: tuple[Line, ...]) -> list[tuple[Statement, ...]]:
        """Check alternative blocks; each starts with the variables that were valid before them."""
        scope = self.scope
        before, dropped, checked = dict(scope.variables), dict[str, Op](), []
        for block in blocks:
            scope.variables |= before if block else {}
            checked.append(self._lines(block))
            dropped |= {word: op for word, op in scope.variables.items() if op.name == GONE}
        scope.variables |= dropped
        return checked

    def _loop(self, line: Line, site: int) -> Statement:
        """Check a `repeat` with a variable, which is local to the block."""
        scope, values = self.scope, line.values
        if line.statement == "repeat_from":
            kind, words = "number", line.words
            operands: tuple[Op | None, ...] = tuple(map(scope.number, values[:2]))
        else:
            domain, kind, op = self._domain(values[0])
            words, operands = (*line.words, domain), (op,)
        if any(map(self._sets_parameter, line.body)):
            self._on_one_board(line, kind)
            scope.leave_board()
        with scope.local(line.words[0], kind, line.places[0]):
            keys = self._ranking(values[1]) if line.statement == "repeat_in" else []
            rest = (*keys, *self._rounds(values[-2:]))
            (body,) = self._branches(line.body)
        return Statement(line.statement, words, (*operands, *rest), body, (), site)

    def _rounds(self, values: tuple[n.Node | None, ...]) -> tuple[Op | Template | None, ...]:
        """Check the end condition of a `repeat` and the separator of its rounds."""
        until, separator = values
        ends = self.scope.value(until, "flag") if until else None
        return ends, self.scope.text(separator) if separator else None

    def _domain(self, node: n.Node | None) -> tuple[str, str, Op]:
        """Check a loop's domain; return its name, the type of its members and its operation."""
        domain = self.expressions.domain(cast(n.Node, node), self.scope.view())
        return domain or ("cells", "cell", error_op())

    def _on_one_board(self, line: Line, kind: str) -> None:
        """Report a loop over cells or directions of a board that its block replaces."""
        node = line.values[0]
        if kind in ON_BOARD and node is not None:
            message = "a parameter is read in this block: these are of the board before"
            words = Span(line.span.source, line.places[0].end + 1, node.span.end)
            count = f"from 1 to count({node.span.text})"
            help = Suggestion(f"count instead: `{count}`", count, words)
            self.context.report("not-here", node.span, message, help)

    def _parts(self, line: Line) -> Parts:
        scope, values = self.scope, line.values
        match line.statement:
            case "print" | "prompt" | "fail":
                return (), (scope.text(values[0]),)
            case "print_moves" | "prompt_moves":
                keys = self._ranking(values[0], step=True)
                return (), (*keys, scope.text(values[1], step=True), self._separator(values[2]))
            case "print_each" | "prompt_each":
                return self._print_each(line)
            case "read_number" | "accept_numbers":
                bounds = tuple(map(scope.number, values))
                return scope.bind_words(line, "number"), bounds
            case "read_word" | "read_line" | "read_cell" | "read_cells" | "read_words":
                return scope.bind_words(line, _READ[line.statement]), ()
            case "read_numbers" | "read_some_numbers" | "read_some_words":
                numbers = tuple(map(scope.number, values))
                return scope.bind_words(line, _READ[line.statement]), numbers
            case "read_board" | "read_symbols":
                region = scope.value(values[0], "cells") if values[0] else None
                return script_word_pairs.alphabet(self.context, values[1]), (region,)
            case "read_whole_board":
                rows_and_columns = script_word_pairs.sizes(self.context, line)
                return (*rows_and_columns, *script_word_pairs.alphabet(self.context, values[0])), ()
            case "read_mover":
                return script_word_pairs.sides(self.context, values), ()
            case "read_parameter":
                return script_word_pairs.parameter(self.context, line), ()
            case "if":
                return (), (scope.value(values[0], "flag"),)
            case "repeat":
                times = scope.number(values[0])
                if any(map(self._sets_parameter, line.body)):
                    scope.leave_board()
                return (), (times, *self._rounds(values[1:]))
            case "case":
                return pattern(scope, values[0] if values else None), ()
            case "do":
                return self._do(line)
            case "wrong":
                for value in values:
                    self.expressions.infer(cast(n.Node, value), scope.view(step=True))
                return (), ()
            case "effect" if put := puts_symbols(scope, line):
                text, cells = put.operands
                return (), (scope.value(text, "text"), scope.value(cells, "cells"))
            case "effect" if grown := self._grown(line):
                return self._append(grown)
            case "set" | "effect":
                return self._change(line)
            case "let":
                node = cast(n.Node, values[0])
                op = self.expressions.infer(node, scope.view())
                if op.type == "kinds":
                    op = self.expressions.coerce(op, "cells", node)
                return scope.bind_words(line, op.type), (op,)
        return play(scope, line)

    def _do(self, line: Line) -> Parts:
        """Check `do`: return the block's name with its arguments, and the values.

        The first `do` of a block checks its lines.
        """
        block = self.blocks.find(line)
        if block is None:
            return line.words, ()
        name, values = line.words[0], self.blocks.values(line)
        if name not in self.blocks.bodies:
            with self.blocks.inside(block):
                self.blocks.bodies[name] = self._lines(block.body)
            self.blocks.note_board(name)
        elif name in self._making:
            self.blocks.leave_board(name)
        return block.words, values

    def _change(self, line: Line) -> Parts:
        """Check an assignment to a parameter, or an effect on the position."""
        node = line.values[0]
        assert node is not None
        if line.statement == "set":
            word, place = line.words[0], line.places[0]
            if word in self.context.parameters:
                self.context.used.add(word)
                return (word,), (self.scope.value(node, self.context.parameters[word].type),)
            if word not in self.context.registers:
                self._no_register(line)
                return (), (error_op(),)
            node = n.SetRegister(line.span, n.Name(place, word), node)
        effect = self.effects.effect(node, self.scope.view())
        if not is_error(effect) and reads_parts(effect, "outcome", "moves", "future"):
            message = "an effect cannot read moves or the outcome"
            help = "give the value a name before, `let x be …`"
            self.context.report("not-here", line.span, message, help)
        return (), (effect,)

    def _grown(self, line: Line) -> n.SetRegister | None:
        """Return the effect of a line that adds a member to a list of the script."""
        node = line.values[0] if line.statement == "effect" else None
        if not isinstance(node, n.SetRegister) or not node.adds:
            return None
        word = node.register.word if isinstance(node.register, n.Name) else ""
        op = self.scope.variables.get(word)
        return node if op is not None and op.type in MEMBERS else None

    def _append(self, node: n.SetRegister) -> Parts:
        """Check the value that is added to a list."""
        assert isinstance(node.register, n.Name)
        word = node.register.word
        member = MEMBERS[self.scope.variables[word].type]
        return (word,), (self.scope.value(node.value, member),)

    def _no_register(self, line: Line) -> None:
        context, word = self.context, line.words[0]
        help = did_you_mean(word, [*context.registers, *context.parameters])
        if not help and line.values[0] is not None and word not in NEVER_NAMES:
            text = f"let {word} be {line.values[0].span.text}"
            help = Suggestion(f"a value of the script is given by `{text}`", text, line.span)
        message = f"no register or parameter `{word}`"
        context.report("unknown-name", line.places[0], message, help)

    def _sets_parameter(self, line: Line) -> bool:
        """True if a line or one of its blocks sets a parameter."""
        done = line.statement == "do" and line.words[0] in self._making
        below = (*line.body, *line.otherwise)
        return done or self._sets_board(line) or any(map(self._sets_parameter, below))

    def _sets_board(self, line: Line) -> bool:
        """True if a line itself sets a parameter."""
        sets = line.statement == "set" and line.words[0] in self.context.parameters
        return sets or line.statement in ("read_parameter", "read_whole_board")

    def _separator(self, value: n.Node | None) -> Template | None:
        return self.scope.text(value) if value else None

    def _ranking(self, node: n.Node | None, step: bool = False) -> list[Op]:
        """Check the sort keys of a domain, the most significant first."""
        items = node.items if isinstance(node, n.Listing) else ()
        return [self._rank(item, step) for item in items]

    def _rank(self, node: n.Node, step: bool) -> Op:
        op = self.expressions.infer(node, self.scope.view(step))
        return op if op.type == "text" else self.expressions.coerce(op, "number", node)

    def _print_each(self, line: Line) -> Parts:
        """Check `print each`: return the variable and its domain, then the operands."""
        domain, kind, op = self._domain(line.values[0])
        with self.scope.local(line.words[0], kind, line.places[0]):
            keys = self._ranking(line.values[1])
            text = self.scope.text(line.values[2])
            separator = self._separator(line.values[3])
        return (*line.words, domain), (op, *keys, text, separator)
