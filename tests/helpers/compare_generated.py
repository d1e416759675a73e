"""Compares kernels with the interpreter on generated specs: bans, chains, groups.

python -m tests.helpers.compare_generated bans 2000 800
"""

import argparse
import sys
from collections.abc import Callable

from rulesengine import RulesError, SpecError
from rulesengine.engine.kernel.selection import Engine
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from tests.helpers.ban_specs import ban_spec
from tests.helpers.chain_specs import chain_spec
from tests.helpers.group_specs import group_spec

FAMILIES: dict[str, Callable[[int], str]] = {
    "bans": ban_spec,
    "chains": chain_spec,
    "groups": group_spec,
}


def results(text: str, seed: int, engine: Engine) -> list[object]:
    """Return counts of two depths, in bulk and not, and random games; or the errors."""
    game = load_source(Source("generated.yaml", text), engine=engine)
    found: list[object] = []
    calls: list[Callable[[], object]] = [
        lambda: [game.perft(depth, bulk=bulk) for depth in (1, 2) for bulk in (False, True)],
        lambda: game.playouts(8, seed=seed),
    ]
    for compute in calls:
        try:
            found.append(compute())
        except RulesError as error:
            found.append((type(error), str(error)))
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("family", choices=sorted(FAMILIES))
    words.add_argument("first", type=int)
    words.add_argument("count", type=int)
    words.add_argument("--engine", choices=["python", "native"], default="python")
    options = words.parse_args()
    rejected, different = 0, []
    for seed in range(options.first, options.first + options.count):
        text = FAMILIES[options.family](seed)
        try:
            slow = results(text, seed, "interpreter")
        except SpecError:
            rejected += 1
            continue
        if results(text, seed, options.engine) != slow:
            different.append(seed)
            sys.stdout.write(f"{options.family} {seed}: other games\n")
            sys.stdout.flush()
    compared = options.count - rejected
    sys.stdout.write(f"{compared} compared, {rejected} rejected, different: {different}\n")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
