"""Comparison of the LLVM IR of all kernels with another checkout, by kinds; see README.md."""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

V3 = frozenset("sse4.2 popcnt avx avx2 bmi bmi2 lzcnt fma".split())
V4 = V3 | frozenset("avx512f avx512vl avx512cd avx512bw avx512dq".split())
TARGETS = {"v3": ("x86-64-v3", V3), "v4": ("x86-64-v4", V4)}
TRIPLE = "x86_64-pc-linux-gnu"

# The modules that generate texts in the two trees; the first existing one is used.
EMITTED = ("rulesengine.engine.kernel.emission", "rulesengine.kernel.emission")
PARTS = ("rulesengine.engine.kernel.kernels", "rulesengine.kernel.kernels")
PRINTING = ("rulesengine.engine.kernel.backends.native", "rulesengine.kernel.backends.native")

# The kinds of differences, as patterns for a line after + or -; the first match counts.
SHAPES: dict[str, str] = {
    "room": r"@room|target",
    "declared": r"declare|@table|alloca",
    "lane": r"define|call fastcc .*\"f\.|inttoptr|getelementptr i64, ptr %, i64 \d+$"
    r"|load i64, ptr %, align 8$",
    "stop": r"volatile|i8, ptr %, i64 0$|ptr %ctx, i64 (16|32)$|store i64 [01%], ptr %, align 8$"
    r"|slt i64 2, %|ret i32|(zext|trunc) .* to i32|add i32|ptrtoint|sub i64 %, 393216"
    r"|store i64 0, ptr %ctx",
    "count": r"atomic|i8, ptr %, i64 8$|(add|sub) i64 %, [%1]$|smin",
    "passes": r"slt i64 100,|add i64 %, 8$|and i64 %, 7$|[+].*(ashr|select i1 %, i64 %, i64 %)",
    "ways": r"ptr %ctx, align 8|icmp ne i64 %, 0$|[+-](br|ret) |insertvalue|phi i1 "
    r"|= (or|xor|and) i1 ",
    "lists": r"!tbaa|ptr %ctx|icmp uge i64 %, \d|umin|and i64 (\d+, 63|%, (63|255|511|4095|8191))$"
    r"|i8, ptr %, i64 64$|inbounds i64, ptr %, i64 [%0]$",
    "unread": r"and i64 %, 1$|ashr|icmp eq i64 %, 1$|shl i64 1, %",
    "variables": r"(load|store) (i64|i128|i1)\b.*ptr %$",
    "reduction": r"<1 x|reduce|extractelement",
}
# Kinds common to all texts, or to all texts of a part; they are not listed.
EVERYWHERE = frozenset({"room", "declared", "lane", "stop", "count", "ways", "lists", "shares"})
CALLS = frozenset("decide ending scores apply try item nth stems pack unpack tail".split())


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("other", type=Path, help="the root of another checkout")
    words.add_argument("--games", nargs="*", default=[], help="some alone, by their names there")
    words.add_argument("--lines", action="store_true", help="print each line that differs")
    words.add_argument("--texts", action="store_true", help=argparse.SUPPRESS)
    options = words.parse_args()
    folder = options.other.resolve() / "games"
    names = options.games or sorted(path.stem for path in folder.glob("*.yaml"))
    if options.texts:
        for name in names:
            json.dump(texts(folder / f"{name}.yaml"), sys.stdout)
            print(flush=True)
        return
    pair = [made_by(tree, options.other, names) for tree in (options.other, Path.cwd())]
    rows: dict[tuple[str, str], dict[str, list[str]]] = {}
    for name, old, new in zip(names, *pair, strict=True):
        for key in sorted(old.keys() & new.keys()):
            part, target = key.split()[0], key.split()[-1]
            difference = kinds(old[key], new[key], part)
            games = rows.setdefault((part, difference), {})
            if target not in games.setdefault(name, []):
                games[name].append(target)
            for kind, line, count in (
                sorted(differences(old[key], new[key])) if options.lines else ()
            ):
                print(f"{name} {key} {kind:9} {count:+4} {line}")
    show(rows)


