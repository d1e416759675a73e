"""Assemble the kernels of playouts for a GPU: registers, stack and spills of each bundled game.

    python -m tests.benchmarks.gpu_assembly FOLDER [NAME ...]

Writes `NAME.cubin` for each game and `assembly.json` with the table, after each game. Needs
`ptxas`, which no part of the package uses.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import rulesengine
from rulesengine.engine.kernel.backends.cuda.ptx import lane_kernel, ptx_of
from rulesengine.engine.kernel.emission import emitted
from rulesengine.support.resources import bundled_names

ARCHITECTURE = "sm_90"
_USED = re.compile(r"Used (\d+) registers")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


def main(folder: str, *names: str) -> None:
    """Assemble the named games, by default all."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    path = out / "assembly.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    for name in names or bundled_names():
        found[name] = assemble(name, out)
        path.write_text(json.dumps(found, indent=1), encoding="utf-8")
        print(name, found[name], flush=True)


def assemble(name: str, out: Path) -> dict[str, Any]:
    """Assemble one game; return the figures of its kernel."""
    begun = time.perf_counter()
    kernel = lane_kernel(emitted(rulesengine.load(name).machine, "lanes"))
    ptx = ptx_of(kernel.text)
    compiled = time.perf_counter() - begun
    source, cubin = out / f"{name}.ptx", out / f"{name}.cubin"
    source.write_text(ptx, encoding="utf-8")
    command = ["ptxas", f"-arch={ARCHITECTURE}", "-v", str(source), "-o", str(cubin)]
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    took = time.perf_counter() - begun
    source.unlink()
    registers = max(int(number) for number in _USED.findall(done.stderr))
    frames = [tuple(map(int, frame)) for frame in _FRAME.findall(done.stderr)]
    return {
        "registers": registers,
        "stack": max(stack for stack, _, _ in frames),
        "spilled": sum(stores for _, stores, _ in frames),
        "recurses": kernel.recurses,
        "context": kernel.context,
        "ptx": len(ptx),
        "llvm_seconds": round(compiled, 2),
        "ptxas_seconds": round(took, 2),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
