"""Object code loaded into fragmented memory: `python -m tests.helpers.scattered MODE FILE`.

With `apart`, only single pages are free above a wall of 3 GiB: data of one page lands there, larger
data far below. With `crowded`, a process can create hardly any further mapping.
"""

import mmap
import sys
from contextlib import suppress
from pathlib import Path

from rulesengine.engine.kernel.backends.native.engine import host_target
from rulesengine.engine.kernel.backends.native.loader import LoadedCode
from rulesengine.engine.kernel.backends.native.object_code import CompileError

WALL = 3 * 1024**3
PAGES, OBJECTS, MANY = 8192, 30, 100_000
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
READ, BOTH = mmap.PROT_READ, mmap.PROT_READ | mmap.PROT_WRITE


def apart(data: bytes) -> str:
    first = LoadedCode(data, host_target())  # LLVM's own resources are loaded
    wall = mmap.mmap(-1, WALL, PRIVATE, READ)
    pages = [page(number) for number in range(PAGES)]
    for single in pages[::2]:
        single.close()
    kept = [first, *(LoadedCode(data, host_target()) for _ in range(OBJECTS))]
    found = {code.symbol("e.look") for code in kept}
    return f"{len(found)} objects, {len(wall)} bytes between"


def crowded(data: bytes) -> str:
    first, pages = LoadedCode(data, host_target()), list[mmap.mmap]()
    with suppress(OSError):
        while len(pages) < MANY:
            pages.append(page(len(pages)))
    for single in pages[1000:1006:2]:
        single.close()
    try:
        second = LoadedCode(data, host_target())
    except CompileError as error:
        return str(error)
    return "no limit" if len(pages) == MANY else f"both: {first}, {second}"


def page(number: int) -> mmap.mmap:
    """Map a page with other protection than its neighbours, as a mapping of its own."""
    return mmap.mmap(-1, mmap.PAGESIZE, PRIVATE, (READ, BOTH)[number % 2])


def main(mode: str, file: str) -> None:
    result = {"apart": apart, "crowded": crowded}[mode](Path(file).read_bytes())
    sys.stdout.write(f"{result}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
