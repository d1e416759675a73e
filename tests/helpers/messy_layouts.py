"""Documents rewritten in a random layout with the same content."""

import json
from dataclasses import dataclass, field
from random import Random

from rulesengine.language.document.nodes import Document, Entry, Mapping, Node, Scalar, Sequence

# Maps with keys in any order, by their keys; a separate list, not the package's.
SHUFFLED = (
    frozenset({"when", "result", "reason"}),
    frozenset("place move select name along when to choice do forbid then".split()),
    frozenset("name parameters position mover moves legal illegal board outcome perft".split()),
    frozenset("name spec source about extends board rules pieces players start tests".split()),
)


def messy(document: Document, draw: Random, *, comments: bool) -> str:
    """Write the text; with `comments` there are blank lines and comments `# 1`, `# 2` and so on."""
    writer = _Writer(draw, comments)
    writer.block(document.root, 0)
    kept = not writer.lines[-1]  # a block that ends in blank lines must not get further ones
    broken = ["\n", "\n\n\n"]
    whole = broken if writer.open_to == len(writer.lines) else ["", *broken]
    return "\n".join(writer.lines) + ("\n" if kept else draw.choice(whole))


@dataclass(slots=True)
class _Writer:
    draw: Random
    comments: bool
    lines: list[str] = field(default_factory=list)
    written: int = 0
    open_to: int = 0  # the last line of a block with a text that ends with a line break

    def block(self, node: Node, indent: int, lead: str = "") -> None:
        """Write the lines of a map or list; `lead` replaces the indentation of the first."""
        parts = node.items if isinstance(node, Sequence) else self.entries(node)
        for part in parts:
            head = lead or " " * indent
            if not lead:
                self.between(indent)
            lead = ""
            if isinstance(part, Entry):
                self.value(f"{head}{self.key(part.key)}:", part.value, indent, in_map=True)
            else:
                self.value(f"{head}-", part, indent, in_map=False)
        if not lead:
            self.between(indent)

    def entries(self, node: Node) -> list[Entry]:
        assert isinstance(node, Mapping)
        entries = list(node.entries)
        if any({entry.key for entry in entries} <= keys for keys in SHUFFLED):
            self.draw.shuffle(entries)
        return entries

    def value(self, head: str, node: Node, indent: int, *, in_map: bool) -> None:
        step = self.draw.randint(1, 5)
        gap = " " * self.draw.randint(1, 3)
        match node:
            case Scalar(style="literal" | "folded"):
                self.literal(head + gap, node, indent, step)
            case Scalar():
                self.lines.append(head + gap + self.scalar(node) + self.beside())
            case _ if node.span.text[:1] in ("{", "[") or not any(True for _ in node):
                self.lines.append(head + gap + self.flow(node, indent + step) + self.beside())
            case _ if in_map:
                self.lines.append(head + self.beside())
                is_list = isinstance(node, Sequence)
                self.block(node, indent + self.draw.choice([0, step]) if is_list else indent + step)
            case _ if self.draw.random() < 0.2:
                self.lines.append(head + self.beside())
                self.block(node, indent + step)
            case _:
                self.block(node, len(head + gap), head + gap)

    def literal(self, head: str, node: Scalar, indent: int, step: int) -> None:
        text = node.text.text
        end = "+" if text.endswith("\n\n") else "" if text.endswith("\n") else "-"
        digit = str(step) if text.lstrip("\n").startswith(" ") else ""
        mark = "|" if node.style == "literal" else ">"
        self.lines.append(f"{head}{mark}{digit}{end}{self.beside()}")
        raw = text.removesuffix("\n").split("\n") if mark == "|" else folded_lines(node)
        self.lines += [" " * (indent + step) + line if line else "" for line in raw]
        self.open_to = len(self.lines) if end != "-" else 0

    def scalar(self, node: Scalar, flow: bool = False) -> str:
        text = node.text.text
        if not isinstance(node.value, str):
            return text
        ways = [json.dumps(text, ensure_ascii=False)]
        if "\n" not in text:
            ways.append("'" + text.replace("'", "''") + "'")
        if node.style == "plain" and "\n" not in node.span.text:
            ways.append(text)
        return self.draw.choice(ways)

    def key(self, key: str) -> str:
        ways = [json.dumps(key, ensure_ascii=False), "'" + key.replace("'", "''") + "'"]
        plain = key.replace("_", "").isalnum() and key.isascii()
        return self.draw.choice([key, *ways] if plain else ways)

    def flow(self, node: Node, indent: int) -> str:
        if isinstance(node, Scalar):
            return self.scalar(node, flow=True) or "null"
        if isinstance(node, Sequence):
            inside = [self.flow(item, indent) for item in node]
            return f"[{self.space(indent)}{self.commas(inside, indent)}]"
        pairs = [f"{self.key(e.key)}: {self.flow(e.value, indent)}" for e in node]
        return f"{{{self.space(indent)}{self.commas(pairs, indent)}}}"

    def commas(self, parts: list[str], indent: int) -> str:
        text = ""
        for number, part in enumerate(parts):
            comma = "," if number < len(parts) - 1 or self.draw.random() < 0.2 else ""
            text += part + comma + (self.space(indent) or " ")
        return text

    def space(self, indent: int) -> str:
        """Return blanks, or a line break and blanks, inside brackets."""
        if self.draw.random() < 0.9:
            return " " * self.draw.randint(0, 2)
        return f"{self.beside()}\n{' ' * (indent + 1)}"

    def between(self, indent: int) -> None:
        """Write blank lines and comments above a key or item, indented at most as deep."""
        while self.comments and self.draw.random() < 0.2:
            column = self.draw.choice([indent, self.draw.randint(0, indent)])
            blank = bool(self.lines and self.lines[-1]) and self.draw.random() < 0.5
            self.lines.append("" if blank else " " * column + self.comment())

    def beside(self) -> str:
        if self.comments and self.draw.random() < 0.1:
            return " " * self.draw.randint(1, 4) + self.comment()
        return " " * self.draw.choice([0, 0, 2])

    def comment(self) -> str:
        self.written += 1
        return f"# {self.written}."


def folded_lines(node: Scalar) -> list[str]:
    """Return the lines of a folded block; in these specs none has extra indentation."""
    return [line.strip() for line in node.span.text.split("\n")[1:]]
