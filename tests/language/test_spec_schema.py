from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rulesengine.errors import UsageError
from rulesengine.language.document import parse, read
from rulesengine.language.document.nodes import to_plain
from rulesengine.language.pipeline import find_parent
from rulesengine.support.diagnostic import Diagnostic, render
from rulesengine.support.files import read_source
from rulesengine.support.limits import MAX_MESSAGE
from rulesengine.support.resources import read_text
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.variant_schema import variant

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.yaml"))
SCHEMA = json.loads(read_text("grammars/game.schema.json"))
BASE = """\
spec: 1
name: A game
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
"""
RULES = "rules: {moves: {place: stone, to: empty}}\n"


def nothing(name: str, child: Source) -> Source:
    raise UsageError(f"there is no spec `{name}`")


def findings(text: str) -> list[Diagnostic]:
    return read(Source("test.yaml", text), nothing)[1]


def only(text: str) -> Diagnostic:
    found = findings(text)
    assert len(found) == 1, "\n".join(render(f) for f in found)
    return found[0]


def test_the_schema_has_the_form_and_the_entry_of_the_schema_store() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    page = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```json\n(.*?)^```$", page, re.M | re.S)
    entry = json.loads(shown)
    assert entry.keys() == {"name", "description", "fileMatch", "url"}
    assert entry["url"] == SCHEMA["$id"]
    assert all(pattern.startswith("*.boardgame.") for pattern in entry["fileMatch"])


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_bundled_spec_fits_the_schema(path: Path) -> None:
    document, found = read(read_source(path), find_parent)
    assert found == []
    assert document is not None


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_bundled_spec_is_right_in_an_editor(path: Path) -> None:
    document, found = parse(read_source(path))
    assert found == []
    assert document is not None
    validator = jsonschema.Draft7Validator(SCHEMA)
    assert [error.message for error in validator.iter_errors(to_plain(document.root))] == []


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_bundled_spec_begins_with_the_modeline(path: Path) -> None:
    modeline = "# yaml-language-server: $schema="
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    assert first.startswith(modeline)
    assert json.loads((path.parent / first.removeprefix(modeline)).read_text()) == SCHEMA


WORDS_OF_DRAFT_7 = frozenset(
    "$schema $id $ref $comment title description default examples multipleOf maximum"
    " exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern additionalItems items"
    " maxItems minItems uniqueItems contains maxProperties minProperties required properties"
    " patternProperties additionalProperties dependencies propertyNames enum const type format"
    " allOf anyOf oneOf not if then else definitions".split()
)


def subschemas(schema: object) -> Iterator[dict[str, Any]]:
    """Yield a schema and all those inside it; `enum` and `examples` contain none."""
    if not isinstance(schema, dict):
        return
    yield schema
    for word, value in schema.items():
        if word in ("properties", "definitions"):
            below = list(value.values())
        elif word in ("allOf", "anyOf", "oneOf"):
            below = value
        elif word in ("items", "additionalProperties", "propertyNames", "if", "then", "else"):
            below = [value]
        else:
            below = []
        for inside in below:
            yield from subschemas(inside)


def test_the_schema_keeps_to_the_words_of_draft_7() -> None:
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    used = {word for schema in subschemas(SCHEMA) for word in schema}
    assert used - WORDS_OF_DRAFT_7 == set()
    references = {schema["$ref"] for schema in subschemas(SCHEMA) if "$ref" in schema}
    assert {at(reference) for reference in references}  # each resolves to a schema
    assert {r.split("/")[2] for r in references} == set(SCHEMA["definitions"])


def at(reference: str) -> str:
    """Return the reference, which must resolve."""
    found: Any = SCHEMA
    for step in reference.removeprefix("#/").split("/"):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return reference


def test_variant_schema_is_derived_from_the_spec_schema() -> None:
    definitions = SCHEMA["definitions"]
    assert definitions["variant"] == variant(
        definitions
    )  # else `python -m tests.helpers.variant_schema`


