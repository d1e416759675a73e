"""Explanations for an illegal step: the clause of the spec that excludes it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Group
from rulesengine.state import State, Step

# The first test of a group that a step fails; the group with the latest failure explains it.
_ORIGIN, TARGET, _WHEN, _FORBID, _LEGAL = range(5)
_KEYS = (
    "name|place|move|select|pass|swap|cover|take|along|to|choice|when|do|forbid|then|written|told"
)
_KEY = re.compile(rf"(?:^|[ ,{{])({_KEYS}):")
_SHOWN = 80
_CLAUSES = 2


@dataclass(frozen=True, slots=True)
class AttemptedStep:
    """A step that a user wants: its kind, its cells, its group, its choice; -1 if it has none."""

    kind: str
    origin: int
    target: int
    group: int = -1
    choice: int = -1

    def is_of(self, group: Group, number: int) -> bool:
        return group.step_kind == self.kind and self.group in (-1, number)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The move that a text means in a format, legal or not: its cells, or else possible steps.

    `is_legal` is true for the text of a legal move. `piece` and `target` are names, for messages.
    """

    is_legal: bool
    cells: tuple[int, ...] = ()
    steps: tuple[AttemptedStep, ...] = ()
    piece: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Objection:
    """The first test of a group that a step fails, and the clause of that test.

    - `test_number` is the number of the test, `form` a message with a placeholder for the clause.
    - `clause` is the text of the clause, `key` its key in the spec, `op` its expression.
    - `group` is the number of the group.
    - `cells` are the cells that the clause allows; `cell` is not among them.
    - `variables` has the values of `from`, `to` and the like in the clause.
    - `steps` are the earlier steps of the move.
    - `alternatives` are the cells that the text may name, if there are several.
    - `at` is the position in which the clause is evaluated: for `forbid` the one after the step.
    """

    test_number: int
    form: str
    clause: str
    key: str = ""
    group: int = -1
    op: Op | None = None
    cells: int = 0
    cell: int = -1
    variables: tuple[tuple[str, int], ...] = ()
    steps: tuple[Step, ...] = ()
    at: State | None = None
    alternatives: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """The explanation of an illegal step, and its main objection, if there is one."""

    text: str
    objection: Objection | None = None


def attempts_for(machine: Interpreter, cells: tuple[int, ...]) -> list[AttemptedStep]:
    """Return possible first steps of a move over these cells, the most likely first."""
    kinds = {group.step_kind for tier in machine.program.rules.tiers for group in tier}
    attempts = [AttemptedStep("move", *cells[:2])] if len(cells) > 1 and "move" in kinds else []
    for kind in ("place", "select"):
        if kind in kinds:
            attempts.append(AttemptedStep(kind, -1, cells[0]))
    return attempts or [AttemptedStep("move", cells[0], -1)]


def reason(machine: Interpreter, state: State, attempt: AttemptedStep, example: str) -> Reason:
    """Return why a step begins no legal move; with an empty text if no rule excludes it.

    The game must not be over; `example` is a legal move.
    """
    objections: list[Objection] = []
    earlier, has_keys = False, bool(machine.program.rules.keep)
    for tier in machine.program.rules.tiers:
        numbers = machine.program.rules.groups.index
        fitting = [group for group in tier if attempt.is_of(group, numbers(group))]
        objections += [_objection(machine, state, group, attempt) for group in fitting]
        if any(objection.test_number == _LEGAL for objection in objections):
            preference = f"the rules prefer other moves, such as `{example}`" if has_keys else ""
            return Reason(f"a move such as `{example}` comes first" if earlier else preference)
        earlier = earlier or any(True for _ in machine.tier(state, state.side, tier))
    return _joined(objections) if objections else Reason(_no_such(machine, attempt))


