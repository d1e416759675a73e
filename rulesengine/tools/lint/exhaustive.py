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
    predecessors: dict[State, tuple[State, Steps] | None] = field(default_factory=dict)
    before: dict[State, list[State]] = field(default_factory=dict)
    over: list[State] = field(default_factory=list)


def explore(machine: MeteredInterpreter, most: int) -> Exploration:
    """Explore at most `most` positions in order of their distance from the initial position.

    Stops at the first problem: no shorter game has one.
    """
    exploration = Exploration()
    try:
        start = machine.initial_state()
        exploration.predecessors[start] = None
        queue = deque([(start, 0)])
        while queue and len(exploration.predecessors) <= most:
            state, exploration.depth = queue.popleft()
            for after in _followers(machine, state, exploration):
                queue.append((after, exploration.depth + 1))
            if exploration.problem:
                return exploration
        exploration.complete = not queue
    except OperationLimit:
        pass
    return exploration


def endless(exploration: Exploration) -> tuple[Steps, ...] | None:
    """Return the moves to a position without a reachable end, if all positions are explored."""
    if not exploration.complete or exploration.problem:
        return None
    ending, stack = set(exploration.over), list(exploration.over)
    while stack:
        for state in exploration.before.get(stack.pop(), []):
            if state not in ending:
                ending.add(state)
                stack.append(state)
    lost = next((state for state in exploration.predecessors if state not in ending), None)
    return None if lost is None else _path(exploration, lost)


def _followers(machine: MeteredInterpreter, state: State, exploration: Exploration) -> list[State]:
    """Return the new positions after one more move."""
    path: tuple[Steps, ...] = ()
    new: list[State] = []
    try:
        position = inspected(machine, state, first=exploration.predecessors[state] is None)
        if position.problem:
            exploration.problem = replace(position.problem, path=_path(exploration, state))
        if position.end is not None:
            exploration.ends.add(position.end)
            exploration.over.append(state)
        elif position.moves:
            exploration.movers.add(state.side)
        for steps in position.moves:
            exploration.groups |= {step.group for step in steps}
            path = (steps,)
            after = machine.apply(state, steps)
            exploration.before.setdefault(after, []).append(state)
            if after not in exploration.predecessors:
                exploration.predecessors[after] = state, steps
                new.append(after)
    except (EvaluationError, LimitError) as error:
        exploration.problem = replace(failure(error), path=_path(exploration, state) + path)
    return new


def _path(exploration: Exploration, state: State) -> tuple[Steps, ...]:
    """Return the moves that first led to a state."""
    steps: list[Steps] = []
    while link := exploration.predecessors[state]:
        state, step = link
        steps.append(step)
    return tuple(reversed(steps))
