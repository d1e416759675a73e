"""The front end from a source to checked rules, with every diagnostic on the way."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulesengine.language import document as spec
from rulesengine.language.check import CheckedRules, board_finding, check, diagram_finding
from rulesengine.language.check.clause_texts import with_digest
from rulesengine.language.check.occurrences import Occurrence
from rulesengine.language.check.query import check_query
from rulesengine.language.check.reader import entries, get, items, text
from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Document, Mapping, Node, Scalar, Sequence, to_plain
from rulesengine.language.document.places import values_of, with_places_in
from rulesengine.language.document.test_rewrite import with_test_value
from rulesengine.language.lower import LoweringError, lower
from rulesengine.support.diagnostic import Diagnostic, Note, Suggestion, in_order
from rulesengine.support.resources import find_parent
from rulesengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesengine.language.check.clauses import Clause
    from rulesengine.language.check.document_mutations import Mutant
    from rulesengine.language.check.misreadings import Misreading
    from rulesengine.language.ir.ops import Op
    from rulesengine.language.ir.rules import Rules
    from rulesengine.language.syntax.nodes import Call

__all__ = [
    "Analysis",
    "LoweringError",
    "Occurrence",
    "analyse",
    "check_query",
    "clause_digests",
    "clauses",
    "diagnose",
    "find_parent",
    "lower",
    "misreadings",
    "mutants",
    "occurrences",
    "offered",
    "place",
    "places_of_tests",
    "relocated",
    "with_digest",
    "with_test_value",
]

_HELP = MappingProxyType(
    {
        "too-expensive": "go through fewer cells, or store a repeated value in a register;"
        " see `rulesengine show --stage cost`",
        "not-constant": "bounds are numbers and parameters, such as `numbers(1 to 9)`",
    }
)
# Sections of a spec that have clauses but are not part of the rules.
_OUTSIDE_RULES = (("strategies",), ("io",))
# After these errors the whole spec is unknown, so it is not checked further.
_UNRESOLVED = frozenset({"unknown-parent", "extends-circle", "too-many-parents", "parents-clash"})


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of analysing a source: document, rules (None after an error), findings, tests."""

    document: Document | None
    checked: CheckedRules | None
    findings: tuple[Diagnostic, ...]
    tests: tuple[Any, ...]


def analyse(source: Source, find: spec.Find = find_parent) -> Analysis:
    """Read and check a spec, and lower it with its defaults; `find` returns the parents."""
    analysis = _analyse(source, spec.MAX_TRANSFORMS, find)
    transforms = analysis.document.transforms if analysis.document else ()
    if analysis.checked or not transforms or _analyse(source, 0, find).checked is None:
        return analysis if analysis.checked else _relocated(source, find, analysis)
    return _with_failing_transform(source, find, analysis, transforms)


def _relocated(source: Source, find: spec.Find, analysis: Analysis) -> Analysis:
    """Report errors in a parent that is right by itself at the change in this file."""
    return replace(analysis, findings=relocated(source, analysis.findings, find))


def relocated(
    source: Source, findings: "Iterable[Diagnostic]", find: spec.Find = find_parent
) -> tuple[Diagnostic, ...]:
    """Return findings in text order, with those in a parent that is right moved to this file."""
    return with_places_in(source, [*findings], find, lambda other: _is_right(other, find))


def _is_right(source: Source, find: spec.Find) -> bool:
    """True if a spec has no error by itself."""
    return _analyse(source, spec.MAX_TRANSFORMS, find).checked is not None


def _with_failing_transform(
    source: Source, find: spec.Find, analysis: Analysis, transforms: tuple[tuple[str, Span], ...]
) -> Analysis:
    """Report that a transform broke a spec which was correct before its transforms."""
    tried = (_analyse(source, count, find) for count in range(1, len(transforms) + 1))
    count, broken = next((n, one) for n, one in enumerate(tried) if one.checked is None)
    name, span = transforms[count]
    findings = broken.findings
    cause = next(finding for finding in findings if finding.severity == "error")
    if cause.code != "transform-fails":
        message = f"`{name}` does not fit this game: {cause.message}"
        same = cause.span == span
        notes = () if same else (Note(cause.span, "this needs the game as it was"),)
        help = cause.help if same else ""
        cause = Diagnostic("transform-fails", span, message, help, notes=notes)
    return Analysis(analysis.document, None, (cause,), analysis.tests)


