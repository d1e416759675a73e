"""The files that come with the package are found from anywhere."""

import json
import os
from pathlib import Path

import pytest

from rulesengine.errors import UsageError
from rulesengine.support import resources
from rulesengine.support.catalogue import fold, read_catalogue
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Source

GAMES = Path(__file__).parents[2] / "games"


def test_every_spec_of_the_games_folder_is_bundled() -> None:
    files = {path.name for path in GAMES.iterdir()}
    assert {f"{name}.yaml" for name in resources.bundled_names()} | {
        "learned",
        "calibration.txt",
        "catalogue.txt",
        "levels.txt",
        "trials.txt",
    } == files


def test_learned_files_are_named_after_their_specs() -> None:
    names = [Path(path).stem for path in resources.bundled_learned()]
    assert names
    assert set(names) <= set(resources.bundled_names())


def test_a_bundled_name_has_a_file() -> None:
    for name in resources.bundled_names():
        assert resources.bundled_path(name).read_text(encoding="utf-8").strip()


def test_the_files_are_found_from_a_foreign_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.yaml").touch()
    assert "mine" not in resources.bundled_names()
    assert json.loads(resources.read_text("grammars/game.schema.json"))


def test_every_bundled_spec_has_a_row_of_the_catalogue() -> None:
    entries = read_catalogue(resources.catalogue_text())
    assert [entry.name for entry in entries] == list(resources.bundled_names())
    assert all(entry.summary and entry.tags for entry in entries)


def test_no_alias_is_the_name_of_a_game() -> None:
    names = set(map(fold, resources.bundled_names()))
    for entry in read_catalogue(resources.catalogue_text()):
        assert not names & set(map(fold, entry.aliases)), entry.name


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("checkers", "english-draughts"),
        ("Connect 4", "connect-four"),
        ("connect4", "connect-four"),
        ("baduk", "go"),
        ("wei-qi", "go"),
        ("Noughts and Crosses", "tic-tac-toe"),
        ("Tic Tac Toe", "tic-tac-toe"),
        ("reversi", "reversi"),
        ("einstein würfelt nicht", "einstein"),
    ],
)
def test_other_names_of_a_game_resolve(name: str, meant: str) -> None:
    assert resources.bundled_path(name) == resources.bundled_path(meant)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mancala", "did you mean `kalah` or `oware`?"),
        ("chekers", "did you mean `english-draughts`?"),
        ("conect4", "did you mean `connect-four`?"),
    ],
)
def test_an_ambiguous_or_misspelt_alias_is_a_hint(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        resources.bundled_path(name)
    assert raised.value.hint == hint


def test_a_file_of_the_name_of_an_alias_is_not_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "checkers.yaml").touch()
    with pytest.raises(UsageError, match=r"the file that is here is `\./checkers\.yaml`"):
        resources.bundled_path("checkers")


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UsageError, match="did you mean `othello`"):
        resources.bundled_path("othelo")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../README", f"..{os.sep}games{os.sep}hex", "./hex"]
)
def test_a_name_is_never_a_path(name: str) -> None:
    with pytest.raises(UsageError, match="no bundled game"):
        resources.bundled_path(name)


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("othelo", "no bundled game is called `othelo`", "did you mean `othello`?"),
        ("othello.yaml", "othello.yaml: no such file", "write `othello`, which is a bundled game"),
        ("mine", "no bundled game", "write `./mine.yaml`, the file next to this spec"),
        ("./mime.yaml", "mime.yaml: no such file", "did you mean `./mine.yaml`?"),
        ("elsewhere/mine.yaml", "a file next to the spec", "put both files into one folder"),
        ("zzzzzz", "no bundled game", "`rulesengine list` shows the bundled games; a file"),
        ("connect4", "no bundled game is called `connect4`", "did you mean `connect-four`?"),
    ],
)
def test_a_parent_that_there_is_not_gets_a_hint(
    name: str, message: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").touch()
    with pytest.raises(UsageError) as raised:
        resources.find_parent(name, Source(str(tmp_path / "child.yaml"), ""))
    assert message in raised.value.message
    assert raised.value.hint.startswith(hint)
    assert str(raised.value) == f"{raised.value.message}: {raised.value.hint}"


def test_a_hint_at_a_parent_is_a_fix_that_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("spec: 1\n")
    child = Source(str(tmp_path / "child.yaml"), "")
    for name in ("othelo", "checkers", "othello.yaml", "mine", "mime.yaml"):
        with pytest.raises(UsageError) as raised:
            resources.find_parent(name, child)
        assert isinstance(raised.value.hint, Suggestion)
        assert resources.find_parent(raised.value.hint.write, child).text
