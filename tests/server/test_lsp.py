"""The language server for editors, tested through a client."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulesengine.support.resources import bundled_path
from tests.helpers.cli_calls import call
from tests.helpers.lsp_client import Client, serving

SPEC = """\
spec: 1
name: Three – in a row 😀
board: {rows: 3, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
registers:
  count_of_moves: {type: number, from: 0, to: 9}
define:
  row_of(cells): line(cells, at least 3)
  full: none(empty)
rules:
  moves:
    place: stone
    to: empty
    do: set count_of_moves to count_of_moves + 1
  end:
    - when: any(row_of(own)) # 😀
      result: player wins
    - when: full
      result: draw
tests:
  - name: in the first column
    moves: a1 b1 a2 b2 a3
    outcome: one wins
  - name: registers in a position
    position: |
      ...
      ...
      x..
      count_of_moves: 1
    mover: two
    legal: [a1, b1, c1, a2, b2, c2, b3, c3]
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(tmp_path_factory.mktemp("editor")) as client:
        yield client


@pytest.fixture
def uri(tmp_path: Path) -> str:
    return (tmp_path / "three.yaml").as_uri()


def place(uri: str, text: str, word: str, nth: int = 0) -> dict[str, Any]:
    """Return the position, in units of UTF-16, of the nth occurrence of a word in the text."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(word, at + 1)
    line = text[:at].split("\n")
    units = len(line[-1].encode("utf-16-le")) // 2
    return {
        "textDocument": {"uri": uri},
        "position": {"line": len(line) - 1, "character": units},
    }


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """Return the text after edits; their positions are in units of UTF-16."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    for edit in sorted(edits, key=lambda e: tuple(e["range"]["start"].values()), reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        new = edit["newText"].encode("utf-16-le")
        lines[start["line"]] = line[: 2 * start["character"]] + new + line[2 * end["character"] :]
    return "\n".join(line.decode("utf-16-le") for line in lines)


def test_a_spec_without_mistakes_has_no_diagnostics(client: Client, uri: str) -> None:
    assert client.open(uri, SPEC) == []


def test_diagnostics_are_those_of_check(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(SPEC.replace("full\n", "ful\n").replace("own", "onw"), encoding="utf-8")
    found = client.open(file.as_uri(), file.read_text(encoding="utf-8"))
    checked = json.loads(call("check", "--json", str(file)).out)["diagnostics"]
    assert [(d["code"], d["range"]["start"]["line"] + 1) for d in found] == [
        (d["code"], d["line"]) for d in checked
    ]
    assert all(c["message"] in d["message"] for c, d in zip(checked, found, strict=True))
    assert len(found) >= 2


@pytest.mark.slow
def test_a_change_is_checked_and_closing_takes_the_diagnostics_away(
    client: Client, uri: str
) -> None:
    client.open(uri, SPEC)
    for version, text in ((2, SPEC.replace("- when", "- whn")), (3, SPEC)):
        changed = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text}],
        }
        client.tell("textDocument/didChange", changed)
        found = client.diagnostics(uri)
        assert bool(found) == (version == 2)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.diagnostics(uri) == []


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_use_the_negotiated_encoding(tmp_path: Path, uri: str, encoding: str) -> None:
    text = SPEC.replace("{one: x, two: o}", '{two: "😀", one: x, thre: o}')
    with serving(tmp_path, (encoding,)) as client:
        start = next(d["range"]["start"] for d in client.open(uri, text) if "thre" in d["message"])
    before = text.split("\n")[4].partition("thre")[0]
    units = {"utf-8": len(before.encode()), "utf-16": len(before) + 1, "utf-32": len(before)}
    assert start == {"line": 4, "character": units[encoding]}


def test_hover_explains_words_keys_and_names_of_the_spec(client: Client, uri: str) -> None:
    client.open(uri, SPEC)

    def shown(word: str, nth: int = 0) -> str:
        value: str = client.ask("textDocument/hover", place(uri, SPEC, word, nth))["contents"][
            "value"
        ]
        return value

    assert "row_of(cells): line(cells, at least 3)" in shown("row_of", 1)
    assert "definition of this spec" in shown("row_of", 1)
    assert "gives" in shown("line(cells")
    assert "whether the set has no cell" in shown("none(empty")
    assert "section of a spec" in shown("board:")
    assert "register of this spec" in shown("count_of_moves", 1)
    assert client.ask("textDocument/hover", place(uri, SPEC, "😀")) is None


