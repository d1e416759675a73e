"""Certificates of games of one player: a line to the value, and a bound of every position."""

from rulesengine.certificates.certificate_text import AT_LEAST, AT_MOST, MOST_POSITIONS, Claim
from rulesengine.certificates.terminal_values import Results
from rulesengine.engine.drivers.search.result import Solved
from rulesengine.errors import LimitError, UsageError
from rulesengine.job import Job
from rulesengine.state import State


def single_claims(results: Results, state: State, solved: Solved, job: Job) -> list[Claim]:
    """Return the claims that prove the value of a position of a single player.

    The line proves the lower bound. A payoff also needs the upper bounds of all reachable
    positions. Raises UsageError for a puzzle that cannot be won and where positions may repeat,
    LimitError for too many positions.
    """
    value = 1 if solved.score is None else solved.score
    if not solved.line or (solved.score is None and solved.value != "win"):
        raise UsageError("no certificate of a game of one player that is not won")
    claims = _upper_bounds(results, state, job) if results.points else []
    line = [state]
    for move in solved.line[:-1]:
        line.append(results.game.apply(line[-1], move))
    pairs = zip(reversed(line), reversed(solved.line), strict=True)
    return [*claims, *(Claim(str(at), AT_LEAST, value, str(move)) for at, move in pairs)]


def _upper_bounds(results: Results, state: State, job: Job) -> list[Claim]:
    """Return the greatest payoff of each reachable position, those of later positions first."""
    game, values, opened = results.game, dict[State, int](), set[State]()
    claims, stack = list[Claim](), [state]
    while stack:
        at = stack[-1]
        after = [game.apply(at, move) for move in game.legal_moves(at)]
        for following in after:
            paid = results.of(following)
            if paid is not None:
                values[following] = paid
        unknown = [following for following in after if following not in values]
        if not unknown:
            values[stack.pop()] = best = max(values[following] for following in after)
            claims.append(Claim(str(at), AT_MOST, best))
            opened.discard(at)
            job.raise_if_stopped()
            job.advance(1)
        elif unknown[0] in opened:
            raise UsageError("no certificate of a game of one player where positions may repeat")
        else:
            opened.add(at)
            stack.append(unknown[0])
        if len(claims) + len(stack) > MOST_POSITIONS:
            raise LimitError(f"the proof is about more than {MOST_POSITIONS:,} positions")
    return claims
