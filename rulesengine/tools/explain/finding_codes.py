"""The codes of findings with their meanings and example specs, from `grammars/mistakes.txt`."""

import re
from dataclasses import dataclass

from rulesengine.support.resources import read_text
from rulesengine.support.source import Source

_SPEC = """\
spec: 1
name: Example
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: {when: none(empty), result: draw}
"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A code, its meaning, and pieces of specs that have the mistake."""

    code: str
    meaning: str
    pieces: tuple[str, ...]


def mistakes() -> tuple[Mistake, ...]:
    """Return all codes of the file, in order."""
    parts = re.split(r"(?m)^(?=[a-z]+(?:-[a-z]+)*$)", read_text("grammars/mistakes.txt"))
    return tuple(map(_mistake, parts[1:]))


def spec_with(piece: str) -> Source:
    """Return a small spec with its sections replaced by those of a piece."""
    if piece.startswith("EMPTY"):  # the piece is the whole file
        return Source("example.yaml", piece.removeprefix("EMPTY").removeprefix(" ") + "\n")
    if piece.startswith("LONG"):
        piece = f"{piece.removeprefix('LONG ')}: {'x' * 20_000}"
    sections, new = _sections(_SPEC, ""), _sections(piece + "\n", "")
    if "rules" in new:
        new["rules"] = _rules(sections["rules"], new["rules"])
    texts = [text for key, text in sections.items() if key not in new]
    return Source("example.yaml", "".join([*texts[:1], *new.values(), *texts[1:]]))


def _mistake(part: str) -> Mistake:
    code, meaning, *lines = part.rstrip("\n").split("\n")
    pieces: list[str] = []
    for line in lines:
        if line.startswith("- "):
            pieces.append(line.removeprefix("- "))
        else:
            pieces[-1] += "\n" + line.removeprefix("  ")
    return Mistake(code, meaning.strip(), tuple(pieces))


def _rules(section: str, new: str) -> str:
    """Return the rules of the small spec merged with a piece's rules, which may be on one line."""
    flow = re.fullmatch(r"rules: \{([a-z]+): (.*)\}\n", new, re.S)
    lines = f"  {flow[1]}: {flow[2]}\n" if flow else new.split("\n", 1)[1]
    if new.startswith("rules: {") and not flow:
        return new
    rules = _sections(section.split("\n", 1)[1], "  ") | _sections(lines, "  ")
    return "rules:\n" + "".join(rules.values())


def _sections(text: str, indent: str) -> dict[str, str]:
    """Split a text into keys at an indentation; each value includes the nested lines."""
    parts = re.split(rf"(?m)^{indent}(?=[^\s])", text)
    sections: dict[str, str] = {"": parts[0]} if parts[0] else {}
    for part in parts[1:]:
        key = part.split(":")[0]
        sections[key] = sections.get(key, "") + indent + part
    return sections