def test_every_key_has_an_example_or_a_list_of_its_values() -> None:
    missing = [path for path, schema in properties(SCHEMA) if not exemplified(schema)]
    assert missing == []


def exemplified(schema: Any) -> bool:
    known = "examples" in schema or "enum" in schema or schema.get("type") == "boolean"
    return bool(known)


def test_every_example_fits_its_key() -> None:
    for path, schema in properties(SCHEMA):
        assert isinstance(schema, dict)
        whole = {**schema, "definitions": SCHEMA["definitions"]}
        for example in schema.get("examples", []):
            errors = list(jsonschema.Draft7Validator(whole).iter_errors(example))
            assert errors == [], (path, example)


def test_every_key_says_since_which_version_it_is_known() -> None:
    missing = [
        path
        for path, schema in properties(SCHEMA)
        if not (isinstance(schema, dict) and re.fullmatch(r"since \d+", schema.get("$comment", "")))
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("extends: othello\nname: Mine\n", True),
        ("extends: othello\nregisters: null\ntests: null\nio: null\nstart: null\n", True),
        ("extends: othello\nwith: [misere, {size: 6}, pie: {after: 2}]\n", True),
        ("extends: othello\nwith: torus\nspec: 1\n", True),
        ("name: Mine\n", False),
        ("extends: othello\nwith: misery\n", False),
        ("extends: othello\nwith: {size: big}\n", False),
        ("extends: othello\nbored: {rows: 8}\n", False),
    ],
)
def test_an_editor_knows_a_variant_from_a_whole_spec(text: str, right: bool) -> None:
    document, found = parse(Source("test.yaml", text))
    assert found == []
    assert document is not None
    assert jsonschema.Draft7Validator(SCHEMA).is_valid(to_plain(document.root)) == right


@pytest.mark.parametrize("key", ["io", "start", "registers", "tests", "source"])
def test_a_section_without_a_value_is_reported_where_there_is_nothing_to_delete(key: str) -> None:
    assert only(f"{BASE}{RULES}{key}:\n").code == "missing-value"


def test_the_schema_is_published_on_standard_output() -> None:
    found = call("schema")
    assert (found.code, found.err) == (0, "")
    assert found.out == read_text("grammars/game.schema.json")


def test_the_schema_is_valid_draft_7_and_every_property_is_described() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    missing = [path for path, schema in properties(SCHEMA) if not described(schema)]
    assert missing == []


def properties(schema: object, path: str = "") -> list[tuple[str, object]]:
    found = []
    if isinstance(schema, dict):
        for word, value in schema.items():
            # keys under `then` that are only forbidden repeat descriptions elsewhere and those of
            # variants, which refer to them
            if word == "properties" and "/allOf/" not in path and "/variant" not in path:
                found += [(f"{path}/{key}", sub) for key, sub in value.items()]
            found += properties(value, f"{path}/{word}")
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            found += properties(value, f"{path}/{i}")
    return [(p, s) for p, s in found if "/if/" not in p]


def described(schema: object) -> bool:
    if not isinstance(schema, dict):
        return False
    reference = schema.get("$ref", "").removeprefix("#/definitions/")
    return "description" in schema or "description" in SCHEMA["definitions"].get(reference, {})


def test_every_map_of_fixed_keys_is_closed() -> None:
    def open_maps(schema: object) -> int:
        if isinstance(schema, list):
            return sum(map(open_maps, schema))
        if not isinstance(schema, dict):
            return 0
        is_open = schema.get("type") == "object" and "additionalProperties" not in schema
        return is_open + sum(open_maps(sub) for word, sub in schema.items() if word != "if")

    assert open_maps(SCHEMA["definitions"]) == 0


def test_the_smallest_game_has_no_finding() -> None:
    assert findings(BASE + RULES) == []


def test_a_misspelt_key_is_one_finding_with_the_right_word() -> None:
    finding = only((BASE + RULES).replace("pieces:", "peices:"))
    assert (finding.code, finding.span.text) == ("unknown-key", "peices")
    assert finding.help == "did you mean `pieces`?"


