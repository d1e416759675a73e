"""The choice of the search method from the program alone, and from the trials of bundled games.

See decision 130.
"""

from math import log

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.drivers.search.result import IS_MCTS
from rulesengine.engine.drivers.search.tree_settings import keeps_pieces
from rulesengine.engine.evaluation import evaluation_of, takes_pieces
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.fingerprint import play_text
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import is_constant
from rulesengine.language.ir.score_decided import has_payoff
from rulesengine.language.ir.text import show
from rulesengine.search.trial_cache import Match, Trial
from rulesengine.support.cache import digest
from rulesengine.support.frozen import record
from rulesengine.support.resources import read_text

_TRIALS = "games/trials.txt"
_PAIR = 2
_PLIES, _GAMES = 200, 20  # limits of the random games
_SMALL = 64  # cells
_NODES = 50_000  # positions of the search with the estimated depth
_POWER, _LEAST_BRANCHING = 0.6, 1.5
_SCORED = 1 / 3  # a search of this share of a game may rely on the score at its horizon
_SHORT = 16  # bytes of a key


@record
class MethodChoice:
    """A search method and the reason for it; `trial` is the bundled trial, if that decides."""

    method: str
    reason: str
    trial: Trial | None = None

    def __str__(self) -> str:
        return f"{self.method} ({self.reason})"


@record
class EvaluationChoice:
    """The name of the default evaluation of alpha-beta, and facts about bundled weights.

    - `stale` states why bundled weights are left out.
    - `weighs_moves` is true if tree search has bundled weights of moves, which are its default.
    """

    name: str
    stale: str = ""
    weighs_moves: bool = False

    def __str__(self) -> str:
        text = f"{self.name} ({self.stale})" if self.stale else self.name
        return f"{text}; weights of moves in tree search" if self.weighs_moves else text


def choose_method(dispatcher: Dispatcher) -> MethodChoice:
    """Return the search method of a game: that of its bundled trial, or else by its rules."""
    program = dispatcher.machine.program
    if hidden_in(program.rules):
        return MethodChoice(IS_MCTS, "by the rules: hidden information")
    trial = bundled_trial(program)
    if trial is not None:
        return MethodChoice(trial.method, f"by the bundled trial: {trial.results}", trial)
    return choose_by_rules(dispatcher)


def choose_by_rules(dispatcher: Dispatcher) -> MethodChoice:
    """Return the search method that the rules and a few random games suggest.

    A static evaluation suggests alpha-beta, and so does a small game. A score of placed pieces that
    later moves may capture or flip is no evaluation before the end.
    """
    machine, rules = dispatcher.machine, dispatcher.machine.program.rules
    if len(rules.players) == 1 and has_payoff(rules):
        return MethodChoice("mcts", "by the rules: one player, and payoffs or scores")
    if is_constant(evaluation_of(machine)):
        if len(rules.players) == _PAIR and reach(machine) >= 1:
            return MethodChoice("alpha-beta", "by random games: alpha-beta reaches the end")
        return MethodChoice("mcts", "by the rules: no evaluation before the end")
    if rules.evaluation is None and rules.score is not None and takes_placed(machine.program):
        if len(rules.players) == _PAIR and reach(machine) >= _SCORED:
            reason = "by random games: alpha-beta searches a third of a game"
            return MethodChoice("alpha-beta", reason)
        reason = "by the rules: the score counts pieces that later moves capture or flip"
        return MethodChoice("mcts", reason)
    return MethodChoice("alpha-beta", "by the rules: an evaluation before the end")


def takes_placed(program: Program) -> bool:
    """True if all moves place pieces, and later moves may capture or flip them."""
    return keeps_pieces(program) and takes_pieces(program.rules)


def reach(machine: Interpreter) -> float:
    """Return the depth of alpha-beta as a share of the length of a random game.

    The effective branching factor of alpha-beta is estimated as the mean number of moves to the
    power 0.6. The square root is the least possible one (Knuth and Moore, 1975). Boards of many
    cells are not sampled: their games are long, and the interpreter is slow.
    """
    if machine.program.topology.cells > _SMALL:
        return 0.0
    plies, games, moves_seen = 0, 0, 0
    while plies < _PLIES and games < _GAMES:
        state, random = machine.initial_state(), Generator(0, games)
        games += 1
        while plies < _PLIES and (moves := machine.legal(state)):
            plies, moves_seen = plies + 1, moves_seen + len(moves)
            state = machine.apply(state, moves[random.below(len(moves))])
    branching = max(moves_seen / max(plies, 1), _LEAST_BRANCHING)
    depth = log(_NODES) / (_POWER * log(branching))
    return depth * games / max(plies, 1)


def bundled_trial(program: Program) -> Trial | None:
    """Return the trial that the package has of a program; None for other programs."""
    key = key_of(program)
    return next((_trial(row) for row in _rows() if row[1] == key), None)


def row_of(name: str, program: Program, trial: Trial) -> str:
    """Return the line of a trial in the bundled file."""
    matches = "; ".join(
        f"{one} {won}, {other} {lost}"
        for (one, other), (won, lost) in ((match.methods, match.points) for match in trial.matches)
    )
    return f"{name} | {key_of(program)} | {trial.method} | {matches}\n"


def key_of(program: Program) -> str:
    """Return the key of all that a trial depends on: board, rules, evaluation and playouts.

    The name of the game is left out.
    """
    texts = (show(program.topology), play_text(program.rules), show(program.routes))
    return digest(*(text.encode("utf-8", "replace") for text in texts)).hex()[: 2 * _SHORT]


def _rows() -> list[list[str]]:
    """Return the rows of the bundled file: name, key, method, matches."""
    lines = read_text(_TRIALS).splitlines()
    return [[part.strip() for part in line.split("|")] for line in lines if line[:1] != "#"]


def _trial(row: list[str]) -> Trial:
    matches = []
    for text in filter(None, row[3].split("; ")):
        one, other = (part.rsplit(" ", 1) for part in text.split(", "))
        matches.append(Match((one[0], other[0]), (int(one[1]), int(other[1]))))
    return Trial(row[2], tuple(matches))
