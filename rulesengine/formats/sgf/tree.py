"""The trees of Smart Game Format as text: all properties are kept, known or not.

Source: the specification of SGF FF[4] at red-bean.com/sgf, with the differences of FF[3].
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum

from rulesengine.support.frozen import record

Property = tuple[str, tuple[str, ...]]

# A value ends at the first `]` that no backslash precedes, or with a truncated text.
_TOKEN = re.compile(
    r"([A-Za-z][A-Za-z0-9]*)|\[((?:[^\]\\]|\\.)*)(\]|\Z)|(;)|(\()|(\))|(\S)", re.DOTALL
)
_START = re.compile(r"\(\s*;")
_EMPTY = re.compile(r"\s*\(\s*\)")  # only at the start of a text: elsewhere it may be a comment
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_SPACES = re.compile(r"[\t\v\f]")


class _Kind(IntEnum):
    """The groups of the pattern; a value is known by its end."""

    NAME = 1
    VALUE = 2
    END = 3
    NODE = 4
    OPEN = 5
    CLOSE = 6
    UNKNOWN = 7


@record
class SgfNode:
    """A node with its properties in the order of the text; values keep their escapes."""

    properties: tuple[Property, ...] = ()

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of a property; () without it."""
        return next((values for own, values in self.properties if own == name), ())

    def text(self, name: str) -> str:
        """Return the first value of a property without escapes; empty without it."""
        return plain_text(next(iter(self.values(name)), ""))


@record
class SgfTree:
    """A sequence of nodes, after which one of the branches follows; the first is the main line.

    `problems` are errors of the syntax in the whole tree, each a text and a reason. Branches have
    none of their own.
    """

    nodes: tuple[SgfNode, ...]
    branches: "tuple[SgfTree, ...]" = ()
    problems: tuple[tuple[str, str], ...] = ()


def is_sgf(text: str) -> bool:
    """True if the first bracket of a text opens a tree."""
    if _EMPTY.match(text):
        return True
    match = re.search(r"[(\[]", text)
    return match is not None and _START.match(text, match.start()) is not None


def plain_text(value: str) -> str:
    """Return a value without escapes: an escaped line break is removed, other characters stay."""
    if "\\" in value:
        value = _ESCAPED.sub(lambda match: "" if match[1] in "\r\n" * 2 else match[1], value)
    return _SPACES.sub(" ", value)


def escaped(text: str) -> str:
    """Return a text as a value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def read_trees(text: str) -> Iterator[SgfTree]:
    """Yield the trees of a text. Text between trees is skipped; errors are in `problems`."""
    at = 0
    if _EMPTY.match(text):
        yield SgfTree((), problems=(("()", "a tree without a node"),))
    while match := _START.search(text, at):
        builder = _Builder()
        at = len(text)
        for token in _TOKEN.finditer(text, match.start()):
            builder.add(token)
            if builder.is_done:
                at = token.end()
                break
        yield builder.tree()


def write_tree(tree: SgfTree) -> str:
    """Return a tree as text, with a line for each node."""
    words: list[str] = []
    waiting: list[SgfTree | None] = [tree]  # None closes a tree
    while waiting:
        current = waiting.pop()
        if current is None:
            words.append(")")
            continue
        words.append("\n(" if words else "(")
        words.append("\n".join(map(_node_text, current.nodes)))
        waiting += [None, *reversed(current.branches)]
    return "".join(words) + "\n"


def _node_text(node: SgfNode) -> str:
    return ";" + "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in node.properties
    )


class _Draft:
    """A tree under construction."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, list[str]]] = []
        self.branches: list[SgfTree] = []

    def tree(self, problems: Sequence[tuple[str, str]] = ()) -> SgfTree:
        """Return the tree so far."""
        nodes = tuple(
            SgfNode(tuple((name, tuple(values)) for name, values in node.items()))
            for node in self.nodes
        )
        return SgfTree(nodes, tuple(self.branches), tuple(problems))


class _Builder:
    """A builder of one tree from tokens; trees inside are on a stack, not on that of Python."""

    def __init__(self) -> None:
        self._stack: list[_Draft] = []
        self._problems: list[tuple[str, str]] = []
        self._name = ""
        self._is_bare = False  # the property has no value yet
        self.is_done = False
        self._root: _Draft | None = None

    def add(self, token: re.Match[str]) -> None:
        """Add a token."""
        kind = token.lastindex
        if kind == _Kind.END:
            self._add_value(token[_Kind.VALUE], is_closed=bool(token[_Kind.END]))
            return
        if self._is_bare:
            self._problem(self._name, "a property without a value")
        self._name, self._is_bare = "", False
        match kind:
            case _Kind.NAME:
                self._begin_property(token[0])
            case _Kind.NODE:
                self._stack[-1].nodes.append({})
            case _Kind.OPEN:
                self._stack.append(_Draft())
            case _Kind.CLOSE:
                self._close()
            case _:
                self._problem(token[0], "unexpected character")

    def tree(self) -> SgfTree:
        """Return the tree; a truncated one is closed."""
        if self._root is None:
            self._problem("", "the text ends before the end of the game")
        while self._root is None:
            self._close()
        return self._root.tree(self._problems)

    def _close(self) -> None:
        draft = self._stack.pop()
        if not self._stack:
            self._root, self.is_done = draft, True
        elif draft.nodes or draft.branches:
            self._stack[-1].branches.append(draft.tree())

    def _begin_property(self, name: str) -> None:
        # In FF[3] and earlier the small letters of a name are ignored.
        self._name = "".join(c for c in name if not c.islower())
        self._is_bare = True
        if not self._name:
            self._problem(name, "a name of a property without a capital letter")
            self._name = name.upper()

    def _add_value(self, value: str, *, is_closed: bool) -> None:
        nodes = self._stack[-1].nodes
        self._is_bare = False
        if not is_closed:  # a truncated move would be another one
            self._problem(value, "a value without its end")
            return
        if not self._name:
            self._problem(value, "a value without a property")
            return
        if not nodes:
            self._problem(self._name, "a property outside a node")
            nodes.append({})
        nodes[-1].setdefault(self._name, []).append(value)  # those of repeated ones are joined

    def _problem(self, text: str, reason: str) -> None:
        self._problems.append((text[:60], reason))
