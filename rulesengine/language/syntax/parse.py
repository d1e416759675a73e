"""The parser of expressions: text slices to nodes, through Lark, with errors as diagnostics."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from lark import Lark, Token, Transformer, Tree
from lark.exceptions import UnexpectedInput, VisitError
from lark.lark import PostLex

from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.parser_tables import parser
from rulesengine.language.syntax.syntax_errors import syntax_error
from rulesengine.language.syntax.vocabulary import RESERVED
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.limits import INTEGER_MAX, MAX_EXPRESSION_DEPTH, MAX_IDENTIFIER, MAX_TOKENS
from rulesengine.support.resources import read_text
from rulesengine.support.source import Slice, Span

Start = Literal["expression", "effect", "result", "key"]
Parsed = tuple[n.Node | None, list[Diagnostic]]
Items = list[Any]


def parse(text: Slice, start: Start = "expression") -> Parsed:
    """Parse one text; the node is None if there is an error."""
    diagnostic = too_long(text)
    if diagnostic:
        return None, diagnostic
    try:
        tree = _lark().parse(text.text, start=start)
        if too_deep(tree):
            return None, [_limit_depth(text)]
        node: n.Node = Builder(text).transform(tree)
        return node, []
    except UnexpectedInput as error:
        return None, [syntax_error(error, text, start)]
    except VisitError as error:
        if isinstance(error.orig_exc, SyntaxFinding):
            return None, [error.orig_exc.diagnostic]
        raise
    except SyntaxFinding as error:
        return None, [error.diagnostic]


def parse_template(text: Slice) -> tuple[n.Text | None, list[Diagnostic]]:
    """Parse a text with fields that has no quotation marks of its own."""
    try:
        return n.Text(text.span(0, len(text.text)), _parts(text)), []
    except SyntaxFinding as error:
        return None, [error.diagnostic]


def fields(text: Slice) -> Iterator[Parsed]:
    """Yield the value of each complete field of a text; other parts may have errors."""
    for match in _FIELD.finditer(text.text):
        try:
            yield _field(text.cut(match.start() + 1, match.end() - 1)).value, []
        except SyntaxFinding as error:
            yield None, [error.diagnostic]


def too_long(text: Slice) -> list[Diagnostic]:
    """Return a diagnostic if a text has more tokens or deeper brackets than the limits allow."""
    span = text.span(0, min(len(text.text), 40))
    count, level, deepest = 0, 0, 0
    for match in _TOKEN.finditer(text.text):
        count += 1
        level += (match.group() in "([") - (match.group() in ")]")
        deepest = max(deepest, level)
    if count > MAX_TOKENS:
        return [_limit(span, f"too long: {count} words and signs, at most {MAX_TOKENS}")]
    if deepest > MAX_EXPRESSION_DEPTH:
        return [_limit(span, f"too deep: {deepest} brackets, at most {MAX_EXPRESSION_DEPTH}")]
    return []


def too_deep(tree: Tree[Token]) -> bool:
    """True if a tree is deeper than the limit; without recursion, unlike Lark's own walks."""
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [c for t in level for c in t.children if isinstance(c, Tree)]
    return deepest > MAX_EXPRESSION_DEPTH


# A value in braces, which may contain texts.
_FIELD = re.compile(r'\{[^{}"\n]*("[^"\n]*"[^{}"\n]*)*\}')
# An unclosed text is one token up to the end; otherwise counting would take quadratic time.
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"?|[A-Za-z0-9_]+|[^\sA-Za-z0-9_]')


