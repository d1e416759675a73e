"""The command line called in this process, with streams of its own."""

import io
import json
from dataclasses import dataclass
from typing import Any
from unittest import mock

from rulesengine.cli import main


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def call(*words: str, stdin: bytes = b"") -> Result:
    """Return exit code, standard output and standard error of `rulesengine WORDS`."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "ascii", newline="\n") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin))
    with (
        mock.patch("sys.stdin", given),
        mock.patch("sys.stdout", out),
        mock.patch("sys.stderr", err),
    ):
        code = main(list(words))
    return Result(code, read(out), read(err))


def read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
