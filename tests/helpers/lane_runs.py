"""Run the kernel of a GPU without one: LLVM's code for this processor, or its PTX as C."""

import ctypes
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulesengine import Game
from rulesengine.engine.kernel.backends.cuda.batch_lanes import (
    COPY,
    OBSERVE,
    SAMPLE,
    SHOW,
    STEP,
    TAKE,
)
from rulesengine.engine.kernel.backends.cuda.count_lanes import CountKernel
from rulesengine.engine.kernel.backends.cuda.ptx import KERNEL, TOTALS, LaneKernel
from tests.helpers.ptx_in_c import c_of

Lane = Callable[["ctypes.Array[ctypes.c_uint64]", int], None]


@dataclass(frozen=True, slots=True)
class Share:
    """The games of a run: their number, those of a chunk, the lanes, the seed, the stop flag."""

    games: int
    chunk: int = 2
    lanes: int = 2
    seed: int = 5
    is_stopped: bool = False


def start_words(game: Game, kernel: LaneKernel | CountKernel) -> bytes:
    """Return the initial state in the order of the parameters of the kernel."""
    state, program = game.initial_state(), game.machine.program
    values = [mask for mask, drawn in zip(state.planes, program.form.symbols, strict=True) if drawn]
    values += [state.side, *state.registers]
    values += [0] * (len(kernel.params) - len(values))  # no swap yet, no history yet
    sizes = [8 * kernel.set_words if type == "m" else 8 for type in kernel.params]
    pairs = zip(values, sizes, strict=True)
    return b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value, size in pairs)


def run_lanes(lane: Lane, kernel: LaneKernel, state: bytes, share: Share) -> list[int]:
    """Return the words of results after the lanes have run one after the other."""
    contexts = ctypes.create_string_buffer(share.lanes * kernel.context + 64)
    start = ctypes.create_string_buffer(state, len(state))
    results = (ctypes.c_uint64 * (TOTALS + kernel.totals + share.games))()
    at = ctypes.addressof
    polled = ctypes.create_string_buffer(bytes([share.is_stopped]), 128)
    places = at(contexts), kernel.context, at(start), 0, share.games, share.chunk
    words = (ctypes.c_uint64 * 32)(*places, share.seed, at(results), at(polled))
    for number in range(share.lanes):
        lane(words, number)
    return list(results)


def count_lanes(lane: Lane, kernel: CountKernel, state: bytes, depth: int) -> list[int]:
    """Return the words of results after one lane has counted below a state, with weight 3."""
    context = ctypes.create_string_buffer(kernel.context + 64)
    row = state + (3).to_bytes(8, "little")
    rows = ctypes.create_string_buffer(row, len(row))
    results, polled = (ctypes.c_uint64 * 8)(), ctypes.create_string_buffer(128)
    at = ctypes.addressof
    places = at(context), at(rows), 1, depth, 0, 0, 1, at(results), at(polled)
    lane((ctypes.c_uint64 * 32)(*places), 0)
    return list(results)


def lane_of_host_code(text: str, name: str = KERNEL) -> Lane:
    """Return the function of a lane by the text of a kernel for this processor."""
    return _lanes_of(text, {name: 9})[name]


def batch_lanes(text: str) -> dict[str, Lane]:
    """Return the functions of a lane of the kernels of batches, for this processor."""
    counts = {f"lanes_{name}": 5 + n for name, n in ((STEP, 6), (SHOW, 4), (SAMPLE, 5))}
    return _lanes_of(
        text, {**counts, f"lanes_{TAKE}": 6, f"lanes_{OBSERVE}": 11, f"lanes_{COPY}": 9}
    )


def _lanes_of(text: str, counts: dict[str, int]) -> dict[str, Lane]:
    """Return functions by name; `counts` has the number of their parameters, without the lane."""
    import llvmlite.binding as llvm

    from rulesengine.engine.kernel.backends.native.compiler_process import initialize

    initialize()
    module = llvm.parse_assembly(text)
    target = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()

    def job_block_of(name: str, count: int) -> Lane:
        types = [ctypes.c_uint64] * (count + 1)
        function = ctypes.CFUNCTYPE(None, *types)(engine.get_function_address(name))

        def lane(words: "ctypes.Array[ctypes.c_uint64]", number: int) -> None:
            assert engine  # it owns the code
            function(*words[:count], number)

        return lane

    return {name: job_block_of(name, count) for name, count in counts.items()}


def lane_of_ptx(ptx: str, folder: Path, name: str = KERNEL) -> Lane:
    """Return the function of a lane by PTX, compiled as C by gcc."""
    lane: Lane = ctypes.CDLL(str(library_of_ptx(ptx, folder, name)))[f"run_{name}"]
    return lane


def library_of_ptx(ptx: str, folder: Path, *names: str) -> Path:
    """Compile kernels as C; return the path of a library with the function of a lane for each."""
    source, library = folder / "kernel.c", folder / "kernel.so"
    source.write_text(c_of(ptx, *names))
    options = ["-O1", "-w", "-shared", "-fPIC", "-fno-strict-aliasing"]
    subprocess.run(["gcc", *options, "-o", str(library), str(source)], check=True)
    return library
