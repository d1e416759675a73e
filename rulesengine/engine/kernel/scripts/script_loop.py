"""The loop over a script's nodes: chains of nodes between the places where a round may begin."""

from collections import Counter
from collections.abc import Sequence

from rulesengine.engine.kernel.code.form import Value
from rulesengine.engine.kernel.scripts.code import ScriptCode
from rulesengine.engine.kernel.scripts.flow import Node
from rulesengine.engine.kernel.scripts.layout import FULL, OUTPUT, PAUSED
from rulesengine.engine.kernel.scripts.nodes import NodeEmitter
from rulesengine.engine.kernel.unsupported import Unsupported

_DEEPEST = 12  # nested blocks of code


def _begins(node: Node) -> bool:
    """True if a round may begin at a node.

    These are the nodes of loops, those that may wait for input, and those that play to the end of a
    game. The interpreter may have begun that game.
    """
    name = node.statement.name if node.kind == "do" else ""
    return name.startswith("read_") or name == "play_all" or node.kind in ("round", "back", "match")


class ScriptLoop:
    """The code of one round of the loop: the nodes from the current one to the next jump."""

    def __init__(self, code: ScriptCode) -> None:
        self.code, self.b, self.flow = code, code.ctx.b, code.flow
        self.nodes = NodeEmitter(code)
        self.bounds: dict[int, int] = {}
        self.leaders: frozenset[int] = frozenset()

    def once(self) -> None:
        for at, node in enumerate(self.flow.nodes):
            bound = self._emit_node(at, node)
            if bound is not None:
                self.bounds[at] = bound
        self.leaders = self._leaders()
        self._branch(sorted(self.leaders), self.code.get("pc"))

    def _emit_node(self, at: int, node: Node) -> int | None:
        """Return the output bound of a node; None if it has no code. The code is dropped."""
        code, functions = self.code, self.b.module.functions
        before, lists, listed = dict(functions), code.ctx.lists, code.ctx.listed
        code.current, code.bound, code.here, code.saved = at, 0, None, {}
        try:
            self.b.inside(lambda: self.nodes.emit(node, lambda: None, lambda: None))
            return code.bound
        except Unsupported:
            functions.clear()
            functions.update(before)
            code.ctx.open_functions.clear()
            code.ctx.lists, code.ctx.listed = lists, listed
            return None
        finally:
            code.here = None

    def _leaders(self) -> frozenset[int]:
        """Return the nodes where a round may begin."""
        edges: Counter[int] = Counter()
        for at, node in enumerate(self.flow.nodes):
            weight = 1 if at in self.bounds else 2
            if node.kind == "call":
                edges[at + 1] += 2
                edges[node.target] += 2
            elif node.kind == "match":
                edges.update([*node.targets, node.target])
                for target in (*node.targets, node.target):
                    edges[target] += weight - 1
            else:
                if node.kind not in ("jump", "stop", "back"):
                    edges[at + 1] += weight
                if node.target >= 0:
                    edges[node.target] += 2 if node.kind in ("arm",) else weight
        loops = {at for at, node in enumerate(self.flow.nodes) if _begins(node)}
        heads = {at for at in edges if edges[at] > 1} | loops | {0} | self._long_nodes()
        return frozenset(at for at in heads if at < len(self.flow.nodes))

    def _long_nodes(self) -> set[int]:
        """Return the nodes that may print much, and those after them.

        The output of any chain then fits into the buffer.
        """
        nodes = set()
        for at, bound in self.bounds.items():
            if bound > OUTPUT // (2 * _DEEPEST):
                node = self.flow.nodes[at]
                nodes |= {at, at + 1, *node.targets, *((node.target,) if node.target >= 0 else ())}
        return nodes

    def _branch(self, leaders: Sequence[int], pc: Value) -> None:
        if len(leaders) == 1:
            right = self.b.op("ieq", pc, self.b.i(leaders[0]))
            other = lambda: self.code.leave_at(pc)  # noqa: E731
            self.b.when(right, lambda: self._chain_from(leaders[0]), other, odds="always")
            return
        middle = len(leaders) // 2
        self.b.when(
            self.b.op("ilt", pc, self.b.i(leaders[middle])),
            lambda: self._branch(leaders[:middle], pc),
            lambda: self._branch(leaders[middle:], pc),
        )

    def _chain_from(self, leader: int) -> None:
        """Emit the nodes from a leader on, after a test of the budget and of the output."""
        b, code = self.b, self.code
        code.here, code.saved = None, {}
        if leader not in self.bounds:
            code.leave(leader)
            return
        left = b.op("isub", code.get("budget"), b.i(1))
        code.set("budget", left)
        b.when(b.op("ilt", left, b.i(0)), lambda: code.leave(leader, PAUSED), odds="never")
        bound = self._bound(leader, frozenset())
        if bound:
            room = code.layout.output + OUTPUT - bound
            full = b.op("ilt", b.i(room), code.get("out"))
            b.when(full, lambda: code.leave(leader, FULL), odds="never")
        self._chain(leader, 0)

    def _bound(self, at: int, seen: frozenset[int]) -> int:
        """Return the greatest number of bytes that a chain may print."""
        if at in seen or (seen and at in self.leaders) or at not in self.bounds:
            return 0
        node, seen = self.flow.nodes[at], seen | {at}
        following = [node.target, *node.targets]
        if node.kind not in ("jump", "stop", "back", "call"):
            following.append(at + 1)
        return self.bounds[at] + max((self._bound(n, seen) for n in following if n >= 0), default=0)

    def _chain(self, at: int, depth: int) -> None:
        """Emit a node and those that follow it in the same round."""
        code, node = self.code, self.flow.nodes[at]
        if at not in self.bounds:
            code.saved = {}
            code.leave(at)
            return
        code.current, code.bound, code.saved = at, 0, {}
        if node.kind in ("do", "match"):
            code.save()

        def go(target: int) -> None:
            here, saved = code.here, code.saved
            if target in self.leaders or depth > _DEEPEST:
                code.set("pc", target)
            else:
                self._chain(target, depth + 1)
            code.current, code.here, code.saved = at, here, saved

        self.nodes.emit(node, lambda: go(at + 1), lambda: go(node.target), go)
