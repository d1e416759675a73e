"""The calls of `cuda-bindings`, against a library that replaces the driver of NVIDIA GPUs."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import rulesengine
from rulesengine.engine.kernel.backends.cuda.batch_lanes import batch_kernels
from rulesengine.engine.kernel.backends.cuda.batch_run import NAMES
from rulesengine.engine.kernel.backends.cuda.ptx import lane_kernel, ptx_of
from rulesengine.engine.kernel.emission import emitted
from tests.helpers.lane_runs import lane_of_ptx, library_of_ptx

pytest.importorskip("llvmlite", reason="llvmlite is not installed")
if find_spec("cuda") is None or find_spec("cuda.bindings") is None:
    pytest.skip("cuda-bindings is not installed", allow_module_level=True)
if shutil.which("gcc") is None:
    pytest.skip("gcc is not installed", allow_module_level=True)

STUB = Path(__file__).parents[1] / "helpers" / "stub_cuda.c"


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the library; return its folder."""
    folder = tmp_path_factory.mktemp("stub")
    library = folder / "libcuda.so.1"
    command = ["gcc", "-w", "-shared", "-fPIC", "-o", str(library), str(STUB), "-ldl"]
    subprocess.run(command, check=True)
    return folder


def run(stub: Path, name: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `playout` on a game in a process with the library."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(stub), **variables}
    command = [sys.executable, "-m", "rulesengine", "playout", name, *words, "--seed", "5"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("connect-four", ["assemble", "launch", "unload"]),
        ("english-draughts", ["assemble", "stack", "launch", "unload"]),
    ],
)
def test_a_command_plays_on_the_gpu(
    name: str, calls: list[str], stub: Path, tmp_path: Path
) -> None:
    ptx = ptx_of(lane_kernel(emitted(rulesengine.load(name).machine, "lanes")).text)
    lane_of_ptx(ptx, tmp_path)
    log = tmp_path / "log"
    variables = {"STUB_CUDA_LANE": str(tmp_path / "kernel.so"), "STUB_CUDA_LOG": str(log)}
    done = run(stub, name, "200", "--device", "cuda", **variables, RULESENGINE_CACHE="")
    assert done.returncode == 0, done.stderr
    assert done.stdout == run(stub, name, "200").stdout
    assert log.read_text(encoding="utf-8").split() == calls


ASSEMBLE = """
from rulesengine.engine.kernel.backends.cuda.cuda_driver import LARGE_PTX, cuda_driver
driver = cuda_driver()
for size in (LARGE_PTX, LARGE_PTX + 1):
    driver.assemble(bytes(size))
"""


def test_a_large_kernel_is_assembled_at_a_lower_level(stub: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    variables = {"STUB_CUDA_LANE": "none", "STUB_CUDA_LOG": str(log)}
    environment = {**os.environ, "LD_LIBRARY_PATH": str(stub), **variables}
    subprocess.run([sys.executable, "-c", ASSEMBLE], check=True, env=environment)
    assert log.read_text(encoding="utf-8").split() == ["assemble", "level1", "assemble"]


# Two batches with equal actions, one of them on the GPU.
BATCHES = """
import numpy as np
import rulesengine
game = rulesengine.load("connect-four")
found, want = (game.batch(50, seed=3, restart=True, device=name) for name in ("cuda", "cpu"))
for _ in range(60):
    assert np.array_equal(found.sample().numpy(), want.sample())
    assert np.array_equal(found.observe().numpy(), want.observe())
    assert found.step(found.sample()).tolist() == want.step(want.sample()).tolist()
    for one, other in ((found.mask, want.mask), (found.payoffs, want.payoffs)):
        assert np.array_equal(one.numpy(), other)
del found
print("equal")
"""


def test_a_batch_steps_on_the_gpu(stub: Path, tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    game = rulesengine.load("connect-four")
    ptx = ptx_of(batch_kernels(emitted(game.machine, "batch")).text)
    library = library_of_ptx(ptx, tmp_path, *(f"lanes_{name}" for name in NAMES))
    variables = {"STUB_CUDA_LANE": str(library), "RULESENGINE_CACHE": ""}
    environment = {**os.environ, "LD_LIBRARY_PATH": str(stub), **variables}
    command = [sys.executable, "-c", BATCHES]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("equal\n", "")


def test_an_empty_list_of_visible_gpus_is_an_error(stub: Path) -> None:
    done = run(stub, "connect-four", "20", "--device", "cuda", CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 2
    assert "no device `cuda`: no NVIDIA GPU is visible (CUDA_ERROR_NO_DEVICE)" in done.stderr
    assert "`CUDA_VISIBLE_DEVICES`" in done.stderr
    other = run(stub, "connect-four", "20", "--device", "auto", CUDA_VISIBLE_DEVICES="")
    assert (other.returncode, other.stdout) == (0, run(stub, "connect-four", "20").stdout)
    assert "no NVIDIA GPU is visible" in other.stderr


def test_a_driver_older_than_the_ptx_is_an_error(stub: Path) -> None:
    words = "tic-tac-toe", "20", "--device", "cuda"
    done = run(stub, *words, STUB_CUDA_REFUSAL="222", RULESENGINE_CACHE="")
    assert done.returncode == 2
    assert "the GPU's driver is too old for the kernel" in done.stderr
    assert "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" in done.stderr


# A child process with the game of its parent, and with one of its own.
FORK = """
import os
import rulesengine
def error(game):
    try:
        game.playouts(20, device="cuda")
    except rulesengine.UsageError as found:
        return str(found)
game = rulesengine.load("tic-tac-toe")
want = game.playouts(20, seed=1)
assert game.playouts(20, seed=1, device="cuda") == want
pid = os.fork()
if pid:
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
else:
    for one in (game, rulesengine.load("tic-tac-toe")):
        assert one.playouts(20, seed=1, device="auto") == want
        print(error(one), flush=True)
    os._exit(0)
"""


def test_a_child_process_uses_the_cpu(stub: Path, tmp_path: Path) -> None:
    ptx = ptx_of(lane_kernel(emitted(rulesengine.load("tic-tac-toe").machine, "lanes")).text)
    lane_of_ptx(ptx, tmp_path)
    variables = {"STUB_CUDA_LANE": str(tmp_path / "kernel.so"), "RULESENGINE_CACHE": ""}
    environment = {**os.environ, "LD_LIBRARY_PATH": str(stub), **variables}
    command = [sys.executable, "-c", FORK]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    text = "a GPU cannot be used by a process that forked after its first use\n"
    assert (done.stdout, done.stderr) == (text * 2 + "0\n", "")


def test_without_a_driver_the_command_says_so() -> None:
    words = ["playout", "connect-four", "20", "--device", "cuda"]
    command = [sys.executable, "-m", "rulesengine", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        pytest.skip("this machine has a GPU")
    assert done.returncode == 2
    assert "no driver of an NVIDIA GPU is installed" in done.stderr
