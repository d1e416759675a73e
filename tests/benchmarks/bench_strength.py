"""Tree search against OpenSpiel's, which is in C++, at equal time.

Run it by `python -m tests.benchmarks.bench_strength FILE`.

How many random games each side plays in a second of the processor is measured first, for each
game; both then play with as many as fit into `--seconds`, so that a game hangs on its seed alone.
Openings are random, and each is played twice, with the sides changed. A game that is decided is a
line of the file, which a later run goes on with; `--table` prints what stands in it.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import pyspiel

import rulesengine
from rulesengine import Game, State
from tests.oracles import openspiel, openspiel_more

# A bundled game, OpenSpiel's name for it, and how many of its actions a move has.
PAIRS: tuple[tuple[str, str, int], ...] = (
    ("othello", "othello", 1),
    ("breakthrough", "breakthrough", 1),
    ("hex", "hex(board_size=11)", 1),
    ("gomoku", "gomoku(size=15)", 1),
    ("english-draughts", "checkers", 1),
    ("amazons", "amazons", 3),
    ("go", "go(board_size=9)", 1),
    ("connect-four", "connect_four", 1),
    ("clobber", "clobber", 1),
    ("nine-mens-morris", "nine_mens_morris", 1),
)
UCT_C = 2.0  # OpenSpiel's usual one
OPENING = 2  # random plies
LONGEST = 300  # plies; then nobody has won
MEGABYTES = 512


@dataclass(slots=True)
class Table:
    """One game on both sides: our state and theirs."""

    name: str
    game: Game
    state: State
    theirs: Any

    def text(self, actions: list[int]) -> str:
        """Our notation of their actions, from the state that they are made in."""
        if self.name in openspiel.GAMES:
            return openspiel.GAMES[self.name].to_text(self.theirs, actions[0])
        at, texts = self.theirs.clone(), []
        for action in actions:
            texts.append(at.action_to_string(action))
            at.apply_action(action)
        rules = openspiel_more.GO if self.name == "go" else openspiel_more.RULES[self.name]
        return rules.to_text(texts)

    def turns(self, start: Any = None) -> Iterator[list[int]]:
        """All that the player to move may do, as lists of actions."""
        at = start or self.theirs
        for action in at.legal_actions():
            after = at.clone()
            after.apply_action(action)
            if after.is_terminal() or after.current_player() != at.current_player():
                yield [action]
            else:
                yield from ([action, *more] for more in self.turns(after))

    def play(self, actions: list[int]) -> bool:
        """Make a move on both sides; whether our rules let it be."""
        text = self.text(actions)
        if text not in map(str, self.game.legal_moves(self.state)):
            return False
        self.state = self.game.apply(self.state, text)
        for action in actions:
            self.theirs.apply_action(action)
        return True

    def answer(self, bot: Any) -> list[int]:
        """Their move."""
        at, actions = self.theirs.clone(), list[int]()
        while not at.is_terminal() and at.current_player() == self.theirs.current_player():
            actions.append(bot.step(at))
            at.apply_action(actions[-1])
        return actions

    def winner(self) -> int | None:
        """Who has won, -1 for nobody, as soon as one of the two says that it is over."""
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            return -1 if outcome.winner is None else self.game.players.index(outcome.winner)
        if not self.theirs.is_terminal():
            return None
        first = self.theirs.returns()[0]
        return -1 if first == 0 else int(first < 0)


def begun(name: str, theirs: str) -> Table:
    game = loaded(name)
    return Table(name, game, game.initial_state(), pyspiel.load_game(theirs).new_initial_state())


@cache
def loaded(name: str) -> Game:
    return rulesengine.load(name, engine="native")


def bot_of(theirs: str, simulations: int, seed: int) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    game = pyspiel.load_game(theirs)
    return pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEGABYTES, True, seed, False)


def rates(name: str, theirs: str) -> tuple[int, int]:
    """Random games in a second of the processor, of our search and theirs."""
    game, table = loaded(name), begun(name, theirs)
    game.search(playouts=100, method="mcts", memory=MEGABYTES)
    ours, wanted = 0.0, 1000
    while ours < 0.2:
        wanted *= 2
        since = process_time()
        game.search(playouts=wanted, method="mcts", memory=MEGABYTES)
        ours = process_time() - since
    since, simulations = process_time(), 400
    bot_of(theirs, simulations, 1).step(table.theirs)
    return round(wanted / ours), round(simulations / (process_time() - since))


def played(pair: tuple[str, str, int], number: int, budgets: tuple[int, int]) -> dict[str, Any]:
    """Game `number`: those of even numbers and the one after each have the same opening."""
    name, theirs, actions = pair
    table, draw = begun(name, theirs), random.Random(f"{name} {number // 2}")
    ours, plies = number % 2, 0
    bot = bot_of(theirs, max(1, budgets[1] // actions), number)
    while (winner := table.winner()) is None and plies < LONGEST:
        if plies < OPENING:
            table.play(draw.choice(list(table.turns())))
        elif table.state.side == ours:
            found = table.game.search(
                table.state, playouts=budgets[0], method="mcts", seed=number, memory=MEGABYTES
            )
            move = str(found.move)
            table.play(next(turn for turn in table.turns() if table.text(turn) == move))
        elif not table.play(table.answer(bot)):
            table.play(draw.choice([t for t in table.turns() if _is_legal(table, t)]))
        plies += 1
    result = 0.5 if winner is None or winner < 0 else float(winner == ours)
    return {"game": name, "number": number, "result": result, "plies": plies}


def _is_legal(table: Table, turn: list[int]) -> bool:
    return table.text(turn) in map(str, table.game.legal_moves(table.state))


def run(path: Path, pairs: list[tuple[str, str, int]], count: int, seconds: float) -> None:
    lines = read(path)
    for pair in pairs:
        name = pair[0]
        mine = [line for line in lines if line["game"] == name]
        found = next((line["rates"] for line in mine if "rates" in line), None)
        if found is None:
            found = rates(*pair[:2])
            note(path, {"game": name, "rates": found, "seconds": seconds})
        budgets = max(1, int(found[0] * seconds)), max(1, int(found[1] * seconds))
        done = {line["number"] for line in mine if "number" in line}
        for number in range(count):
            if number not in done:
                note(path, played(pair, number, budgets))


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def note(path: Path, line: dict[str, Any]) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def table(path: Path) -> str:
    """What stands in a file, as a table of Markdown."""
    rows = ["| game | ours /s | theirs /s | games | points |", "|---|---|---|---|---|"]
    lines = read(path)
    for name, _, _ in PAIRS:
        found = next(
            (line["rates"] for line in lines if line["game"] == name and "rates" in line), None
        )
        results = [line["result"] for line in lines if line["game"] == name and "result" in line]
        if found and results:
            share = f"{sum(results):g} of {len(results)}"
            rows.append(f"| {name} | {found[0]:,} | {found[1]:,} | {len(results)} | {share} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--only", nargs="*", help="names of games")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if not options.table:
        pairs = [pair for pair in PAIRS if not options.only or pair[0] in options.only]
        run(options.file, pairs, options.games, options.seconds)
    sys.stdout.write(table(options.file) + "\n")


if __name__ == "__main__":
    main()
