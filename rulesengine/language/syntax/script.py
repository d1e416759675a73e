"""The parser of I/O scripts: text to a tree of lines; indentation makes blocks.

See decision 008.
"""

import re
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, VisitError

from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.parse import (
    Builder,
    SyntaxFinding,
    WholeWords,
    fields,
    too_deep,
    too_long,
)
from rulesengine.language.syntax.parser_tables import parser
from rulesengine.language.syntax.script_errors import suggest_keyword
from rulesengine.language.syntax.syntax_errors import syntax_error
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.limits import MAX_DEPTH, MAX_TOKENS
from rulesengine.support.resources import read_text
from rulesengine.support.source import Slice, Span

# The statement of an unparsable line, with any block under it. Its words are the names that the
# line may have declared, its values those of the fields of its texts.
WRONG = "wrong"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
# A complete text, or an unclosed one up to the end of the line.
_TEXT = re.compile(r'"(?:\\.|\{[^{}"\n]*(?:"[^"\n]*"[^{}"\n]*)*\}|[^"\\\n])*("?)')
_CALLED = re.compile(r"[a-z][a-z0-9_]*\(")
# Lines with these beginnings call functions; names before `(` are not declarations there.
_CALLS = re.compile(r"(?:else )?(?:if|let|repeat|print|prompt|fail|play)\b")
_PRINTS = re.compile(r'(?:print|prompt|fail) "')
# Statements that require a block, and those that may be followed by `else`.
_OPENS = frozenset(
    {
        *("if", "else_if", "else", "command", "command_of_line", "case", "at_end"),
        *("repeat", "repeat_from", "repeat_in", "block"),
    }
)
_COMMANDS = ("command", "command_of_line")  # their lines are cases
_TAKES_ELSE = re.compile(
    r"if|else_if|read_.*|set|choose|play_(word|text|where|pass)|take_back|replay|solve|command.*|wrong"
)


@dataclass(frozen=True, slots=True)
class Line(n.Node):
    """A statement: its name, its words and values in order, its block and its `else` block."""

    statement: str
    words: tuple[str, ...]
    values: tuple[n.Node | None, ...]
    body: tuple["Line", ...] = ()
    otherwise: tuple["Line", ...] = ()
    # the spans of its words
    places: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ExactChoice(n.Node):
    """`solving within NUMBER nodes`, in the place of a strategy."""

    budget: n.Node


@dataclass(frozen=True, slots=True)
class _Raw:
    indent: int
    line: Line


def parse_script(text: Slice) -> tuple[tuple[Line, ...], list[Diagnostic]]:
    """Parse a whole script and report every line with an error."""
    findings: list[Diagnostic] = []
    raws: list[_Raw] = []
    tokens = 0
    for start, end in _line_bounds(text.text):
        part = text.cut(start, end)
        stripped = part.text.lstrip(" ")
        if not stripped.strip() or stripped.startswith("#"):
            continue
        tokens += len(stripped.split())
        indent = len(part.text) - len(stripped)
        line, line_findings = _parse_line(part.cut(indent, len(part.text.rstrip())))
        findings += line_findings
        raws.append(_Raw(indent, line))
    if tokens > 10 * MAX_TOKENS:
        span = text.span(0, 1)
        return (), [*findings, Diagnostic("too-large", span, "the script is too long")]
    try:
        return _blocks(raws, findings), findings
    except SyntaxFinding as error:
        return (), [*findings, error.diagnostic]


def _line_bounds(text: str) -> list[tuple[int, int]]:
    bounds, start = [], 0
    for line in text.split("\n"):
        bounds.append((start, start + len(line)))
        start += len(line) + 1
    return bounds


def _parse_line(text: Slice) -> tuple[Line, list[Diagnostic]]:
    """Parse a line; one with errors has the statement `WRONG`."""
    if diagnostic := too_long(text):
        return Line(
            text.span(0, len(text.text)), WRONG, tuple(_NAME.findall(text.text)), ()
        ), diagnostic
    try:
        tree = _lark().parse(text.text)
        if too_deep(tree):
            return _wrong(text, Diagnostic("too-large", text.span(0, 40), "too deep"))
        line: Line = _LineBuilder(text).transform(tree)
        return line, []
    except UnexpectedInput as error:
        finding = syntax_error(error, text, "line")
        return _wrong(text, finding if finding.help else suggest_keyword(text, _is_line) or finding)
    except VisitError as error:
        if isinstance(error.orig_exc, SyntaxFinding):
            return _wrong(text, error.orig_exc.diagnostic)
        raise
    # Lark wraps exceptions of the methods of rules, but not of `__default__`
    except SyntaxFinding as error:
        return _wrong(text, error.diagnostic)


def _is_line(text: str) -> bool:
    try:
        _lark().parse(text)
    except UnexpectedInput:
        return False
    return True


