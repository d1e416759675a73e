"""The files that come with the package are found from anywhere."""

import json
import os
from pathlib import Path

import pytest

from rulesengine import resources
from rulesengine.errors import UsageError

GAMES = Path(__file__).parent.parent / "games"


def test_every_spec_of_the_games_folder_is_bundled() -> None:
    files = {path.name for path in GAMES.iterdir()}
    assert {f"{name}.yaml" for name in resources.bundled_names()} == files


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


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UsageError, match="did you mean `othello`"):
        resources.bundled_path("othelo")


@pytest.mark.parametrize("name", ["", ".", "..", "../README", f"..{os.sep}games{os.sep}hex"])
def test_a_name_is_never_a_path(name: str) -> None:
    with pytest.raises(UsageError, match="no bundled game"):
        resources.bundled_path(name)
