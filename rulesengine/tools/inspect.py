"""Texts of a spec between stages of the pipeline: documents, syntax, costs, parameters."""

import re
from collections.abc import Iterator
from collections.abc import Mapping as Table

from rulesengine.engine.kernel.repeated_tests import repeated_tests
from rulesengine.errors import SpecError
from rulesengine.language import document as spec
from rulesengine.language import lower, parameters
from rulesengine.language.check import check, reader
from rulesengine.language.document.dump import dump
from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.rules import Parameter, Rules
from rulesengine.language.pipeline import Analysis, diagnose, find_clause, find_parent
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.expand import expand
from rulesengine.language.syntax.parse import Start, parse
from rulesengine.language.syntax.script import Line, parse_script
from rulesengine.language.syntax.unparse import unparse
from rulesengine.support.diagnostic import Diagnostic, in_order
from rulesengine.support.frozen import record
from rulesengine.support.limits import MAX_PLY_COST
from rulesengine.support.source import Slice, Source, Span

ParameterValues = Table[str, int | str | bool]

# The values of a spec that are texts of the expression language, by their key path without indexes;
# the first matching pattern decides. All other values are plain.
_STARTS: tuple[tuple[str, Start | None], ...] = (
    (r"players\.\w+\.label", None),
    (r"rules\.turn", "expression"),
    (r"board\.(rows|columns|layers|size|adjacency)", "expression"),
    (r"(regions|directions|define)\..+", "expression"),
    (r"players\.\w+\.\w+", "expression"),
    (r"registers\.\w+\.start", "expression"),
    (r"(start|rules\.do|rules\.(moves|steps)\.do)", "effect"),
    (r"rules\.(score|forbid)", "expression"),
    (
        r"rules\.(moves|steps)\.(place|move|select|along|to|choice(\.\w+)?|when|forbid)",
        "expression",
    ),
    (r"rules\.(moves|steps)\.then\.(from|along|when)", "expression"),
    (r"rules\.keep", "key"),
    (r"rules\.end\.when", "expression"),
    (r"rules\.end\.result", "result"),
    (r"strategies\.\w+", "key"),
)


def document_text(source: Source) -> str:
    """Return the spec as read, without comments and without its parents. Raises SpecError."""
    document, diagnostics = spec.parse(source)
    return dump(_whole(document, diagnostics))


def resolved_text(source: Source, *, origin: bool = False) -> str:
    """Return the spec with its parents merged, optionally with origins. Raises SpecError."""
    return dump(_resolved(source), origin=origin)


def credit(source: Source) -> str:
    """Return the credit in the spec's `source`, or an empty text. Raises SpecError."""
    source_text = _resolved(source).root.get("source")
    return str(source_text.value) if isinstance(source_text, Scalar) else ""


def syntax_text(source: Source) -> str:
    """Return every expression of the spec with its expansion, as lines. Raises SpecError."""
    return "".join(f"{line}\n" for line in syntax_lines(_resolved(source)))


def syntax_lines(document: Document) -> list[str]:
    """Return lines `path: text`, each followed by ` = expansion` if the text contains a phrase.

    Raises SpecError with the syntax errors of the document.
    """
    kinds = _piece_names(document.root.get("pieces"))
    lines: list[str] = []
    wrong: list[Diagnostic] = []
    for place, text, start in _texts(document.root, "", ""):
        node, diagnostics = parse(text, start)
        wrong += diagnostics
        if node is not None:
            lines += _labelled_lines(place, text.text, node, kinds)
    script, diagnostics = _script(document.root.get("io"))
    wrong += diagnostics
    for value in script:
        line, _ = value.span.source.position(value.span.start)
        lines += _labelled_lines(f"io line {line}", value.span.text, value, kinds)
    if wrong:
        raise SpecError(in_order(wrong))
    return lines


@record
class Cost:
    """The cost of a clause with its name and location: `cost` is `each` times the factors.

    Costs that belong to no clause of the spec have no name.
    """

    name: str
    file: str
    line: int
    cost: int
    each: int
    factors: tuple[tuple[str, int], ...]


def costs(source: Source, values: ParameterValues) -> tuple[Cost, ...]:
    """Return the worst-case cost per ply of each clause, in text order. Raises SpecError.

    `values` are those of parameters. A spec that exceeds the cost limit has costs too.
    """
    analysis, rules = _checked(source)
    try:
        clauses = lower.costs(rules, parameters.bind(rules.parameters, values))
    except lower.LoweringError as error:
        raise SpecError((diagnose(analysis, error),)) from None
    placed = [(*find_clause(analysis, clause.path), clause) for clause in clauses]
    placed.sort(key=lambda one: (not one[0], one[1].source.name != source.name, one[1].start))
    return tuple(_cost(*one) for one in placed)


def _checked(source: Source) -> tuple[Analysis, Rules]:
    """Return the analysis of a valid spec, and its rules. Raises SpecError."""
    document = _resolved(source)
    checked, diagnostics = check(document)
    if checked is None:
        raise SpecError(in_order([*diagnostics]))
    return Analysis(document, checked, (), ()), checked.rules


def _cost(name: str, span: Span, clause: lower.Clause) -> Cost:
    line, _ = span.source.position(span.start)
    return Cost(name, span.source.name, line, clause.cost, clause.each, clause.factors)