def _wrong(text: Slice, finding: Diagnostic) -> tuple[Line, list[Diagnostic]]:
    """Recover names and values from an unparsable line; its own error comes first."""
    findings, values, words = [finding], list[n.Node](), text.text
    if not words.startswith('"'):  # otherwise a pattern; its fields are names
        for match in _TEXT.finditer(text.text):
            if not match[1]:
                break
            words = words.replace(match[0], "")
            for node, field_findings in fields(text.cut(match.start() + 1, match.end() - 1)):
                values += [node] if node else []
                findings += [f for f in field_findings if f.span.start != finding.span.start]
    words = _CALLED.sub("", words) if _CALLS.match(words) else words
    names = () if _PRINTS.match(text.text) and '"' not in words else tuple(_NAME.findall(words))
    return Line(text.span(0, len(text.text)), WRONG, names, tuple(values)), findings


STARTS = ("line",)


def grammar() -> str:
    """Return the grammar of a line: that of expressions, of statements and of comments."""
    texts = read_text("grammars/expression.lark"), read_text("grammars/script.lark")
    return "".join((*texts, "\nCOMMENT: /#[^\\n]*/\n%ignore COMMENT\n"))


@cache
def _lark() -> Lark:
    return parser("script", grammar(), STARTS, WholeWords())


def _blocks(raws: list[_Raw], findings: list[Diagnostic]) -> tuple[Line, ...]:
    """Group lines into blocks by their indents."""
    lines: list[Line] = []
    at = 0
    while at < len(raws):
        if at:
            _report(findings, "indentation", raws[at].line.span, "this line is indented too little")
        block, at = _block(raws, at, raws[at].indent, findings, 0)
        lines += block
    return tuple(lines)


def _block(
    raws: list[_Raw], at: int, indent: int, findings: list[Diagnostic], depth: int
) -> tuple[tuple[Line, ...], int]:
    lines: list[Line] = []
    if depth > MAX_DEPTH:
        message = f"blocks deeper than {MAX_DEPTH}"
        raise SyntaxFinding(Diagnostic("too-large", raws[at].line.span, message))
    while at < len(raws) and raws[at].indent >= indent:
        raw = raws[at]
        at += 1
        body: tuple[Line, ...] = ()
        if raw.indent > indent:
            message = "this line is indented too far"
            help = "start it in the column of a line above"
            _report(findings, "indentation", raw.line.span, message, _indented(raw, indent, help))
        if at < len(raws) and raws[at].indent > raw.indent:
            body, at = _block(raws, at, raws[at].indent, findings, depth + 1)
        following = raws[at] if at < len(raws) and not body else None
        _check_block(raw, body, following, findings)
        _append(lines, replace(raw.line, body=body), findings)
    return tuple(lines), at


def _check_block(
    raw: _Raw, body: tuple[Line, ...], following: _Raw | None, findings: list[Diagnostic]
) -> None:
    line = raw.line
    if body and line.statement not in (*_OPENS, WRONG):
        help = "only if, else, repeat, block, command and its cases have lines under them"
        source = line.span.source
        columns = [source.position(at.span.start)[1] for at in (line, body[0])]
        further = columns[1] - columns[0]
        help = _indented(_Raw(raw.indent + further, body[0]), raw.indent, help)
        _report(findings, "indentation", body[0].span, "this line is indented too far", help)
    if not body and line.statement in _OPENS:
        help = "indent the lines that belong to it"
        if following is not None and following.indent == raw.indent:
            help = _indented(following, raw.indent + 2, help)
        elif line.statement not in _COMMANDS:
            stop = Span(line.span.source, line.span.end, line.span.end)
            column = line.span.source.position(line.span.start)[1]
            help = Suggestion(help, f"\n{' ' * (column + 1)}stop", stop)
        _report(findings, "empty-block", line.span, "this line has no block", help)


def _indented(raw: _Raw, indent: int, help: str) -> str:
    """Return the edit that moves a line to another column; columns are relative to the script."""
    start = raw.line.span.start
    if raw.indent >= indent:
        return Suggestion(
            help, "", Span(raw.line.span.source, start - (raw.indent - indent), start)
        )
    at = Span(raw.line.span.source, start, start)
    return Suggestion(help, " " * (indent - raw.indent), at)


def _append(lines: list[Line], line: Line, findings: list[Diagnostic]) -> None:
    if line.statement not in ("else", "else_if"):
        lines.append(line)
        return
    if lines and lines[-1].statement == "case" and line.statement == "else":
        lines.append(replace(line, statement="case"))
        return
    if not lines or not _attach(lines, line):
        help = "start it in the column of its `if`, `read` or `play`, or leave it out"
        message = "`else` belongs under an if, a read or a play"
        _report(findings, "stray-else", line.span, message, help)


def _attach(lines: list[Line], line: Line) -> bool:
    """Attach an else block to the statement before it, at the end of its `else if` chain."""
    last = lines[-1]
    if last.otherwise and last.otherwise[-1].statement == "if" and last.statement == "if":
        inner = list(last.otherwise)
        done = _attach(inner, line)
        lines[-1] = replace(last, otherwise=tuple(inner))
        return done
    if last.otherwise or not (_TAKES_ELSE.fullmatch(last.statement) or _may_fail(last)):
        return False
    block = line.body
    if line.statement == "else_if":
        if last.statement != "if":
            return False
        block = (replace(line, statement="if"),)
    lines[-1] = replace(last, otherwise=block)
    return True


