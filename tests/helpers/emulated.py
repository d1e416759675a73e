"""Kernels of other processors: object code linked with a C program and run by an emulator."""

import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from rulesengine.engine.kernel.backends.code_image import entries_of
from rulesengine.engine.kernel.backends.native import compiler_process
from rulesengine.engine.kernel.backends.native.emit import emit, layout_of, record_of
from rulesengine.engine.kernel.backends.native.engine import _format, _wide
from rulesengine.engine.kernel.backends.native.target import Target
from rulesengine.engine.kernel.code.form import Module

_JOB_BYTES = 128
_PROGRAM = """\
#include <stdint.h>
#include <stdio.h>
int32_t entry(void *context, void *given, void *out) __asm__("e.%(name)s");
static _Alignas(64) unsigned char context[%(context)d], job[%(job)d];
static uint64_t given[] = {%(given)s}, out[%(results)d];
int main(void) {
  given[%(last)d] = (uint64_t)(uintptr_t)job;
  if (entry(context, given, out)) return 3;
  for (int i = 0; i < %(results)d; i++) printf("%%llu\\n", (unsigned long long)out[i]);
  return 0;
}
"""


@dataclass(frozen=True)
class Emulator:
    """A processor, a C compiler for it, and the program that runs its executables."""

    target: Target
    compiler: str
    program: str

    def missing(self) -> str:
        """Return the programs that are not installed, with commas; empty if all are."""
        return ", ".join(name for name in (self.compiler, self.program) if which(name) is None)

    def call(self, module: Module, name: str, args: Sequence[int], folder: Path) -> list[int]:
        """Return the words that an entry point returns; the last argument is memory of a job."""
        target = self.target
        text = emit(module, target)
        data = compiler_process.object_code(text, target.triple, target.cpu, target.flags, 2)
        (folder / "kernel.o").write_bytes(data)
        words = layout_of(module, target).words
        params, results = entries_of(module)[name]
        values: list[int | bytes] = list(args)
        for place in _wide(params, words):
            values[place] = args[place].to_bytes(8 * words, "little")
        packed = struct.pack(_format(params, words), *values)
        given = struct.unpack(f"<{len(packed) // 8}Q", packed)
        source = _PROGRAM % {
            "name": name,
            "context": max(record_of(module).size, 8),
            "job": _JOB_BYTES,
            "given": ", ".join(f"{word}u" for word in given),
            "results": struct.calcsize(_format(results, words)) // 8,
            "last": len(given) - 1,
        }
        (folder / "main.c").write_text(source)
        link = [self.compiler, "-static", "-o", "run", "main.c", "kernel.o"]
        subprocess.run(link, cwd=folder, check=True, timeout=120)
        ran = subprocess.run(
            [self.program, "./run"], cwd=folder, check=True, capture_output=True, timeout=600
        )
        return [int(line) for line in ran.stdout.split()]
