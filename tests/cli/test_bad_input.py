"""Bad specs from end to end: one clear answer, after little work, for any file contents."""

import re
import socket
from pathlib import Path

import pytest

from rulesengine.support.limits import MAX_MESSAGE, MAX_QUOTED_LINE
from tests.helpers.cli_calls import Result, call
from tests.helpers.work import counted

GOOD = """\
spec: 1
name: A game
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: [{when: none(empty), result: draw}]
"""
CALLS = 3_000_000  # two thirds of this reads the grammars for the first check


def spec(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def to(expression: str) -> str:
    return spec("to: empty", f"to: {expression}")


def rows(text: str) -> str:
    return spec("rows: 3", f"rows: {text}")


def check(path: Path, text: str | bytes) -> Result:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with counted() as work:
        done = call("check", str(path))
    assert work.calls < CALLS
    assert "Traceback" not in done.out + done.err
    return done


NINES = "9" * 5000
BOMB = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a, *a, *a]\n" for i in range(9))
MERGES = "a: &a {x: 1}\n" + "".join(f"b{i}: {{<<: [*a, *a, *a]}}\n" for i in range(20))

FINDINGS = {
    "alias bomb": (BOMB, "anchors and aliases are not allowed"),
    "merge bomb": (MERGES, "anchors and aliases are not allowed"),
    "brackets": ("[" * 100_000, "nested deeper than 32"),
    "braces": ("{a: " * 20_000, "nested deeper than 32"),
    "self reference": ("a: &a [*a]\n", "anchors and aliases are not allowed"),
    "a key twice": (GOOD + "name: B\n", "note: the first one"),
    "a base of eight": (rows("012"), "write 12, not 012"),
    "a time": (rows("12:30"), "12:30"),
    "an underscore": (rows("1_000"), "1_000"),
    "an exponent": (rows("1e3"), "1e3"),
    "5,000 nines": (rows(NINES), "9999"),
    "a long hexadecimal": (rows("0x" + "f" * 200_000), "at most 16384"),
    "a tag": (rows("!!python/object/apply:os.system [ls]"), "tags are not allowed"),
    "no number": (rows(".nan"), ".nan"),
    "infinity": (rows(".inf"), ".inf"),
    "a huge float": (rows("1e999"), "1e999"),
    "a list as a key": ("? [a]\n: b\n", "key"),
    "two documents": (GOOD + "---\n" + GOOD, "found a second one"),
    "nothing": ("", "the file is empty"),
    "only comments": ("# a\n" * 9, "nothing but comments"),
    "255 kB of comment": ("#" * 255_000, "nothing but comments"),
    "a list at the top": ("- a\n- b\n", "found a list"),
    "a reference": (GOOD + '$ref: "http://localhost/x"\n', "`$ref`"),
    "a reference to a file": (rows("{$ref: /etc/passwd}"), "rows"),
    "a parent elsewhere": (GOOD + "extends: /etc/passwd\n", "a file next to the spec"),
    "a misspelt key": (GOOD.replace("pieces:", "peices:"), "did you mean `pieces`?"),
    "look-alike letters": (to("\u0435mpty"), "\u0435"),
    "a player named None": (spec("[left, right]", "[None, right]"), "None"),
    "a player named __class__": (spec("[left, right]", "[__class__, right]"), "__class__"),
    "code in a name": (spec("A game", '"x\\nimport os"'), "name"),
    "a thousand terms": (to(" + ".join(["1"] * 1_000)), "too deep"),
    "three thousand terms": (to(" + ".join(["1"] * 3_000)), "too long"),
    "ten thousand nots": (to("not " * 10_000 + "empty"), "at most 16384"),
    "three thousand nots": (to("not " * 3_000 + "empty"), "too long"),
    "brackets in brackets": (to("(" * 300 + "empty" + ")" * 300), "too deep"),
    "nots in nots": (to("not " * 300 + "empty"), "too deep"),
    "an open text": (to("'\"abc'"), "to: "),
    "a division by zero": (rows("8 / 0"), "`rows`"),
    "a remainder by zero": (rows("8 % 0"), "`rows`"),
    "an overflow": (rows("4611686018427387904 * 4"), "beyond 64 bits"),
    "a cell off the board": (to("k12"), "`k12`"),
}


@pytest.mark.parametrize(("text", "message"), FINDINGS.values(), ids=FINDINGS)
def test_a_bad_text_is_exit_code_1_and_says_where(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    done = check(path, text)
    assert (done.code, done.err) == (1, "")
    assert f"--> {path}:" in done.out
    assert message in done.out
    for line in done.out.splitlines():
        assert len(line) < MAX_MESSAGE + len(str(path)) + 40
        if re.match(r"[0-9]+ \| ", line):
            assert len(line.partition(" | ")[2]) <= MAX_QUOTED_LINE


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (GOOD.encode("utf-16"), "not UTF-8 text"),
        (b"name: \xed\xa0\x80\n", "not UTF-8 text"),
        (b"name: a\0b\n", "not UTF-8 text"),
        (b"#" * 10_000_000, "too large"),
        (b"\x7fELF\x02\x01\x01\xff", "not UTF-8 text"),
    ],
)
def test_binary_or_oversized_input_is_a_usage_error(
    data: bytes, message: str, tmp_path: Path
) -> None:
    done = check(tmp_path / "bad.yaml", data)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        spec("A game", "NO"),
        spec("A game", "on"),
        spec("A game", "1:30"),
        spec("A game", "class"),
        spec("[left, right]", "[class, import]").replace(
            "left: x, right: o", "class: x, import: o"
        ),
        spec("A game", '"{0.__class__} %s $(ls)"'),
        spec("rows: 3", "rows: 3, columns: 3").replace("columns: 3, columns: 3", "columns: 3"),
    ],
)
def test_unusual_but_valid_input_passes(text: str, tmp_path: Path) -> None:
    done = check(tmp_path / "good.yaml", text)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("good.yaml: ok\n")


@pytest.mark.slow
def test_no_spec_opens_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    for key in ("$ref", "$schema", "$id", "extends"):
        for address in ("http://localhost/x.yaml", "file:///etc/passwd"):
            assert check(tmp_path / "bad.yaml", f"{GOOD}{key}: {address}\n").code == 1


def test_ten_mistakes_are_shown_at_once(tmp_path: Path) -> None:
    path = tmp_path / "ten.yaml"
    path.write_text(
        "spec: 1\n"
        "name: A game\n"
        "board: {rows: 3, columns: 3, orgin: top-left}\n"  # an unknown key
        "players: [left, Right]\n"  # a capital letter
        'pieces: {stone: {left: x, middle: y}, empty: "."}\n'  # an unknown player
        "define:\n"
        "  twice: rows(1) +\n"  # an unfinished expression
        "  number: count(empty) and empty\n"  # a number where a set is due
        "colour: red\n"  # an unknown key
        "rules:\n"
        "  moves: {place: ston, to: emty}\n"  # an unknown kind, an unknown name
        "  score: 4 + empty\n"  # a set where a number is due
        "  end:\n"
        "    - {when: none(empty), result: player won}\n"  # an unknown result
    )
    found = call("check", "--json", str(path))
    lines = [finding["line"] for finding in found.json()["diagnostics"]]
    assert (found.code, lines) == (1, [3, 4, 5, 7, 8, 9, 11, 11, 12, 14])
    text = call("check", str(path)).out
    assert text.count("error[") == 10
    assert text.endswith("\n\n10 errors, 0 warnings\n")