class SyntaxFinding(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class WholeWords(PostLex):
    """A post-lexer that makes the contextual lexer accept names and reserved words everywhere.

    So `flipp` is not read as `flip` and `p`, and `or` is not a name where a value is expected.
    """

    always_accept = (
        *("NAME", "AT_LEAST", "AT_MOST"),
        *(word.upper() for word in sorted(RESERVED - {"at", "where"})),  # `where(…)` is a call
    )

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return stream


STARTS = ("expression", "effect", "result", "key")


def grammar() -> str:
    """Return the grammar of expressions."""
    return read_text("grammars/expression.lark")


@cache
def _lark() -> Lark:
    return parser("expression", grammar(), STARTS, WholeWords())


def _limit(span: Span, message: str) -> Diagnostic:
    return Diagnostic("too-large", span, message, help="split it: give parts of it a name")


def _limit_depth(text: Slice) -> Diagnostic:
    span = text.span(0, min(40, len(text.text)))
    return _limit(span, f"too deep: more than {MAX_EXPRESSION_DEPTH} levels")


def _parts(text: Slice) -> tuple[str | n.Field, ...]:
    """Split a template into plain text and the fields in braces."""
    parts: list[str | n.Field] = []
    plain, i, s = "", 0, text.text
    while i < len(s):
        if s[i] == "\\" and i + 1 < len(s):
            plain += {"n": "\n", "t": "\t"}.get(s[i + 1], s[i + 1])
            i += 2
        elif s[i : i + 2] in ("{{", "}}"):
            plain += s[i]
            i += 2
        elif s[i] == "{":
            closed = _FIELD.match(s, i)
            if closed is None:
                raise SyntaxFinding(
                    _brace(text, i, "a `{` without its `}`", "write `{{` for a brace")
                )
            parts += [plain] if plain else []
            parts.append(_field(text.cut(i + 1, closed.end() - 1)))
            plain, i = "", closed.end()
        elif s[i] == "}":
            raise SyntaxFinding(_brace(text, i, "a `}` without its `{`", "write `}}` for a brace"))
        else:
            plain += s[i]
            i += 1
    return (*parts, plain) if plain else tuple(parts)


def _brace(text: Slice, at: int, message: str, help: str) -> Diagnostic:
    return Diagnostic("syntax", text.span(at, at + 1), message, Suggestion(help, text.text[at] * 2))


def _field(inner: Slice) -> n.Field:
    # the colon of a named argument, `f(x: 1)`, is not that of a width
    width = re.search(r':([^:()\[\]"]*)$', inner.text)
    body, form = (inner.text[: width.start()], width[1]) if width else (inner.text, "")
    span = inner.span(0, len(inner.text))
    if not body.strip():
        help = "write a value, or `{{` and `}}` for braces"
        around = Span(span.source, span.start - 1, span.end + 1)
        help = Suggestion(help, f"{{{around.text}}}", around)
        around = span if inner.text else around
        raise SyntaxFinding(
            Diagnostic("syntax", around, "expected a value between the braces", help)
        )
    if form and not re.fullmatch(r"[<>]?\s*[0-9]{1,3}|[a-z]+", form):
        message = f"expected a width such as `2` or `<8` after the colon, found `{form}`"
        wide = inner.span(len(body) + 1, len(inner.text))
        raise SyntaxFinding(Diagnostic("syntax", wide, message, Suggestion("write `2`", "2")))
    node, findings = parse(inner.cut(0, len(body)))
    if node is None:
        raise SyntaxFinding(findings[0])
    return n.Field(span, node, form)


class Builder(Transformer[Token, Any]):
    """A transformer of Lark's tree to nodes; each method handles one rule of the grammar."""

    def __init__(self, text: Slice) -> None:
        super().__init__()
        self.slice = text
        # Nodes in brackets with the span of the brackets, for the spans of enclosing nodes.
        self._brackets: dict[int, tuple[n.Node, Span]] = {}

    def _token_span(self, token: Token) -> Span:
        return self.slice.span(token.start_pos or 0, token.end_pos or 0)

    def _span(self, items: Items) -> Span:
        return self._outer_span(items[0]).to(self._outer_span(items[-1]))

    def _outer_span(self, item: n.Node | Token) -> Span:
        if isinstance(item, Token):
            return self._token_span(item)
        return self._brackets[id(item)][1] if id(item) in self._brackets else item.span

    def _only(self, items: Items) -> n.Node:
        return next(i for i in items if isinstance(i, n.Node))

    expression = effect = _only

    def group(self, items: Items) -> n.Node:
        node = self._only(items)
        self._brackets[id(node)] = node, self._span([items[0], items[-1]])
        return node

    def number(self, items: Items) -> n.Number:
        span = self._token_span(items[0])
        digits = str(items[0])
        if len(digits) > 1 and digits[0] == "0":
            help = f"write {digits.lstrip('0')[:30] or '0'}, not {digits[:30]}"
            help = Suggestion(help, digits.lstrip("0") or "0")
            raise SyntaxFinding(
                Diagnostic("number-format", span, "a number begins with a 0", help=help)
            )
        if len(digits) > 19 or int(digits) > INTEGER_MAX:
            message = f"a number has at most 64 bits: {INTEGER_MAX}"
            # No fix: a comparison with the greatest number would be constant.
            help = f"the greatest is {INTEGER_MAX}"
            raise SyntaxFinding(Diagnostic("number-too-large", span, message, help))
        return n.Number(span, int(digits))

    def text(self, items: Items) -> n.Text:
        start, end = items[0].start_pos or 0, items[0].end_pos or 0
        return n.Text(self._token_span(items[0]), _parts(self.slice.cut(start + 1, end - 1)))

    def _name(self, token: Token) -> n.Name:
        span = self._token_span(token)
        if token in RESERVED:
            message = f"expected a value, found `{token}`"
            after = len(self.slice.text[token.end_pos or 0 :]) - len(
                self.slice.text[token.end_pos or 0 :].lstrip()
            )
            out = self.slice.span(token.start_pos or 0, (token.end_pos or 0) + after)
            help = Suggestion(
                f"a value is missing before `{token}`; or leave `{token}` out", "", out
            )
            raise SyntaxFinding(Diagnostic("syntax", span, message, help))
        if len(token) > MAX_IDENTIFIER:
            message = f"a name has at most {MAX_IDENTIFIER} letters"
            help = Suggestion("cut it", str(token)[:MAX_IDENTIFIER])
            raise SyntaxFinding(Diagnostic("name-too-long", span, message, help))
        return n.Name(span, str(token))

    def words(self, items: Items) -> n.Node:
        names = tuple(self._name(t) for t in items)
        return names[0] if len(names) == 1 else n.Words(self._span(items), names)

    def of(self, items: Items) -> n.OfSide:
        return n.OfSide(self._span(items), self._name(items[0]), items[2])

    def call(self, items: Items) -> n.Node:
        span, name_span = self._span(items), self._token_span(items[0])
        arguments = [i for i in items[2:-1] if not isinstance(i, Token)]
        plain = [i for i in arguments if isinstance(i, n.Node)]
        named = tuple(i for i in arguments if isinstance(i, tuple))
        bound = _bound(plain)
        if bound and not named:
            variable, domain = bound
            return n.Each(span, str(items[0]), variable, domain, plain[1], name_span)
        return n.Call(span, str(items[0]), tuple(plain), named, name_span)

    def named(self, items: Items) -> tuple[str, n.Node]:
        return str(items[0]), items[2]

    def item(self, items: Items) -> n.Index:
        return n.Index(self._span(items), self._name(items[0]).word, self._only(items))

    def list(self, items: Items) -> n.Listing:
        return n.Listing(self._span(items), tuple(i for i in items if isinstance(i, n.Node)))

    def range(self, items: Items) -> n.Range:
        return n.Range(self._span(items), items[0], items[2])

    def at_least(self, items: Items) -> n.Range:
        return n.Range(self._span(items), items[1], None)

    def at_most(self, items: Items) -> n.Range:
        return n.Range(self._span(items), None, items[1])

    def exactly(self, items: Items) -> n.Range:
        return n.Range(self._span(items), items[1], items[1])

    def conditional(self, items: Items) -> n.Conditional:
        return n.Conditional(self._span(items), items[1], items[3], items[5])

    def where(self, items: Items) -> n.Where:
        return n.Where(self._span(items), items[0], items[2])

    def _operation(self, operator: str, items: Items) -> n.Operation:
        operands = tuple(i for i in items if isinstance(i, n.Node))
        return n.Operation(self._span(items), operator, operands)

    def disjunction(self, items: Items) -> n.Operation:
        return self._operation("or", items)

    def conjunction(self, items: Items) -> n.Operation:
        return self._operation("and", items)

    def negation(self, items: Items) -> n.Operation:
        return self._operation("not", items)

    def negative(self, items: Items) -> n.Operation:
        return self._operation("negative", items)

    def comparison(self, items: Items) -> n.Operation:
        return self._operation(str(items[1]), items)

    membership = binary = comparison

    def touching(self, items: Items) -> n.Touching:
        return n.Touching(self._span(items), items[0], items[2])

    def between(self, items: Items) -> n.Between:
        return n.Between(self._span(items), items[0], items[2], items[4])

    def act(self, items: Items) -> n.PieceEffect:
        return n.PieceEffect(self._span(items), tuple(map(str, items[::2])), tuple(items[1::2]))

    def set_register(self, items: Items) -> n.SetRegister:
        return n.SetRegister(self._span(items), items[1], items[3])

    def add_register(self, items: Items) -> n.SetRegister:
        return n.SetRegister(self._span(items), items[3], items[1], adds=True)

    def effect_if(self, items: Items) -> n.EffectIf:
        otherwise = items[5] if len(items) > 4 else None
        return n.EffectIf(self._span(items), items[1], items[3], otherwise)

    def carry_each(self, items: Items) -> n.CarryEach:
        return n.CarryEach(self._span(items), self._name(items[1]).word, items[3], items[5])

    def repeat(self, items: Items) -> n.Repeat:
        until = items[3] if isinstance(items[3], n.Node) else None
        return n.Repeat(self._span(items), items[1], until)

    def perform(self, items: Items) -> n.Perform:
        arguments = tuple(i for i in items if isinstance(i, n.Node))
        return n.Perform(self._span(items), self._name(items[0]), arguments)

    def block(self, items: Items) -> n.Block:
        return n.Block(self._span(items), tuple(items[1::2]))

    def for_each(self, items: Items) -> n.ForEach:
        return n.ForEach(self._span(items), self._name(items[1]).word, items[3], items[5])

    def wins(self, items: Items) -> n.Wins:
        return n.Wins(self._span(items), items[0])

    def loses(self, items: Items) -> n.Loses:
        return n.Loses(self._span(items), items[0])

    def draw(self, items: Items) -> n.Draw:
        return n.Draw(self._span(items))

    def by_score(self, items: Items) -> n.ByScore:
        return n.ByScore(self._span(items), str(items[0]) == "highest")

    def key(self, items: Items) -> n.Key:
        return n.Key(self._span(items), str(items[0]), items[1])

    def prefer(self, items: Items) -> n.Prefer:
        conditions = tuple(i for i in items if isinstance(i, n.Node))
        return n.Prefer(self._span(items), conditions)

    def one_of_each(self, items: Items) -> n.OneOfEach:
        return n.OneOfEach(self._span(items))

    def key_word(self, items: Items) -> n.KeyWord:
        return n.KeyWord(self._span(items), str(items[0]))


def _bound(plain: list[n.Node]) -> tuple[str, n.Node] | None:
    """Return the variable and the domain of `x in cells, …`, if the arguments begin so."""
    return _variable_first(plain[0]) if len(plain) == 2 else None


def _variable_first(node: n.Node) -> tuple[str, n.Node] | None:
    """Return the variable and the domain of `x in cells`, also of `x in cells and others`."""
    match node:
        case n.Operation(operator="in", operands=(n.Name(word=word), domain)):
            return word, domain
        case n.Operation(operator="and" | "or", operands=(first, *rest)):
            if bound := _variable_first(first):
                span = bound[1].span.to(node.span)
                return bound[0], n.Operation(span, node.operator, (bound[1], *rest))
        case n.Where(cells=cells, condition=condition):
            if bound := _variable_first(cells):
                return bound[0], n.Where(bound[1].span.to(node.span), bound[1], condition)
    return None
