"""Clauses that a kernel evaluates again and again in a ply: by cell, by group or by move.

All other conditions are evaluated once, as sets.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from types import MappingProxyType

from rulesengine.engine.kernel.analysis.ban_regions import BanRegions
from rulesengine.engine.kernel.analysis.facts import Facts
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.passes.lift import Vectoriser
from rulesengine.language.ir.ops import Op, is_loop
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import domain_type, loop_function
from rulesengine.language.ir.rules import Group
from rulesengine.language.lower import Clause, clauses, loop_rounds
from rulesengine.support.frozen import record

# The words for the values of a domain that is tested one by one.
_DOMAINS = MappingProxyType({"cells": "cell", "groups": "group"})


@record
class RepeatedTest:
    """A clause that is evaluated for each `unit` (cell, group or move), `times` a ply at most.

    `path` has the keys that lead to the clause, as in `Clause`.
    """

    path: tuple[str | int, ...]
    unit: str
    times: int


def repeated_tests(program: Program) -> tuple[RepeatedTest, ...]:
    """Return the clauses of a program that its kernel evaluates more than once for a state."""
    return tuple(_Search(optimised(program)).tests())


class _Search:
    """The search for these clauses in one optimised program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.facts, self.lifting = Facts(program), Vectoriser(program)
        self.regions = BanRegions(program)
        self.rounds = loop_rounds(program.rules, program.topology)

    def tests(self) -> Iterator[RepeatedTest]:
        rules = self.program.rules
        groups: dict[str, Sequence[Group]] = {
            "moves": [group for tier in rules.tiers for group in tier],
            "steps": rules.steps,
        }
        for clause in clauses(rules, self.program.topology):
            section, *keys = clause.path
            group = None
            if section in groups and keys and isinstance(keys[0], int):
                group = groups[str(section)][keys[0]]
            if group is not None and group.decided and clause.path[-1] == "forbid":
                continue
            test = self._by_move(clause, group) or self._in_loop(clause)
            if test is not None:
                yield test

    def _by_move(self, clause: Clause, group: Group | None) -> RepeatedTest | None:
        """Return a ban, a condition or a key of `keep` that is evaluated for each move."""
        if clause.path[0] == "keep":
            return RepeatedTest(clause.path, "move", prod(number for _, number in clause.factors))
        if group is None or clause.path[-1] not in ("forbid", "when"):
            return None
        times = prod(number for _, number in clause.factors)
        if times < 2 or not (
            self._is_open(group) if clause.path[-1] == "forbid" else self._is_tested(group)
        ):
            return None
        return RepeatedTest(clause.path, "move", times)

    def _is_open(self, group: Group) -> bool:
        """True if no pass decides the ban of a group, and no analysis bounds it."""
        ban = group.forbid
        return ban is not None and self.regions.of(group, ban) is None

    def _is_tested(self, group: Group) -> bool:
        """True if the condition of a placement cannot be evaluated for all targets at once."""
        if group.when is None or group.origin or group.along or group.target is None:
            return False
        return self.lifting.satisfying_cells(group.when, "to") is None

    def _in_loop(self, clause: Clause) -> RepeatedTest | None:
        """Return a clause with a loop over cells or groups, by the loop with the most rounds."""
        loops = [op for op in _loops(clause.ops) if not self._grows(clause, op)]
        if not loops:
            return None
        worst = max(loops, key=self.rounds)
        times = self.rounds(worst) * prod(number for _, number in clause.factors)
        return RepeatedTest(clause.path, _DOMAINS[domain_type(worst)], times) if times > 1 else None

    def _grows(self, clause: Clause, op: Op) -> bool:
        """True if an end on some group is only tested for the group that has grown."""
        is_end = clause.path[0] == "end" and loop_function(op) == "any"
        return is_end and domain_type(op) == "groups" and self.facts.is_fixed(op.args[1])


def _loops(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield the outermost loops over cells or groups inside operations; closures are none."""
    seen, stack = set[int](), [*ops]
    while stack:
        op = stack.pop()
        if id(op) in seen:
            continue
        seen.add(id(op))
        if is_loop(op) and domain_type(op) in _DOMAINS and loop_function(op) not in ("", "reach"):
            yield op
        else:
            stack += op.args