def reason_after(machine: Interpreter, state: State, steps: tuple[Step, ...], cell: int) -> Reason:
    """Return why a cell is not one of the next step after some steps; empty if it is."""
    draft = Draft.of(state)
    frame = Frame(draft, {"player": state.side})
    for step in steps:
        machine.executor.carry_out(step, frame)
    then = machine.program.rules.groups[steps[-1].group].then
    names = machine.program.topology.names
    if then is None or (then.when and not machine.evaluate_in(then.when, frame)):
        return Reason(f"after {names[steps[-1].target]} the move is complete")
    group = next(g for g in machine.program.rules.groups if g.name == then.step)
    origin = steps[-1].target if group.origin else -1
    objection = _objection(machine, draft, group, AttemptedStep(group.kind, origin, cell))
    if objection.test_number == _LEGAL:
        return Reason("")
    reason = _joined([replace(objection, steps=steps)])
    return replace(reason, text=f"after {names[steps[-1].target]}, {reason.text}")


def _joined(objections: list[Objection]) -> Reason:
    """Join the objections of the groups with the latest failure, if they are of one kind."""
    furthest = max(objection.test_number for objection in objections)
    last = [objection for objection in objections if objection.test_number == furthest]
    clauses = dict.fromkeys(o.clause for o in last if o.form == last[0].form)
    if furthest in (_ORIGIN, TARGET):
        text = last[0].form.format(" nor of ".join(list(clauses)[:_CLAUSES]))
        return Reason(text, last[0])
    return Reason(last[0].form.format(last[0].clause), last[0])


def _objection(
    machine: Interpreter, state: State | Draft, group: Group, attempt: AttemptedStep
) -> Objection:
    """Return the objection of a group against a step."""
    best = _missed(machine, state, group, attempt, _ORIGIN)
    for test_number, variables in _attempts(machine, state, group, attempt):
        if test_number == TARGET:
            new = _missed(machine, state, group, attempt, test_number)
        elif test_number == _WHEN:
            frame = Frame(state, variables)
            few = _too_few(machine, group, frame)
            form, clause = ("{}", few) if few else ("{} does not hold", _clause(group, "when"))
            new = Objection(test_number, form, clause, "when")
        elif test_number == _FORBID:
            form = "the position after it is ruled out by {}"
            new = Objection(test_number, form, _clause(group, "forbid"), "forbid")
        else:
            new = Objection(test_number, "", "")
        if new.test_number > best.test_number:
            best = replace(new, variables=tuple(sorted(variables.items())))
    number = machine.program.rules.groups.index(group)
    at = state if isinstance(state, State) else machine.finished(state)
    if best.key == "forbid":
        at = _position_after(machine, state, number, dict(best.variables))
    return replace(best, group=number, op=_op_of(group, best.key), at=at)


def _too_few(machine: Interpreter, group: Group, frame: Frame) -> str:
    """Return a text if the player has no piece left to place, else ""."""
    form, limits = machine.program.form, machine.program.form.limits
    if not limits or not group.piece or not group.side:
        return ""
    kind, side = machine.evaluate_in(group.piece, frame), machine.evaluate_in(group.side, frame)
    plane = kind * (machine.evaluator.sides + 1) + side
    if kind < 0 or side < 0 or frame.at.planes[plane].bit_count() < limits[plane]:
        return ""
    owner = f" of {form.players[side]}" if side < machine.evaluator.sides else ""
    return f"the limit of {limits[plane]} for each {form.kinds[kind]}{owner} is reached"


def _position_after(
    machine: Interpreter, state: State | Draft, number: int, variables: dict[str, int]
) -> State:
    """Return the position after a step."""
    cells = variables["from"], variables["to"]
    step = machine.generator.maker.step(number, variables["direction"], *cells, variables["choice"])
    return machine.executor.play(state, (step,), variables["player"])[0]


def _op_of(group: Group, key: str) -> Op | None:
    """Return the expression of a clause of a group."""
    clauses = {"move": group.origin, "select": group.target, "to": group.target}
    return {**clauses, "when": group.when, "forbid": group.forbid}.get(key)


def _attempts(
    machine: Interpreter, state: State | Draft, group: Group, attempt: AttemptedStep
) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the first failing test for each direction and each choice of the step."""
    frame = Frame(state, {"player": state.side, "from": attempt.origin, "to": attempt.target})
    for direction in bits(machine.evaluate_in(group.along, frame)) if group.along else (-1,):
        frame.variables["direction"] = direction
        if group.origin and not _among(machine, group.origin, frame, attempt.origin):
            continue
        if group.tiles:
            yield from _coverings(machine, group, frame, attempt)
            continue
        if group.target and not _among(machine, group.target, frame, attempt.target):
            yield TARGET, dict(frame.variables)
            continue
        for choice in machine.generator.choices(group, frame):
            yield _judge(machine, group, frame, choice), dict(frame.variables)


def _coverings(
    machine: Interpreter, group: Group, frame: Frame, attempt: AttemptedStep
) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the first failing test for the tile that a text names, or for each tile."""
    for choice in _tiles_of(group, attempt):
        frame.variables["choice"] = choice
        fits = _among(machine, group.target, frame, attempt.target)
        test_number = _judge(machine, group, frame, choice) if fits else TARGET
        yield test_number, dict(frame.variables)


