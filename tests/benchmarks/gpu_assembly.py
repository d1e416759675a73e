"""Assemble the kernels of playouts for a GPU: registers, stack and spills of each bundled game.

    python -m tests.benchmarks.gpu_assembly FOLDER [NAME ...]

Writes `NAME.cubin` for each game and `assembly.json` with the table, after each game. Needs
`ptxas`, which no part of the package uses; with `nvdisasm` it counts machine instructions. Times
are processor times of this process and its children: as a whole program, and relocatable, as
NVIDIA's linker compiles PTX. Large kernels are relocatable at the level of the package.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import rulesengine
from rulesengine.engine.kernel.backends.cuda.cuda_driver import LARGE_LEVEL, LARGE_PTX
from rulesengine.engine.kernel.backends.cuda.ptx import lane_kernel, ptx_of
from rulesengine.engine.kernel.emission import emitted
from rulesengine.support.resources import bundled_names

ARCHITECTURE = "sm_90"
_USED = re.compile(r"Used (\d+) registers")
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?!NOP)\S", re.MULTILINE)
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
    begun = _processor_time()
    kernel = lane_kernel(emitted(rulesengine.load(name).machine, "lanes"))
    ptx = ptx_of(kernel.text)
    compiled = _processor_time() - begun
    source, cubin = out / f"{name}.ptx", out / f"{name}.cubin"
    source.write_text(ptx, encoding="utf-8")
    command = ["ptxas", f"-arch={ARCHITECTURE}", "-v", str(source), "-o", str(cubin)]
    level = [f"-O{LARGE_LEVEL}"] if len(ptx) > LARGE_PTX else []
    begun = _processor_time()
    subprocess.run([*command, "-c", *level], capture_output=True, check=True)
    relocatable = _processor_time() - begun
    begun = _processor_time()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    took = _processor_time() - begun
    source.unlink()
    registers = max(int(number) for number in _USED.findall(done.stderr))
    frames = [tuple(map(int, frame)) for frame in _FRAME.findall(done.stderr)]
    return {
        "registers": registers,
        "stack": max(stack for stack, _, _ in frames),
        "spilled": sum(stores for _, stores, _ in frames),
        "recurses": kernel.recurses,
        "context": kernel.context,
        "instructions": machine_instructions(cubin),
        "ptx": len(ptx),
        "llvm_seconds": round(compiled, 2),
        "ptxas_seconds": round(took, 2),
        "relocatable_seconds": round(relocatable, 2),
    }


def machine_instructions(cubin: Path) -> int | None:
    """Return the number of machine instructions of a file; None without `nvdisasm`."""
    program = shutil.which("nvdisasm")
    if program is None:
        return None
    command = [program, "-c", str(cubin)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return len(_INSTRUCTION.findall(done.stdout))


def _processor_time() -> float:
    """Return the processor time of this process and of its children that have ended."""
    used = [getrusage(part) for part in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main(*sys.argv[1:])
