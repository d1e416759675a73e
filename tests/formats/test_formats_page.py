"""The page on formats: its examples in Python run, and its table lists every format."""

import contextlib
import io
import re
from pathlib import Path

from rulesengine.formats.registry import FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def test_examples_in_python_print_what_they_say() -> None:
    code = "\n".join(re.findall(r"<!-- run: formats -->\n```python\n(.*?)^```$", PAGE, re.M | re.S))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "formats.md", "exec"), {})  # noqa: S102
    assert printed.getvalue().splitlines() == [
        "h5f7 Qxf7# white",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "Ann 7 white",
        "('quiet',)",
    ]


def test_table_lists_every_format() -> None:
    named = set(re.findall(r"\w+", " ".join(re.findall(r"^\| ([A-Z, ]+) \| \w+ \|", PAGE, re.M))))
    assert {row.name.upper() for row in FORMATS} <= named
