"""The language version: the error for a spec of another one, and the version of each word."""

import re

import pytest

from rulesengine import SpecError
from rulesengine.language.document.language_version import VERSION
from rulesengine.language.pipeline import analyse
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.explain import entries
from rulesengine.tools.explain.language_versions import known_words, since
from tests.helpers.cli_calls import call
from tests.helpers.freeze import FROZEN


@pytest.mark.parametrize(
    "text",
    [
        "spec: 2\n",
        "spec: 2\nname: Later\nboard: {tiles: 7}\nrules: {moves: [{teleport: own}]}\n",
        "name: Later\nspec: 17\n",
        "spec: 2 # of later years\nname: &anchor x\n",
        "spec: 3\nname: [\n",  # not even readable today
        "extends: othello\nspec: 2\n",
    ],
)
def test_a_spec_in_a_newer_version_says_so_and_nothing_else(text: str) -> None:
    (finding,) = analyse(Source("later.yaml", text)).findings
    assert finding.code == "newer-spec"
    assert finding.message == "this file needs a newer version of rulesengine"
    assert finding.help == "this one reads `spec: 1`"
    assert finding.span.text in ("2", "3", "17")


@pytest.mark.parametrize("version", ["0", "-1", "1.0", "'1'", "one", "[1]", "9" * 30])
def test_invalid_spec_version_is_a_finding(version: str) -> None:
    text = f"spec: {version}\nname: Odd\n"
    codes = {finding.code for finding in analyse(Source("odd.yaml", text)).findings}
    assert codes & {"wrong-type", "not-allowed-value"}


def test_a_newer_spec_cannot_be_loaded() -> None:
    with pytest.raises(SpecError, match="needs a newer version"):
        load_source(Source("later.yaml", "spec: 2\n"))
    assert call("check", "-", stdin=b"spec: 2\n").code == 1


def test_every_version_has_its_frozen_specs() -> None:
    folders = {folder.name for folder in FROZEN.iterdir()}
    assert folders == {str(version) for version in range(1, VERSION + 1)}


@pytest.mark.slow
def test_every_word_has_the_version_that_first_knew_it_and_no_other_word_has() -> None:
    words = {
        (entry.kind, entry.word)
        for entry in entries()
        if not re.match(r"section|code|direction|region|key of (?!a strategy)", entry.kind)
    }
    assert words == known_words()
    assert {since(kind, word) for kind, word in words} <= set(range(1, VERSION + 1))


@pytest.mark.slow
def test_explain_shows_the_version() -> None:
    assert {entry["since"] for entry in call("explain", "empty", "--json").json()["entries"]} == {1}
    with pytest.raises(KeyError):
        since("name", "teleport")
