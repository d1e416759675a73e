"""docs/tutorial.md, executed step by step."""

import re
from itertools import product
from pathlib import Path

import pytest

import rulesengine
from tests.helpers import tutorial
from tests.helpers.cli_calls import call

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_haste")]

TEXT = tutorial.PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def carried_out_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the folder in which the tutorial ran, and the page with the real output."""
    folder = tmp_path_factory.mktemp("tutorial")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder, tutorial.carried_out(TEXT)


def test_commands_of_the_tutorial_match_their_output(carried_out_page: tuple[Path, str]) -> None:
    assert carried_out_page[1] == TEXT, (
        "run python -m tests.helpers.tutorial, and read what has changed"
    )


def test_there_are_ten_steps_each_with_a_file_and_a_command() -> None:
    steps = re.split(r"^## ", TEXT, flags=re.M)[1:]
    assert [step.split(".")[0] for step in steps] == [str(n) for n in range(1, 11)]
    assert [step[:20] for step in steps if "yaml -->" not in step or "\n$ " not in step] == []


def test_every_block_of_yaml_belongs_to_a_file() -> None:
    assert len(re.findall(r"^```yaml$", TEXT, re.M)) == len(re.findall(r"yaml -->\n```", TEXT))


def test_the_game_at_the_end_passes_its_tests_and_has_no_finding(
    carried_out_page: tuple[Path, str],
) -> None:
    spec = str(carried_out_page[0] / "mine.yaml")
    assert call("test", spec).code == 0
    assert call("check", spec).out == f"{spec}: ok\n"


def test_the_game_at_the_end_counts_as_another_program_does(
    carried_out_page: tuple[Path, str],
) -> None:
    game = rulesengine.load(carried_out_page[0] / "mine.yaml")
    assert [game.perft(depth) for depth in (1, 2, 3, 4)] == [
        count_apart(depth) for depth in (1, 2, 3, 4)
    ]


def count_apart(
    depth: int, own: frozenset[int] = frozenset(), other: frozenset[int] = frozenset()
) -> int:
    """Count sequences of placements on free cells of a 5x5 board, never next to an own mark."""
    if not depth:
        return 1
    cells = [r * 5 + c for r, c in product(range(5), range(5))]
    free = [x for x in cells if x not in own | other and not own & adjacent(x)]
    return sum(count_apart(depth - 1, other, own | {x}) for x in free)


def adjacent(cell: int) -> set[int]:
    row, column = divmod(cell, 5)
    places = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return {r * 5 + c for r, c in places if r in range(5) and c in range(5)}


def test_every_link_of_the_page_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert links
    assert [link for link in links if not (tutorial.PAGE.parent / link).exists()] == []
