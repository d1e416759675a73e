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
        "Ann d6 e5 d7 resignation",
        "('[%sgf LB[ed:A]]',)",
        "1-3 p17/3,p19/1 5-2 p13/5,p24/2 4-4 p1/4,p1/4 p12/4,p12/4",
        "sGfDAQPg8+ABJA:MAEAAAAAAAAA",
        "f6-e5 e3-f4 g7-f6 c3-b4 white",
        "B:W17,19,21,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15",
        "f5 d6 c3 d3 c4 game 2, ply 4, `a1`: no legal move is written so",
        f"(;GM[Othello]RE[?]BO[8 {'-' * 27}O*{'-' * 6}*O{'-' * 27} *]B[F5]W[D6]B[C3]W[D3]B[C4];)",
    ]


def test_table_lists_every_format() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [a-z, ]+ \| yes \|", PAGE, re.M)
    named = " ".join(rows).upper()
    assert all(row.name.upper() in named for row in FORMATS)