def test_completion_offers_keys_words_and_the_names_of_the_spec(client: Client, uri: str) -> None:
    client.open(uri, SPEC)

    def offered(word: str, nth: int = 0) -> set[str]:
        items = client.ask("textDocument/completion", place(uri, SPEC, word, nth))
        return {item["label"] for item in items}

    assert {"reason", "result", "when"} <= offered("result: draw")
    assert "board" not in offered("result: draw")
    assert {"board", "pieces", "tests"} <= offered("define:")
    assert {"to", "when", "do", "forbid"} <= offered("to: empty")
    inside = offered("own))")
    assert {"row_of", "full", "count_of_moves", "stone", "own", "touching", "line"} <= inside
    assert "pieces" not in inside


def test_names_are_offered_while_the_text_cannot_be_read(client: Client, uri: str) -> None:
    client.open(uri, SPEC)
    client.ask("textDocument/hover", place(uri, SPEC, "full"))
    text = SPEC + "]\n"
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]}
    client.tell("textDocument/didChange", changed)
    items = client.ask("textDocument/completion", place(uri, text, "own))"))
    assert "row_of" in {item["label"] for item in items}


def test_extends_is_completed_and_leads_to_the_parent(client: Client, uri: str) -> None:
    text = "spec: 1\nname: Mine\nextends: connect-four\n"
    client.open(uri, text)
    items = client.ask("textDocument/completion", place(uri, text, "connect"))
    assert {"othello", "connect-four"} <= {item["label"] for item in items}
    found = client.ask("textDocument/definition", place(uri, text, "connect"))
    assert found["uri"] == bundled_path("connect-four").resolve().as_uri()


def test_a_parent_next_to_the_spec_is_found(client: Client, tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(SPEC, encoding="utf-8")
    uri = (tmp_path / "child.yaml").as_uri()
    text = "name: Mine\nextends:\n  - ./parent.yaml\nrules:\n  end:\n"
    text += "    - when: full\n      result: draw\n"
    client.open(uri, text)
    found = client.ask("textDocument/definition", place(uri, text, "parent"))
    assert found["uri"] == (tmp_path / "parent.yaml").as_uri()
    found = client.ask("textDocument/definition", place(uri, text, "full"))
    assert found["uri"] == (tmp_path / "parent.yaml").as_uri()
    assert found["range"]["start"] == place("", SPEC, "full")["position"]


@pytest.mark.parametrize(
    ("word", "nth", "count"), [("row_of", 1, 2), ("full", 1, 2), ("stone", 0, 2)]
)
def test_a_rename_changes_every_place_of_a_name_and_nothing_else(
    client: Client, uri: str, word: str, nth: int, count: int
) -> None:
    client.open(uri, SPEC)
    params = {**place(uri, SPEC, word, nth), "newName": "fresh_name"}
    edits = client.ask("textDocument/rename", params)["changes"][uri]
    assert len(edits) == count
    assert edited(SPEC, edits) == SPEC.replace(word, "fresh_name")


def test_a_rename_leaves_arguments_and_variables_of_the_same_name(client: Client, uri: str) -> None:
    shadowed = "row_of(full): line(full, at least 3) where any(full in own, full = it)"
    text = SPEC.replace("row_of(cells): line(cells, at least 3)", shadowed)
    assert client.open(uri, text) == []
    params = {**place(uri, text, "full:"), "newName": "no_room"}
    edits = client.ask("textDocument/rename", params)["changes"][uri]
    after = text.replace("full: none", "no_room: none").replace("when: full", "when: no_room")
    assert edited(text, edits) == after


def test_a_register_is_renamed_in_positions_of_tests_too(client: Client, uri: str) -> None:
    client.open(uri, SPEC)
    params = {**place(uri, SPEC, "count_of_moves"), "newName": "made"}
    edits = client.ask("textDocument/rename", params)["changes"][uri]
    text = edited(SPEC, edits)
    assert text == SPEC.replace("count_of_moves", "made")
    ran = client.open(uri.replace("three", "other"), text)
    assert ran == []


@pytest.mark.parametrize("new", ["own", "full", "9lives", "Big", "a b"])
def test_rename_to_an_invalid_name_is_rejected(client: Client, uri: str, new: str) -> None:
    client.open(uri, SPEC)
    answer = client.answer("textDocument/rename", {**place(uri, SPEC, "row_of"), "newName": new})
    assert f"`{new}` does not do as a name" in answer["error"]["message"]


def test_words_of_the_language_cannot_be_renamed(client: Client, uri: str) -> None:
    client.open(uri, SPEC)
    answer = client.answer("textDocument/rename", {**place(uri, SPEC, "own"), "newName": "mine"})
    assert "only definitions, pieces and registers" in answer["error"]["message"]


def test_a_finding_with_a_fix_has_a_quick_fix(client: Client, uri: str) -> None:
    text = SPEC.replace("- when: full", "- when: ful")
    client.open(uri, text)
    at = place(uri, text, "ful\n")["position"]
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    }
    action = client.ask("textDocument/codeAction", params)[0]
    assert edited(text, action["edit"]["changes"][uri]) == SPEC


