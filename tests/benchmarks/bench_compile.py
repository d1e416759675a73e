"""Benchmark of compilation: emission, text, and each tier of machine code, for all games."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from rulesengine import Game, RulesError, load
from rulesengine.engine.kernel.backends.native.compiler_process import (
    FULL,
    LIGHT,
    QUICK,
    timed_object_code,
)
from rulesengine.engine.kernel.backends.native.emit import emit
from rulesengine.engine.kernel.backends.native.target import host
from rulesengine.engine.kernel.code.side_merging import merge_large
from rulesengine.engine.kernel.emission import emitted
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.support.resources import bundled_names

_LEVELS = QUICK, LIGHT, FULL
_SEATS = 8  # as in the back end
_HEAD = ("game", "part", "kB", "emission", "text", "first", "second", "passes", "codegen", "last")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("games", nargs="*", help="names or files, by default all bundled games")
    words.add_argument("--parts", default="singles,perft,playouts,search,tree")
    words.add_argument("--levels", default="0,1,2", help="optimisation levels to compile")
    words.add_argument("--skip", default="", metavar="GAME:PART", help="last tiers to leave out")
    options = words.parse_args()
    levels, skipped = {int(level) for level in options.levels.split(",")}, options.skip.split(",")
    _print(f"{_processor()}, CPU seconds")
    _print(_line(*_HEAD))
    for name in options.games or bundled_names():
        game = load(name)
        for part in options.parts.split(","):
            left = levels - ({FULL} if f"{name}:{part}" in skipped else set())
            _print(_line(name, part, *_figures(game, part, left)))


def _figures(game: Game, part: str, levels: set[int]) -> Iterator[str]:
    """Yield kilobytes of assembly, and seconds of each stage of one part.

    `first` and `second` are the tiers after the text; `last` has the passes of the last tier, its
    code generation, and their sum with parsing.
    """
    target, begun = host(), process_time()
    try:
        module = merge_large(emitted(game.machine, part, _SEATS))
    except (Unsupported, RulesError) as problem:
        yield str(problem)
        return
    made = process_time()
    text = emit(module, target)
    yield f"{len(text) // 1000:,}"
    yield from map(_seconds, (made - begun, process_time() - made))
    for level in _LEVELS:
        if level not in levels:
            yield from ["-"] * (3 if level == FULL else 1)
            continue
        _, (parsed, passes, codegen) = timed_object_code(
            text, target.triple, target.cpu, target.flags, level
        )
        if level == FULL:
            yield from map(_seconds, (passes, codegen))
        yield _seconds(parsed + passes + codegen)


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f}"


def _line(name: str, part: str, *figures: str) -> str:
    return f"{name:26} {part:9} " + " ".join(f"{figure:>8}" for figure in figures)


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return f"{next(names, 'unknown processor')} ({host().cpu})"


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
