"""Compare playouts, perft and batches on a GPU with those of the CPU.

    python -m tests.device.equality OUT.json six|rest [CUBINS]

Writes OUT.json after each game. `CUBINS` is a folder of `tests/benchmarks/gpu_assembly.py`; without
it the driver assembles. The exit code is 1 if a result differs.
"""

import json
import sys
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np

import rulesengine
from rulesengine import Job, RulesError
from rulesengine.engine.kernel.backends.cuda.cuda_driver import CudaDriver, cuda_driver
from rulesengine.engine.kernel.backends.cuda.driver import Driver
from tests.device.expect import PATH, SEED, row

# One word, two words, recursion, a history, chance, many moves.
SIX = ("connect-four", "othello", "nogo", "atari-go", "english-draughts", "go")
# Connect Four has 7 ** 7 sequences less 7; the perft of Othello is published.
PERFT = (("connect-four", 7, 823_536), ("othello", 7, 55_092), ("othello", 8, 390_216))
BATCHES = {
    "six": ("connect-four", "othello", "nogo"),
    "rest": ("konane", "english-draughts", "backgammon"),
}
SECONDS = 20.0  # of a game, after which its job is stopped
GAMES, STEPS = 1000, 60  # of a batch


class PrebuiltDriver(CudaDriver):
    """The driver of this machine, with machine code of a file in place of its assembler."""

    def __init__(self, found: CudaDriver, cubin: Path) -> None:
        super().__init__(found._cu)
        self._cubin = cubin

    def assemble(self, ptx: bytes) -> bytes:
        return self._cubin.read_bytes() if self._cubin.exists() else super().assemble(ptx)


def main(out: str, which: str, cubins: str = "") -> int:
    """Run the comparisons; return the exit code."""
    expected = json.loads(PATH.read_text(encoding="utf-8"))
    names = SIX if which == "six" else sorted(set(expected) - set(SIX))
    found: dict[str, Any] = {"device": cuda_driver().facts(0).name, "playouts": {}}
    write = partial(_write, Path(out), found)
    for name in names:
        found["playouts"][name] = _outcome(partial(play, name, expected[name], cubins))
        write()
    if which == "six":
        for name, depth, count in PERFT:
            found[f"perft {name} {depth}"] = _outcome(partial(check_perft, name, depth, count))
            write()
    for name in BATCHES[which]:
        found[f"batch {name}"] = _outcome(partial(check_batch, name))
        write()
    results = [*found["playouts"].values(), *(v for k, v in found.items() if " " in k)]
    return int(any(result != "equal" for result in results))


def play(name: str, want: dict[str, Any], cubins: str) -> str:
    """Compare the playouts of a game."""
    game, job = rulesengine.load(name), Job()
    if cubins:
        game._dispatcher.open_driver = partial(_prebuilt, Path(cubins) / f"{name}.cubin")
    timer = Timer(SECONDS, job.stop)
    timer.daemon = True
    timer.start()
    try:
        got = row(game.playouts(want["games"], seed=SEED, device="cuda", job=job))
    finally:
        timer.cancel()
    return "equal" if got == want else f"differs: {got}"


def check_perft(name: str, depth: int, count: int) -> str:
    """Compare a perft with a published number."""
    got = rulesengine.load(name).perft(depth, device="cuda")
    return "equal" if got == count else f"differs: {got}"


def check_batch(name: str) -> str:
    """Compare the steps of a batch with those of the CPU."""
    game = rulesengine.load(name, engine="native")  # the interpreter would take long
    pair = [game.batch(GAMES, seed=3, restart=True, device=device) for device in ("cuda", "cpu")]
    for step in range(STEPS):
        for part in ("mask", "mover", "over", "payoffs", "plies"):
            one, other = (np.asarray(_part(batch, part)) for batch in pair)
            if not np.array_equal(one, other):
                return f"differs: {part} before step {step}"
        seen, want = (np.asarray(batch.observe()) for batch in pair)
        if not np.array_equal(seen, want):
            return f"differs: observations before step {step}"
        drawn = pair[1].sample()
        if not np.array_equal(np.asarray(pair[0].sample()), drawn):
            return f"differs: samples before step {step}"
        refused = [batch.step(drawn).tolist() for batch in pair]
        if refused != [[], []]:
            return f"differs: refused actions in step {step}"
    return "equal"


def _part(batch: Any, name: str) -> Any:
    return {
        "mask": batch.mask,
        "mover": batch.mover,
        "over": batch.over,
        "payoffs": batch.payoffs,
        "plies": batch.plies,
    }[name]


def _prebuilt(cubin: Path) -> Driver:
    return PrebuiltDriver(cuda_driver(), cubin)


def _outcome(check: Any) -> str:
    """Return the result of a check, or its error."""
    try:
        return str(check())
    except (RulesError, RuntimeError, OSError) as error:
        return f"{type(error).__name__}: {error}"


def _write(path: Path, found: dict[str, Any]) -> None:
    path.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
