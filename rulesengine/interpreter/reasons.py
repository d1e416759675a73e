"""Why a step is not among the legal ones: the clause of the spec that rules it out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulesengine.interpreter.frame import Frame, bits
from rulesengine.interpreter.machine import Interpreter
from rulesengine.ir.ops import Op
from rulesengine.ir.rules import Group
from rulesengine.state import State, Step

# How far a group lets a step come; the group that lets it come furthest gives the reason.
_ORIGIN, _TARGET, _WHEN, _FORBID, _LEGAL = range(5)
_KEYS = "name|place|move|select|pass|swap|along|to|choice|when|do|forbid|then"
_KEY = re.compile(rf"(?:^|[ ,{{])({_KEYS}):")
_SHOWN = 80
_CLAUSES = 2


@dataclass(frozen=True, slots=True)
class Wish:
    """A step that somebody wants: its kind, its cells, -1 where it has none."""

    kind: str
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Objection:
    """How far a group lets a step come, and the clause that stops it; `form` has its place."""

    came: int
    form: str
    clause: str


def wishes_for(machine: Interpreter, cells: tuple[int, ...]) -> list[Wish]:
    """The first steps that a move over these cells may begin with, the likeliest first."""
    kinds = {group.kind for tier in machine.program.rules.tiers for group in tier}
    found = [Wish("move", *cells[:2])] if len(cells) > 1 and "move" in kinds else []
    for kind in ("place", "select"):
        if kind in kinds:
            found.append(Wish(kind, -1, cells[0]))
    return found or [Wish("move", cells[0], -1)]


def reason(machine: Interpreter, state: State, wish: Wish, example: str) -> str:
    """Why a step begins no legal move; empty if no rule against it is found.

    The game must go on in this state; `example` is a legal move.
    """
    found: list[Objection] = []
    earlier = False
    for tier in machine.program.rules.tiers:
        fitting = [group for group in tier if group.kind == wish.kind]
        found += [_objection(machine, state, group, wish) for group in fitting]
        if any(objection.came == _LEGAL for objection in found):
            return f"a move such as `{example}` comes first" if earlier else ""
        earlier = earlier or any(True for _ in machine._tier(state, state.side, tier))
    return _joined(found) if found else _no_such(machine, wish)


def _joined(found: list[Objection]) -> str:
    """The objections of the groups that let the step come furthest, if they are of one kind."""
    furthest = max(objection.came for objection in found)
    last = [objection for objection in found if objection.came == furthest]
    clauses = dict.fromkeys(o.clause for o in last if o.form == last[0].form)
    if furthest in (_ORIGIN, _TARGET):
        return last[0].form.format(" nor of ".join(list(clauses)[:_CLAUSES]))
    return last[0].form.format(last[0].clause)


def _objection(machine: Interpreter, state: State, group: Group, wish: Wish) -> Objection:
    """What a group has against a step, and how far it came."""
    best = _missed(machine, state, _ORIGIN, wish.origin, _clause(group, "move"))
    for came in _attempts(machine, state, group, wish):
        if came == _TARGET:
            key = "select" if group.kind == "select" else "to"
            new = _missed(machine, state, came, wish.target, _clause(group, key))
        elif came == _WHEN:
            new = Objection(came, "{} does not hold", _clause(group, "when"))
        elif came == _FORBID:
            new = Objection(came, "what it leads to is ruled out by {}", _clause(group, "forbid"))
        else:
            new = Objection(came, "", "")
        best = max(best, new, key=lambda objection: objection.came)
    return best


def _attempts(machine: Interpreter, state: State, group: Group, wish: Wish) -> Iterator[int]:
    """For each direction in which the step may start, and each choice, where it fails first."""
    frame = Frame(state, {"player": state.side, "from": wish.origin, "to": wish.target})
    for direction in bits(machine.value(group.along, frame)) if group.along else (-1,):
        frame.variables["direction"] = direction
        if group.origin and not _among(machine, group.origin, frame, wish.origin):
            continue
        if group.target and not _among(machine, group.target, frame, wish.target):
            yield _TARGET
            continue
        for choice in machine._choices(group, frame):
            yield _judge(machine, group, frame, choice)


def _judge(machine: Interpreter, group: Group, frame: Frame, choice: int) -> int:
    """Where a step over the right cells fails."""
    if group.when and not machine.value(group.when, frame):
        return _WHEN
    number = machine.program.rules.groups.index(group)
    at = frame.variables
    step = Step(group.kind, at["from"], at["to"], choice, number, at["direction"])
    return _LEGAL if machine._allowed(group, frame, step) else _FORBID


def _among(machine: Interpreter, cells: Op, frame: Frame, cell: int) -> bool:
    return cell >= 0 and bool(machine.value(cells, frame) >> cell & 1)


def _missed(machine: Interpreter, state: State, came: int, cell: int, clause: str) -> Objection:
    """A cell that a clause does not give, and what stands on it."""
    if cell < 0:
        return Objection(came, "it does not say where to", "")
    name = machine.program.topology.names[cell]
    form = f"{name}, {_content(machine, state, cell)}, is not among the cells of "
    return Objection(came, form.replace("{", "{{").replace("}", "}}") + "{}", clause)


def _content(machine: Interpreter, state: State, cell: int) -> str:
    """What stands on a cell, in words."""
    sides = len(machine.program.rules.players)
    for plane, mask in enumerate(state.planes):
        if mask >> cell & 1:
            side = plane % (sides + 1)
            owner = f" of {machine.program.rules.players[side].name}" if side < sides else ""
            return f"with a {machine.program.rules.kinds[plane // (sides + 1)].name}{owner}"
    return "empty"


def _clause(group: Group, key: str) -> str:
    """A clause of a group as the spec has it, between backquotes."""
    text = group.site.text
    keys = [
        m for m in _KEY.finditer(text) if _depth(text, m.start(1)) == _depth(text, _first(text))
    ]
    for i, match in enumerate(keys):
        if match[1] == key:
            end = keys[i + 1].start() if i + 1 < len(keys) else len(text)
            body = text[match.end() : end].split(" #")[0].strip(" ,")
            body = body.removesuffix("}") if text[0] == "{" else body
            body = body[1:-1] if body[:1] == body[-1:] == '"' else body
            shown = f"{key}: {body}"
            return f"`{shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + '…'}`"
    return f"`{key}`"


def _first(text: str) -> int:
    match = _KEY.search(text)
    return match.start(1) if match else 0


def _depth(text: str, at: int) -> int:
    before = text[:at]
    return sum(before.count(c) for c in "{[(") - sum(before.count(c) for c in "}])")


def _no_such(machine: Interpreter, wish: Wish) -> str:
    kinds = {group.kind for group in machine.program.rules.groups}
    if wish.kind in ("pass", "swap"):
        return f"nobody may {wish.kind} in this game"
    if wish.kind == "move" and "place" in kinds:
        return "a move names one cell"
    return "a move names the cell that a piece leaves and the cell that it goes to"