def _may_fail(line: Line) -> bool:
    """True if a statement can fail: it puts symbols, or plays by exact values."""
    for node in line.values:
        if isinstance(node, ExactChoice):
            return True
        if isinstance(node, n.PieceEffect) and line.statement == "effect":
            return node.words == ("put", "on")
    return False


def _report(
    findings: list[Diagnostic], code: str, span: Span, message: str, help: str = ""
) -> None:
    findings.append(Diagnostic(code, span, message, help=help))


# The tokens before the values of these statements, or a text; each may be omitted.
_AFTER = MappingProxyType(
    {
        "read_number": ("FROM", "TO"),
        "read_numbers": ("FROM", "TO"),
        "read_some_numbers": ("READ", "FROM", "TO"),
        "accept_numbers": ("FROM", "TO"),
        "read_board": ("IN", "WITH"),
        "read_symbols": ("IN", "WITH"),
        "read_whole_board": ("WITH",),
        "repeat": ("REPEAT", "UNTIL", "BY"),
        "repeat_from": ("FROM", "TO", "UNTIL", "BY"),
        "repeat_in": ("IN", "IN_ORDER", "UNTIL", "BY"),
        "print_each": ("IN", "IN_ORDER", "STRING", "BY"),
        "prompt_each": ("IN", "IN_ORDER", "STRING", "BY"),
        "print_moves": ("IN_ORDER", "STRING", "BY"),
        "prompt_moves": ("IN_ORDER", "STRING", "BY"),
    }
)


class _LineBuilder(Builder):
    """A transformer of a line's tree to a `Line`: names become words, expressions values."""

    def __default__(self, data: str, children: list[object], meta: object) -> object:
        name = str(data)
        if not name.endswith("_line"):
            return children
        items = [c for c in children if c is not None]
        name = name.removesuffix("_line")
        names = [i for i in items if isinstance(i, Token) and i.type == "NAME"]
        return Line(
            self._span(items),
            name,
            tuple(self._name(token).word for token in names),
            self._values(name, items),
            places=tuple(map(self._token_span, names)),
        )

    def _values(self, name: str, items: list[object]) -> tuple[n.Node | None, ...]:
        if name in _AFTER:
            return tuple(self._after(items, terminal) for terminal in _AFTER[name])
        return tuple(self._value(c) for c in items if self._is_value(c))

    def strategy_named(self, items: list[Token]) -> n.Node:
        return self._name(items[0])

    def strategy_solving(self, items: list[object]) -> ExactChoice:
        return ExactChoice(self._span(items), next(i for i in items if isinstance(i, n.Node)))

    def strategy_chosen(self, items: list[object]) -> n.Index:
        word, value = items[0], next(i for i in items if isinstance(i, n.Node))
        assert isinstance(word, Token)
        if word != "strategies":
            span = self._token_span(word)
            message = f"expected `strategies[…]`, found `{word}[…]`"
            help = Suggestion("write `strategies`", "strategies")
            raise SyntaxFinding(Diagnostic("syntax", span, message, help))
        return n.Index(self._span(items), str(word), value)

    def strategy_given(self, items: list[object]) -> n.Call:
        word, values = items[0], tuple(i for i in items if isinstance(i, n.Node))
        assert isinstance(word, Token)
        return n.Call(self._span(items), str(word), values, (), self._token_span(word))

    def pair(self, items: list[Token]) -> n.Node:
        text = self.text([items[0]])
        value = self.number([items[1]]) if items[1].type == "NUMBER" else self._name(items[1])
        return n.Listing(text.span.to(value.span), (text, value))

    def mapping(self, items: list[object]) -> n.Node:
        return n.Listing(self._span(items), tuple(i for i in items if isinstance(i, n.Node)))

    def sign(self, items: list[Token]) -> n.Node:
        text, names = self.text([items[0]]), [self._name(i) for i in items[1:] if i.type == "NAME"]
        piece: n.Node = names[0]
        if len(names) > 1:
            piece = n.OfSide(names[0].span.to(names[1].span), names[0], names[1])
        return n.Listing(text.span.to(piece.span), (text, piece))

    def alphabet(self, items: list[object]) -> n.Node:
        return self.mapping(items)

    def _is_value(self, item: object) -> bool:
        return isinstance(item, n.Node) or (isinstance(item, Token) and item.type == "STRING")

    def _value(self, item: object) -> n.Node:
        return item if isinstance(item, n.Node) else self.text([item])

    def ranking(self, items: list[object]) -> n.Node:
        return self.mapping(items)

    def _after(self, items: list[object], terminal: str) -> n.Node | None:
        if terminal == "STRING":
            return next(
                self.text([i]) for i in items if isinstance(i, Token) and i.type == terminal
            )
        for token, value in pairwise(items):
            if isinstance(token, Token) and token.type == terminal and self._is_value(value):
                return self._value(value)
        return None