def test_the_tests_are_run_by_the_command_of_a_lens(client: Client, uri: str) -> None:
    client.open(uri, SPEC)
    lens = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})[0]
    assert lens["range"]["start"]["line"] == SPEC.split("\n").index("tests:")
    command = lens["command"]
    params = {"command": command["command"], "arguments": command["arguments"]}
    ran = client.ask("workspace/executeCommand", params)
    assert ran == {"passed": 2, "failed": {}, "problem": ""}
    assert client.note("window/showMessage")["message"] == "2 passed"


def test_without_an_address_the_tests_of_the_last_text_are_run(client: Client, uri: str) -> None:
    client.open(uri, SPEC)
    ran = client.ask("workspace/executeCommand", {"command": "rulesengine.runTests"})
    assert ran["passed"] == 2
    assert client.note("window/showMessage")["message"] == "2 passed"


def test_other_yaml_files_are_left_alone(client: Client, uri: str) -> None:
    assert client.open(uri, "on: push\njobs: {build: {steps: []}}\n") == []
    assert client.open(uri.replace("three", "empty"), "") == []


def test_a_failing_test_is_reported_by_its_name(client: Client, uri: str) -> None:
    client.open(uri, SPEC.replace("outcome: one wins", "outcome: two wins"))
    params = {"command": "rulesengine.runTests", "arguments": [uri]}
    ran = client.ask("workspace/executeCommand", params)
    assert list(ran["failed"]) == ["in the first column"]
    message = client.note("window/showMessage")["message"]
    assert message.startswith("1 passed, 1 failed\nFAILED in the first column: outcome")


@pytest.mark.parametrize(
    "text", ["", "x: " + "[" * 2000, "\0", "a: &x 1\n", "é: 😀: [", "x" * 300_000, "tests:\n"]
)
def test_invalid_spec_gets_findings_and_responses(client: Client, uri: str, text: str) -> None:
    text = f"spec: 1\n{text}"
    assert client.open(uri, text)
    here = {"textDocument": {"uri": uri}, "position": {"line": 7, "character": 700}}
    client.answer("textDocument/hover", here)
    assert isinstance(client.ask("textDocument/completion", here), list)
    assert client.ask("textDocument/definition", here) is None
    ran = client.ask(
        "workspace/executeCommand", {"command": "rulesengine.runTests", "arguments": [uri]}
    )
    assert ran["problem"] == client.note("window/showMessage")["message"]


@pytest.mark.slow
def test_server_shuts_down_on_request_without_output(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        assert client.capabilities["renameProvider"]
        assert client.close() == (0, "")


@pytest.mark.slow
def test_lsp_without_its_extra_names_the_missing_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    for name in [n for n in sys.modules if n.startswith("rulesengine.server.lsp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    result = call("lsp")
    assert result.code == 2
    assert "the extra `lsp`" in result.err
