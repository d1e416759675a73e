"""Flattening of a script: its tree of statements becomes a list of nodes with jumps."""

from typing import Literal

from rulesengine.language.ir.rules import Statement, Template

NodeKind = Literal[
    "do", "test", "jump", "enter", "round", "until", "separate", "close", "match", "call", "back",
    "arm", "stop",
]  # fmt: skip
_LOOPS = ("repeat", "repeat_from", "repeat_in")


class Node:
    """A step of a script; the next node follows unless it jumps.

    - `do`: a statement without a block; if it fails, the node at `target`, if there is one.
    - `test`: go to `target` unless the condition holds.
    - `jump`: go to `target`.
    - `enter`, `round`, `until`, `separate`, `close`: a loop with the number `loop`. It is entered;
      each round begins, and goes to `target` after the last one; the end condition goes there too;
      the separator is set; the loop is left.
    - `match`: read a word or line; go to the case of `targets` that matches, or to `target`.
    - `call`, `back`: execute the block with the number `loop` at `target`; return behind the call.
    - `arm`: continue at `target` when the input has ended.
    - `stop`: the end of the script.

    `frames` are the loops and, first, the block that the node is in, with `BLOCK` added.
    """

    __slots__ = ("frames", "kind", "loop", "statement", "target", "targets")

    def __init__(self, kind: NodeKind, statement: Statement, loop: int = -1) -> None:
        self.kind = kind
        self.statement = statement
        self.loop = loop
        self.target = -1
        self.targets: tuple[int, ...] = ()
        self.frames: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[object, ...]:
        """Return the node without its operations, to compare flows for other parameters."""
        return self.kind, self.target, self.loop, self.targets, self.frames


BLOCK = 1_000_000


class Flow:
    """The nodes of a script, the number of its loops, and its blocks by number."""

    __slots__ = ("blocks", "loops", "nodes")

    def __init__(self, blocks: list[Statement]) -> None:
        self.nodes: list[Node] = []
        self.loops = 0
        self.blocks = blocks

    @property
    def heads(self) -> dict[int, Node]:
        """Return the node that enters each loop."""
        return {node.loop: node for node in self.nodes if node.kind == "enter"}


class _Label:
    """The number of a node, -1 until it is known, and the nodes that jump to it."""

    __slots__ = ("at", "users")

    def __init__(self) -> None:
        self.at = -1
        self.users: list[Node] = []


class _Scope:
    """The labels where `leave` and `next` lead, and the frames of a block of statements."""

    __slots__ = ("frames", "leave", "next")

    def __init__(self, leave: _Label, next: _Label, frames: tuple[int, ...] = ()) -> None:
        self.leave, self.next, self.frames = leave, next, frames


def fixed_text(template: object) -> str | None:
    """Return the text of a template without fields; None for any other."""
    if isinstance(template, Template) and all(isinstance(part, str) for part in template.parts):
        return "".join(map(str, template.parts))
    return None


def flow_of(script: tuple[Statement, ...]) -> Flow:
    """Flatten a script."""
    return _Flattener(script).flow


class _Flattener:
    def __init__(self, script: tuple[Statement, ...]) -> None:
        self.flow = Flow([s for s in script if s.name == "block"])
        self._names = [block.words[0] for block in self.flow.blocks]
        self._starts = [_Label() for _ in self._names]
        self._pending: list[tuple[_Label, Statement]] = []
        self._end = _Label()
        top = _Scope(self._end, self._end)
        self._block(script, top)
        self._jump(self._end, Statement("stop"), top)
        for number, block in enumerate(self.flow.blocks):
            back = _Label()
            scope = _Scope(back, back, (BLOCK + number,))
            self._place(self._starts[number])
            self._block(block.body, scope)
            self._place(back)
            self._add(Node("back", block, loop=number), scope)
        while self._pending:
            label, statement = self._pending.pop(0)
            self._place(label)
            self._block(statement.body, top)
            self._jump(self._end, statement, top)
        self._place(self._end)
        self._add(Node("stop", Statement("stop")), top)

    def _add(self, node: Node, scope: _Scope, label: _Label | None = None) -> Node:
        node.frames = scope.frames
        self.flow.nodes.append(node)
        if label is not None:
            node.target = label.at
            label.users.append(node)
        return node

    def _jump(self, label: _Label, statement: Statement, scope: _Scope) -> None:
        self._add(Node("jump", statement), scope, label)

    def _place(self, label: _Label) -> None:
        """Set a label to the number of the next node."""
        label.at = len(self.flow.nodes)
        for node in label.users:
            node.target = label.at

    def _block(self, block: tuple[Statement, ...], scope: _Scope) -> None:
        for statement in block:
            self._statement(statement, scope)

    def _statement(self, statement: Statement, scope: _Scope) -> None:
        match statement.name:
            case "block" | "layout_lines" | "layout_line" | "layout_blank":
                pass
            case "stop":
                self._jump(self._end, statement, scope)
            case "leave":
                self._jump(scope.leave, statement, scope)
            case "next":
                self._jump(scope.next, statement, scope)
            case "if":
                self._branch(Node("test", statement), statement.body, statement.otherwise, scope)
            case "command" | "command_of_line":
                self._match(statement, scope)
            case "do":
                number = self._names.index(statement.words[0])
                self._add(Node("call", statement, loop=number), scope, self._starts[number])
            case "at_end":
                label = _Label()
                self._add(Node("arm", statement), scope, label)
                self._pending.append((label, statement))
            case name if name in _LOOPS:
                self._loop(statement, scope)
            case _ if statement.otherwise:
                self._branch(Node("do", statement), (), statement.otherwise, scope)
            case _:
                self._add(Node("do", statement), scope)

    def _branch(
        self,
        node: Node,
        body: tuple[Statement, ...],
        otherwise: tuple[Statement, ...],
        scope: _Scope,
    ) -> None:
        """Add a node that continues with `body`, or jumps to `otherwise`."""
        other, end = _Label(), _Label()
        self._add(node, scope, other)
        self._block(body, scope)
        if otherwise:
            self._jump(end, node.statement, scope)
        self._place(other)
        self._block(otherwise, scope)
        self._place(end)

    def _match(self, statement: Statement, scope: _Scope) -> None:
        end, starts = _Label(), []
        node = self._add(Node("match", statement), scope, end)
        for case in statement.body:
            starts.append(len(self.flow.nodes))
            self._block(case.body, scope)
            self._jump(end, statement, scope)
        node.targets = tuple(starts)
        self._place(end)

    def _loop(self, statement: Statement, scope: _Scope) -> None:
        number, self.flow.loops = self.flow.loops, self.flow.loops + 1
        top, end = _Label(), _Label()
        inner = _Scope(end, top, (*scope.frames, number))
        self._add(Node("enter", statement, loop=number), scope)
        self._place(top)
        self._add(Node("round", statement, loop=number), inner, end)
        until, separator = statement.operands[-2:]
        if until is not None:
            self._add(Node("until", statement, loop=number), inner, end)
        if separator is not None:
            self._add(Node("separate", statement, loop=number), inner)
        self._block(statement.body, inner)
        self._jump(top, statement, inner)
        self._place(end)
        self._add(Node("close", statement, loop=number), inner)
