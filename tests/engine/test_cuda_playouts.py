"""The playouts of a GPU, without one: code for the host and the PTX play the CPU's games.

All but the assembler of the driver and the launch is tested.
"""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game
from rulesengine.engine.kernel.backends.cuda.batch_lanes import batch_kernels
from rulesengine.engine.kernel.backends.cuda.count_lanes import (
    COUNT_KERNEL,
    COUNT_TOTAL,
    count_kernel,
)
from rulesengine.engine.kernel.backends.cuda.lane_text import FAILED
from rulesengine.engine.kernel.backends.cuda.ptx import (
    KERNEL,
    NEXT,
    TARGET,
    TOTALS,
    LaneKernel,
    lane_kernel,
    ptx_of,
)
from rulesengine.engine.kernel.emission import emitted
from rulesengine.support.resources import bundled_names
from tests.device.expect import PATH, SEED, row
from tests.helpers.each_game import each_game
from tests.helpers.lane_runs import (
    Share,
    count_lanes,
    lane_of_host_code,
    lane_of_ptx,
    run_lanes,
    start_words,
)

pytest.importorskip("llvmlite", reason="llvmlite is not installed")

ROOT = Path(__file__).parents[2]
# One word, two words, recursion, chance, a long list of moves. All other games are deep.
QUICK = {"connect-four"}
SAMPLE = {"breakthrough", "connect-four", "einstein", "english-draughts", "hex", "othello"}
REST = frozenset(bundled_names()) - SAMPLE

# The declarations that NVPTX compiles without a library.
ALLOWED = re.compile(
    r"llvm\.(ctpop|cttz|ctlz|fshl|fshr|smin|smax|umin|umax|abs|bitreverse|bswap|memcpy|memset"
    r"|sadd\.with\.overflow|ssub\.with\.overflow|smul\.with\.overflow"
    r"|nvvm\.mulhi\.ull|nvvm\.read\.ptx\.sreg)\b"
)

# The words of this package in the names of functions and tables. Names in PTX are made of them.
WORDS = frozenset(
    """
    action actions advance after age answer apply ban batch bounded branches build carry chunk
    column copy count draw drivers drop e engine f fill find fold follow forbid from game
    games generator h history kept known lanes last lead lengthen line list load make mark mix
    moves observation observe of onto opened outputs part parts perft place play playouts ply
    random recall record remember room rows rulesengine sample sampled scan serve
    show sides slot some sow spinning state stems step table tail take try under unmark view
    viewed
    """.split()
)


def kernel_for_gpu(name: str) -> LaneKernel:
    return lane_kernel(emitted(rulesengine.load(name).machine, "lanes"))


def assert_equal(game: Game, kernel: LaneKernel, found: list[int], share: Share) -> None:
    """Assert that lanes have played the games of another engine."""
    want = game.playouts(share.games, seed=share.seed)
    *wins, draws, unfinished, plies, checksum = found[TOTALS : TOTALS + kernel.totals]
    assert found[FAILED] == 0
    assert (wins, draws, unfinished) == ([*want.wins.values()], want.draws, want.unfinished)
    assert (plies, checksum) == (round(want.mean_length * share.games), want.checksum)


@each_game(quick=QUICK, deep=REST)
def test_the_code_for_the_host_plays_the_games_of_the_interpreter(name: str) -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    game, share = rulesengine.load(name, engine="interpreter"), Share(5)
    kernel = lane_kernel(emitted(game.machine, "lanes"), plain())
    found = run_lanes(lane_of_host_code(kernel.text), kernel, start_words(game, kernel), share)
    assert found[NEXT] == 3 + 2  # three chunks, and each lane finds that none is left
    assert_equal(game, kernel, found, share)


