"""The README matches the repository, and the contributors' documents are complete."""

import doctest
import re
from pathlib import Path

from rulesengine.support.resources import bundled_path

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
    assert shown == bundled.partition("tests:\n")[0]


def test_the_two_commands_are_one_line_each() -> None:
    commands = re.findall(r"^```sh\n(.*?)^```$", README, re.S | re.M)
    assert [command.count("\n") for command in commands] == [1, 1]


def test_every_link_leads_somewhere() -> None:
    found = re.findall(r"\]\(([^)#]+)", README + CONTRIBUTING)
    links = [link for link in found if "://" not in link]
    assert "CONTRIBUTING.md" in links
    assert [link for link in links if not (ROOT / link).exists()] == []
