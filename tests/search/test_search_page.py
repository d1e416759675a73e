"""docs/search.md: its examples in Python run, and its commands print the output shown."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.helpers.cli_calls import call

PAGE = Path(__file__).parents[2] / "docs" / "search.md"
TEXT = PAGE.read_text(encoding="utf-8")
SHOWN = [
    part.partition("\n")
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT, re.M | re.S)
    for part in re.split(r"^\$ rulesengine ", block, flags=re.M)[1:]
]
# The output depends on the time, or on the machine.
TIMED = ("--seconds", "--trial")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the spec of a hidden coin, which the page shows."""
    specs = re.findall(r"^```yaml\n(.*?)^```$", TEXT, re.M | re.S)
    (coin,) = [spec for spec in specs if "name: Hidden coin" in spec]
    (tmp_path / "coin.yaml").write_text(coin, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
def test_the_examples_in_python_run() -> None:
    done = doctest.testfile(str(PAGE), module_relative=False)
    assert done.attempted > 7
    assert not done.failed


def test_the_page_shows_commands_with_their_output() -> None:
    assert len(SHOWN) == 9
    assert all(output for _, _, output in SHOWN)


@pytest.mark.deep
@pytest.mark.parametrize(("command", "output"), [(one, shown) for one, _, shown in SHOWN])
def test_a_command_prints_the_output_shown(command: str, output: str) -> None:
    done = call(*shlex.split(command))
    if any(option in command for option in TIMED):
        assert done.code in (0, 1), done.err  # `solve` reports an open value by 1
        return
    assert done.code == 0, done.err
    printed = [line.split() for line in done.out.splitlines()]
    for shown in output.splitlines():
        if shown.strip() != "…":  # lines left out
            assert shown.split() in printed