def test_a_key_that_is_like_no_other_gets_the_list_of_keys() -> None:
    finding = only(BASE.replace("rows: 3", "zzz: 3") + RULES)
    assert "`rows`" in finding.help


@pytest.mark.parametrize(
    ("group", "code", "text"),
    [("plase: stone", "unknown-key", "plase"), ("to: empty", "missing-key", "moves"),
     ("place: stone, move: own", "misplaced-key", "move"), ("pass: , to: x", "misplaced-key", "to"),
     ("place: [a]", "wrong-type", "place"), ("place: stone, to: ", "missing-value", "to"),
     ("place: stone, then: {step: x, form: to}", "unknown-key", "form")],
)  # fmt: skip
def test_a_group_of_moves_is_judged_by_its_tag(group: str, code: str, text: str) -> None:
    finding = only(f"{BASE}rules: {{moves: {{{group}}}}}\n")
    assert (finding.code, finding.span.text) == (code, text)


def test_groups_may_stand_in_a_list_and_as_words() -> None:
    moves = "[{place: stone, to: empty, do: [flip enemy, flip own]}, otherwise, pass, swap]"
    assert findings(f"{BASE}rules: {{moves: {moves}}}\n") == []
    finding = only(f"{BASE}rules: {{moves: [oterwise]}}\n")
    assert finding.help == "did you mean `otherwise`?"


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [("board: {rows: [3]}", "wrong-type", "rows"),
     ("board: {wrap: round}", "not-allowed-value", "round"),
     ("players: []", "wrong-count", "players"), ("players: 3", "wrong-type", "3"),
     (f"players: [{','.join('abcdefghi')}]", "wrong-count", "players"),
     ("players: [White, b]", "not-allowed-value", "White"),
     ("players: {White: }", "bad-name", "White"),
     ("pieces: {stone: {left: xx}, empty: .}", "not-allowed-value", "xx"),
     ('pieces: {stone: {left: " "}, empty: .}', "not-allowed-value", '" "'),
     ('pieces: {stone: {left: "\\u200b"}, empty: .}', "not-allowed-value", '"\\u200b"'),
     ("pieces: {stone: {left: 10}, empty: .}", "not-allowed-value", "10"),
     ("pieces: {stone: {left: x}}", "missing-key", "pieces"),
     ("name: [x]", "wrong-type", "name"), ('name: "a\\nb"', "not-allowed-value", '"a\\nb"'),
     (f"name: {'n' * 65}", "not-allowed-value", "n" * 65), ("name:", "missing-value", "name"),
     ("spec: one", "wrong-type", "one"), ("spec: 1.0", "wrong-type", "1.0"),
     ("spec: 0", "not-allowed-value", "0"), ("spec: true", "wrong-type", "true")],
)  # fmt: skip
def test_a_wrong_value_is_shown_at_its_place(line: str, code: str, text: str) -> None:
    key = line.split(":")[0]
    kept = [old for old in (BASE + RULES).splitlines() if not old.startswith(f"{key}:")]
    finding = only("\n".join([*kept, line]) + "\n")
    assert (finding.code, finding.span.text) == (code, text)


@pytest.mark.parametrize(
    ("parameter", "code", "text"),
    [("type: integer, from: 012, default: 1", "wrong-type", "012"),
     ("type: integer, default: 1e3", "wrong-type", "1e3"),
     ("type: integer, default: 4.0", "wrong-type", "4.0"),
     ("type: integer", "missing-key", "n"), ("default: 1", "missing-key", "n"),
     ("type: integer, choices: [1], default: 1", "misplaced-key", "choices"),
     ("choices: [1], from: 1, default: 1", "misplaced-key", "from"),
     ("type: flag, default: 1", "wrong-type", "1"),
     ("choices: [], default: 1", "wrong-count", "choices"),
     (f"type: integer, default: {'9' * 5000}", "wrong-type", "9" * 5000)],
)  # fmt: skip
def test_a_parameter_is_judged_by_its_type(parameter: str, code: str, text: str) -> None:
    finding = only(f"{BASE}{RULES}parameters: {{n: {{{parameter}}}}}\n")
    assert (finding.code, finding.span.text) == (code, text)
    assert len(finding.message) + len(finding.help) < MAX_MESSAGE


