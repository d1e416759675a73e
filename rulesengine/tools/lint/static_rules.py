"""Warnings from the rules alone: no end, clauses without effect, invalid parameter values."""

from collections.abc import Iterator

from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import Group, Rules
from rulesengine.language.lower import Lowering, lower
from rulesengine.language.pipeline import (
    Analysis,
    bands,
    find_clause,
    misreadings,
    place,
    place_of_end,
)
from rulesengine.support.diagnostic import Diagnostic, Suggestion
from rulesengine.support.source import Span
from rulesengine.tools.lint.parameter_values import defaults, format_values
from rulesengine.tools.lint.problem import KNOWN_EMPTY
from rulesengine.tools.lint.tested_values import (
    TestedValues,
    search_problems,
    start_problem,
)
from rulesengine.tools.lint.unsatisfiable import Proofs


def from_rules(analysis: Analysis) -> Iterator[Diagnostic]:
    """Yield the warnings that need no game to be played."""
    assert analysis.checked is not None
    rules = analysis.checked.rules
    if not rules.ends and not rules.outs:
        message = "no `end`: a game stops only where there is no move left, without an outcome"
        help = "add an end, such as `end: {when: none(empty), result: draw}`"
        yield warning("no-end", place(analysis, "rules"), message, help)
    program = lower(rules, defaults(rules))
    yield from _hidden(analysis, program)
    for misreading in misreadings(analysis):
        yield warning(*misreading)
    reason = start_problem(program)
    if reason is not None:
        message = f"the game cannot start: {reason}"
        yield Diagnostic("bad-start", place(analysis, "start"), message)
        return
    for keys, why in search_problems(program):
        _, span = find_clause(analysis, ("strategies", *keys))
        yield Diagnostic("not-allowed-value", span, why, _nearest_limit(span.text.strip("\"'")))
    tested = TestedValues(rules)
    for broken in tested.broken:
        span = place(analysis, "parameters", next(iter(broken.values), ""))
        names = " and ".join(f"`{name}`" for name in broken.values)
        help = f"in `parameters`, give {names} a range in which every value works"
        message = f"{format_values(dict(broken.values))} breaks the game: {broken.reason}"
        yield warning("bad-parameter", span, message, help)
    missing = tuple(_off_board(analysis, [program, *tested.programs]))
    yield from missing
    for finding, clause in _impossible(analysis, [program, *tested.programs]):
        if not any(_is_within(other.span, clause) for other in missing):
            yield finding


def warning(code: str, span: Span, message: str, help: str = "") -> Diagnostic:
    """Return a finding that does not prevent a spec from loading."""
    return Diagnostic(code, span, message, help, severity="warning")


def span_of_group(analysis: Analysis, rules: Rules, group: Group) -> Span:
    """Return the span of the first word of a group of moves."""
    assert analysis.checked is not None
    span = analysis.checked.spans[rules.sites.index(group.site)]
    return Span(span.source, span.start, span.start + len(span.text.split(":", 1)[0].split()[0]))


def _nearest_limit(text: str) -> str:
    """Return the suggestion of the nearest limit of a search to a number outside the range."""
    if not text.lstrip("-").isdecimal():  # an expression, or limits that exclude each other
        return ""
    from rulesengine.engine.drivers.search.result import MOST_COUNT

    nearest = str(min(max(int(text), 1), MOST_COUNT))
    return Suggestion(f"write `{nearest}`", nearest)


def _hidden(analysis: Analysis, program: Program) -> Iterator[Diagnostic]:
    """Report kinds that shadow a region of the board of the same name."""
    regions = {name for name, _ in program.topology.regions}
    for kind in program.rules.kinds:
        if kind.name in regions:
            message = f"`{kind.name}` is a kind here, so that it no longer means the region"
            span = place(analysis, "pieces", kind.name)
            other = f"my_{kind.name}"
            help = Suggestion(f"choose another name, such as `{other}`", other)
            yield warning("name-taken", span, message, help)


def _is_within(inner: Span, outer: Span) -> bool:
    return inner.source == outer.source and outer.start <= inner.start < outer.end


def _impossible(analysis: Analysis, programs: list[Program]) -> Iterator[tuple[Diagnostic, Span]]:
    """Report groups and ends that have no effect for any of the tested parameter values.

    Each finding comes with the span of its clause.
    """
    assert analysis.checked is not None
    rules, proofs = analysis.checked.rules, [Proofs(program) for program in programs]
    for number, group in enumerate(rules.groups):
        if all(p.never_applies(p.program.rules.groups[number]) for p in proofs):
            message = "this group of moves can never apply: it has no cells, or its `when` fails"
            help = KNOWN_EMPTY if hidden_in(rules).pieces else ""
            found = warning("never-applies", span_of_group(analysis, rules, group), message, help)
            yield found, analysis.checked.spans[rules.sites.index(group.site)]
    for number in range(len(rules.ends)):
        if all(p.never_holds(p.program.rules.ends[number]) for p in proofs):
            message = "this end cannot be reached: its condition never holds"
            span = place_of_end(analysis, number)
            yield warning("never-holds", span, message), span
        elif proofs[0].repeats(number):
            message = "this end cannot be reached: one above it has the same condition"
            span = place_of_end(analysis, number)
            yield warning("never-holds", span, message), span


def _off_board(analysis: Analysis, programs: list[Program]) -> Iterator[Diagnostic]:
    """Report `rows` and `columns` without a cell for all of the tested parameter values."""
    assert analysis.checked is not None
    rules = analysis.checked.rules
    passes = [Lowering(rules, one.topology, dict(one.parameters)) for one in programs]
    for node, ops in bands(analysis):
        lowered = [one.lower(op) for one in passes for op in ops]
        if not lowered or any(constant(op) != 0 for op in lowered):
            continue
        axis = int(node.function == "columns")
        most = max(where[axis] for where in programs[0].topology.coordinates)
        shown = " ".join(node.span.text.split())
        message = f"`{shown}` has no cell: the board has {node.function} 1 to {most}"
        yield warning("off-board", node.span, message)
