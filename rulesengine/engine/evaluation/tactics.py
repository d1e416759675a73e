"""Captures and threats, decided from a move or a position alone, without making a move.

Captures change the material of a side. They are the moves onto a piece, and those of groups that
always remove, flip or promote pieces. An effect under a condition or in a loop does not count, nor
a promotion of a set that may be empty. Forced captures are those of a tier before the last one that
may remove pieces: they exclude the moves of later tiers.

A threat is named by a ban. `forbid: attacked(own king)` forbids the moves after which the own king
is attacked. Evaluated before a move, the same condition is true in check.
"""

from collections.abc import Iterator
from functools import reduce
from typing import Final

from rulesengine.language.ir.ops import OPS, Op, actions, reads_parts
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import has_role, reads_variable
from rulesengine.language.ir.signature import Part
from rulesengine.state import State, Step
from rulesengine.support.frozen import record

_REMOVING = frozenset({"removes", "flips"})
_STEP: Final = ("from", "to", "direction", "choice")
_EVENTS: tuple[Part, ...] = ("step", "record", "moves", "outcome", "history", "future", "plies")


@record
class Tactics:
    """The moves that change the material, and the condition of a threat.

    - `always` has the bit of each group whose moves all are captures.
    - `onto` has the bit of each group whose moves are captures if they go onto a piece.
    - `forces` is true if some captures exclude all other moves.
    - `ban` is the condition of a threat, or None; `banned` is the number of the group that has it.
    """

    always: int
    onto: int
    forces: bool
    ban: Op | None
    banned: int


def tactics_of(program: Program) -> Tactics:
    """Return the tactics of a program."""
    always = onto = forced = 0
    early = sum(len(tier) for tier in program.rules.tiers[:-1])
    for number, group in enumerate(program.rules.groups):
        effects = [op for effect in group.effects for op in _unconditional(effect)]
        may_remove = any(
            actions(effect) & _REMOVING for effect in (*group.effects, *program.rules.effects)
        )
        forced |= (number < early and may_remove) << number
        always |= any(map(_changes_material, effects)) << number
        onto |= (group.kind == "move") << number
    banned = _ban_group(program)
    ban = program.rules.groups[banned].forbid if banned >= 0 else None
    return Tactics(always | forced, onto, forced != 0, ban, banned)


def is_capture(tactics: Tactics, state: State, step: Step) -> bool:
    """True if a move with this first step is a capture."""
    if tactics.always >> step.group & 1:
        return True
    occupied = reduce(int.__or__, state.planes, 0)
    return bool(tactics.onto >> step.group & 1 and occupied >> step.target & 1)


def _unconditional(effect: Op) -> Iterator[Op]:
    """Yield the effects that are always executed with an effect."""
    if has_role(effect, "sequence"):
        for part in effect.args:
            yield from _unconditional(part)
    else:
        yield effect


def _changes_material(effect: Op) -> bool:
    """True if an effect removes or flips pieces, or promotes a certain piece."""
    if has_role(effect, "promotion"):
        return has_role(effect.args[0], "singleton")
    return effect.name in OPS and bool(OPS[effect.name].does & _REMOVING)


def _ban_group(program: Program) -> int:
    """Return the number of the first group whose ban reads the position alone.

    It is -1 if some moves from cell to cell have no ban.
    """
    groups = [(n, group) for n, group in enumerate(program.rules.groups) if group.kind == "move"]
    if any(group.forbid is None for _, group in groups):
        return -1
    return next((n for n, group in groups if group.forbid and _reads_position(group.forbid)), -1)


def _reads_position(ban: Op) -> bool:
    return not reads_variable(ban, *_STEP) and not reads_parts(ban, *_EVENTS)
