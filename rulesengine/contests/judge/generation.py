"""Generation of test cases from a spec alone: random input; the expected output is the spec's.

See decision 042.
"""

import io
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from rulesengine.contests.judge.cases import Case, encoded
from rulesengine.contests.judge.generated_input import InputGenerator
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.script import run_on
from rulesengine.script.runtime import ScriptState

_TRIES = 20  # attempts to generate a new case


def generate(game: Game, count: int, seed: int) -> Iterator[Case]:
    """Yield `count` distinct cases, determined by the seed; fewer if no more are found.

    Chance events of the game are drawn from `seed` 0, as `rulesengine run` does.
    """
    seen: set[str] = set()
    width = len(str(count))
    for number in range(1, count + 1):
        for again in range(_TRIES):
            text = _input(game, Random(f"{seed} {number} {again}"))
            if text not in seen:
                seen.add(text)
                yield Case(f"generated-{number:0{width}}", encoded(text))
                break


def _input(game: Game, chance: Random) -> str:
    stage = ScriptState(game, io.BytesIO(), io.BytesIO(), 0)
    answers = InputGenerator(stage, chance)
    stage.words = answers
    with suppress(RulesError):  # input that violates the protocol is a valid case
        run_on(stage)
    return answers.text if chance.random() < 0.9 else answers.text.rstrip()
