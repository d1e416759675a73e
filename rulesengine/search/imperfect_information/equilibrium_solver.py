"""Values of games with hidden information, as `solve` returns them."""

from collections.abc import Callable

from rulesengine.engine.drivers.search.result import Budget, Equilibrium, Settings, Solved
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.equilibrium import (
    EquilibriumRequest,
    find_equilibrium,
)
from rulesengine.search.imperfect_information.game_tree import GameTree, HiddenGame
from rulesengine.state import State


def solve_hidden(
    game: HiddenGame,
    state: State,
    budget: Budget,
    how: Settings,
    job: Job,
    each: Callable[[Solved], None] | None,
) -> Solved:
    """Return the value and the strategies of a game of two players from its initial state.

    Raises UsageError for another state, since it does not hold what the players know, for more
    players, and for payoffs that do not sum to zero.
    """
    if state != game.initial_state():
        raise UsageError(
            "a game with hidden information is solved from its initial state:"
            " a position does not hold what the players know"
        )

    def report(found: Equilibrium) -> None:
        if each:
            each(_solved(found))

    request = EquilibriumRequest(budget.nodes, budget.seconds, how.seed, report)
    return _solved(find_equilibrium(GameTree(game), request, job))


def _solved(found: Equilibrium) -> Solved:
    return Solved(
        None, None, None, None, (), found.histories, None, found.seconds, equilibrium=found
    )