def made_by(tree: Path, other: Path, names: list[str]) -> Iterator[dict[str, str]]:
    """Yield the texts of each game as a checkout generates them."""
    command = [sys.executable, str(Path(__file__).resolve()), str(other.resolve()), "--texts"]
    env = {**os.environ, "PYTHONPATH": str(tree.resolve())}
    process = subprocess.Popen(
        [*command, "--games", *names], cwd=tree, env=env, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    yield from map(json.loads, process.stdout)
    if process.wait():
        raise SystemExit(f"{tree} makes no texts")


def texts(path: Path) -> dict[str, str]:
    """Return the text of each part of a game for each target, by `part target`."""
    game = importlib.import_module("rulesengine").load(str(path), engine="interpreter")
    machine = getattr(game, "machine", None) or game._machine
    emitting, parts, native = map(first_there, (EMITTED, PARTS, PRINTING))
    emit = importlib.import_module(f"{native.__name__}.emit").emit
    target = importlib.import_module(f"{native.__name__}.target").Target
    seats = 8 if emitting.__name__ in EMITTED else "native"
    found = {}
    for part in parts.parts_of(machine):
        module = emitting.emitted(machine, part, seats)
        for name, (processor, features) in TARGETS.items():
            found[f"{part} {name}"] = emit(module, target(TRIPLE, processor, features))
    return found


def first_there(names: tuple[str, ...]):  # type: ignore[no-untyped-def]
    """Import the first existing module of the given names."""
    for name in names:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise SystemExit(f"none of {', '.join(names)} is there")


def functions(text: str) -> dict[str, list[str]]:
    """Return the lines of each function, and those outside, without names of values and labels.

    The lines of the playout loop are compared wherever it is.
    """
    found: dict[str, list[str]] = {"": []}
    lines = found[""]
    for line in text.splitlines():
        plain = re.sub(r"%(?!ctx\b)[\w.]+", "%", line).strip()
        if head := re.match(r'define .*?@"?([\w.]+)', plain):
            lines = found[head[1]] = []
        if plain and plain not in ("}", "br label %") and not re.fullmatch(r"[\w.]+:", plain):
            lines.append(plain)
        if plain == "}":
            lines = found[""]
    if "f.share" in found:
        found["f.shares"], found["f.playouts"] = found["f.playouts"], found.pop("f.share")
    return found


def differences(old: str, new: str) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the line and the count of lines that occur more often in one text."""
    before, after = functions(old), functions(new)
    for name in sorted(before.keys() | after.keys()):
        if name not in after or name not in before:
            stem = re.sub(r"^\w\.|_\d+|\d", "", name)
            yield stem, name, 1 if name in after else -1
            continue
        ours, theirs = Counter(after[name]), Counter(before[name])
        for line in sorted(ours.keys() | theirs.keys()):
            if more := ours[line] - theirs[line]:
                yield kind_of(line, more), line, more
        if ours == theirs and before[name] != after[name]:
            yield "order", name, 1


def kind_of(line: str, more: int) -> str:
    """Return the kind of a line that occurs more often, or less often if `more` is negative."""
    signed = f"{'+' if more > 0 else '-'}{line}"
    return next((kind for kind, shape in SHAPES.items() if re.search(shape, signed)), "sets")


def kinds(old: str, new: str, part: str) -> str:
    """Return the kinds of differences of a text, without those common to its part."""
    hidden = EVERYWHERE | (CALLS if part == "singles" else frozenset())
    found = {kind for kind, _, _ in differences(old, new)} - hidden
    return ", ".join(sorted(found)) or "nothing else"


def show(rows: dict[tuple[str, str], dict[str, list[str]]]) -> None:
    """Print a table: for each part and set of kinds, the games and targets that differ."""
    for (part, difference), games in sorted(rows.items()):
        names = [
            name if len(targets) == len(TARGETS) else f"{name} ({', '.join(sorted(targets))})"
            for name, targets in games.items()
        ]
        print(f"| {part} | {difference} | {', '.join(names)} |")


if __name__ == "__main__":
    main()
