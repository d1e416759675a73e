"""Programs for extreme parameter values, and warnings of the values that break a game.

The number of programs is limited, so that the time is linear in the length of a spec. With many
parameters, several of them have extreme values in one program.
"""

from collections.abc import Iterator, Mapping, Sequence

from rulesengine.errors import EvaluationError, LimitError, UsageError
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import LookAhead, Rules
from rulesengine.language.lower import LoweringError, lower
from rulesengine.support.frozen import record
from rulesengine.tools.lint.metered_interpreter import MeteredInterpreter, OperationLimit
from rulesengine.tools.lint.parameter_values import (
    Values,
    defaults,
    ends,
    pairs_of_extremes,
)

_MOST = 64  # programs for extreme values, without those that locate a problem
_MOST_REPORTED = 20  # problems that are located
_WORK = 200_000  # limit of operations for a first position


@record
class BreakingValues:
    """Extreme parameter values that break a game, with the reason."""

    values: Mapping[str, int | str]
    reason: str


class TestedValues:
    """The extreme values of the parameters of a spec: `programs` that work, and `broken` values."""

    def __init__(self, rules: Rules) -> None:
        self.programs: list[Program] = []
        self.broken: list[BreakingValues] = []
        self._rules, self._plain = rules, defaults(rules)
        if self._why({}) is not None:  # any other values would be reported for that reason
            return
        for changes in _batches(rules):
            self._test(changes)
        self._test_pairs()

    def _test(self, changes: Sequence[tuple[str, int | str]]) -> None:
        """Test some changes of the default values at once, and in halves if they break the game."""
        reason = self._reason(dict(changes))
        if reason is None or len(self.broken) >= _MOST_REPORTED:
            return
        if len(changes) == 1:
            self.broken.append(BreakingValues(dict(changes), reason))
            return
        middle = len(changes) // 2
        self._test(changes[:middle])
        self._test(changes[middle:])

    def _test_pairs(self) -> None:
        """Test pairs of extreme values, without those that are known to break the game."""
        for values in pairs_of_extremes(self._rules, _MOST):
            changes = {name: value for name, value in values.items() if value != self._plain[name]}
            for broken in self.broken:
                if broken.values.items() <= changes.items():
                    del changes[next(iter(broken.values))]
            reason = self._reason(changes)
            if reason is not None:  # so there are some
                fewest = self._fewest(changes, {})
                self.broken.append(BreakingValues(fewest, self._why(fewest) or reason))
            if len(self.broken) >= _MOST_REPORTED:
                return

    def _fewest(self, changes: Values, others: Values) -> Values:
        """Return the fewest of some changes that break the game, together with others.

        Delta debugging (Zeller, 1999): halves first, so that few programs are needed.
        """
        if len(changes) == 1:
            return changes
        names = [*changes]
        one, two = (
            {name: changes[name] for name in some}
            for some in (names[: len(names) // 2], names[len(names) // 2 :])
        )
        for half in (one, two):
            if self._why({**others, **half}) is not None:
                return self._fewest(half, others)
        first = self._fewest(one, {**others, **two})
        return {**first, **self._fewest(two, {**others, **first})}

    def _reason(self, changes: Values) -> str | None:
        """Return the reason why values break the game; None, with a program, if they do not."""
        tested = self._tested(changes)
        if isinstance(tested, str):
            return tested
        self.programs.append(tested)
        return None

    def _why(self, changes: Values) -> str | None:
        """Return the reason why values break the game, or None."""
        tested = self._tested(changes)
        return tested if isinstance(tested, str) else None

    def _tested(self, changes: Values) -> Program | str:
        """Return the program for some changes of the defaults, or the reason why there is none."""
        try:
            program = lower(self._rules, {**self._plain, **changes})
        except LoweringError as error:
            return error.message
        reasons = [start_problem(program), *(reason for _, reason in search_problems(program))]
        return next((reason for reason in reasons if reason is not None), program)


def start_problem(program: Program) -> str | None:
    """Return the reason why a game has no initial position, or None."""
    try:
        MeteredInterpreter(program, _WORK).initial_state()
    except (EvaluationError, LimitError) as error:
        return str(error)
    except OperationLimit:
        return None
    return None


def search_problems(program: Program) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the keys that lead to an invalid limit of a strategy, with the reason.

    Limits that are invalid only together are those of the whole `search`.
    """
    for strategy in program.rules.strategies:
        if strategy.search is not None:
            for keys, reason in _limit_problems(strategy.search):
                yield (strategy.name, "search", *keys), reason


def _limit_problems(search: LookAhead) -> Iterator[tuple[tuple[str, ...], str]]:
    from rulesengine.engine.drivers.search.result import check_limit
    from rulesengine.search.searches import budget_of

    is_right = True
    for name in ("nodes", "plies", "playouts"):
        limit = getattr(search, name)
        try:
            check_limit(name, None if limit is None else limit.value)
        except UsageError as error:
            is_right = False
            yield (name,), str(error)
    if is_right:
        try:
            budget_of(search)
        except UsageError as error:
            yield (), str(error)


def _batches(rules: Rules) -> Iterator[list[tuple[str, int | str]]]:
    """Yield the extreme values in at most about `_MOST` groups, each parameter once in a group."""
    single = [(parameter.name, values[parameter.name]) for parameter, values in ends(rules)]
    if len(single) <= _MOST:
        yield from ([change] for change in single)
        return
    rounds: list[list[tuple[str, int | str]]] = []
    counts = dict[str, int]()
    for name, value in single:
        turn = counts.get(name, 0)
        counts[name] = turn + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append((name, value))
    size = -(-len(single) // _MOST)
    for changes in rounds:
        for first in range(0, len(changes), size):
            yield changes[first : first + size]
