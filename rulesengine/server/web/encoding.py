"""Answers as JSON; what many of them have in common is encoded once."""

import json
from collections.abc import Iterable, Mapping

from rulesengine.support.frozen import record

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@record
class Encoded:
    """A value of a table that is JSON already."""

    text: str


def encoded(value: object) -> str:
    """A value as JSON; tables may hold what is encoded, beside values of their own."""
    if isinstance(value, Encoded):
        return value.text
    if isinstance(value, Mapping) and any(isinstance(one, Encoded) for one in value.values()):
        return f"{{{','.join(f'{_ENCODER.encode(k)}:{encoded(v)}' for k, v in value.items())}}}"
    return _ENCODER.encode(value)


def encoded_list(items: Iterable[str]) -> Encoded:
    """A list of what is JSON each."""
    return Encoded(f"[{','.join(items)}]")