@each_game(quick=QUICK, deep=REST)
def test_the_code_for_the_host_plays_the_games_for_the_check_on_a_gpu(name: str) -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    want = json.loads(PATH.read_text(encoding="utf-8"))[name]
    game, share = rulesengine.load(name), Share(want["games"], chunk=16, seed=SEED)
    kernel = lane_kernel(emitted(game.machine, "lanes"), plain())
    found = run_lanes(lane_of_host_code(kernel.text), kernel, start_words(game, kernel), share)
    *wins, draws, unfinished, plies, checksum = found[TOTALS : TOTALS + kernel.totals]
    assert found[FAILED] == 0
    assert (wins, draws, unfinished) == (want["wins"], want["draws"], want["unfinished"])
    assert plies == round(want["mean_length"] * share.games)
    assert f"{checksum:016x}" == want["checksum"]


@each_game(quick=QUICK, deep=REST)
def test_the_ptx_plays_the_games_of_native_code(name: str, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    game, share, kernel = rulesengine.load(name), Share(40, chunk=4), kernel_for_gpu(name)
    lane = lane_of_ptx(ptx_of(kernel.text), tmp_path)
    found = run_lanes(lane, kernel, start_words(game, kernel), share)
    assert_equal(game, kernel, found, share)


def test_totals_do_not_depend_on_the_number_and_order_of_lanes() -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    game = rulesengine.load("tic-tac-toe")
    kernel = lane_kernel(emitted(game.machine, "lanes"), plain())
    lane, start = lane_of_host_code(kernel.text), start_words(game, kernel)
    for lanes, chunk in ((1, 1), (2, 3), (5, 2)):
        share = Share(23, chunk, lanes)

        def backwards(words: "ctypes.Array[ctypes.c_uint64]", number: int) -> None:
            lane(words, share.lanes - 1 - number)  # noqa: B023

        for one in (lane, backwards):
            assert_equal(game, kernel, run_lanes(one, kernel, start, share), share)


def test_a_lane_that_fails_reports_its_chunk() -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    game = rulesengine.load("backgammon")
    module = emitted(game.machine, "lanes")
    kernel = lane_kernel(module, plain(), items=1)  # no list of moves has room
    share = Share(4, lanes=1)
    found = run_lanes(lane_of_host_code(kernel.text), kernel, start_words(game, kernel), share)
    assert found[FAILED] == 2
    assert sorted(found[TOTALS + kernel.totals :][:2]) == [0, 1]
    assert not any(found[TOTALS : TOTALS + kernel.totals])


def test_a_stopped_job_leaves_no_chunk() -> None:
    from rulesengine.engine.kernel.backends.native.target import plain

    game = rulesengine.load("connect-four")
    kernel = lane_kernel(emitted(game.machine, "lanes"), plain())
    share = Share(50, is_stopped=True)
    found = run_lanes(lane_of_host_code(kernel.text), kernel, start_words(game, kernel), share)
    assert found[NEXT] >= share.games
    assert not any(found[FAILED : TOTALS + kernel.totals])


def test_the_ptx_is_deterministic_and_has_no_word_of_the_spec() -> None:
    texts = {ptx_of(kernel_for_gpu("hex").text) for _ in "ab"}
    (text,) = texts
    assert f".visible .entry {KERNEL}(" in text
    # The first version with compute capability 7.0, of CUDA 9.0.
    assert re.search(r"^\.version 6\.0\n\.target sm_70$", text, re.MULTILINE)
    assert not re.search(r"\b(hex|red|blue)\b", text, re.IGNORECASE)
    names = re.findall(
        r"^\.(?:visible )?\.(?:func|entry|global)\b.*?(\w+)(?:\(|;)", text, re.MULTILINE
    )
    assert KERNEL in names
    assert {word for name in names for word in re.findall("[A-Za-z]+", name)} <= WORDS


PRINT = """
import sys
import rulesengine
from tests.engine.test_cuda_playouts import kernel_for_gpu, other_texts
for name in sys.argv[1:]:
    sys.stdout.write("\\n".join((kernel_for_gpu(name).text, *other_texts(name))))
"""


def printed(seed: str, *names: str) -> bytes:
    """Return the kernels of games as text, from a process with its own hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PRINT, *names]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, check=True
    ).stdout


# Some functions of its sides cannot be merged; one that calls them was then added for each.
@pytest.mark.slow
def test_the_kernels_are_the_same_from_run_to_run() -> None:
    first = printed("1", "chat-noir")
    assert len(first) > 10_000
    assert first == printed("2", "chat-noir")


@pytest.mark.deep
def test_the_kernels_of_every_bundled_game_are_the_same_from_run_to_run() -> None:
    assert printed("3", *bundled_names()) == printed("4", *bundled_names())


def other_texts(name: str) -> list[str]:
    """Return the kernels of perft and of batches as text."""
    machine = rulesengine.load(name).machine
    return [
        count_kernel(emitted(machine, "perft")).text,
        batch_kernels(emitted(machine, "batch")).text,
    ]


@each_game(quick=QUICK, deep=REST)
def test_the_code_for_a_gpu_has_words_of_64_bits_and_needs_no_library(name: str) -> None:
    assert_plain(kernel_for_gpu(name).text)


@each_game(quick=QUICK, deep=REST)
def test_the_names_in_the_code_for_a_gpu_have_no_word_of_the_spec(name: str) -> None:
    found = re.findall(r'@"?([\w.]+)', kernel_for_gpu(name).text)
    names = {one for one in found if not one.startswith("llvm.")}
    assert "e.play_games" in names
    assert {word for one in names for word in re.findall("[A-Za-z]+", one)} <= WORDS


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect-four", "english-draughts", "go"])
def test_the_code_of_perft_and_batches_has_words_of_64_bits_too(name: str) -> None:
    for text in other_texts(name):
        assert_plain(text)


def assert_plain(text: str) -> None:
    """Assert that code has no wide integer, no vector and no call of a library."""
    widths = {int(width) for width in re.findall(r"(?<![%\w.])i(\d+)\b", text)}
    assert widths <= {1, 8, 16, 32, 64}
    assert not re.search(r"<\d+ x ", text)  # no vector
    declared = re.findall(r"^declare .*@([\w.]+)\(", text, re.MULTILINE)
    assert "llvm.nvvm.read.ptx.sreg.tid.x" in declared
    assert [found for found in declared if not ALLOWED.match(found)] == []
    assert TARGET.triple in text


# 7 ** 7 sequences, less the 7 that put all discs into one column; the published perft of Othello,
# of which the first three plies meet no edge.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [("connect-four", 7, 823_536), ("othello", 6, 8_200), ("othello-10x10", 3, 56)],
)
def test_the_ptx_counts_as_published(name: str, depth: int, count: int, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    game = rulesengine.load(name)
    kernel = count_kernel(emitted(game.machine, "perft"))
    lane = lane_of_ptx(ptx_of(kernel.text), tmp_path, COUNT_KERNEL)
    found = count_lanes(lane, kernel, start_words(game, kernel), depth)
    assert found[FAILED] == 0
    assert found[COUNT_TOTAL] == 3 * count


def test_the_totals_for_the_check_on_a_gpu_are_those_of_all_games() -> None:
    expected = json.loads(PATH.read_text(encoding="utf-8"))
    assert expected.keys() == {*bundled_names()}
    for name in ("connect-four", "tic-tac-toe", "nim"):
        want = expected[name]
        game = rulesengine.load(name, engine="python")
        assert row(game.playouts(want["games"], seed=SEED)) == want


@each_game(quick=QUICK, deep=REST)
def test_ptxas_assembles_the_code(name: str, tmp_path: Path) -> None:
    assert_assembled(kernel_for_gpu(name).text, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "connect-four",
        pytest.param("english-draughts", marks=pytest.mark.deep),
        pytest.param("go", marks=pytest.mark.deep),
    ],
)
def test_ptxas_assembles_the_code_of_perft_and_batches(name: str, tmp_path: Path) -> None:
    for text in other_texts(name):
        assert_assembled(text, tmp_path)


def assert_assembled(text: str, folder: Path) -> None:
    """Assert that NVIDIA's assembler takes the PTX of a kernel; skip without it."""
    program = shutil.which("ptxas")
    if program is None:
        pytest.skip("ptxas is not installed")
    path = folder / "kernel.ptx"
    path.write_text(ptx_of(text))
    command = [program, "-arch=sm_90", "-v", str(path), "-o", str(folder / "kernel.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Used" in done.stderr