def _analyse(source: Source, transforms: int, find: spec.Find) -> Analysis:
    """Analyse a spec with only the first `transforms` of its transforms applied."""
    document, shape = spec.read(source, find, transforms)
    if document is None or any(finding.code in _UNRESOLVED for finding in shape):
        return Analysis(None, None, tuple(shape), ())
    checked, meaning = check(document)
    known = [(f.span.source, f.span.start) for f in shape]
    wrong_keys = [f.span for f in shape if f.code == "wrong-type"]
    wrong_values = [*values_of(document.root, wrong_keys)] if wrong_keys else []
    new = [
        f
        for f in meaning
        if (f.span.source, f.span.start) not in known
        and not any(f.span.inside(span) for span in wrong_values)
    ]
    board = document.root.get("board")
    if board is not None and any(f.span.inside(board.span) for f in shape):
        # a misspelt key already explains the missing one
        new = [f for f in new if f.code != "bad-board"]
    findings = in_order([*shape, *new])
    tests = document.root.get("tests")
    plain = tuple(to_plain(t) for t in tests) if isinstance(tests, Sequence) else ()
    wrong = any(f.severity == "error" for f in shape)
    analysis = Analysis(document, None if wrong else checked, findings, plain)
    return analysis if analysis.checked is None else _try_defaults(analysis, analysis.checked)


def diagnose(analysis: Analysis, error: LoweringError) -> Diagnostic:
    """Convert a lowering error to a diagnostic at its place in the spec."""
    assert analysis.document is not None
    root, checked = analysis.document.root, analysis.checked
    if error.site >= 0 and checked is not None and not error.path:
        span, help = checked.spans[error.site], _help(error)
        if error.nearest:
            help = Suggestion(f"the nearest is `{error.nearest}`", error.nearest)
        return Diagnostic(error.code, span, error.message, help)
    if error.code == "bad-board":
        return board_finding(error, error.message, root)
    if error.key == "players":
        return Diagnostic(error.code, place(analysis, "players"), error.message, _play(root))
    start = root.get("start")
    if isinstance(start, Scalar) and checked is not None and (error.row or error.expected):
        return diagram_finding(error, error.message, start, checked.rules)
    if error.code == "too-expensive":
        _, span = find_clause(analysis, error.path)
        return Diagnostic(error.code, span, error.message, _help(error))
    return Diagnostic(error.code, start.span if start else root.span, error.message)


def _help(error: LoweringError) -> str:
    help = _HELP.get(error.code, "")
    return f"nest fewer loops, {help}" if error.loops else help


def _play(root: Mapping) -> str:
    """Return the suggestion to remove `when` from the first player that has it."""
    for _, _, player in entries(root.get("players")):
        entry = player.entry("when") if isinstance(player, Mapping) else None
        if isinstance(player, Mapping) and entry:
            span, write = without_entry(player, entry)
            return Suggestion("leave `when` out where a player always takes part", write, span)
    return ""


def place(analysis: Analysis, *keys: str) -> Span:
    """Return the span of the last of nested keys, or of the deepest key that exists."""
    assert analysis.document is not None
    node: Node | None = analysis.document.root
    span = analysis.document.root.span
    for key in keys:
        entry = node.entry(key) if isinstance(node, Mapping) else None
        if entry is None:
            break
        node, span = entry.value, entry.key_span
    return span


def find_clause(analysis: Analysis, path: tuple[str | int, ...]) -> tuple[str, Span]:
    """Return the name and the span of a clause of the rules, from the keys that lead to it.

    A condition that applies to all groups is found under `rules`. A clause without text in the
    spec, such as the effects for players who leave, has an empty name and the span of the rules.
    """
    assert analysis.document is not None
    node: Node | None = analysis.document.root
    name, nowhere = "", ("", place(analysis, "rules"))
    common = get(get(node, "rules"), "forbid")
    for key in path if path[:1] in _OUTSIDE_RULES else ("rules", *path):
        if isinstance(key, int):
            number, node = _counted(node, name).get(key, (-1, None))
            name += f"[{number}]" if number >= 0 else ""
        else:
            node = node.get(key) if isinstance(node, Mapping) else None
            name += f".{key}" if name else key
        if node is None:
            return ("rules.forbid", common.span) if key == "forbid" and common else nowhere
    assert node is not None
    return name, node.span


