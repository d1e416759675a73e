"""Equilibria of two-player zero-sum games: CFR+ with bounds, or sampled regrets without a bound."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from time import perf_counter

from rulesengine.engine.drivers.search.result import Equilibrium, MoveProbabilities
from rulesengine.job import Job
from rulesengine.search.imperfect_information.best_response import Bounds
from rulesengine.search.imperfect_information.counterfactual_regret import CfrPlus, RegretMinimiser
from rulesengine.search.imperfect_information.extensive_form import ExtensiveForm, H
from rulesengine.search.imperfect_information.monte_carlo_regret import ExternalSampling
from rulesengine.search.imperfect_information.sequence_form import SequenceForm, sequence_form
from rulesengine.search.imperfect_information.vectorised_regret import VectorisedCfrPlus
from rulesengine.search.nested_job import within
from rulesengine.support.frozen import record

MOST = 1_000_000  # histories of a tree for CFR+, and of a sampled search without a budget
PRECISION = 2000  # the bounds shall differ by at most 1 / PRECISION of the range of payoffs
_VECTORISED = 500  # payoffs from which NumPy is faster
_SHARE = 2  # the tree may take 1 / _SHARE of the time
_UNLIMITED = 1 << 62
_STEP = 0.1  # new iterations between two bounds, as a share of the iterations so far


@record
class EquilibriumRequest:
    """The limits of a search for an equilibrium.

    - `nodes` limits the visited histories: the tree counts once, and twice for each iteration.
    - `seconds` limits the time.
    - `seed` is that of a sampled search.
    - `each` is called with intermediate results.
    """

    nodes: int | None = None
    seconds: float | None = None
    seed: int = 0
    each: Callable[[Equilibrium], None] | None = None


def find_equilibrium(form: ExtensiveForm[H], request: EquilibriumRequest, job: Job) -> Equilibrium:
    """Return an approximate equilibrium of a two-player zero-sum game.

    CFR+ ends when the bounds are near enough. Trees with too many histories are sampled, until the
    budget is used up. A job counts histories. Raises UsageError for other games.
    """
    start_time = perf_counter()
    limit = MOST if request.nodes is None else min(MOST, request.nodes // 2)
    seconds = None if request.seconds is None else request.seconds / _SHARE
    tree = within(job, seconds, lambda own: sequence_form(form, limit, own))
    if tree is None:
        return _sampled(form, request, job, start_time)
    return _minimised(tree, request, job, start_time)


def regret_minimiser(tree: SequenceForm) -> RegretMinimiser:
    """Return CFR+ in NumPy if that is installed and the tree is large, else in plain Python."""
    if len(tree.payoffs) >= _VECTORISED and find_spec("numpy") is not None:
        return VectorisedCfrPlus(tree)
    return CfrPlus(tree)


def _minimised(
    tree: SequenceForm, request: EquilibriumRequest, job: Job, start_time: float
) -> Equilibrium:
    """Run CFR+ until the bounds are near enough or the budget is used up."""
    minimiser = regret_minimiser(tree)
    width = (tree.greatest - tree.least) / PRECISION
    left = _iterations_within(tree, request.nodes)
    while True:
        bounds = minimiser.bounds()
        is_precise = bounds.nash_conv <= width
        equilibrium = _with_bounds(tree, minimiser, bounds, is_precise, start_time)
        if request.each:
            request.each(equilibrium)
        if is_precise or minimiser.iterations == left or not _has_time(request, start_time):
            break
        for _ in range(min(1 + int(_STEP * minimiser.iterations), left - minimiser.iterations)):
            job.raise_if_stopped()
            minimiser.iterate()
            job.advance(2 * tree.histories)
    return equilibrium


def _iterations_within(tree: SequenceForm, nodes: int | None) -> int:
    """Return the number of iterations that a limit of histories allows."""
    if nodes is None:
        return _UNLIMITED
    return max(1, (nodes - tree.histories) // (2 * tree.histories))


def _has_time(request: EquilibriumRequest, start_time: float) -> bool:
    return request.seconds is None or perf_counter() - start_time < request.seconds


def _with_bounds(
    tree: SequenceForm,
    minimiser: RegretMinimiser,
    bounds: Bounds,
    is_precise: bool,
    start_time: float,
) -> Equilibrium:
    return Equilibrium(
        tree.players[0],
        bounds.low,
        bounds.high,
        (bounds.low + bounds.high) / 2,
        is_precise,
        tree.histories,
        sum(map(len, tree.sets)),
        minimiser.iterations,
        perf_counter() - start_time,
        partial(_strategies, tree, minimiser),
    )


def _strategies(tree: SequenceForm, minimiser: RegretMinimiser) -> Iterator[MoveProbabilities]:
    """Yield the average strategies, the first player first."""
    for player, sets in enumerate(tree.sets):
        strategy = minimiser.average_strategy(player)
        for known in sets:
            shares = (strategy[number] for number in known.sequences)
            moves = tuple(zip(known.moves, shares, strict=True))
            yield MoveProbabilities(tree.players[player], str(known.information), moves)


def _sampled(
    form: ExtensiveForm[H], request: EquilibriumRequest, job: Job, start_time: float
) -> Equilibrium:
    """Run external-sampling MCCFR until the budget is used up."""
    nodes, seconds = request.nodes, request.seconds
    limit = MOST if nodes is None and seconds is None else nodes
    sampling = ExternalSampling(form, request.seed, None if limit is None else limit // 2)

    def run(own: Job) -> bool:
        while sampling.iterate(own):
            if request.each:
                request.each(_estimated(form, sampling, start_time))
        return True

    within(job, None if seconds is None else seconds - (perf_counter() - start_time), run)
    return _estimated(form, sampling, start_time)


def _estimated(
    form: ExtensiveForm[H], sampling: ExternalSampling[H], start_time: float
) -> Equilibrium:
    return Equilibrium(
        form.players[0],
        None,
        None,
        sampling.mean,
        False,
        sampling.histories,
        sum(map(len, sampling.sets)),
        sampling.iterations,
        perf_counter() - start_time,
        partial(_sampled_strategies, form.players, sampling),
    )


def _sampled_strategies(
    players: tuple[str, ...], sampling: ExternalSampling[H]
) -> Iterator[MoveProbabilities]:
    """Yield the average strategies of the information sets that were reached."""
    for player, sets in enumerate(sampling.sets):
        for known in sets.values():
            moves = tuple(zip(known.moves, known.average(), strict=True))
            yield MoveProbabilities(players[player], str(known.information), moves)
