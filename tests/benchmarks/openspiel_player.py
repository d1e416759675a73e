"""OpenSpiel's tree search in C++, as a program that speaks the line protocol of `cmd:`.

    python -m tests.benchmarks.openspiel_player GAME THEIRS ACTIONS SIMULATIONS FILE [NAME=VALUE …]

GAME is a bundled spec, and THEIRS is OpenSpiel's name of the game. ACTIONS is the number of its
actions in one of our moves; the SIMULATIONS are divided among them. The program appends the
CPU seconds of each search to FILE.
"""

import random
import sys
from collections.abc import Iterator
from functools import cached_property
from time import process_time
from typing import Any

import pyspiel

import rulesengine
from rulesengine import Game
from tests.benchmarks.speaking import speak
from tests.oracles import openspiel, openspiel_more

UCT_C = 2.0  # OpenSpiel's default
MEGABYTES = 256
# On boards with equal corners, OpenSpiel's Clobber begins with the other colour.
MIRRORED = ("clobber(rows=8,columns=8)",)
MIRROR = str.maketrans("abcdefgh", "hgfedcba")


class Table:
    """A game on both sides: our state and theirs."""

    def __init__(self, name: str, theirs: str, parameters: dict[str, Any]) -> None:
        self.name = name
        self.is_mirrored = theirs in MIRRORED
        self.game: Game = rulesengine.load(name, engine="python", **parameters)
        self.state = self.game.initial_state()
        self.theirs: Any = pyspiel.load_game(theirs).new_initial_state()

    def text(self, actions: list[int]) -> str:
        """Return our notation for a list of their actions in the current state."""
        if self.name in openspiel.GAMES:
            return openspiel.GAMES[self.name].to_text(self.theirs, actions[0])
        at, texts = self.theirs.clone(), []
        for action in actions:
            texts.append(at.action_to_string(action))
            at.apply_action(action)
        text = self._rules.to_text(texts)
        return text.translate(MIRROR) if self.is_mirrored else text

    @cached_property
    def _rules(self) -> openspiel_more.Rules:
        return openspiel_more.GO if self.name == "go" else openspiel_more.RULES[self.name]

    def turns(self, start: Any = None) -> Iterator[list[int]]:
        """Yield the possible turns of the player to move, as lists of actions."""
        at = start or self.theirs
        for action in at.legal_actions():
            after = at.clone()
            after.apply_action(action)
            if after.is_terminal() or after.current_player() != at.current_player():
                yield [action]
            else:
                yield from ([action, *more] for more in self.turns(after))

    def play(self, text: str) -> None:
        """Apply a move on both sides; on theirs only while their game is not over."""
        self.state = self.game.apply(self.state, text)
        if not self.theirs.is_terminal():
            for action in next(turn for turn in self.turns() if self.text(turn) == text):
                self.theirs.apply_action(action)

    def legal(self) -> list[str]:
        return list(map(str, self.game.legal_moves(self.state)))


class Searching:
    """Their search, with a number of simulations for each action."""

    def __init__(self, theirs: str, simulations: int, seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        game = pyspiel.load_game(theirs)
        self._bot = pyspiel.MCTSBot(
            game, evaluator, UCT_C, simulations, MEGABYTES, True, seed, False
        )
        self._draw = random.Random(seed)
        self.seconds = 0.0

    def move(self, table: Table) -> str:
        """Return a move; a random one if theirs is illegal here, or their game is over."""
        legal = table.legal()
        if not table.theirs.is_terminal():
            text = table.text(self.actions(table.theirs))
            if text in legal:
                return text
        return self._draw.choice(legal)

    def actions(self, theirs: Any) -> list[int]:
        """Return the actions of a turn; `seconds` is then their CPU time."""
        at, actions, since = theirs.clone(), list[int](), process_time()
        while not at.is_terminal() and at.current_player() == theirs.current_player():
            actions.append(self._bot.step(at))
            at.apply_action(actions[-1])
        self.seconds = process_time() - since
        return actions


def simulations_in(theirs: str, seconds: float) -> float:
    """Return the number of simulations per `seconds` of CPU time in the initial position."""
    simulations, took = 200, 0.0
    while took < seconds:
        simulations *= 2
        bot = Searching(theirs, simulations, 1)
        bot.actions(pyspiel.load_game(theirs).new_initial_state())
        took = bot.seconds
    return simulations * seconds / took


def main(name: str, theirs: str, actions: str, simulations: str, file: str, *settings: str) -> None:
    parameters = dict(setting.split("=") for setting in settings)
    table = Table(name, theirs, {key: int(value) for key, value in parameters.items()})
    share, bots = max(1, int(simulations) // int(actions)), dict[int, Searching]()

    def move(seed: int) -> str:
        bots[seed] = bots.get(seed) or Searching(theirs, share, seed)
        found = bots[seed].move(table)
        table.play(found)
        return found

    speak(table.play, move, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
