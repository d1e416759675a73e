"""The starting points of the editor are games without findings, and their tests pass."""

from pathlib import Path

import pytest

from tests.helpers.served import respond

TEMPLATES = sorted((Path(__file__).parents[2] / "web" / "src" / "templates").glob("*.yaml"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_starting_point_is_a_sound_game(path: Path) -> None:
    spec = {"text": path.read_text()}
    assert respond("check", spec=spec) == (200, [{"findings": []}])
    (status, (tested,)) = respond("test", spec=spec)
    assert (status, tested["failed"]) == (200, [])
    assert tested["passed"] > 0


def test_there_are_the_kinds_that_people_begin_with() -> None:
    names = {path.stem for path in TEMPLATES}
    assert names >= {"blank", "gravity", "capture", "connection", "movement", "mancala"}
