"""The lines of an I/O script to statements with operations and templates."""

import re
from types import MappingProxyType
from typing import cast

from rulesengine.check.context import GONE, PLAYER, SHOWN_TYPES, Context, View, error_op, is_error
from rulesengine.check.expressions import Expressions
from rulesengine.check.mends import declared, new_name
from rulesengine.check.templates import form_span, template
from rulesengine.diagnostic import Mend, did_you_mean
from rulesengine.ir.ops import ON_BOARD, Op, Type
from rulesengine.ir.rules import Statement, Template
from rulesengine.record import replace
from rulesengine.source import Span
from rulesengine.syntax import nodes as n
from rulesengine.syntax.script import Line

_STEP = MappingProxyType(
    {
        "to": Op("variable", "cell", (), "to"),
        "from": Op("variable", "cell", (), "from"),
    }
)
_MOVE = Op("variable", "text", (), "move")
_FIELDS = MappingProxyType(
    {"digit": "number", "number": "number", "letter": "text", "word": "text"}
)
_NEVER_NAMES = frozenset({"to", "from", "move", "reason", "it", "player"})


class Scripts:
    """Checks a script from the first line to the last; reads bind names from there on."""

    def __init__(self, context: Context, expressions: Expressions) -> None:
        self.context = context
        self.expressions = expressions
        self.variables: dict[str, Op] = {
            "move": _MOVE,
            "word": Op("variable", "text", (), "word"),
            "reason": Op("variable", "text", (), "reason"),
        }
        self.types: dict[str, str] = {name: op.type for name, op in self.variables.items()}

    def check(self, lines: tuple[Line, ...]) -> tuple[Statement, ...]:
        return tuple(self._line(line) for line in lines)

    def _view(self, step: bool = False) -> View:
        variables = MappingProxyType(dict(self.variables))
        return View("script", PLAYER, variables, _STEP if step else MappingProxyType({}))

    def _line(self, line: Line) -> Statement:
        name = line.statement
        words, operands = self._parts(line)
        if name == "command":
            self._check_cases(line)
            body = sum(self._branches(*((case,) for case in line.body)), ())
            return Statement(name, words, operands, body, self.check(line.otherwise))
        body, otherwise = self._branches(line.body, line.otherwise)
        if name == "read_parameter":
            self._leave_board()
        return Statement(name, words, operands, body, otherwise)

    def _branches(self, *blocks: tuple[Line, ...]) -> list[tuple[Statement, ...]]:
        """Blocks of which one is done: each knows the board that was there before them."""
        before, gone, checked = dict(self.variables), dict[str, Op](), []
        for block in blocks:
            self.variables |= before if block else {}
            checked.append(self.check(block))
            gone |= {word: op for word, op in self.variables.items() if op.name == GONE}
        self.variables |= gone
        return checked

    def _leave_board(self) -> None:
        """Let go of the values that are cells or directions of a board which is no more."""
        for word, op in self.variables.items():
            if op.type in ON_BOARD:
                self.variables[word] = replace(error_op(), name=GONE)

    def _parts(self, line: Line) -> tuple[tuple[str, ...], tuple[Op | Template | None, ...]]:
        values = line.values
        match line.statement:
            case "print" | "prompt" | "fail":
                return (), (self._template(values[0]),)
            case "print_moves":
                return (), (self._template(values[0], step=True), self._separator(values[1:]))
            case "print_each":
                return self._print_each(line)
            case "read_number" | "accept_numbers":
                bounds = tuple(self._number(v) for v in values)
                return self._bind(line, "number"), bounds
            case "read_word" | "read_line":
                return self._bind(line, "text"), ()
            case "read_cell":
                return self._bind(line, "cell"), ()
            case "read_board" | "read_symbols":
                return (), tuple(self._value(v, "cells") for v in values)
            case "read_mover":
                return self._sides(values), ()
            case "read_parameter":
                return self._parameter(line), ()
            case "if":
                return (), (self._value(values[0], "flag"),)
            case "repeat":
                times = self._number(values[0])
                if _makes_boards(line.body):
                    self._leave_board()
                separator = self._template(values[2]) if values[2] else None
                until = self._value(values[1], "flag") if values[1] else None
                return (), (times, until, separator)
            case "case":
                return self._pattern(values[0] if values else None), ()
            case "let":
                node = cast(n.Node, values[0])
                op = self.expressions.infer(node, self._view())
                if op.type == "kinds":
                    op = self.expressions.coerce(op, "cells", node)
                return self._bind(line, op.type), (op,)
            case _:
                return self._play(line)

    def _play(self, line: Line) -> tuple[tuple[str, ...], tuple[Op | Template | None, ...]]:
        values = line.values
        match line.statement:
            case "play_word":
                word = line.words[0]
                if self.variables.get(word, error_op()).type != "text":
                    message = f"no word `{word}` was read"
                    help = self._read_it(word, line)
                    self.context.report("unknown-name", _word_span(line), message, help)
                return (word,), ()
            case "play_text":
                return (), (self._template(values[0]),)
            case "play_where":
                return (), (self._value(values[0], "flag", step=True),)
            case "play_one" | "play_all":
                name, chosen = self._strategy(values[0])
                return (name,), (chosen,)
            case "choose":
                name, chosen = self._strategy(values[0])
                return (*self._bind(line, "text"), name), (chosen,)
            case "play_many":
                name, chosen = self._strategy(values[1])
                return (name,), (chosen, self._number(values[0]))
        return (), ()

    def _read_it(self, word: str, line: Line) -> str:
        """The word that was read instead, or a line that reads this one."""
        texts = [name for name, op in self.variables.items() if op.type == "text"]
        own = [name for name in texts if name not in _NEVER_NAMES and name != "word"]
        if help := did_you_mean(word, own) or (len(own) == 1 and Mend(f"write `{own[0]}`", own[0])):
            return help
        if line.words and word in self.variables:
            return f"`{word}` is no text: read it with `read word {word}`"
        start = Span(line.span.source, line.span.start, line.span.start)
        indent = " " * (line.span.source.position(line.span.start)[1] - 1)
        return Mend(f"read it: `read word {word}`", f"read word {word}\n{indent}", start)

    # parts of a statement

    def _value(self, node: n.Node | None, want: str, step: bool = False) -> Op:
        assert node is not None
        return self.expressions.check(node, self._view(step), want)

    def _number(self, node: n.Node | None) -> Op | None:
        return self._value(node, "number") if node else None

    def _template(self, node: n.Node | None, step: bool = False) -> Template:
        assert isinstance(node, n.Text)
        return template(node, self.expressions, self._view(step))

    def _separator(self, values: tuple[n.Node | None, ...]) -> Template | None:
        return self._template(values[0]) if values else None

    def _print_each(self, line: Line) -> tuple[tuple[str, ...], tuple[Op | Template | None, ...]]:
        """The variable and what it goes through, then the domain and the templates."""
        found = self.expressions.domain(cast(n.Node, line.values[0]), self._view())
        domain, kind, op = found or ("cells", "cell", error_op())
        outer, types = dict(self.variables), self.types
        self.types = {}
        words = (*self._bind(line, kind), domain)
        parts = (op, self._template(line.values[1]), self._separator(line.values[2:]))
        self.variables, self.types = outer, types
        return words, parts

    def _bind(self, line: Line, type: str) -> tuple[str, ...]:
        for word in line.words:
            self._bind_word(word, type, _word_span(line))
        return line.words

    def _bind_word(self, word: str, type: str, span: Span) -> None:
        context = self.context
        declared = word in context.parameters or word in context.registers
        if word in _NEVER_NAMES or declared or word in context.definitions:
            message = f"`{word}` already has a meaning"
            self.context.report("name-taken", span, message, new_name(word))
        known = self.types.setdefault(word, type) if type != "error" else "error"
        if known not in (type, "error"):
            message = f"`{word}` is {SHOWN_TYPES[known]} above, and {SHOWN_TYPES[type]} here"
            self.context.report("type-mismatch", span, message, new_name(word))
        if type != "error":
            self.variables[word] = Op("variable", cast(Type, type), (), word)

    def _sides(self, values: tuple[n.Node | None, ...]) -> tuple[str, ...]:
        """Pairs of the word that is read and the number of the side."""
        pairs = self._pairs(values)
        if not pairs:
            return tuple(x for i, p in enumerate(self.context.players) for x in (p.name, str(i)))
        out: list[str] = []
        for text, node in pairs:
            side = self.context.side_named(node.word) if isinstance(node, n.Name) else None
            if side is None:
                names = [p.name for p in self.context.players]
                help = did_you_mean(node.span.text, names) or "the players are " + ", ".join(names)
                message = f"no player `{node.span.text}`"
                self.context.report("unknown-name", node.span, message, help)
            else:
                out += [text, str(side.value)]
        return tuple(out)

    def _parameter(self, line: Line) -> tuple[str, ...]:
        """The parameter's name, then pairs of the word that is read and the value."""
        word = line.words[0]
        parameter = self.context.parameters.get(word)
        if parameter is None:
            help = did_you_mean(word, list(self.context.parameters))
            span = _word_span(line)
            help = help or declared(
                self.context,
                "parameters",
                f"{word}: {{type: integer, default: 1}}",
                f"declare it: `parameters: {{{word}: {{type: integer, default: 1}}}}`",
            )
            self.context.report("unknown-name", span, f"no parameter `{word}`", help)
            return line.words
        self.context.used.add(word)
        pairs = self._pairs(line.values)
        out = [word]
        for text, node in pairs:
            value = node.value if isinstance(node, n.Number) else getattr(node, "word", "")
            if parameter.choices and value not in parameter.choices:
                self._no_choice(word, node, [str(c) for c in parameter.choices], pairs)
            out += [text, str(value)]
        if not pairs:
            out += [x for c in parameter.choices for x in (str(c), str(c))]
        return tuple(out)

    def _no_choice(
        self, word: str, node: n.Node, choices: list[str], pairs: list[tuple[str, n.Node]]
    ) -> None:
        """Report a value that the parameter does not have; the one that is left is offered."""
        given = [pair.span.text for _, pair in pairs]
        left = [choice for choice in choices if choice not in given]
        help = did_you_mean(node.span.text, choices) or "its values are " + ", ".join(choices)
        help = Mend(help, left[0]) if len(left) == 1 and not isinstance(help, Mend) else help
        message = f"`{word}` has no value `{node.span.text[:40]}`"
        self.context.report("not-allowed-value", node.span, message, help)

    def _pairs(self, values: tuple[n.Node | None, ...]) -> list[tuple[str, n.Node]]:
        if not values or not isinstance(values[0], n.Listing):
            return []
        pairs = []
        for item in values[0].items:
            assert isinstance(item, n.Listing)
            text = item.items[0]
            assert isinstance(text, n.Text)
            pairs.append(("".join(p for p in text.parts if isinstance(p, str)), item.items[1]))
        return pairs

    def _strategy(self, node: n.Node | None) -> tuple[str, Op | None]:
        names = self.context.strategies
        if isinstance(node, n.Index):
            op = self.expressions.infer(node.value, self._view())
            if not is_error(op) and op.type not in ("number", "text"):
                message = f"expected a strategy's name, found {SHOWN_TYPES[op.type]}"
                help = "the strategies are " + ", ".join(names)
                if len(names) == 1:
                    plain = not names[0].isdigit()
                    help = Mend(help, names[0], node.span if plain else node.value.span)
                self.context.report("type-mismatch", node.value.span, message, help)
            return "", op
        word = node.word if isinstance(node, n.Name) else ""
        if word not in names and node is not None:
            help = did_you_mean(word, list(names)) or "the strategies are " + ", ".join(names)
            if not names:
                entry = f"{word}: [leftmost]"
                help = f"declare it: `strategies: {{{entry}}}`"
                help = declared(self.context, "strategies", entry, help)
            self.context.report("unknown-name", node.span, f"no strategy `{word}`", help)
        return word, None

    def _pattern(self, node: n.Node | None) -> tuple[str, ...]:
        """`'text` for each fixed part and `name:kind` for each field."""
        if not isinstance(node, n.Text):
            return ()
        out = []
        for part in node.parts:
            if isinstance(part, str):
                out.append("'" + part)
                continue
            kind = part.format or "word"
            if not isinstance(part.value, n.Name) or kind not in _FIELDS:
                wrong = isinstance(part.value, n.Name)
                message = f"no kind of field `{kind}`" if wrong else "expected a name and a kind"
                help = "write `{r:digit}`; kinds are " + ", ".join(_FIELDS)
                help = did_you_mean(kind, list(_FIELDS)) or help
                span = form_span(part) if wrong else part.span
                self.context.report("syntax", span, message, help)
                continue
            self._bind_word(part.value.word, _FIELDS[kind], part.value.span)
            out.append(f"{part.value.word}:{kind}")
        return tuple(out)

    def _check_cases(self, line: Line) -> None:
        for inner in line.body:
            if inner.statement != "case":
                at = Span(inner.span.source, inner.span.start, inner.span.start)
                indent = " " * (at.source.position(at.start)[1] + 1)
                help = 'begin with the word in quotation marks: `"n"`'
                help = Mend(help, f'"n"\n{indent}', at)
                self.context.report("syntax", inner.span, "expected a case of `command`", help)


def _makes_boards(block: tuple[Line, ...]) -> bool:
    """Whether a parameter is read somewhere in a block."""
    return any(
        line.statement == "read_parameter" or _makes_boards((*line.body, *line.otherwise))
        for line in block
    )


def _word_span(line: Line) -> Span:
    """Where the name in a line stands: after the words of its statement."""
    words = line.statement.count("_") + 1
    match = re.match(rf"(?:[a-z]+ +){{{words}}}([a-z0-9_]+)", line.span.text)
    if match is None:
        return line.span
    start = line.span.start
    return Span(line.span.source, start + match.start(1), start + match.end(1))
