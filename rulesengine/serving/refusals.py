"""What a request is refused with: a kind that programs know, a sentence for people."""

from types import MappingProxyType

from rulesengine.diagnostic import in_order
from rulesengine.errors import InternalError, RulesError, SpecError
from rulesengine.serving.findings import shown

Table = dict[str, object]

# The status of an answer, by what it is refused for.
STATUS = MappingProxyType(
    {
        "request": 400,
        "foreign": 403,
        "unknown": 404,
        "late": 408,
        "size": 413,
        "spec": 422,
        "game": 422,
        "limit": 422,
        "failed": 500,
        "busy": 503,
    }
)


class Refused(Exception):
    """A request that is not answered: `kind` is one of `STATUS`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def refusal(kind: str, message: str) -> Table:
    """The body of an answer that refuses."""
    return {"error": {"kind": kind, "message": message}}


def of_error(error: Exception) -> Table:
    """The body for what an operation has raised."""
    match error:
        case Refused():
            return refusal(error.kind, str(error))
        case SpecError():
            found = [shown(one) for one in in_order(list(error.diagnostics))]
            return {"error": {"kind": "spec", "message": _count(len(found)), "findings": found}}
        case MemoryError() | RecursionError():
            return refusal("limit", "this takes more memory than a request may take")
        case RulesError() if not isinstance(error, InternalError):
            return refusal("game", str(error))
    return refusal("failed", f"a bug in rulesengine: {type(error).__name__}: {str(error)[:200]}")


def _count(findings: int) -> str:
    return f"the spec has {findings} mistake{'s' if findings != 1 else ''}"
