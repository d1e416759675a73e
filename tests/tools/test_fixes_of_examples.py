"""The fixes of the examples of mistakes: applied one by one, and checked again."""

from collections import Counter

import pytest

from rulesengine.language.ir.ops import walk
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.rules import operations
from rulesengine.language.lower import lower
from rulesengine.language.pipeline import analyse
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.source import Source
from rulesengine.tools import lint
from rulesengine.tools.explain import Mistake, mistakes, spec_with
from rulesengine.tools.lint.parameter_values import defaults
from rulesengine.tools.lint.unsatisfiable import Proofs

# A text that is corrected may have further mistakes, which the first one has hidden.
HIDDEN = {
    "bad-block": "bad-start",
    "bad-start": "bad-start",
    "missing-colon": "missing-value",
    "name-too-long": "unknown-name",
    "unknown-transform": "transform-fails",
    "unquoted-symbol": "symbol-taken",
}


def fixed(finding: Diagnostic, source: Source) -> Source | None:
    """Return the text with the fix of a finding, or None if it has none in this text."""
    fix = finding.fix
    if fix is None or fix.span.source != source:
        return None
    text = source.text
    return Source(source.name, text[: fix.span.start] + fix.text + text[fix.span.end :])


def constants(source: Source) -> Counter[bool]:
    """Return how many conditions of a spec are proved to be true, and to be false."""
    checked = analyse(source).checked
    if checked is None:
        return Counter()
    program = lower(checked.rules, defaults(checked.rules))
    rules, proofs = program.rules, Proofs(program)
    inside = [op for root in operations(rules) for op in walk(root) if not is_constant(op)]
    flags = (op for op in (*(end.when for end in rules.ends), *inside) if op.type == "flag")
    return Counter(value for op in flags if (value := proofs.truth(op)) is not None)


def fixes() -> list[tuple[Mistake, str]]:
    return [
        (one, piece) for one in mistakes() for piece in one.pieces if not piece.startswith("SHOWN")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("mistake", "piece"), fixes(), ids=lambda one: str(one)[:40])
def test_a_fix_corrects_its_mistake_and_makes_no_other(mistake: Mistake, piece: str) -> None:
    source = spec_with(piece)
    before = lint.findings(source)
    known = {(one.code, one.message) for one in before}
    for finding in before:
        after = fixed(finding, source)
        if finding.code != mistake.code or after is None:
            continue
        now = Counter((one.code, one.message) for one in lint.findings(after))
        wanted = (finding.code, finding.message)
        assert now[wanted] < sum((one.code, one.message) == wanted for one in before)
        errors = {one.code for one in lint.findings(after) if one.severity == "error"
                  and (one.code, one.message) not in known}  # fmt: skip
        assert errors <= {HIDDEN.get(mistake.code)}
        assert not constants(after) - constants(source)
