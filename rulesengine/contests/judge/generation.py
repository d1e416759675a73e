"""Cases made from a spec alone: what its script reads is made up, and what it prints is right."""

import io
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from rulesengine.contests.judge.cases import Case, encoded
from rulesengine.contests.judge.generated_input import Answers
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.script import run_on
from rulesengine.script.runtime import Stage

_TRIES = 20  # for a case that is not there yet


def generate(game: Game, count: int, seed: int) -> Iterator[Case]:
    """So many cases, the same for the same seed; fewer where no more different ones are found.

    What chance does in the game is drawn from `seed` 0, as `rulesengine run` does.
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
    stage = Stage(game, io.BytesIO(), io.BytesIO(), 0)
    answers = Answers(stage, chance)
    stage.words = answers
    with suppress(RulesError):  # an input that the protocol rules out is a case too
        run_on(stage)
    return answers.text if chance.random() < 0.9 else answers.text.rstrip()