def test_a_number_in_another_spelling_is_corrected_where_a_number_is_due() -> None:
    finding = only(f"{BASE}{RULES}parameters: {{n: {{type: integer, default: 012}}}}\n")
    assert "write 10, not 012" in finding.help


@pytest.mark.parametrize(
    ("empty", "help"), [("|", 'quote it: "|"'), ("#", "`#` starts a comment"), ("", "")]
)
def test_a_symbol_that_yaml_swallows_is_noticed(empty: str, help: str) -> None:
    text = (BASE + RULES).replace('empty: "."', "").replace("o}, }", "o}}")
    text = text.replace("pieces: {stone: {left: x, right: o}}", f"pieces:\n  empty: {empty}\n")
    assert only(text).help.startswith(help)


def test_digits_and_signs_may_be_symbols() -> None:
    text = BASE.replace("left: x, right: o", "left: 0, right: '#'") + RULES
    assert findings(text) == []


def test_players_may_differ_by_attributes_or_by_nothing() -> None:
    text = BASE.replace("[left, right]", "{left: {label: L, slant: [north, south]}, right: }")
    assert findings(text + RULES) == []


def test_expressions_may_look_like_any_scalar() -> None:
    assert findings(f"{BASE}{RULES}define: {{a: 6, b: true, 'f(x, y)': x, g(x): '6'}}\n") == []


@pytest.mark.parametrize("name", ["F", "1f", "f(", "f()", "f(X)", "__class__", "f" * 33])
def test_a_definition_has_a_name_or_a_name_with_parameters(name: str) -> None:
    assert only(f'{BASE}{RULES}define: {{"{name}": 1}}\n').code == "bad-name"


def test_look_alike_letters_are_no_name() -> None:
    assert only(f"{BASE}{RULES}define: {{pаwn: 1}}\n").code == "bad-name"  # a Cyrillic letter


def test_a_newer_spec_says_so_and_nothing_else() -> None:
    finding = only("spec: 2\nwhatever: 1\n")
    assert (finding.code, finding.span.text) == ("newer-spec", "2")


def test_all_findings_come_at_once_in_the_order_of_the_text() -> None:
    found = findings("spec: 1\nname: &x y\nbored: 3\nplayers: [a, B]\nplayers: 1\n")
    assert [f.code for f in found] == [
        "missing-key", "yaml-anchor", "unknown-key", "not-allowed-value", "repeated-key",
    ]  # fmt: skip


def test_unknown_parent_reports_no_missing_keys() -> None:
    assert only("spec: 1\nname: x\nextends: nobody\n").code == "unknown-parent"


def test_a_mistake_of_a_parent_is_shown_in_the_parent() -> None:
    def find(name: str, child: Source) -> Source:
        return Source(name, BASE + RULES + "bored: 1\n")

    document, found = read(Source("child.yaml", "extends: parent\nname: child\n"), find)
    assert [(f.code, f.span.source.name) for f in found] == [("unknown-key", "parent")]
    assert document is not None
    assert isinstance(to_plain(document.root), dict)


@pytest.mark.parametrize("target", ["http://example.org/x.json", "file:///etc/passwd"])
def test_a_reference_in_a_spec_opens_nothing(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert {f.code for f in findings(f'$ref: "{target}"\n')} == {"unknown-key", "missing-key"}


def test_messages_never_echo_a_large_value() -> None:
    for finding in findings(f"spec: {'x' * 16_000}\n{'k' * 250}: 1\nname: {'[' + 'x,' * 9000}]\n"):
        assert len(finding.message) < MAX_MESSAGE
        assert max(map(len, render(finding).splitlines())) < 2 * MAX_MESSAGE


@pytest.mark.slow
def test_a_flood_of_findings_is_cut() -> None:
    keys = "".join(f"  K{i}: 1\n" for i in range(20_000))
    assert len(findings(f"{BASE}{RULES}strategies:\n{keys}")) <= 100
