"""`rulesengine test --update`: the edits to a spec; all other text is unchanged."""

from pathlib import Path
from typing import Any

import pytest

from rulesengine.language.document import parse
from rulesengine.language.document.nodes import to_plain
from rulesengine.language.pipeline import with_test_value
from rulesengine.support import resources
from rulesengine.support.files import read_source
from rulesengine.support.resources import bundled_names, bundled_path
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call

HEAD = "# before all\nextends: tic-tac-toe  # a parent\nnotation: {rows: numbers}\ntests:\n"

# The text of a test before and after; all else is unchanged, to the last blank.
CHANGED = {
    "a plain word": ("  - outcome:  draw   # soon\n", "  - outcome:  none   # soon\n"),
    "a quoted word": ('  - {mover: "nought"}\n', '  - {mover: "cross"}\n'),
    "a word in single quotes": ("  - {mover: 'nought'}\n", "  - {mover: 'cross'}\n"),
    "numbers, each by itself": (
        "  - perft: [ 9, # by hand\n      73,  504 ]\n",
        "  - perft: [ 9, # by hand\n      72,  504 ]\n",
    ),
    "numbers one below the other": (
        "  - perft:\n    - 8  # one\n    - 72\n",
        "  - perft:\n    - 9  # one\n    - 72\n",
    ),
    "a list that grows": (
        "  - moves: a1 a2 b1 b2 a3 c3\n    legal: [ c2 ]  # two\n",
        "  - moves: a1 a2 b1 b2 a3 c3\n    legal: [b3, c2, c1]  # two\n",
    ),
    "a list in lines that shrinks": (
        "  - moves: a1 a2 b1 b2 c1\n    legal:\n      - a3\n      - b3\n    # end\n",
        "  - moves: a1 a2 b1 b2 c1\n    legal:\n      []\n    # end\n",
    ),
    "a list in lines that grows": (
        "  - moves: a1 a2 b1 b2 a3 c3\n    legal:\n      - c1\n    name: x\n",
        "  - moves: a1 a2 b1 b2 a3 c3\n"
        "    legal:\n      - b3\n      - c2\n      - c1\n    name: x\n",
    ),
    "words in a text": (
        "  - moves: a1 a2 b1 b2 a3 c3\n    legal: c2\n",
        "  - moves: a1 a2 b1 b2 a3 c3\n    legal: b3 c2 c1\n",
    ),
    "a board": (
        "  - moves: a1\n    board: |  # drawn\n        x..\n        ...\n        ...\n\n"
        "    outcome: none  # yet\n",
        "  - moves: a1\n    board: |  # drawn\n        ...\n        ...\n        x..\n\n"
        "    outcome: none  # yet\n",
    ),
    "a board in quotes": (
        '  - {moves: a1, board: "x..\\n...\\n..."} # flow\n',
        '  - {moves: a1, board: "...\\n...\\nx..\\n"} # flow\n',
    ),
    "a transcript": (
        "  - output: |\n      ...\n      x..\n\n      ...\n    name: y\n",
        "  - output: |+\n      ...\n      ...\n      ...\n\n    name: y\n",
    ),
    "a transcript with blank lines at its end": (
        "  - output: |+\n      ...\n\n\n    name: y\n",
        "  - output: |+\n      ...\n      ...\n      ...\n\n    name: y\n",
    ),
    "a transcript without blank lines": (
        "  - output: |\n      ...\n    blank_lines: drop\n",
        "  - output: |\n      ...\n      ...\n      ...\n    blank_lines: drop\n",
    ),
    "an exit code": (
        "  - {input: a1 a1, exit: 0}\n",
        "  - {input: a1 a1, exit: 1}\n",
    ),
    "an exit code that was not there": (
        "  - input: a1 a1\n    name: z\n",
        "  - input: a1 a1\n    exit: 1\n    name: z\n",
    ),
    "a message": (
        "  - input: a1 a1\n    error: no such thing\n",
        '  - input: a1 a1\n    error: "`a1` is not a legal move"\n',
    ),
    "two keys of one test and one of another": (
        "  - {outcome: draw, mover: nought, perft: [9]}\n  - {perft: [9]}\n  - {perft: [1]}\n",
        "  - {outcome: none, mover: cross, perft: [9]}\n  - {perft: [9]}\n  - {perft: [9]}\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_only_the_values_that_differ_are_written(before: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(HEAD + before)
    done = call("test", str(path), "--update")
    assert (done.code, done.err) == (0, "")
    assert path.read_text() == HEAD + after
    assert call("test", str(path)).code == 0


@pytest.mark.slow
def test_scores_are_written_player_by_player(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text("extends: othello\ntests:\n  - moves: d3\n    scores: {white: 2,  black: 4}\n")
    assert call("test", str(path), "--update").code == 0
    assert path.read_text().endswith("scores: {white: 1,  black: 4}\n")


def test_a_transcript_that_begins_with_blanks_stays_a_block(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    head = 'extends: tic-tac-toe\ndrawing: {row: "  {cells}"}\ntests:\n'
    path.write_text(head + "  - output: |\n      x\n    name: z\n")
    assert call("test", str(path), "--update").code == 0
    rows = "        ...\n" * 3
    assert path.read_text() == head + f"  - output: |2+\n{rows}\n    name: z\n"


@pytest.mark.slow
def test_update_prints_changed_values(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(HEAD + "  - {name: opening, perft: [8]}\n  - {perft: [9]}\n")
    assert call("test", str(path), "--update").out.splitlines() == [
        f"UPDATED {path}:5: opening",
        "  perft",
        "    expected 8",
        "    found    9",
        "",
        "1 passed, 1 updated",
    ]
    path.write_text(HEAD + "  - {perft: [8]}\n")
    (one,) = call("test", str(path), "--update", "--json").json()["tests"]
    assert (one["passed"], one["updated"]) == (True, ["perft"])


def test_a_spec_that_passes_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(HEAD + "  - {perft: [9]}\n")
    path.chmod(0o400)
    before = path.stat().st_mtime_ns
    assert call("test", str(path), "--update").out == "1 passed\n"
    assert path.stat().st_mtime_ns == before


def test_update_keeps_failures_that_no_value_fixes(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    text = HEAD + "  - {moves: a1 a1, board: x}\n  - {illegal: a1}\n  - {scores: {cross: 1}}\n"
    path.write_text(text)
    done = call("test", str(path), "--update")
    assert (done.code, done.out.splitlines()[-1]) == (1, "0 passed, 3 failed")
    assert path.read_text() == text


def test_tests_of_a_parent_are_left_to_the_parent(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("extends: tic-tac-toe\ntests: [{perft: [8]}]\n")
    child = tmp_path / "two.yaml"
    child.write_text("extends: ./one.yaml\nname: Two\n")
    done = call("test", str(child), "--update")
    assert done.code == 1
    assert "not updated: the test is in a parent" in done.out
    assert child.read_text() == "extends: ./one.yaml\nname: Two\n"
    assert (tmp_path / "one.yaml").read_text() == "extends: tic-tac-toe\ntests: [{perft: [8]}]\n"


def test_line_ends_and_the_mark_at_the_beginning_stay(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    text = "extends: tic-tac-toe\r\ntests:\r\n  - board: |\r\n" + "      x..\r\n" * 3
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert call("test", str(path), "--update").code == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + text.replace("x..", "...").encode()


def test_two_kinds_of_line_ends_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_bytes(b"extends: tic-tac-toe\r\ntests: [{perft: [8]}]\n")
    done = call("test", str(path), "--update")
    assert done.code == 2
    assert "two kinds of line ends" in done.err


@pytest.mark.parametrize("option", ["--set=m=4", "--with=misere"])
def test_a_variant_of_the_command_line_is_not_written(option: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(HEAD + "  - {perft: [8]}\n")
    assert call("test", str(path), "--update", option).code == 2
    assert path.read_text() == HEAD + "  - {perft: [8]}\n"


def test_the_specs_of_an_installed_package_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.yaml").write_text(HEAD + "  - {perft: [8]}\n")
    monkeypatch.setattr(resources, "_GAMES", str(tmp_path))
    monkeypatch.setattr(resources, "_BESIDE", True)
    for name in ("mine", str(tmp_path / "mine.yaml")):
        done = call("test", name, "--update")
        assert (done.code, done.out) == (2, "1 spec not tested\n")
        assert "copy it" in done.err
    assert (tmp_path / "mine.yaml").read_text() == HEAD + "  - {perft: [8]}\n"


WRITTEN = ("board", "output", "legal", "perft", "outcome", "mover", "scores", "exit", "error")


@pytest.mark.slow
def test_other_values_in_the_bundled_specs_are_written_and_written_back() -> None:
    count, same = 0, 0
    for name in bundled_names():
        source = read_source(bundled_path(name))
        whole = plain(source)
        for number, test in enumerate(whole.get("tests", [])[:2]):
            for key in [key for key in WRITTEN if key in test]:
                changed = with_test_value(source, number, key, another(test[key]))
                assert changed is not None
                again = with_test_value(changed, number, key, test[key])
                assert again is not None
                assert plain(again) == whole
                count, same = count + 1, same + (again.text == source.text)
    assert count > 100
    assert same / count > 0.9  # the others have a form of their own, such as a list over two lines


def plain(source: Source) -> Any:
    document = parse(source)[0]
    assert document is not None
    return to_plain(document.root)


def another(value: Any) -> Any:
    match value:
        case str():
            return f" x\n{value}y  \n\n" if "\n" in value else f"{value}z"
        case list():
            return [*value, *value[:1]] or ["a1"]
        case dict():
            return {key: number + 1 for key, number in value.items()}
    return 1 - value
