"""What a spec without mistakes still gets wrong: found by its shape and by a short random game."""

from rulesengine.diagnostic import Diagnostic, in_order
from rulesengine.drivers import Generator
from rulesengine.errors import EvaluationError, LimitError
from rulesengine.game import Game
from rulesengine.pipeline import analyse, place
from rulesengine.source import Source, Span
from rulesengine.state import State

# A trial stops after so many plies, or when it has looked at so many moves.
_PLIES = 60
_MOVES = 2_000
_GAMES = 3


def findings(source: Source) -> tuple[Diagnostic, ...]:
    """Every finding about a spec, warnings included, in the order of its text."""
    analysis = analyse(source)
    if analysis.checked is None:
        return analysis.findings
    rules = analysis.checked.rules
    game = Game(rules, {p.name: p.default for p in rules.parameters})
    found = list(analysis.findings)
    if not rules.ends:
        message = "no `end`: a game stops only where there is no move left, without an outcome"
        help = "add an end, such as `end: {when: none(empty), result: draw}`"
        found.append(_warning("no-end", place(analysis, "rules"), message, help))
    trials = [_trial(game, seed) for seed in range(_GAMES)]
    problem = next((trial for trial in trials if trial), None)
    if problem is not None:
        found.append(_warning(*problem[:1], place(analysis, "rules", "moves"), *problem[1:]))
    return in_order(found)


def _trial(game: Game, seed: int) -> tuple[str, str, str] | None:
    """The code, message and help of what goes wrong in a random game, if something does."""
    state, draw, played, seen = game.initial_state(), Generator(seed, 0), list[str](), 0
    movers: set[str] = set()
    try:
        while len(played) < _PLIES and seen < _MOVES:
            moves = game.legal_moves(state)
            if not moves:
                return _stuck(game, state, played)
            movers.add(state.mover)
            move = moves[draw.below(len(moves))]
            state = game.apply(state, move)
            played.append(move.text)
            seen += len(moves)
    except (EvaluationError, LimitError) as error:
        return "fails", f"a rule fails {_when(played)}: {error}", ""
    idle = [player for player in game.players if player not in movers]
    if idle and len(played) >= _PLIES:
        return "never-moves", f"`{idle[0]}` never moves in {_PLIES} moves", "look at `turn`"
    return None


def _stuck(game: Game, state: State, played: list[str]) -> tuple[str, str, str] | None:
    if game.outcome(state) is not None:
        return None
    message = f"`{state.mover}` has no move {_when(played)}, and no end holds"
    help = "add an end with `when: not can_move(mover)`, or let the player `pass`"
    return "stuck", message, help


def _when(played: list[str]) -> str:
    if not played:
        return "at the start"
    shown = " ".join(played[:12]) + (" …" if len(played) > 12 else "")
    return f"after {shown}"


def _warning(code: str, span: Span, message: str, help: str = "") -> Diagnostic:
    return Diagnostic(code, span, message, help, severity="warning")