def _judge(machine: Interpreter, group: Group, frame: Frame, choice: int) -> int:
    """Return the first test that a step over the right cells fails."""
    if group.when and not machine.evaluate_in(group.when, frame):
        return _WHEN
    number = machine.program.rules.groups.index(group)
    at = frame.variables
    step = machine.generator.maker.step(number, at["direction"], at["from"], at["to"], choice)
    return _LEGAL if machine.generator.allows(group, frame, step) else _FORBID


def _among(machine: Interpreter, cells: Op | None, frame: Frame, cell: int) -> bool:
    return cells is not None and cell >= 0 and bool(machine.evaluate_in(cells, frame) >> cell & 1)


def _missed(
    machine: Interpreter,
    state: State | Draft,
    group: Group,
    attempt: AttemptedStep,
    test_number: int,
) -> Objection:
    """Return the objection that a clause does not allow a cell, with the contents of the cell."""
    first = test_number == _ORIGIN and group.step_kind == "move"
    key = "move" if first else "select" if group.kind == "select" else "to"
    cell = attempt.origin if first else attempt.target
    clause = _clause(group, key)
    if cell < 0:
        return Objection(test_number, "it does not say where to", "")
    cells = _cells_of_clause(machine, state, group, attempt, key)
    name = machine.program.topology.names[cell]
    form = f"{name}, {_content(machine, state, cell)}, is not among the cells of "
    form = form.replace("{", "{{").replace("}", "}}") + "{}"
    if group.tiles:
        form = "a cell of the tile is off the board or not among the cells of {}"
    return Objection(test_number, form, clause, key, -1, None, cells, cell)


def _cells_of_clause(
    machine: Interpreter, state: State | Draft, group: Group, attempt: AttemptedStep, key: str
) -> int:
    """Return the cells of a clause, in any direction of the group from the origin of the step."""
    op = _op_of(group, key)
    frame = Frame(state, {"player": state.side, "from": attempt.origin, "to": attempt.target})
    cells = 0
    for direction in bits(machine.evaluate_in(group.along, frame)) if group.along else (-1,):
        frame.variables["direction"] = direction
        starts = group.origin is None or key == "move"
        for choice in _tiles_of(group, attempt):
            frame.variables["choice"] = choice
            if op and (starts or _among(machine, group.origin, frame, attempt.origin)):
                cells |= machine.evaluate_in(op, frame)
    return cells


def _tiles_of(group: Group, attempt: AttemptedStep) -> Sequence[int]:
    """Return the choices of tiles that a step may mean; one entry for a group without tiles."""
    return range(len(group.tiles)) if group.tiles and attempt.choice < 0 else (attempt.choice,)


def _content(machine: Interpreter, state: State | Draft, cell: int) -> str:
    """Describe the contents of a cell."""
    sides = len(machine.program.rules.players)
    for plane, mask in enumerate(state.planes):
        if mask >> cell & 1:
            side = plane % (sides + 1)
            owner = f" of {machine.program.rules.players[side].name}" if side < sides else ""
            return f"with a {machine.program.rules.kinds[plane // (sides + 1)].name}{owner}"
    return "empty"


def _clause(group: Group, key: str) -> str:
    """Return a clause of a group as written in the spec, between backquotes."""
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


def _no_such(machine: Interpreter, attempt: AttemptedStep) -> str:
    kinds = {group.step_kind for group in machine.program.rules.groups}
    if attempt.kind in ("pass", "swap"):
        return f"nobody may {attempt.kind} in this game"
    if attempt.kind == "move" and "place" in kinds:
        return "a move names one cell"
    return "a move names the cell that a piece leaves and the cell that it goes to"
