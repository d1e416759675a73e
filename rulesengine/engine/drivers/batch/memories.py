"""Records of parameters that batch drivers share; the translator replaces them by their fields."""

from rulesengine.engine.drivers.memory import Memory
from rulesengine.support.frozen import record


@record
class GameRange:
    """A range of the games of a batch; the current game is noted at `mark` of the plan."""

    first: int
    end: int
    mark: int


@record
class StateMemories:
    """The memories that determine the states of games.

    - `plan` is constant over all steps.
    - `lines` are the histories.
    - `own` are the records of the games.
    """

    plan: Memory
    lines: Memory
    own: Memory


@record
class OutputMemories:
    """The memories that the outputs of games depend on, and the outputs.

    - `plan` is constant over all steps.
    - `own` are the records of the games.
    - `shown` are the outputs.
    """

    plan: Memory
    own: Memory
    shown: Memory


@record
class StepMemories:
    """The memories of a step.

    - `plan` is constant over all steps.
    - `lines` are the histories.
    - `was` are the records before the step, and `now` those after it.
    - `shown` are the outputs.
    - `actions` are the actions.
    """

    plan: Memory
    lines: Memory
    was: Memory
    now: Memory
    shown: Memory
    actions: Memory
