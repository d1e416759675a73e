"""docs/tutorial.md carried out: its files written, its commands run, one step at a time.

`python -m tests.helpers.tutorial` writes the output of the commands into the page, for review
before a commit.
"""

import os
import re
import tempfile
from pathlib import Path

from tests.helpers.cli_calls import call

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
_BLOCK = re.compile(r"(?:<!-- (?P<file>[a-z.]+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```\n", re.S)


def carried_out(page: str) -> str:
    """Return the page with the output of its commands, run in the current folder."""
    return _BLOCK.sub(_with_output, page)


def printed(command: str) -> str:
    """Return the output of a command on both streams, standard output first."""
    words, _, given = command.removeprefix("rulesengine ").partition(" < ")
    done = call(*words.split(), stdin=Path(given).read_bytes() if given else b"")
    assert done.code in (0, 1), done.err
    return done.out + done.err


def merged(old: str, new: str) -> str:
    """Return a spec with the sections of another text in place of its own; `null` deletes one.

    The parts of `rules` are replaced one by one.
    """
    before, after = _sections(old), _sections(new)
    if "rules" in before and "rules" in after:
        rules = [_sections(part["rules"].partition("\n")[2], "  ") for part in (before, after)]
        after["rules"] = "rules:\n" + "".join((rules[0] | rules[1]).values())
    sections = before | after
    return "".join(text for key, text in sections.items() if text.strip() != f"{key}: null")


def _sections(text: str, indent: str = "") -> dict[str, str]:
    parts = re.split(rf"^(?={indent}[a-z])", text, flags=re.M)
    return {part.split(":")[0].strip(): part for part in parts if part}


def _with_output(match: re.Match[str]) -> str:
    file, kind, body = match["file"], match["kind"], match["body"]
    if file:
        path = Path(file)
        old = path.read_text(encoding="utf-8") if kind == "yaml" and path.exists() else ""
        path.write_text(merged(old, body) if old else body, encoding="utf-8")
        return match[0]
    assert kind == "console"
    lines = [line for line in body.splitlines() if line.startswith("$ ")]
    return "```console\n" + "".join(f"{line}\n{printed(line[2:])}" for line in lines) + "```\n"


def main() -> None:
    """Write the output of the commands into the page."""
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        PAGE.write_text(carried_out(page), encoding="utf-8")


if __name__ == "__main__":
    main()
