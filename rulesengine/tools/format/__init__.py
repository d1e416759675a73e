"""A formatter for the text of a spec: keys, blanks, quotes and diagrams; the game is unchanged."""

from rulesengine.errors import InternalError
from rulesengine.language import document as spec
from rulesengine.support.diagnostic import Diagnostic
from rulesengine.support.resources import read_text
from rulesengine.support.source import Source
from rulesengine.tools.format.equivalence import same_document, same_program
from rulesengine.tools.format.key_order import Order
from rulesengine.tools.format.printer import printed
from rulesengine.tools.format.scalars import quoted_if_needed
from rulesengine.tools.format.stamping import stamped

__all__ = ["UnreadableSpec", "formatted", "stamped", "text_value"]


class UnreadableSpec(Exception):
    """A text that is not YAML, or not allowed in a spec; `finding` has the place and the reason."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def formatted(source: Source) -> str:
    """Format the text of a spec, with its comments; formatting is idempotent.

    Raises UnreadableSpec if there is no document, InternalError if the result would have another
    meaning. Semantic mistakes of the spec do not matter.
    """
    document, diagnostics = spec.parse(source)
    if document is None or diagnostics:
        raise UnreadableSpec(diagnostics[0])
    order = Order.read(read_text("grammars/game.schema.json"))
    text = printed(document, order)
    result = Source(source.name, text)
    if text != source.text and not (
        same_document(document, spec.parse(result), order) and same_program(source, result)
    ):
        raise InternalError(f"{source.name}: the layout would change the meaning of the spec")
    return text


def text_value(text: str) -> str:
    """Return a one-line text as a YAML value, quoted if necessary."""
    return quoted_if_needed(text, flow=False)
