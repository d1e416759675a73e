"""Values of games with hidden information, as `solve` returns them."""

from collections.abc import Callable

from rulesengine.engine.drivers.search.result import Budget, Equilibrium, Settings, Solved
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.observation import Rounds
from rulesengine.errors import UsageError
from rulesengine.job import Job
from rulesengine.search.imperfect_information.equilibrium import (
    MOST,
    EquilibriumRequest,
    find_equilibrium,
)
from rulesengine.search.imperfect_information.game_tree import GameTree, HiddenGame
from rulesengine.search.imperfect_information.position_tree import hides_choices_alone
from rulesengine.search.imperfect_information.stage_solver import solve_stages
from rulesengine.search.nested_job import within
from rulesengine.state import State
from rulesengine.support.frozen import replace


def solve_hidden(
    game: HiddenGame,
    machine: Interpreter,
    state: State,
    budget: Budget,
    settings: Settings,
    job: Job,
    each: Callable[[Solved], None] | None,
) -> Solved:
    """Return the value and the strategies of a game of two players from its initial state.

    Where only simultaneous moves are hidden, it may be any state between rounds, and the value is
    exact unless there are too many positions.

    Raises UsageError for more players, and for payoffs that do not sum to zero. The same holds for
    another state, which lacks the knowledge of the players.
    """
    if hides_choices_alone(machine) and not machine.derived(Rounds).chosen(state):
        limit = MOST if budget.nodes is None else min(MOST, budget.nodes)
        stages = within(
            job, budget.seconds, lambda own: solve_stages(game, machine, state, limit, own)
        )
        if stages is not None:
            value, equilibrium = stages
            return replace(_solved(equilibrium), expected=value)
    if state != game.initial_state():
        raise UsageError(
            "a game with hidden information is solved from its initial state:"
            " a position does not hold what the players know"
        )

    def report(equilibrium: Equilibrium) -> None:
        if each:
            each(_solved(equilibrium))

    request = EquilibriumRequest(budget.nodes, budget.seconds, settings.seed, report)
    return _solved(find_equilibrium(GameTree(game), request, job))


def _solved(equilibrium: Equilibrium) -> Solved:
    return Solved(
        None,
        None,
        None,
        None,
        (),
        equilibrium.histories,
        None,
        equilibrium.seconds,
        equilibrium=equilibrium,
    )
