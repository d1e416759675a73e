"""Breadth-first search of a small game: the shortest problem, and proofs of unreachable clauses."""

from collections import deque
from dataclasses import dataclass, field, replace

from rulesengine.errors import EvaluationError, LimitError
from rulesengine.state import State
from rulesengine.tools.lint.metered_interpreter import MeteredInterpreter, OperationLimit, Steps
from rulesengine.tools.lint.problem import Problem, failure, inspected


@dataclass(slots=True)
class Exploration:
    """The results of an exploration; absence is proved only if it is `complete`.

    `depth` is the length up to which all games have been explored.
    """

    complete: bool = False
    problem: Problem | None = None
    depth: int = 0
    groups: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)
    movers: set[int] = field(default_factory=set)
    came: dict[State, tuple[State, Steps] | None] = field(default_factory=dict)
    before: dict[State, list[State]] = field(default_factory=dict)
    over: list[State] = field(default_factory=list)


def explore(machine: MeteredInterpreter, most: int) -> Exploration:
    """Explore at most `most` positions in order of their distance from the initial position.

    Stops at the first problem: no shorter game has one.
    """
    found = Exploration()
    try:
        start = machine.initial_state()
        found.came[start] = None
        queue = deque([(start, 0)])
        while queue and len(found.came) <= most:
            state, found.depth = queue.popleft()
            for after in _followers(machine, state, found):
                queue.append((after, found.depth + 1))
            if found.problem:
                return found
        found.complete = not queue
    except OperationLimit:
        pass
    return found


def endless(found: Exploration) -> tuple[Steps, ...] | None:
    """Return the moves to a position without a reachable end, if all positions are explored."""
    if not found.complete or found.problem:
        return None
    ending, stack = set(found.over), list(found.over)
    while stack:
        for state in found.before.get(stack.pop(), []):
            if state not in ending:
                ending.add(state)
                stack.append(state)
    lost = next((state for state in found.came if state not in ending), None)
    return None if lost is None else _path(found, lost)


def _followers(machine: MeteredInterpreter, state: State, found: Exploration) -> list[State]:
    """Return the new positions after one more move."""
    path: tuple[Steps, ...] = ()
    new: list[State] = []
    try:
        position = inspected(machine, state, first=found.came[state] is None)
        if position.problem:
            found.problem = replace(position.problem, path=_path(found, state))
        if position.end is not None:
            found.ends.add(position.end)
            found.over.append(state)
        elif position.moves:
            found.movers.add(state.side)
        for steps in position.moves:
            found.groups |= {step.group for step in steps}
            path = (steps,)
            after = machine.apply(state, steps)
            found.before.setdefault(after, []).append(state)
            if after not in found.came:
                found.came[after] = state, steps
                new.append(after)
    except (EvaluationError, LimitError) as error:
        found.problem = replace(failure(error), path=_path(found, state) + path)
    return new


def _path(found: Exploration, state: State) -> tuple[Steps, ...]:
    """Return the moves that first led to a state."""
    steps: list[Steps] = []
    while link := found.came[state]:
        state, step = link
        steps.append(step)
    return tuple(reversed(steps))
