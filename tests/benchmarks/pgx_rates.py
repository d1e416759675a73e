"""Rates of random actions in Pgx: legal-action sampling and automatic restart in a fused loop.

    python pgx_rates.py OUT.json            # on a GPU
    python pgx_rates.py OUT.json 64 50      # batch size and steps, for a test

The file is written after each measurement.
"""

import json
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

GAMES, SIZES, STEPS, REPEATS = ("connect_four", "othello"), (2**13, 2**15, 2**17), 500, 5


def main(out: str, size: str = "", steps: str = "") -> None:
    """Measure each game at each batch size."""
    import jax
    import pgx

    found: dict[str, Any] = {"device": str(jax.devices()[0]), "pgx": pgx.__version__, "rates": []}
    for name in GAMES:
        for games in (int(size),) if size else SIZES:
            found["rates"].append(measure(name, games, int(steps or STEPS)))
            Path(out).write_text(json.dumps(found, indent=1), encoding="utf-8")


def measure(name: str, games: int, steps: int) -> dict[str, Any]:
    """Return the steps per second of a game, the median of five runs, and the ended games."""
    import jax
    import pgx

    env = pgx.make(name)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), games))
    run = jax.jit(partial(play_steps, env, steps))
    state, ended = jax.block_until_ready(run(state, jax.random.key(1)))
    seconds = []
    for number in range(REPEATS):
        begun = time.perf_counter()
        state, ended = jax.block_until_ready(run(state, jax.random.key(2 + number)))
        seconds.append(time.perf_counter() - begun)
    # A game of Connect Four has at most 42 actions: without restarts none would end here.
    assert int(ended) > 0, "no game has ended in the last run"
    rate = games * steps / median(seconds)
    return {"game": name, "batch": games, "steps": steps, "ended": int(ended), "rate": rate}


def play_steps(env: Any, steps: int, state: Any, key: Any) -> tuple[Any, Any]:
    """Return the states after random legal actions, and the number of games that ended."""
    import jax
    import jax.numpy as jnp
    from pgx.experimental import auto_reset

    step = jax.vmap(auto_reset(env.step, env.init))

    def body(carry: Any, key: Any) -> tuple[Any, None]:
        state, ended = carry
        draws, resets = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(draws, logits, axis=-1)
        after = step(state, actions, jax.random.split(resets, logits.shape[0]))
        return (after, ended + after.terminated.sum()), None

    (state, ended), _ = jax.lax.scan(body, (state, jnp.int32(0)), jax.random.split(key, steps))
    return state, ended


if __name__ == "__main__":
    main(*sys.argv[1:])
