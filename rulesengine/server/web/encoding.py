"""JSON encoding of answers, with parts that are encoded once and shared."""

import json
from collections.abc import Iterable, Mapping

from rulesengine.support.frozen import record

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@record
class EncodedJson:
    """A value of a table that is already encoded as JSON."""

    text: str


def encoded(value: object) -> str:
    """Encode a value as JSON; tables may contain encoded values next to others."""
    if isinstance(value, EncodedJson):
        return value.text
    if isinstance(value, Mapping) and any(isinstance(one, EncodedJson) for one in value.values()):
        return f"{{{','.join(f'{_ENCODER.encode(k)}:{encoded(v)}' for k, v in value.items())}}}"
    return _ENCODER.encode(value)


def encoded_list(items: Iterable[str]) -> EncodedJson:
    """Join encoded values into an encoded list."""
    return EncodedJson(f"[{','.join(items)}]")
