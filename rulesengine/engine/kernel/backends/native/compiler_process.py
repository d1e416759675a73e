"""Compile LLVM assembly to object code, as a function and as the program of a child process.

The program imports nothing of the package, so it starts in a few hundredths of a second.
"""

import os
import signal
import sys
from contextlib import suppress
from time import process_time

COMPILED, REFUSED = 0, 3
QUICK, LIGHT, FULL = 0, 1, 2  # optimisation levels
# the prefix of triples with statically linked code, which is not position-independent
WASM = "wasm"
GPU = "nvptx"  # the prefix of triples that are compiled to PTX, a text
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def object_code(text: str, triple: str, cpu: str, flags: str, level: int) -> bytes:
    """Return the object code of a module, compiled at an optimisation level from 0 to 3.

    For a GPU it is PTX, the assembly that the driver compiles. Raises RuntimeError if LLVM rejects
    the text.
    """
    return timed_object_code(text, triple, cpu, flags, level)[0]


def timed_object_code(
    text: str, triple: str, cpu: str, flags: str, level: int
) -> tuple[bytes, tuple[float, float, float]]:
    """Return object code, and the CPU seconds of parsing, passes and code generation.

    - Level 0 has no passes, and the fastest code generation.
    - Level 1 keeps variables in registers, and selects instructions and registers with care.
    - Levels 2 and 3 are LLVM's.
    """
    start_time = process_time()
    import llvmlite

    llvmlite.opaque_pointers_enabled = True  # the default since llvmlite 0.45
    import llvmlite.binding as llvm

    is_gpu, is_wasm = triple.startswith(GPU), triple.startswith(WASM)
    if is_gpu or is_wasm:
        initialize_all()
    else:
        initialize()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(
        cpu=cpu,
        features=flags,
        opt=level,
        reloc="static" if is_wasm else "default" if is_gpu else "pic",
        codemodel="default" if is_gpu else "small",
    )
    module = llvm.parse_assembly(text, llvm.create_context())
    parsed = process_time()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    if is_gpu:  # a lane has no vector registers
        options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    light = llvm.create_new_module_pass_manager() if level == LIGHT else None
    if light is not None and hasattr(light, "add_sroa_pass"):  # llvmlite 0.44 has no such method
        light.add_sroa_pass()
        light.run(module, builder)
    else:
        builder.getModulePassManager().run(module, builder)
    passed = process_time()
    data = machine.emit_assembly(module).encode() if is_gpu else bytes(machine.emit_object(module))
    return data, (parsed - start_time, passed - parsed, process_time() - passed)


def initialize() -> None:
    """Initialise LLVM for the processor of this machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def initialize_all() -> None:
    """Initialise LLVM for all of its targets."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def main() -> int:
    """Read assembly from standard input and write its object code to standard output.

    The arguments are the folder of llvmlite, triple, processor, features, level, memory in bytes,
    processor time in seconds and niceness.
    """
    folder, triple, cpu, flags, level, memory, seconds, niceness = sys.argv[1:]
    # Ctrl-C interrupts a whole process group; the parent ends this process if it gives up.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path.append(folder)
    with suppress(OSError, AttributeError):
        os.nice(int(niceness))
    _restrict(int(memory), int(seconds))
    _end_with_parent()
    text = sys.stdin.buffer.read().decode()
    try:
        data = object_code(text, triple, cpu, flags, int(level))
    except (RuntimeError, MemoryError) as error:
        sys.stderr.write(str(error)[:2000])
        return REFUSED
    sys.stdout.buffer.write(data)
    return COMPILED


def _restrict(memory: int, seconds: int) -> None:
    """Limit memory and processor time of this process; SIGXCPU signals the end of the time."""
    try:
        import resource
    except ImportError:
        return
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    limits = {
        resource.RLIMIT_AS: (memory, memory),
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_CORE: (0, 0),
    }
    for kind, limit in limits.items():
        try:
            resource.setrlimit(kind, limit)
        except (OSError, ValueError):
            continue


def _end_with_parent() -> None:
    """Terminate this process when its parent ends; only Linux has a call for that."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
