"""The playouts of a GPU: the code for the host plays the same games; the PTX is well formed.

The host has the number of the lane as a parameter. All but the launch is tested without a GPU.
"""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.kernel.backends.cuda.ptx import (
    FAILED,
    KERNEL,
    NEXT,
    TOTALS,
    LaneKernel,
    lane_kernel,
    ptx_of,
)
from rulesengine.engine.kernel.emission import emitted

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

SAMPLE = ["backgammon", "breakthrough", "connect-four", "english-draughts", "go", "hex", "othello"]
SEED = 5

# The declarations that NVPTX compiles without a library.
ALLOWED = re.compile(
    r"llvm\.(ctpop|cttz|ctlz|fshl|fshr|smin|smax|umin|umax|abs|bitreverse|bswap|memcpy|memset"
    r"|sadd\.with\.overflow|ssub\.with\.overflow|smul\.with\.overflow|vector\.reduce"
    r"|nvvm\.read\.ptx\.sreg)\b"
)


def start_words(game: Game, kernel: LaneKernel) -> bytes:
    """Return the initial state in the order of the parameters of the kernel."""
    state, program = game.initial_state(), game.machine.program
    values = [mask for mask, drawn in zip(state.planes, program.form.symbols, strict=True) if drawn]
    values += [state.side, *state.registers]
    values += [0] * (len(kernel.params) - len(values))  # no swap yet, no history yet
    sizes = [8 * kernel.set_words if type == "m" else 8 for type in kernel.params]
    pairs = zip(values, sizes, strict=True)
    return b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value, size in pairs)


def run_on_host(kernel: LaneKernel, state: bytes, games: int, chunk: int, lanes: int) -> list[int]:
    """Return the words of results after the lanes have run one after the other."""
    import llvmlite.binding as llvm

    from rulesengine.engine.kernel.backends.native.compiler_process import initialize

    initialize()
    module = llvm.parse_assembly(kernel.text)
    target = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()
    pointer, word = ctypes.c_void_p, ctypes.c_int64
    types = [pointer, word, pointer, word, word, word, word, pointer, word]
    function = ctypes.CFUNCTYPE(None, *types)(engine.get_function_address(KERNEL))
    contexts = ctypes.create_string_buffer(lanes * kernel.context + 64)
    results = (ctypes.c_uint64 * (TOTALS + kernel.totals + games))()
    for lane in range(lanes):
        at = ctypes.addressof(contexts)
        function(at, kernel.context, state, 0, games, chunk, SEED, ctypes.addressof(results), lane)
    return list(results)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_code_for_the_host_plays_the_games_of_the_interpreter(name: str) -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    game, games = rulesengine.load(name, engine="interpreter"), 5
    kernel = lane_kernel(emitted(game.machine, "lanes"), plain())
    found = run_on_host(kernel, start_words(game, kernel), games, chunk=2, lanes=2)
    want = game.playouts(games, seed=SEED)
    *wins, draws, unfinished, plies, checksum = found[TOTALS : TOTALS + kernel.totals]
    assert found[FAILED] == 0
    assert found[NEXT] == 3 + 2  # three chunks, and each lane finds that none is left
    assert (wins, draws, unfinished) == ([*want.wins.values()], want.draws, want.unfinished)
    assert (plies, checksum) == (round(want.mean_length * games), want.checksum)


def test_a_lane_that_fails_reports_its_chunk() -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    game = rulesengine.load("backgammon")
    module = emitted(game.machine, "lanes")
    kernel = lane_kernel(module, plain(), items=1)  # no list of moves has room
    found = run_on_host(kernel, start_words(game, kernel), 4, chunk=2, lanes=1)
    assert found[FAILED] == 2
    assert sorted(found[TOTALS + kernel.totals :][:2]) == [0, 1]
    assert not any(found[TOTALS : TOTALS + kernel.totals])


def test_the_ptx_is_deterministic_and_has_no_word_of_the_spec() -> None:
    texts = {ptx_of(lane_kernel(emitted(rulesengine.load("hex").machine, "lanes"))) for _ in "ab"}
    (text,) = texts
    assert f".visible .entry {KERNEL}(" in text
    assert not re.search(r"\b(hex|red|blue)\b", text, re.IGNORECASE)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_code_for_a_gpu_declares_only_what_needs_no_library(name: str) -> None:
    kernel = lane_kernel(emitted(rulesengine.load(name).machine, "lanes"))
    declared = re.findall(r"^declare .*@([\w.]+)\(", kernel.text, re.MULTILINE)
    assert "llvm.nvvm.read.ptx.sreg.tid.x" in declared
    assert [found for found in declared if not ALLOWED.match(found)] == []


@pytest.mark.parametrize("name", SAMPLE)
def test_ptxas_assembles_the_code(name: str, tmp_path: Path) -> None:
    program = shutil.which("ptxas")
    if program is None:
        pytest.skip("ptxas is not installed")
    path = tmp_path / "kernel.ptx"
    path.write_text(ptx_of(lane_kernel(emitted(rulesengine.load(name).machine, "lanes"))))
    command = [program, "-arch=sm_90", "-v", str(path), "-o", str(tmp_path / "kernel.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Used" in done.stderr
