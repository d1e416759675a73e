"""The script of the check on a GPU, without one."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("run.sh")
MOST = 11 * 60  # seconds of all stages; a machine with a GPU is lent for 15 minutes


def dry_run(out: Path, *stages: str) -> "subprocess.CompletedProcess[str]":
    """Run stages without their commands."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "DRY": "1", "OUT": str(out), "PATH": path}
    command = ["bash", str(SCRIPT), *stages]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_all_stages_find_their_modules_and_fit_the_time(tmp_path: Path) -> None:
    done = dry_run(tmp_path, "A", "B", "C")
    assert done.returncode == 0, done.stderr
    steps = re.findall(r"^timeout (\d+) python3 -m ([\w.]+)", done.stdout, re.MULTILINE)
    modules = [module for _, module in steps]
    assert modules == [
        "tests.device.equality",
        "tests.device.equality",
        "tests.benchmarks.gpu_rates",
        "tests.benchmarks.pgx_rates",
        "examples.zero",
    ]
    assert int(steps[0][0]) <= 90
    assert sum(int(limit) for limit, _ in steps) + 3 * 20 <= MOST  # three runs of the sanitizer
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_stage_is_an_error(tmp_path: Path) -> None:
    done = dry_run(tmp_path, "Z")
    assert (done.returncode, done.stderr) == (2, "unknown stage: Z\n")
