"""The reference programs in C, one for each workload: how to build and run them."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "rulers"
FLAGS = ("-O3", "-march=native")

# The required processor features, as predefined macros of the compiler.
NEEDED = ("__AVX512VBMI__", "__AVX512VPOPCNTDQ__", "__AVX512CD__", "__GFNI__", "__BMI2__")


@dataclass(frozen=True, slots=True)
class Ruler:
    """A source in `rulers/`, and its preprocessor macros."""

    source: str
    defines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """The output of a program for random games; `seconds` is CPU time."""

    games: int
    wins: list[int]
    draws: int
    unfinished: int
    plies: int
    checksum: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Counted:
    """The output of a program for a perft; `leaves` is a hash of the last positions."""

    nodes: int
    leaves: int
    seconds: float


def missing() -> str:
    """Return the reason why the programs cannot be built here, or an empty text."""
    if shutil.which("cc") is None:
        return "there is no C compiler `cc`"
    command = ["cc", *FLAGS, "-dM", "-E", "-x", "c", "/dev/null"]
    macros = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    absent = [name.strip("_") for name in NEEDED if name not in macros]
    return f"the processor has no {', '.join(absent)}" if absent else ""


def build(ruler: Ruler, folder: Path) -> Path:
    """Build the program of a ruler in a folder, and return its path."""
    words = (Path(ruler.source).stem, *ruler.defines)
    target = folder / "-".join("".join(c for c in word if c.isalnum()) for word in words)
    if not target.exists():
        defines = (f"-D{define}" for define in ruler.defines)
        source = str(FOLDER / ruler.source)
        subprocess.run(["cc", *FLAGS, *defines, "-o", str(target), source], check=True)
    return target


def play(program: Path, games: int, seed: int) -> Played:
    return Played(**_said(program, "playouts", games, seed))


def count(program: Path, depth: int, *, bulk: bool) -> Counted:
    return Counted(**_said(program, "bulk" if bulk else "perft", depth))


def _said(program: Path, *words: object) -> dict[str, Any]:
    command = [str(program), *map(str, words)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(output)
    return found
