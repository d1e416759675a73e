"""Code generation for one part of a program's kernels, independent of the back end."""

from rulesengine.engine.drivers import record_reading
from rulesengine.engine.drivers.batch import observation, spinning, step
from rulesengine.engine.drivers.search import (
    alpha_beta,
    match_play,
    mcts,
    proof_number,
    recorded_play,
    side_to_move,
    td_batches,
    td_learning,
)
from rulesengine.engine.drivers.search.amaf_prior import fill_amaf_scores
from rulesengine.engine.drivers.search.fixed_point import filled
from rulesengine.engine.drivers.search.tree_reuse import reuse_subtree
from rulesengine.engine.evaluation import (
    exchange_evaluation,
    followed_tactics,
    null_moves,
    piece_at_risk,
    with_evaluation,
)
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.analysis.caller_facts import may_take_long
from rulesengine.engine.kernel.analysis.manager import AnalysisManager
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.emit.context import Context, SearchFacts
from rulesengine.engine.kernel.emit.table import EMIT
from rulesengine.engine.kernel.entries.perft import perft_entry
from rulesengine.engine.kernel.entries.playouts import lane_playouts_entry, playouts_entry
from rulesengine.engine.kernel.entries.single_calls import (
    finish_module,
    history_entry,
    singles,
    strategy_entry,
)
from rulesengine.engine.kernel.passes import optimised
from rulesengine.engine.kernel.passes.optional_analyses import OPTIONAL_ANALYSES
from rulesengine.engine.kernel.scripts.entry import script_entry, script_table
from rulesengine.engine.kernel.translate import driver_entry
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.patterns import king_relative_of
from rulesengine.support.collection import without_collection

# An encoded step has eight bits for its group; a set of directions is a number.
_GROUPS = 255
_DIRECTIONS = 62
_ROYAL = ("royal", "recorded")  # parts that read king-relative tables
_CORRECTING = ("fitted", *_ROYAL)  # parts with weights that correct the evaluation of the rules
# Parts that evaluate positions.
_ESTIMATING = ("search", "solving", "tree", "guided", *_CORRECTING)
# Parts that may order and follow captures.
_CAPTURING = ("search", "learned", "solving", *_CORRECTING)
_LEARNING = ("learned", "fitted", "lessons")  # parts that read the patterns of a learned evaluation
_SEARCH_PARTS = ("search", "solving", "tree", "turn", "proof", "batch", "halves", "records")
_MOST_LEARNERS = 2  # players of a game that an evaluation is learned for


def search_parts(machine: Interpreter) -> tuple[str, ...]:
    """Return the parts that searches, batches and learning use."""
    program = machine.program
    learns = len(program.rules.players) <= _MOST_LEARNERS
    royal = _ROYAL if king_relative_of(program) else ()
    return (*_SEARCH_PARTS, *_LEARNING, *royal) if learns else _SEARCH_PARTS


def refused(machine: Interpreter) -> dict[str, str]:
    """Return the reasons why parts of `search_parts` cannot be compiled, by part; takes seconds."""
    reasons = {}
    for part in search_parts(machine):
        try:
            emitted(machine, part)
        except Unsupported as problem:
            reasons[part] = str(problem)
    return reasons


def emitted(machine: Interpreter, part: str, seats: int = 1) -> Module:
    """Generate the code of one part, named as in `parts_of` or `search_parts`.

    `seats` is the number of playouts that may be interleaved. Raises Unsupported.
    """
    with without_collection():
        return _emitted(machine, part, seats)


def _search_facts(machine: Interpreter, *, corrects: bool) -> SearchFacts:
    return SearchFacts(
        followed_tactics(machine),
        null_moves(machine),
        exchange_evaluation(machine),
        piece_at_risk(machine),
        corrects,
    )


def _emitted(machine: Interpreter, part: str, seats: int) -> Module:
    rules, directions = machine.program.rules, machine.program.topology.directions
    if len(rules.groups) > _GROUPS or len(directions) > _DIRECTIONS:
        raise Unsupported(f"more than {_GROUPS} groups or {_DIRECTIONS} directions")
    name, _, number = part.partition(" ")
    program = machine.program
    if name in _ESTIMATING:
        program = with_evaluation(machine, activity=name not in _ROYAL)
    rows = [row for row in OPTIONAL_ANALYSES if name in row.parts]
    ctx = Context(
        optimised(program),
        script_table() if name == "script" else EMIT,
        AnalysisManager(machine.program, rows),
        splits=name == "halves",
        seats=seats,
        weight_types=("a",) if name in ("learned", *_CORRECTING) else (),
        search=_search_facts(machine, corrects=name in _CORRECTING) if name in _CAPTURING else None,
    )
    match name:
        case "perft":
            perft_entry(ctx)
        case "playouts":
            playouts_entry(ctx)
        case "lanes":
            lane_playouts_entry(ctx)
        case "singles":
            singles(ctx)
        case "script":
            script_entry(ctx, machine)
        case "lessons":
            _learning(ctx)
        case "search" | "learned" | "fitted" | "royal" | "recorded" | "solving":
            driver_entry(ctx, alpha_beta.search_round, "search_round")
            driver_entry(ctx, alpha_beta.alpha_beta, "alpha_beta")
            if name == "fitted":
                _learning(ctx)
                driver_entry(ctx, match_play.play_match, "play_match")
            if name == "recorded":
                driver_entry(ctx, recorded_play.record_game, "record_game")
            if name == "solving":
                driver_entry(ctx, fill_amaf_scores, "amaf_scores")
        case "tree" | "guided":
            driver_entry(ctx, mcts.grow, "grow")
            driver_entry(ctx, reuse_subtree, "replanted")
        case "turn":
            driver_entry(ctx, side_to_move.mover, "mover")
            driver_entry(ctx, side_to_move.branch, "branch")
            driver_entry(ctx, filled, "tables")
        case "proof":
            driver_entry(ctx, proof_number.proved, "proved")
        case "records":
            driver_entry(ctx, record_reading.read_moves, "read_moves")
        case "batch" | "halves":
            driver_entry(ctx, step.step_games, "step_games")
            driver_entry(ctx, step.show_games, "show_games")
            driver_entry(ctx, step.sample_games, "sample_games")
            driver_entry(ctx, step.play_games, "play_games")
            driver_entry(ctx, observation.step_viewed, "step_viewed")
            driver_entry(ctx, observation.view, "view")
            for driver in (spinning.lead, spinning.serve, spinning.count_chunk):
                driver_entry(ctx, driver, driver.__name__)
        case _:
            strategy_entry(ctx, int(number), waits=may_take_long(machine.program))
    history_entry(ctx)
    return finish_module(ctx)


def _learning(ctx: Context) -> None:
    """Emit the entry points of learning runs."""
    driver_entry(ctx, td_learning.lessons, "lessons")
    driver_entry(ctx, td_batches.record_games, "record_games")
    driver_entry(ctx, td_batches.learn_from_records, "learn_from_records")
