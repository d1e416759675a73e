"""Simultaneous moves, as choices in turn that are carried out after the last one.

A choice stores its step in registers that no player sees. A player without a move makes a pass. The
last choice of a round carries out all steps in the order of the players, and then the effects of a
move, once. Ends and chance wait for it. See decision 161.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce

from rulesengine.language.ir.ops import Op, Type, literal, make
from rulesengine.language.ir.roles import has_role, is_variable
from rulesengine.language.ir.rules import (
    BY_CHANCE,
    CHOSEN,
    CHOSEN_GROUP,
    OUT,
    Group,
    MoveTemplate,
    Register,
    Rules,
    SimultaneousChoices,
    Template,
    TemplateField,
    is_always_together,
)
from rulesengine.support.frozen import replace
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_PLAYER = Op("variable", "side", (), "player")
_NOT_CHOSEN = literal("number", -1)
_NO_SITE = "0"
# The variables of a step with their types; a choice has the type of its values.
_CELLS = ("from", "to")


def with_rounds(rules: Rules) -> Rules:
    """Return the rules with simultaneous moves as choices and their results."""
    return rules if rules.together is None else _Rounds(rules, rules.together).rules()


@dataclass(slots=True)
class _Rounds:
    """The lowering of the rules of one game; `parts` has a register for each part of a step."""

    old: Rules
    together: SimultaneousChoices
    parts: dict[tuple[str, Type], str] = field(default_factory=dict)
    choosing: tuple[tuple[int, Group], ...] = ()
    waiting: int = 0

    def rules(self) -> Rules:
        old, always = self.old, is_always_together(self.old)
        before = () if always else tuple(tuple(map(self._in_turn, tier)) for tier in old.tiers)
        self.waiting = len([g for tier in (*before, *old.tiers) for g in tier])
        number, tiers = len([g for tier in before for g in tier]), list(before)
        for tier in old.tiers:
            self.choosing = (*self.choosing, *enumerate(tier, number))
            tiers.append(tuple(self._choice(group, n) for n, group in enumerate(tier, number)))
            number += len(tier)
        registers = tuple(self._registers())
        chance = old.chance and replace(old.chance, when=self._settled(old.chance.when))
        return replace(
            old,
            tiers=(*tiers, (self._pass(),)),
            registers=(*old.registers, *registers),
            chance=chance,
            effects=self._effects(registers),
            next=self._next(),
            alternates=False,
            ends=tuple(replace(end, when=self._settled(end.when)) for end in old.ends),
            together=replace(self.together, pending=self._pending, free=self._free),
        )

    # moves

    def _in_turn(self, group: Group) -> Group:
        """Return a group for the positions in which players move in turn."""
        return replace(group, when=_both(make("deny", self.together.when), group.when))

    def _choice(self, group: Group, number: int) -> Group:
        """Return a group that stores its steps; the notation of its moves is the same."""
        written = group.written
        if group.kind == "move" and written is None:
            written = _cells_written(self.old.notation.move)
        stored = [
            make("set", value, _PLAYER, value=(name, _NO_SITE))
            for name, value in ((CHOSEN_GROUP, literal("number", number)), *self._stored(group))
        ]
        return replace(
            group,
            name=f"{CHOSEN}{group.name}",
            kind="select" if group.kind in ("place", "move") else group.kind,
            piece=None,
            side=None,
            when=_both(self.together.when, group.when),
            effects=tuple(stored),
            written=written,
        )

    def _stored(self, group: Group) -> Iterator[tuple[str, Op]]:
        """Yield the registers of the parts that the steps of a group have, and their values."""
        for word, type in _parts(group):
            name = f"{CHOSEN}{word} {type}" if word == "choice" else f"{CHOSEN}{word}"
            self.parts[word, type] = name
            yield name, Op("variable", type, (), word)

    def _pass(self) -> Group:
        """Return the group of the choice of a player without a move."""
        store = make(
            "set", literal("number", self.waiting), _PLAYER, value=(CHOSEN_GROUP, _NO_SITE)
        )
        return Group(
            f"{CHOSEN}nothing", "pass", None, None, None, None, None, (), self.together.when,
            (store,), None, None, self.old.sites[self.together.site],
        )  # fmt: skip

    # results

    def _registers(self) -> Iterator[Register]:
        yield _register(CHOSEN_GROUP, "number", _NOT_CHOSEN)
        for (_, type), name in self.parts.items():
            yield _register(name, type, literal(type, 0 if type in ("number", "flag") else -1))

    def _effects(self, registers: tuple[Register, ...]) -> tuple[Op, ...]:
        """Return the effects after each move: those of a round after its last choice."""
        sides = range(len(self.old.players))
        moved = [self._made_by(literal("side", side)) for side in sides]
        cleared = [
            make("set", register.start, literal("side", side), value=(register.name, _NO_SITE))
            for register in registers
            for side in sides
        ]
        complete = make("both", *map(self._is_done, sides))
        effects = make("block", self._someone_moves(), *moved, *cleared)
        is_settled = make("deny", self._pending)
        return (
            make(
                "when", make("either", is_settled, complete), make("block", *self._round(effects))
            ),
        )

    def _round(self, effect: Op) -> Iterator[Op]:
        """Yield the effects of a round, then those after every move."""
        yield make("when", self._pending, effect)
        yield from self.old.effects

    def _someone_moves(self) -> Op:
        """Return the check that some player has a move."""
        moves = [make("deny", make("equal", self._group_of(p), literal("number", self.waiting)))
                 for p in map(self._side, range(len(self.old.players)))]  # fmt: skip
        moves = [make("both", self._has_chosen(n), move) for n, move in enumerate(moves)]
        message = "no player has a move, and the game is not over"
        return make("ensure", make("either", *moves), value=(message, str(self.together.site)))

    def _made_by(self, side: Op) -> Op:
        """Return the stored step of a player as an effect."""
        chosen = make("register", side, value=CHOSEN_GROUP, type="number")
        effect = make("block")
        for number, group in reversed(self.choosing):
            step = self._step(group, side)
            is_chosen = make("equal", chosen, literal("number", number))
            effect = make("when", is_chosen, step, effect)
        return make("bind", side, effect, value=("be", "player"))

    def _step(self, group: Group, side: Op) -> Op:
        """Return the effect of a stored step; a piece that has left its cell does not move."""
        values = {word: Op("variable", type, (), f"{CHOSEN}{word}") for word, type in _parts(group)}
        effects = [_with_values(effect, values) for effect in group.effects]
        if group.kind == "place" and group.piece and group.side:
            piece, owner = (_with_values(op, values) for op in (group.piece, group.side))
            effects.insert(0, make("put", piece, owner, make("single", values["to"])))
        made = make("block", *effects)
        if group.kind == "move":
            origin = values["from"]
            carried = make("carry", origin, values["to"], value=str(self.together.site))
            made = make("when", _is_as_before(origin), make("block", carried, *effects))
        # Variables, since `before` in an effect reads registers in the position before the choice.
        for word, type in _parts(group):
            stored = make("register", side, value=self.parts[word, type], type=type)
            made = make("bind", stored, made, value=("be", f"{CHOSEN}{word}"))
        return made

    # players

    def _next(self) -> Op:
        """Return the player to move after a move."""
        sides = range(len(self.old.players))
        waiting = reduce(self._unless_done, reversed(sides[:-1]), literal("side", sides[-1]))
        first = reduce(self._unless_out, reversed(sides[:-1]), literal("side", sides[-1]))
        new = make("if", self._when_after, first, self.old.next, type="side")
        return make("if", self._pending, waiting, new, type="side")

    def _unless_done(self, other: Op, side: int) -> Op:
        return make("if", self._is_done(side), other, literal("side", side), type="side")

    def _unless_out(self, other: Op, side: int) -> Op:
        if not self.old.outs:
            return literal("side", side)
        return make("if", self._is_out(side), other, literal("side", side), type="side")

    @property
    def _when_after(self) -> Op:
        """Return the condition in the next position: the move is counted after its effects."""
        one: Op = literal("number", 1)
        if self.old.has_free_chance:
            by_chance = Op("variable", "flag", (), BY_CHANCE)
            one = make("if", by_chance, literal("number", 0), one, type="number")
        return _with_more_plies(self.together.when, one)

    @property
    def _free(self) -> Op:
        """Return the condition that a move from a position takes no ply: a choice but the last."""
        sides = range(len(self.old.players))
        left = [
            make("if", self._is_done(n), literal("number", 0), literal("number", 1), type="number")
            for n in sides
        ]
        several = make("less", literal("number", 1), reduce(_sum, left))
        more = [make("deny", self.old.chance.when)] if self.old.chance else []
        return make("both", self.together.when, several, *more)

    def _settled(self, when: Op) -> Op:
        """Return a condition that holds between rounds alone."""
        return make("both", make("deny", self._pending), when)

    @property
    def _pending(self) -> Op:
        """Return the condition that a round has begun."""
        return make("either", *map(self._has_chosen, range(len(self.old.players))))

    def _has_chosen(self, side: int) -> Op:
        return make("less", _NOT_CHOSEN, self._group_of(self._side(side)))

    def _is_done(self, side: int) -> Op:
        """Return the condition that a player does not choose any more in this round."""
        if not self.old.outs:
            return self._has_chosen(side)
        return make("either", self._has_chosen(side), self._is_out(side))

    def _is_out(self, side: int) -> Op:
        left = make("register", self._side(side), value=OUT, type="number")
        return make("less", literal("number", 0), left)

    def _side(self, side: int) -> Op:
        return literal("side", side)

    def _group_of(self, side: Op) -> Op:
        return make("register", side, value=CHOSEN_GROUP, type="number")


def _register(name: str, type: Type, start: Op) -> Register:
    return Register(name, type, INTEGER_MIN, INTEGER_MAX, start, "player", "game", seen="nobody")


def _parts(group: Group) -> Iterator[tuple[str, Type]]:
    """Yield the variables of the steps of a group, with their types."""
    if group.along is not None:
        yield "direction", "direction"
    for word, cells in zip(_CELLS, (group.origin, group.target), strict=True):
        if cells is not None:
            yield word, "cell"
    if group.choice:
        yield "choice", group.choice[0].type


def _cells_written(form: str) -> MoveTemplate:
    """Return the notation of moves of the game as that of a group."""
    parts: list[str | TemplateField] = []
    for piece in form.replace("{from}", "\0from\0").replace("{to}", "\0to\0").split("\0"):
        is_cell = piece in _CELLS
        parts += [TemplateField(Op("variable", "cell", (), piece), 0) if is_cell else piece]
    return MoveTemplate(form, Template(tuple(part for part in parts if part)))


def _is_as_before(cell: Op) -> Op:
    """Return the condition that a cell has the piece of the beginning of the round."""
    owner, kind = make("owner", cell), make("kind_at", cell)
    same = (make("equal", now, make("before", now, type=now.type)) for now in (owner, kind))
    return make("both", *same)


def _with_values(op: Op, values: dict[str, Op]) -> Op:
    """Substitute values for the variables of a step; shared operations stay shared."""
    memo: dict[int, Op] = {}

    def substituted(inner: Op) -> Op:
        if id(inner) not in memo:
            args = tuple(map(substituted, inner.args))
            name = str(inner.value)
            known = is_variable(inner) and name in values
            memo[id(inner)] = values[name] if known else replace(inner, args=args)
        return memo[id(inner)]

    return substituted(op)


def _with_more_plies(op: Op, one: Op) -> Op:
    """Return an expression with a later number of plies."""
    if has_role(op, "clock"):
        return _sum(op, one)
    return replace(op, args=tuple(_with_more_plies(arg, one) for arg in op.args))


def _both(condition: Op, other: Op | None) -> Op:
    return condition if other is None else make("both", condition, other)


def _sum(one: Op, other: Op) -> Op:
    return make("add", one, other, value=0)
