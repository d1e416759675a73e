"""Explanations of a move: why it is not legal, or its rule and its captures, with pictures."""

from collections.abc import Callable

from rulesengine.engine.interpreter.reasons import Objection
from rulesengine.errors import IllegalMoveError
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op, bound, reads_parts
from rulesengine.language.ir.roles import has_role, is_filter
from rulesengine.prose.effects import Speaker
from rulesengine.prose.groups import Groups
from rulesengine.prose.layout import filled
from rulesengine.prose.speaker import Scope
from rulesengine.prose.trace import captures, cell_names
from rulesengine.state import Move, State

# A function that draws the board of a state with some cells marked: a mask with bit i for cell i.
Draw = Callable[[State, int], str]


def account(game: Game, state: State, text: str, draw: Draw) -> str:
    """Explain a legal or illegal move. Raises NotationError for a text that names no cells."""
    try:
        move = game.move(text, state)
    except IllegalMoveError as error:
        objection = game.reason(text, state).objection
        parts = [str(error)]
        parts += _details(game, objection, draw) if objection else [draw(state, 0)]
        return "\n\n".join(parts)
    return "\n\n".join(_of_legal(game, state, move, draw))


def objection(game: Game, state: State, text: str) -> str:
    """Explain an illegal move in sentences: the requirement of the rule, and its failing part.

    Without a failing clause it is the message of the error, as `why_not` returns it.
    """
    found = game.reason(text, state).objection
    said = _details(game, found, lambda state, mask: "") if found else []
    if not said:
        return game.why_not(text, state)
    plain = (" ".join(part.split()) for part in said)
    sentences = " ".join(part[:1].upper() + part[1:] for part in plain if part)
    return f"`{text}` is not legal for {state.mover}. {sentences}"


def _of_legal(game: Game, state: State, move: Move, draw: Draw) -> list[str]:
    """Describe the rule of each step and the captures of the move."""
    groups = Groups(Speaker(game.program.rules, game.program))
    found = [f"`{move}` is legal for {state.mover}."]
    for group in dict.fromkeys(step.group for step in move.steps):
        rule = " ".join(groups.sentences(game.program.rules.groups[group]))
        found.append(filled(f"The rule: {rule}"))
    taken = captures(game, state, move)
    found += [filled(text) for text in taken] or ["It captures nothing."]
    marked = game.record(state, move).captured
    return [*found, draw(state, marked)] if marked else found


def _details(game: Game, objection: Objection, draw: Draw) -> list[str]:
    """Describe the clause, its failing parts, and its cells on the board."""
    if objection.op is None or objection.at is None:
        return []
    speaker = Speaker(game.program.rules, game.program)
    asking = _ExplanationQuery(game, speaker, objection)
    if objection.key in ("when", "forbid"):
        return asking.condition(objection.op, draw)
    return asking.cells(objection.op, draw)


class _ExplanationQuery:
    """Evaluates the parts of a clause in the position to which the clause applies."""

    def __init__(self, game: Game, speaker: Speaker, objection: Objection) -> None:
        self.game = game
        self.speaker = speaker
        self.objection = objection
        self.state = objection.at or game.initial_state()
        self.variables = dict(objection.variables)
        self.scope = _scope(game, self.variables)
        self.name = game.program.topology.names[objection.cell] if objection.cell >= 0 else ""

    def cells(self, op: Op, draw: Draw) -> list[str]:
        """Describe the cells of a clause, and why one is not among them."""
        group = self.game.program.rules.groups[self.objection.group]
        before, _ = Groups(self.speaker).scopes(group)
        here = cell_names(self.game, self.objection.cells)
        found = [filled(f"The rule requires {self.speaker.noun(op, before).some}.")]
        if self.variables:
            found += [filled(f"{part}.") for part in self._lacking(op)]
        found.append(f"The cells of this set here: {here or 'none'}.")
        return [*found, draw(self.state, self.objection.cells)]

    def condition(self, op: Op, draw: Draw) -> list[str]:
        """Describe the parts of a condition that decide it, and their cells."""
        forbids = self.objection.key == "forbid"
        if reads_parts(op, "record"):
            return [draw(self.state, 0)]
        parts, marked = [], 0
        for part, wanted in self._deciding(op, forbids):
            parts.append(self.speaker.condition(part, self.scope, wanted))
            if wanted and has_role(part, "nonempty"):
                marked |= self._value(part.args[0])
        where = "After the move" if forbids else "Now"
        found = [filled(f"{where}: {part}.") for part in parts]
        return [*found, draw(self.state, marked)]

    def _value(self, op: Op, more: dict[str, int] | None = None) -> int:
        variables = {**self.variables, **(more or {})}
        return int(self.game.machine.evaluate(op, self.state, variables))

    def _deciding(self, op: Op, value: bool) -> list[tuple[Op, bool]]:
        """Return the inner conditions and values that determine the value of a condition."""
        if has_role(op, "complement"):
            return self._deciding(op.args[0], not value)
        if has_role(op, "meet", "join"):
            return self._deciding_of(op, value)
        return [(op, value)]

    def _deciding_of(self, op: Op, value: bool) -> list[tuple[Op, bool]]:
        """Return all parts, or the first that decides alone: later parts may fail."""
        alone = has_role(op, "join") == value
        found: list[tuple[Op, bool]] = []
        for arg in op.args:
            if bool(self._value(arg)) == value:
                found += self._deciding(arg, value)
                if alone:
                    break
        return found

    def _lacking(self, op: Op) -> list[str]:
        """Explain why the cell is not in a set, part by part."""
        cell = self.objection.cell
        if self._value(op) >> cell & 1:
            return []
        if has_role(op, "meet"):
            return [said for arg in op.args for said in self._lacking(arg)]
        if has_role(op, "difference") and self._value(op.args[0]) >> cell & 1:
            return [f"{self.name} {self.speaker.noun(op.args[1], self.scope).whole.full}"]
        if is_filter(op):
            domain, test = op.args
            if not self._value(domain) >> cell & 1:
                return self._lacking(domain)
            scope = {**self.scope, bound(op): self.name}
            return [self.speaker.condition(test, scope, holds=False)]
        return [f"{self.name} {self.speaker.noun(op, self.scope).whole.deny().full}"]


def _scope(game: Game, variables: dict[str, int]) -> Scope:
    """Map variables to the names of their cells and directions."""
    board = game.program.topology
    scope = {k: board.names[v] for k, v in variables.items() if k in ("from", "to") and v >= 0}
    direction = variables.get("direction", -1)
    if direction >= 0:
        scope["direction"] = board.directions[direction].name.replace("_", "-")
    return scope
