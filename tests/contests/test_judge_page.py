"""docs/judge.md, executed step by step."""

import re
from pathlib import Path

import pytest

from tests.helpers.cli_calls import call

PAGE = (Path(__file__).parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")
MEASURED = re.compile(r" *\d+\.\d\d s +\d+ MB")
PLACE = re.compile(r"\S*/(?=gcj13)")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.S | re.M)


def plain(text: str) -> str:
    return PLACE.sub("", MEASURED.sub("", text))


def test_command_output_matches_the_judge_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases").mkdir()
    (tmp_path / "tomek.py").write_text(*blocks("python"))
    (tmp_path / "cases" / "two.in").write_text(*blocks("text"))
    shown = [block.removeprefix("$ rulesengine ").partition("\n") for block in blocks("console")]
    assert len(shown) == 2
    for command, _, output in shown:
        words = [a or b for a, b in re.findall(r'"(.*?)"|(\S+)', command)]
        assert plain(call(*words, "--engine", "interpreter").out) == plain(output)
