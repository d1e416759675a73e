"""The kernels of a game as WebAssembly, and what a page has to know to call them."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.ir.points import points_of
from rulesengine.ir.program import Program
from rulesengine.kernel.analysis.state_layout import StateLayout
from rulesengine.kernel.backends.machine_code import MachineCode
from rulesengine.kernel.emission import emitted
from rulesengine.kernel.unsupported import Unsupported
from rulesengine.limits import MAX_NATIVE_CELLS
from rulesengine.memory import WORD, Memory
from rulesengine.record import record
from rulesengine.search import layout, tree_layout
from rulesengine.search.manner import manner_of
from rulesengine.search.result import TREES
from rulesengine.state import WINNERS
from rulesengine.stored import Objects

if TYPE_CHECKING:
    from rulesengine.kernel.backends.wasm.making import WebModule

Table = dict[str, object]

PLAIN = ("singles", "turn")  # the parts that play, without looking ahead
# What the page names of the memory of a search.
_SEARCH = (
    *("LIMIT", "SELF", "POINTS", "ENTRIES", "ROOM", "CHOSEN", "DEPTH", "DONE", "ESTIMATED"),
    *("ROOT", "DEEPEST", "SURE"),
)
_TREE = (*("ROOM", "TREE", "FIRST", "VISITS", "MOVER", "PROVEN", "TOTALS", "DRAWN", "WON_BY"),)


@record
class WebKernels:
    """A module of WebAssembly; `manifest` says where in its memory what stands."""

    code: bytes
    manifest: Mapping[str, object]


def searching(game: Game) -> str:
    """The part by which levels of a game search."""
    return "tree" if game.search_method in TREES else "search"


def web_kernels(game: Game, parts: Sequence[str], level: int = 2) -> WebKernels:
    """The parts of a game's kernels as one module, optimised by LLVM's `level`.

    Raises UsageError where there can be none, CompileError where they cannot be made.
    """
    if problem := MachineCode().problem():
        raise UsageError(problem)
    if game.program.topology.cells > MAX_NATIVE_CELLS:
        raise UsageError(f"its board has more than {MAX_NATIVE_CELLS:,} cells")
    from rulesengine.kernel.backends.wasm.making import web_module

    try:
        modules = {part: emitted(game.machine, part) for part in parts}
    except Unsupported as error:
        raise UsageError(str(error)) from None
    made = web_module(modules, Objects(), level=level)
    return WebKernels(made.code, _manifest(game, made, parts))


def _manifest(game: Game, made: "WebModule", parts: Sequence[str]) -> Table:
    program = game.program
    return {
        "heap": made.heap,
        "words": made.words,
        "winners": WINNERS,
        "sides": len(game.players),
        "state": _state(program, made.words),
        "start": _start(game).hex(),
        "entries": {
            name: {"params": params, "results": results}
            for name, (params, results) in made.entries.items()
        },
        "search": _search(program) if "search" in parts else None,
        "tree": _tree(program) if "tree" in parts else None,
    }


def _state(program: Program, words: int) -> Table:
    """Where in the words of a state its planes, its side and all else stand; None: nowhere."""
    made = StateLayout.of(program)
    sizes = [words if type == "m" else 1 for type in made.types]
    places = [*accumulate(sizes, initial=0)]
    side = len(made.planes)
    behind = side + 1 + len(made.registers)
    return {
        "words": places[-1],
        "planes": places[:side],
        "side": places[side],
        "registers": places[side + 1 : behind],
        "seats": places[behind] if made.seats else None,
        "history": places[-2] if made.history else None,
    }


def _start(game: Game) -> bytes:
    """The words of the start; no position is before it. Raises UsageError."""
    packed = game.initial_state().packed
    if packed is None:
        raise UsageError("a piece at the start has no symbol")
    return packed + bytes(WORD * game.program.keeps_history)


def _search(program: Program) -> Table:
    return {**{name: getattr(layout, name) for name in _SEARCH}, "points": points_of(program.rules)}


def _tree(program: Program) -> Table:
    """The layout of a tree, and what its memory is told first."""
    memory = Memory(tree_layout.HEAD)
    manner_of(program).write(memory)
    memory.numbers[tree_layout.END] = tree_layout.TREE + tree_layout.width(
        len(program.rules.players)
    )
    head = [[at, number] for at, number in enumerate(memory.numbers) if number]
    return {**{name: getattr(tree_layout, name) for name in _TREE}, "head": head}