def _counted(node: Node | None, name: str) -> dict[int, tuple[int, Node | None]]:
    """Map the numbers of clauses to list items, each with its index in the list (-1 for a single
    item).
    """
    left_out = {"rules.moves": _is_otherwise, "rules.end": _is_out}.get(name)
    listed = isinstance(node, Sequence)
    own = [
        (number if listed else -1, item)
        for number, item in enumerate(items(node))
        if left_out is None or not left_out(item)
    ]
    return dict(enumerate(own))


def _is_otherwise(item: Node) -> bool:
    return text(item) == "otherwise"


def _is_out(item: Node) -> bool:
    return get(item, "out") is not None


def place_of_end(analysis: Analysis, number: int) -> Span:
    """Return the span of the condition of an end; ends count from 0."""
    assert analysis.document is not None
    rules = analysis.document.root.get("rules")
    ends = rules.get("end") if isinstance(rules, Mapping) else None
    end = ends.items[number] if isinstance(ends, Sequence) else ends
    condition = end.get("when") if isinstance(end, Mapping) else None
    return condition.span if condition else place(analysis, "rules", "end")


def places_of_tests(source: Source) -> tuple[Span, ...]:
    """Return the spans of the tests of a spec; inherited tests have spans in the parent's text."""
    document, _ = spec.read(source, find_parent)
    tests = document.root.get("tests") if document else None
    return tuple(test.span for test in tests) if isinstance(tests, Sequence) else ()


def clauses(analysis: Analysis) -> "tuple[Rules, tuple[Clause, ...]]":
    """Return the rules of a spec without errors, and their clauses in the order of the text."""
    from rulesengine.language.check.clauses import clauses

    assert analysis.document is not None
    return clauses(analysis.document)


def misreadings(analysis: Analysis) -> "Iterator[Misreading]":
    """Yield the expressions of a spec without errors that are easily misread."""
    from rulesengine.language.check.misreadings import misreadings

    assert analysis.document is not None
    return misreadings(analysis.document)


def bands(analysis: Analysis) -> "Iterator[tuple[Call, tuple[Op, ...]]]":
    """Yield the calls of `rows` and `columns` in a spec without errors, with their operations."""
    from rulesengine.language.check.bands import bands

    assert analysis.document is not None
    return bands(analysis.document)


def offered(source: Source) -> dict[str, dict[str, int]]:
    """Return the transforms that a form may offer for a spec, with the integers that they take."""
    from rulesengine.language.document.transforms import offered

    document, _ = spec.read(source, find_parent)
    return offered(document.root) if document else {}


def mutants(analysis: Analysis) -> "tuple[Mutant, ...]":
    """Return the mutants of a spec: small changes to the rules in its own text, in text order."""
    from rulesengine.language.check.document_mutations import mutants

    assert analysis.document is not None
    return mutants(analysis.document)


def clause_digests(source: Source) -> tuple[tuple[Scalar, str], ...]:
    """Return the texts of `says` with the digests of their clauses; none for an unreadable spec."""
    from rulesengine.language.check.stamps import clause_digests

    document = analyse(source).document
    return clause_digests(document) if document else ()


def occurrences(source: Source) -> tuple[Occurrence, ...]:
    """Return the occurrences of the names that a spec declares; none unless it is a mapping."""
    from rulesengine.language.check.occurrences import occurrences

    document, _ = spec.read(source, find_parent, 0)
    return occurrences(document) if document else ()


def _try_defaults(analysis: Analysis, checked: CheckedRules) -> Analysis:
    defaults = {p.name: p.default for p in checked.rules.parameters}
    try:
        lower(checked.rules, defaults)
    except LoweringError as error:
        findings = in_order([*analysis.findings, diagnose(analysis, error)])
        return Analysis(analysis.document, None, findings, analysis.tests)
    return analysis
