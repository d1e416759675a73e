"""`list` reads the bundled specs once, and again when one of their texts changes."""

import re
from pathlib import Path

import pytest

import rulesengine
from rulesengine.support import resources
from rulesengine.tools import bundled
from tests.helpers.cli_calls import call

TEXT = (resources.bundled_path("tic-tac-toe")).read_text(encoding="utf-8")
LISTED = """\
mine    Tic-tac-toe
          m: a number from 1 to 32 (default 3)
          n: a number from 1 to 32 (default 3)
          k: a number from 1 to 32 (default 3)
others  Others
          m: a number from 1 to 32 (default 3)
          n: a number from 1 to 32 (default 3)
          k: a number from 1 to 32 (default 3)
"""


@pytest.fixture
def loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names that are loaded, of two bundled specs, with a cache of their own."""
    (tmp_path / "mine.yaml").write_text(TEXT)
    (tmp_path / "others.yaml").write_text("extends: mine\nname: Others\n")
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(resources, "_GAMES", str(tmp_path))
    found: list[str] = []
    plain = rulesengine.load

    def load(name: str) -> object:
        found.append(name)
        return plain(name)

    monkeypatch.setattr(bundled, "load", load)
    return found


def test_the_bundled_specs_are_loaded_once(loads: list[str]) -> None:
    for words in (["list"], ["list"], ["list", "--json"]):
        assert call(*words).code == 0
    assert call("list", "--parameters").out == LISTED
    assert loads == ["mine", "others"]


def test_cached_list_has_the_same_json(loads: list[str]) -> None:
    first, again = call("list", "--json"), call("list", "--json")
    assert first.json() == again.json()
    assert first.json()["games"][1] == {
        "name": "others",
        "title": "Others",
        "summary": "",
        "tags": [],
        "aliases": [],
        "players": [2],
        "parameters": {n: {"default": 3, "from": 1, "to": 32, "step": 1} for n in ("m", "n", "k")},
    }
    assert len(loads) == 2


@pytest.mark.slow
def test_all_are_loaded_again_when_a_text_changes(loads: list[str], tmp_path: Path) -> None:
    call("list")
    (tmp_path / "mine.yaml").write_text(
        TEXT.replace("m: {type: integer, from: 1", "m: {type: integer, from: 2")
    )
    assert "m: a number from 2 to 32 (default 3)" in call("list", "--parameters").out
    (tmp_path / "new.yaml").write_text("extends: mine\nname: New\n")
    assert "new     New\n" in call("list").out
    assert len(loads) == 2 + 2 + 3


def test_without_a_cache_they_are_loaded_each_time(
    loads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "")
    assert [call("list", "--parameters").out for _ in range(2)] == [LISTED, LISTED]
    assert len(loads) == 4


def test_players_are_counted_for_all_values_of_parameters() -> None:
    game = rulesengine.load("rolit")
    assert bundled.numbers_of_players(game) == [2, 3, 4]
    assert bundled.numbers_of_players(rulesengine.load("peg-solitaire")) == [1]


@pytest.fixture
def catalogue(loads: list[str], tmp_path: Path) -> None:
    (tmp_path / "catalogue.txt").write_text(
        "# a remark\nmine | marks in rows | alignment, small | noughts & crosses\n"
        "others | as mine | goal game |\n"
    )


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ((), ["mine", "others"]),
        (("alignment",), ["mine"]),
        (("align",), ["mine"]),
        (("go",), []),  # two letters match whole words only
        (("goal", "others"), ["others"]),
        (("noughts",), ["mine"]),
        (("Noughts and crosses",), []),
        (("--players", "2"), ["mine", "others"]),
        (("--players", "3"), []),
    ],
)
def test_list_filters_by_words_and_players(words: tuple[str, ...], found: list[str]) -> None:
    done = call("list", *words)
    assert [line.split()[0] for line in done.out.splitlines()] == found
    assert done.code == (0 if found else 1)
    assert ("no bundled game matches" in done.err) == (not found)


@pytest.mark.usefixtures("catalogue")
def test_list_prints_a_line_for_each_game_with_summary_and_tags() -> None:
    assert call("list").out == (
        "mine    marks in rows [alignment, small]\nothers  as mine [goal game]\n"
    )


@pytest.mark.usefixtures("catalogue")
def test_the_catalogue_changes_no_rules(tmp_path: Path) -> None:
    before = rulesengine.load(tmp_path / "mine.yaml").rules
    (tmp_path / "catalogue.txt").unlink()
    assert rulesengine.load(tmp_path / "mine.yaml").rules == before


def test_the_games_that_hide_something_have_the_tag() -> None:
    words = re.compile(r"\bsees:|\bseen: (own|nobody)|\btogether:")
    names = resources.bundled_names()
    texts = {name: resources.bundled_path(name).read_text("utf-8") for name in names}
    hidden = {*texts} - {*resources.open_names()}
    assert hidden == {name for name, text in texts.items() if words.search(text)}
    assert all(rulesengine.load(name, engine="interpreter").is_hidden for name in hidden)


def test_a_game_with_the_words_as_its_name_comes_first() -> None:
    names = [one.name for one in rulesengine.games("chess")]
    assert names[0] == "chess"
    assert names[1:] == sorted(names[1:])
    assert rulesengine.games("nine", "men's", "morris")[0].title.lower() == "nine men's morris"
