"""A program's kernels for a web page: one WebAssembly module and its manifest.

`docs/engines.md` describes the calling convention.
"""

from collections.abc import Mapping, Sequence
from types import ModuleType

from rulesengine.engine.drivers.memory import WORD
from rulesengine.engine.drivers.search import layout, pattern_layout, tree_layout
from rulesengine.engine.drivers.search.result import TREES
from rulesengine.engine.drivers.search.tree_settings import tree_settings_of
from rulesengine.engine.evaluation import late_move_reductions, search_head
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.analysis.state_layout import StateLayout
from rulesengine.engine.kernel.backends.native_backend import NativeBackend, check_size
from rulesengine.engine.kernel.backends.protocol import Store
from rulesengine.engine.kernel.backends.wasm.build import WebModule, build_web_module
from rulesengine.engine.kernel.backends.wasm.module_merge import SHARED
from rulesengine.engine.kernel.code.dead_code import with_entries
from rulesengine.engine.kernel.code.form import Module
from rulesengine.engine.kernel.emission import emitted
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.score_decided import points_of
from rulesengine.state import GOES_ON, WINNERS
from rulesengine.support.frozen import record

PARTS = ("singles", "turn", "search", "tree")
_SEARCHES = ("search", "learned", "fitted", "royal")
_TREES = ("tree", "guided")
_CALLED = (SHARED, "search_round", "grow")  # entry points of searches that a page calls
Places = dict[str, object]


@record
class WebKernels:
    """The module, and its manifest of memory layout and entry points for JSON."""

    code: bytes
    manifest: Mapping[str, object]


def module_of(
    machine: Interpreter,
    parts: Sequence[str] = PARTS,
    store: Store | None = None,
    factor: int = 1,
) -> WebKernels:
    """Compile some parts of a program's kernels into one module.

    `factor` is that of values of the rules in alpha-beta by a correction. Raises Unsupported,
    UsageError without llvmlite, and LimitError for a board that is too large.
    """
    problem = NativeBackend().problem()
    if problem:
        raise UsageError(f"no code for WebAssembly: {problem}")
    check_size(machine.program.topology.cells)
    module = build_web_module({part: _part(machine, part) for part in parts}, store)
    return WebKernels(module.code, _manifest(machine, parts, module, factor))


def _part(machine: Interpreter, part: str) -> Module:
    """Return the code of a part; that of a search without entry points of learning and reuse."""
    module = emitted(machine, part)
    return with_entries(module, _CALLED) if part in (*_SEARCHES, *_TREES) else module


def _manifest(machine: Interpreter, parts: Sequence[str], module: WebModule, factor: int) -> Places:
    program = machine.program
    manifest: Places = {
        "heap": module.heap,
        "words": module.words,
        "sides": len(program.rules.players),
        "state": state_places(program, module.words),
        "start": _start(machine),
        "goesOn": GOES_ON,
        "winners": WINNERS,
        "entries": {
            name: {"params": params, "results": results}
            for name, (params, results) in module.entries.items()
        },
    }
    if part := next((name for name in _SEARCHES if name in parts), ""):
        head = search_head(machine, part, factor)
        manifest["head"] = dict(head)
        manifest["reductions"] = list(late_move_reductions(is_selective=bool(head["PRUNES"])))
        manifest["search"] = {"points": points_of(program.rules), **_constants(layout)}
    if any(name in parts for name in _TREES):
        heads = {method: tree_settings_of(program, method).head for method in TREES}
        manifest["tree"] = {"heads": heads, **_constants(tree_layout)}
    if "guided" in parts:
        manifest["patterns"] = _constants(pattern_layout)
    return manifest


def state_places(program: Program, words: int) -> Places:
    """Return the word offset of each component of a state; planes and registers by number."""
    form, at = StateLayout.of(program), 0
    planes, registers = dict[int, int](), list[int]()
    for plane in form.planes:
        planes[plane], at = at, at + words
    side, at = at, at + 1
    for type in form.registers:
        registers.append(at)
        at += words if type == "m" else 1
    seats, at = (at, at + 1) if form.seats else (None, at)
    history, at = (at, at + 1) if form.history else (None, at)
    return {
        "planes": planes,
        "side": side,
        "registers": registers,
        "seats": seats,
        "history": history,
        "words": at,
    }


def _start(machine: Interpreter) -> str:
    """Return the initial state as words, in hexadecimal."""
    state = machine.initial_state()
    packed = machine.program.form.packing.pack(
        state.planes, state.side, state.registers, state.seats
    )
    assert packed is not None
    return (packed + bytes(WORD * machine.program.keeps_history)).hex()


def _constants(module: ModuleType) -> dict[str, int]:
    """Return the public integer constants of a layout module."""
    public = ((name, n) for name, n in vars(module).items() if name[0].isalpha())
    return {name: n for name, n in public if name.isupper() and type(n) is int}
