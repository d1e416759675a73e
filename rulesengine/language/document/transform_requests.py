"""The value of `with`: the requested transforms and their arguments."""

from dataclasses import dataclass

from rulesengine.language.document.nodes import Mapping, Node, Scalar, quote, to_plain
from rulesengine.language.document.paths import head, items
from rulesengine.support.diagnostic import Diagnostic, Note, did_you_mean
from rulesengine.support.source import Span


@dataclass(frozen=True, slots=True)
class TransformRequest:
    """A request for a transform: its name, the span of the name, and its argument."""

    name: str
    span: Span
    argument: Node | None


@dataclass(frozen=True)
class TransformError(Exception):
    """An error of a transform that does not fit a game; without a span it concerns the request."""

    message: str
    help: str = ""
    span: Span | None = None
    notes: tuple[Note, ...] = ()


def parse_requests(
    node: Node | None, known: tuple[str, ...]
) -> tuple[list[TransformRequest], list[Diagnostic]]:
    """Parse the value of `with` to requests in order, and report its errors."""
    requests: list[TransformRequest] = []
    findings: list[Diagnostic] = []
    there = "there is " + ", ".join(f"`{name}`" for name in known)
    for item in items(node):
        match item:
            case Scalar(value=str()):
                requests.append(TransformRequest(item.text.text, item.span, None))
            case Mapping():
                requests += [
                    TransformRequest(e.key, e.key_span, _argument_of(e.value)) for e in item
                ]
            case _:
                message = "expected the names of transforms for `with`"
                findings.append(Diagnostic("wrong-type", head(item), message, there))
    for request in requests:
        if request.name not in known:
            message = f"no transform is called {quote(request.name)}"
            help = did_you_mean(request.name, known) or there
            findings.append(Diagnostic("unknown-transform", request.span, message, help))
    return [request for request in requests if request.name in known], findings


def check_no_argument(request: TransformRequest) -> None:
    """Raise TransformError if the transform has an argument."""
    if request.argument is not None:
        raise TransformError(f"`{request.name}` takes no value", span=head(request.argument))


def number_argument(request: TransformRequest, help: str) -> int:
    """Return the argument of a transform as a number; raises TransformError."""
    return _integer(request.name, request.argument, help)


def number_arguments(request: TransformRequest, keys: tuple[str, ...]) -> dict[str, int]:
    """Return the argument of a transform as a map of numbers. Raises TransformError."""
    help = "the keys are " + ", ".join(f"`{key}`" for key in keys)
    if request.argument is None:
        return {}
    if not isinstance(request.argument, Mapping):
        raise TransformError(f"expected a map for `{request.name}`", help, head(request.argument))
    for entry in request.argument:
        if entry.key not in keys:
            help = did_you_mean(entry.key, keys) or help
            raise TransformError(f"unknown key {quote(entry.key)}", help, entry.key_span)
    return {entry.key: _integer(entry.key, entry.value) for entry in request.argument}


def _integer(name: str, node: Node | None, help: str = "") -> int:
    value = to_plain(node) if node else None
    if type(value) is not int:
        raise TransformError(
            f"expected an integer for `{name}`", help, head(node) if node else None
        )
    return value


def _argument_of(node: Node) -> Node | None:
    """Return the argument after the name of a transform; `true` and null are no argument."""
    empty = isinstance(node, Scalar) and (node.value is None or node.value is True)
    return None if empty else node
