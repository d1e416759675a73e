"""The README matches the repository, and the contributors' documents are complete."""

import doctest
import re
from pathlib import Path

from rulesengine.cli.commands import COMMANDS
from rulesengine.support.resources import bundled_path
from tests.helpers.cli_calls import call

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_python_example_runs() -> None:
    done = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert done.attempted
    assert not done.failed


def test_the_spec_in_full_is_the_bundled_one() -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", README, re.S | re.M)
    bundled = bundled_path("tic-tac-toe").read_text(encoding="utf-8")
    assert shown == re.split("^(?:picture|tests):", bundled, flags=re.M)[0]


def test_the_two_commands_are_one_line_each() -> None:
    commands = re.findall(r"^```sh\n(.*?)^```$", README, re.S | re.M)
    assert [command.count("\n") for command in commands] == [1, 1]


def test_the_commands_to_try_print_what_is_shown() -> None:
    blocks = re.findall(r"^```console\n(.*?)^```$", README, re.S | re.M)
    shown = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    commands = [part.partition("\n") for part in shown if "rulesengine" in part.partition("\n")[0]]
    assert len(commands) == 5
    for command, _, output in commands:
        typed, _, words = command.rpartition("rulesengine ")
        given = re.search(r"echo (\S+) \|", typed)
        done = call(*words.split(), stdin=f"{given[1]}\n".encode() if given else b"")
        printed = done.out + done.err
        assert printed.rstrip() == output.rstrip(), command


def test_the_board_of_the_introduction_is_that_of_play() -> None:
    drawn = re.search(r"^```text\n(.*?)^```$", README, re.S | re.M)
    assert drawn
    assert f"\n{drawn[1]}" in call("play", "othello").out


def test_the_page_of_commands_has_every_command() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert set(COMMANDS) - set(re.findall(r"^\| `rulesengine ([a-z]+)", page, re.M)) == set()


def test_every_link_leads_somewhere() -> None:
    found = re.findall(r"\]\(([^)#]+)", README + CONTRIBUTING)
    links = [link for link in found if "://" not in link]
    assert "CONTRIBUTING.md" in links
    assert [link for link in links if not (ROOT / link).exists()] == []
