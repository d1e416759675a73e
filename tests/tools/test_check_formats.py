"""`check --format`: the same findings for people, programs, GitHub and SARIF readers."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.helpers.cli_calls import call

BROKEN = """\
spec: 1
name: Broken, 100%
board: {rows: 3, colums: 3}
players: [left, right]
pieces: {stone: {left: x, right: x}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: draw}
"""

# The requirements of OASIS's Static Analysis Results Interchange Format 2.1.0 on the objects that
# we write: required properties, and the types of those in use.
REGION: dict[str, Any] = {
    "type": "object",
    "properties": {
        word: {"type": "integer", "minimum": 1}
        for word in ("startLine", "startColumn", "endLine", "endColumn")
    },
    "additionalProperties": False,
}
ARTIFACT: dict[str, Any] = {
    "type": "object",
    "properties": {"uri": {"type": "string", "format": "uri-reference"}},
    "additionalProperties": False,
}
MESSAGE: dict[str, Any] = {
    "type": "object",
    "required": ["text"],
    "properties": {"text": {"type": "string"}},
    "additionalProperties": False,
}
LOCATION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "physicalLocation": {
            "type": "object",
            "properties": {"artifactLocation": ARTIFACT, "region": REGION},
            "additionalProperties": False,
        },
        "message": MESSAGE,
    },
    "additionalProperties": False,
}
REPLACEMENT: dict[str, Any] = {
    "type": "object",
    "required": ["deletedRegion"],
    "properties": {"deletedRegion": REGION, "insertedContent": MESSAGE},
    "additionalProperties": False,
}
FIX: dict[str, Any] = {
    "type": "object",
    "required": ["artifactChanges"],
    "properties": {
        "artifactChanges": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["artifactLocation", "replacements"],
                "properties": {
                    "artifactLocation": ARTIFACT,
                    "replacements": {"type": "array", "minItems": 1, "items": REPLACEMENT},
                },
                "additionalProperties": False,
            },
        }
    },
    "additionalProperties": False,
}
RESULT: dict[str, Any] = {
    "type": "object",
    "required": ["message"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": MESSAGE,
        "locations": {"type": "array", "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "fixes": {"type": "array", "items": FIX},
    },
    "additionalProperties": False,
}
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string"},
        "version": {"enum": ["2.1.0"]},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "name": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {"id": {"type": "string"}},
                                            "additionalProperties": False,
                                        },
                                    },
                                },
                                "additionalProperties": False,
                            }
                        },
                        "additionalProperties": False,
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": RESULT},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "a game.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    return str(path)


def test_text_is_printed_unless_another_format_is_requested(broken: str) -> None:
    plain, text = call("check", broken), call("check", "--format", "text", broken)
    assert plain == text
    assert plain.code == 1
    assert plain.out.endswith("2 errors, 0 warnings\n")
    assert "3 | board: {rows: 3, colums: 3}\n  |                  ^^^^^^\n" in plain.out


def test_json_has_the_place_of_each_finding_and_of_its_fix(broken: str) -> None:
    done = call("check", "--format", "json", broken)
    assert done == call("check", "--json", broken)
    one, other = done.json()["diagnostics"]
    assert one == {
        "file": broken,
        "line": 3,
        "column": 18,
        "end_column": 24,
        "severity": "error",
        "code": "unknown-key",
        "message": "unknown key `colums`",
        "help": "did you mean `columns`?",
        "fix": {"line": 3, "column": 18, "end_line": 3, "end_column": 24, "text": "columns"},
    }
    assert other["fix"]["line"] == 5


def test_the_fixes_of_json_correct_the_file(broken: str) -> None:
    lines = BROKEN.splitlines()
    for finding in call("check", "--json", broken).json()["diagnostics"]:
        fix = finding["fix"]
        line = lines[fix["line"] - 1]
        assert fix["line"] == fix["end_line"]
        lines[fix["line"] - 1] = (
            line[: fix["column"] - 1] + fix["text"] + line[fix["end_column"] - 1 :]
        )
    Path(broken).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert call("check", broken).code == 0


def test_github_gets_one_command_a_line_with_its_signs_escaped(broken: str) -> None:
    done = call("check", "--format", "github", broken)
    assert done.code == 1
    one, _ = done.out.splitlines()
    place = f"file={broken},line=3,col=18,endColumn=24,title=unknown-key"
    assert one == f"::error {place}::unknown key `colums`%0Ahelp: did you mean `columns`?"


def test_github_gets_commas_and_colons_of_a_path_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a,b%:c.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    assert "a%2Cb%25%3Ac.yaml,line=3" in call("check", "--format", "github", str(path)).out


@pytest.mark.slow
def test_github_gets_nothing_where_all_is_fine() -> None:
    assert call("check", "--format", "github", "hex").out == ""


def test_sarif_is_a_log_of_version_2_1_0(broken: str) -> None:
    log = call("check", "--format", "sarif", broken).json()
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    one, other = run["results"]
    place = one["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/a%20game.yaml")
    assert place["region"] == {"startLine": 3, "startColumn": 18, "endLine": 3, "endColumn": 24}
    (change,) = one["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "columns"
    assert other["relatedLocations"][0]["message"]["text"] == "the first one"


def test_sarif_without_findings_is_a_log_too() -> None:
    done = call("check", "--format", "sarif", "hex")
    jsonschema.validate(done.json(), SARIF)
    assert (done.code, done.json()["runs"][0]["results"]) == (0, [])


def test_an_unknown_format_is_wrong_use(broken: str) -> None:
    done = call("check", "--format", "xml", broken)
    assert (done.code, done.out) == (2, "")