def cost_text(costs: tuple[Cost, ...], file: str) -> str:
    """Format costs as a table: line, clause, cost and its factors; the last row is the sum."""
    shown = [cost for cost in costs if cost.name]
    total = sum(cost.cost for cost in costs)
    rows = [(_place(cost, file), cost.name, cost.cost, _made_of(cost)) for cost in shown]
    rows.append(("", "other", total - sum(cost.cost for cost in shown), ""))
    rows.append(("", "total", total, f", at most {MAX_PLY_COST:,}"))
    width = max(len(name) for _, name, _, _ in rows)
    return "".join(
        f"{place:>6}  {name:{width}}  {cost:>{len(f'{total:,}')},}{more}\n"
        for place, name, cost, more in rows
    )


@record
class SlowClause:
    """A clause that a kernel evaluates for each cell, group or move, with its location.

    `times` is the greatest number of evaluations in a ply.
    """

    name: str
    file: str
    line: int
    unit: str
    times: int


def slow_clauses(source: Source, values: ParameterValues) -> tuple[SlowClause, ...]:
    """Return the clauses that kernels do not evaluate as sets, in text order. Raises SpecError.

    `values` are those of parameters.
    """
    analysis, rules = _checked(source)
    try:
        program = lower.lower(rules, parameters.bind(rules.parameters, values))
    except lower.LoweringError as error:
        raise SpecError((diagnose(analysis, error),)) from None
    placed = [(*find_clause(analysis, test.path), test) for test in repeated_tests(program)]
    placed.sort(key=lambda one: (one[1].source.name != source.name, one[1].start))
    return tuple(
        SlowClause(name, span.source.name, span.source.position(span.start)[0], t.unit, t.times)
        for name, span, t in placed
    )


def slow_text(clauses: tuple[SlowClause, ...], file: str) -> str:
    """Format slow clauses, a line for each."""
    return "".join(
        f"{_place(slow, file):>6}  {slow.name}: evaluated {slow.unit} by {slow.unit},"
        f" up to {slow.times:,} times a ply\n"
        for slow in clauses
    )


def _place(cost: Cost | SlowClause, file: str) -> str:
    return str(cost.line) if cost.file == file else f"{cost.file}:{cost.line}"


def _made_of(cost: Cost) -> str:
    times = "".join(f" x {number:,} {word}" for word, number in cost.factors)
    return f" = {cost.each:,}{times}" if times else ""


def describe(parameter: Parameter) -> str:
    """Describe a parameter in words: its values and its default."""
    default = to_json(parameter)["default"]
    shown = str(default).lower() if isinstance(default, bool) else default
    return f"{parameter.name}: {parameters.allowed(parameter)} (default {shown})"


def to_json(parameter: Parameter) -> dict[str, object]:
    """Return a parameter's `default` and `choices`, or `from`, `to`, `step`, as `--json` prints."""
    if parameter.choices:
        return {"default": parameter.default, "choices": list(parameter.choices)}
    if parameter.type == "flag":
        return {"default": bool(parameter.default), "choices": [False, True]}
    ends = {"from": parameter.low, "to": parameter.high, "step": parameter.step}
    return {"default": parameter.default, **ends}


def _resolved(source: Source) -> Document:
    return _whole(*spec.read(source, find_parent))


def _whole(document: Document | None, diagnostics: list[Diagnostic]) -> Document:
    if document is None or any(finding.severity == "error" for finding in diagnostics):
        raise SpecError(in_order(diagnostics))
    return document


def _piece_names(pieces: Node | None) -> frozenset[str]:
    """Return the names of kinds and of their attributes."""
    words = (reader.items(reader.get(kind, "is")) for _, _, kind in reader.entries(pieces))
    attributes = {reader.text(word) for of in words for word in of}
    return (frozenset(_keys(pieces)) | attributes) - {"empty"}


def _keys(node: Node | None) -> list[str]:
    return [entry.key for entry in node] if isinstance(node, Mapping) else []


def _texts(node: Node, place: str, path: str) -> Iterator[tuple[str, Slice, Start]]:
    """Yield the expression texts below a node, each with its location."""
    match node:
        case Mapping():
            for entry in node:
                dot = "." if place else ""
                yield from _texts(entry.value, place + dot + entry.key, path + dot + entry.key)
        case Sequence():
            for number, item in enumerate(node):
                yield from _texts(item, f"{place}[{number}]", path)
        case Scalar():
            start = next((s for pattern, s in _STARTS if re.fullmatch(pattern, path)), None)
            if start is not None and not _is_plain(node, path):
                yield place, node.text, start


def _is_plain(node: Scalar, path: str) -> bool:
    """True if a value is not an expression although an expression is allowed there."""
    drawing = path == "start" and node.style in ("literal", "folded")
    alternate = path == "rules.turn" and node.text.text == "alternate"
    return node.value is None or drawing or alternate


def _script(node: Node | None) -> tuple[list[n.Node], list[Diagnostic]]:
    """Parse the expressions of the I/O script, in order."""
    if not isinstance(node, Scalar) or node.value is None:
        return [], []
    lines, diagnostics = parse_script(node.text)
    return [value for line in lines for value in _values(line)], diagnostics


def _values(line: Line) -> Iterator[n.Node]:
    yield from (value for value in line.values if value is not None)
    for below in (*line.body, *line.otherwise):
        yield from _values(below)


def _labelled_lines(place: str, text: str, node: n.Node, kinds: frozenset[str]) -> Iterator[str]:
    yield f"{place}: {' '.join(text.split())}"
    expansion = expand(node, kinds)
    if expansion != node:
        yield f"  = {unparse(expansion)}"
