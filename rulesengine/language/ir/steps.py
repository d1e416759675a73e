"""Construction of steps with the fields that distinguish steps over the same cells.

See decision 024.
"""

from rulesengine.language.ir.rules import Rules, written_as
from rulesengine.state import Step
from rulesengine.support.words import GROUPS


class StepMaker:
    """A factory of the steps of one game."""

    def __init__(self, rules: Rules) -> None:
        self._kinds = tuple(group.step_kind for group in rules.groups)
        self._forms = written_as(rules)

    def step(self, group: int, direction: int, origin: int, target: int, choice: int) -> Step:
        """Make a step of the group with this number."""
        form, shows_direction = self._forms[group]
        if shows_direction:
            form += (direction + 1) * (GROUPS + 1)
        return Step(self._kinds[group], origin, target, choice, group, direction, form)
