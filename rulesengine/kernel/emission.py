"""The code of one part of a program's kernels, as every back end takes it."""

from rulesengine.batch import crew, stepping, viewing
from rulesengine.interpreter import Interpreter
from rulesengine.kernel.analysis.calls import may_take_long
from rulesengine.kernel.code.form import Module
from rulesengine.kernel.emit.context import Context
from rulesengine.kernel.emit.table import EMIT
from rulesengine.kernel.entries.perft import perft_entry
from rulesengine.kernel.entries.playouts import playouts_entry
from rulesengine.kernel.entries.singles import chooser, finished_module, remembering, singles
from rulesengine.kernel.passes import optimised
from rulesengine.kernel.passes.alive import alive
from rulesengine.kernel.passes.parts import parts_of
from rulesengine.kernel.passes.reserves import reserves_of
from rulesengine.kernel.passes.urgency import urgency_of
from rulesengine.kernel.translate import driver_entry
from rulesengine.kernel.unsupported import Unsupported
from rulesengine.patterns import network_of
from rulesengine.search import alpha_beta, lessons, mcts, proving, turns
from rulesengine.search.evaluation import with_evaluation
from rulesengine.search.outlook import outlook
from rulesengine.search.replanting import replanted
from rulesengine.search.roots import filled
from rulesengine.symmetry import few_symmetries

# A step in a list has eight bits for its group, a set of directions is a number.
_GROUPS = 255
_DIRECTIONS = 62
_ESTIMATING = ("search", "solving", "tree")  # parts that ask what a position is worth
_URGENT = ("search", "learned", "solving", "proof")  # parts that ask what cannot wait
_SOLVING = ("solving", "proof")  # parts in which positions count up to symmetry
_LEARNING = ("learned", "lessons")  # parts that look at patterns
_BESIDE = ("search", "solving", "tree", "turn", "proof", "batch", "halves")
_PAIR = 2


def parts_beside(machine: Interpreter) -> tuple[str, ...]:
    """The parts that searches, batches and, in games of two, learning ask for."""
    pair = len(machine.program.rules.players) == _PAIR
    return (*_BESIDE, *_LEARNING) if pair else _BESIDE


def refused(machine: Interpreter) -> dict[str, str]:
    """Why parts beside those of `parts_of` cannot be made as code, by part; some seconds."""
    found = {}
    for part in parts_beside(machine):
        try:
            emitted(machine, part)
        except Unsupported as problem:
            found[part] = str(problem)
    return found


def emitted(machine: Interpreter, part: str, seats: int = 1) -> Module:
    """The code of one part, as `parts_of` names them; `seats` random games are played in turn.

    Raises Unsupported.
    """
    rules, directions = machine.program.rules, machine.program.topology.directions
    if len(rules.groups) > _GROUPS or len(directions) > _DIRECTIONS:
        raise Unsupported(f"more than {_GROUPS} groups or {_DIRECTIONS} directions")
    name, _, number = part.partition(" ")
    program = with_evaluation(machine.program) if name in _ESTIMATING else machine.program
    network = network_of(machine.program) if name in _LEARNING else None
    urgency = urgency_of(machine.program) if name in _URGENT else None
    symmetries = few_symmetries(machine.program) if name in _SOLVING else ()
    reserves = reserves_of(machine.program) if name == "solving" else None
    splits = name == "halves"
    living = alive(machine.program) if name in _SOLVING else None
    parts = parts_of(machine.program) if name in _SOLVING else None
    ctx = Context(
        optimised(program),
        EMIT,
        network,
        urgency,
        symmetries,
        splits,
        reserves,
        living,
        parts,
    )
    ctx.seats = seats
    match name:
        case "perft":
            perft_entry(ctx)
        case "playouts":
            playouts_entry(ctx)
        case "singles":
            singles(ctx)
        case "lessons":
            driver_entry(ctx, lessons.lessons, "lessons")
        case "search" | "learned" | "solving":
            ctx.weight_types = ("a",) if name == "learned" else ()
            driver_entry(ctx, alpha_beta.search_round, "search_round")
            driver_entry(ctx, alpha_beta.alpha_beta, "alpha_beta")
            if name == "solving":
                driver_entry(ctx, outlook, "outlook")
        case "tree":
            driver_entry(ctx, mcts.grow, "grow")
            driver_entry(ctx, replanted, "replanted")
        case "turn":
            driver_entry(ctx, turns.mover, "mover")
            driver_entry(ctx, turns.branch, "branch")
            driver_entry(ctx, filled, "tables")
        case "proof":
            driver_entry(ctx, proving.proved, "proved")
        case "batch" | "halves":
            driver_entry(ctx, stepping.step_games, "step_games")
            driver_entry(ctx, stepping.show_games, "show_games")
            driver_entry(ctx, stepping.sample_games, "sample_games")
            driver_entry(ctx, stepping.play_games, "play_games")
            driver_entry(ctx, viewing.step_viewed, "step_viewed")
            driver_entry(ctx, viewing.view, "view")
            for driver in (crew.lead, crew.serve, crew.told):
                driver_entry(ctx, driver, driver.__name__)
        case _:
            chooser(ctx, int(number), waits=may_take_long(machine.program))
    remembering(ctx)
    return finished_module(ctx)
