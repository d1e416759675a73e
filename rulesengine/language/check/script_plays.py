"""The statements of a script that play moves, and the patterns of `command`."""

from types import MappingProxyType

from rulesengine.language.check.context import error_op
from rulesengine.language.check.scope import NEVER_NAMES, Scope
from rulesengine.language.check.script_choices import require_solvable, strategy
from rulesengine.language.check.templates import form_span
from rulesengine.language.ir.ops import literal
from rulesengine.language.ir.rules import Operand
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import WRONG, Line
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.source import Span

Parts = tuple[tuple[str, ...], tuple[Operand, ...]]

_FIELDS = MappingProxyType(
    {"digit": "number", "number": "number", "letter": "text", "word": "text", "line": "text"}
)
_SOLVED = ("side", "number")  # the types of a winner and a distance
# The placeholder for a name without a value.
_UNREAD = literal("flag", 0)


def play(scope: Scope, line: Line) -> Parts:
    """Return the words and operands of a statement that plays."""
    values = line.values
    match line.statement:
        case "play_word":
            return _play_word(scope, line)
        case "play_text":
            return (), (scope.text(values[0]),)
        case "play_where":
            return (), (scope.value(values[0], "flag", step=True),)
        case "play_one" | "play_all":
            name, chosen = strategy(scope, values[0])
            return (name,), (chosen,)
        case "choose":
            name, chosen = strategy(scope, values[0])
            return (*scope.bind_words(line, "text"), name), (chosen,)
        case "solve":
            require_solvable(scope.context, line.span)
            budget = scope.number(values[0])
            for word, type, place in zip(line.words, _SOLVED, line.places, strict=False):
                scope.bind(word, type, place)
            return line.words, (budget,)
        case "take_back" | "replay":
            return (), (scope.number(values[0]),)
        case "play_many":
            name, chosen = strategy(scope, values[1])
            return (name,), (chosen, scope.number(values[0]))
    return (), ()


def _play_word(scope: Scope, line: Line) -> Parts:
    word = line.words[0]
    known = scope.variables.get(word, _UNREAD)
    unread = known.type != "text" and known != error_op()
    if unread and word not in scope.context.broken:
        help = _read_it(scope, word, line)
        message = f"no word `{word}` was read"
        scope.context.report("unknown-name", line.places[0], message, help)
    return (word,), ()


def _read_it(scope: Scope, word: str, line: Line) -> str:
    """Suggest a word that was read, or a line that reads this one."""
    texts = [name for name, op in scope.variables.items() if op.type == "text"]
    own = [name for name in texts if name not in NEVER_NAMES and name != "word"]
    if help := did_you_mean(word, own) or (
        len(own) == 1 and Suggestion(f"write `{own[0]}`", own[0])
    ):
        return help
    if word in scope.variables:
        return f"`{word}` is no text: read it with `read word {word}`"
    start = Span(line.span.source, line.span.start, line.span.start)
    indent = " " * (line.span.source.position(line.span.start)[1] - 1)
    return Suggestion(f"read it: `read word {word}`", f"read word {word}\n{indent}", start)


def pattern(scope: Scope, node: n.Node | None) -> tuple[str, ...]:
    """Return `'text` for each fixed part and `name:kind` for each field."""
    if not isinstance(node, n.Text):
        return ()
    out = []
    for part in node.parts:
        if isinstance(part, str):
            out.append("'" + part)
            continue
        kind = part.format or "word"
        if not isinstance(part.value, n.Name) or kind not in _FIELDS:
            _no_field(scope, part, kind)
            continue
        scope.bind(part.value.word, _FIELDS[kind], part.value.span)
        out.append(f"{part.value.word}:{kind}")
    return tuple(out)


def _no_field(scope: Scope, part: n.Field, kind: str) -> None:
    wrong = isinstance(part.value, n.Name)
    message = f"no kind of field `{kind}`" if wrong else "expected a name and a kind"
    help = "write `{r:digit}`; kinds are " + ", ".join(_FIELDS)
    span = form_span(part) if wrong else part.span
    if isinstance(part.value, n.Name):
        scope.bind(part.value.word, "error", part.value.span)
        help = did_you_mean(kind, list(_FIELDS)) or Suggestion(help, "word", span)
    scope.context.report("syntax", span, message, help)


def check_cases(scope: Scope, line: Line) -> None:
    """Report lines under `command` that are not cases."""
    for inner in line.body:
        if inner.statement not in ("case", WRONG):
            at = Span(inner.span.source, inner.span.start, inner.span.start)
            indent = " " * (at.source.position(at.start)[1] + 1)
            help = 'begin with the word in quotation marks: `"n"`'
            help = Suggestion(help, f'"n"\n{indent}', at)
            scope.context.report("syntax", inner.span, "expected a case of `command`", help)
