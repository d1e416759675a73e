"""Errors of requests: a kind for programs and a message for people."""

from collections.abc import Sequence
from types import MappingProxyType

from rulesengine.errors import InternalError, RulesError, SpecError
from rulesengine.server.web.findings import finding_to_json
from rulesengine.support.diagnostic import Diagnostic, in_order

Table = dict[str, object]

# The HTTP status of each kind of error.
STATUS = MappingProxyType(
    {
        "request": 400,
        "foreign": 403,
        "seat": 403,
        "unknown": 404,
        "late": 408,
        "taken": 409,
        "turn": 409,
        "size": 413,
        "spec": 422,
        "game": 422,
        "limit": 422,
        "failed": 500,
        "busy": 503,
    }
)


class RequestError(Exception):
    """A rejected request; `kind` is one of `STATUS`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def refusal(kind: str, message: str) -> Table:
    """Return the body of an error response."""
    return {"error": {"kind": kind, "message": message}}


def error_body(error: Exception) -> Table:
    """Return the error body for an exception of an operation."""
    match error:
        case RequestError():
            return refusal(error.kind, str(error))
        case SpecError():
            diagnostics = in_order(list(error.diagnostics))
            fields = {"kind": "spec", "message": _counted(diagnostics)}
            return {"error": {**fields, "findings": [finding_to_json(one) for one in diagnostics]}}
        case MemoryError() | RecursionError():
            return refusal("limit", "this takes more memory than a request may take")
        case RulesError() if not isinstance(error, InternalError):
            return refusal("game", str(error))
    return refusal("failed", f"a bug in rulesengine: {type(error).__name__}: {str(error)[:200]}")


def _counted(findings: Sequence[Diagnostic]) -> str:
    """Return the number of mistakes and the message of the first."""
    number, first = len(findings), findings[0].message
    return f"the spec has {f'{number} mistakes, the first' if number > 1 else 'a mistake'}: {first}"
