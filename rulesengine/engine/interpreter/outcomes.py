"""The end of a game: the first end that holds, with its winner, scores and payoffs.

See decision 007.
"""

from collections.abc import Sequence

from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.engine.interpreter.payoffs import follows_from_winner, payoffs, ranks
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import OUT, End
from rulesengine.language.ir.score_decided import by_score
from rulesengine.state import Outcome, State, by_name

# The winner's number or -1, the reason, and the scores and payoffs of the sides.
Decision = tuple[int, str, tuple[int, ...], tuple[int, ...]]


class OutcomeRules:
    """Decides if a game is over, and computes its result."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.program = evaluator.program
        self.sides = evaluator.sides
        self.evaluate = evaluator.evaluate
        self._slots = evaluator.slots

    def decide(self, state: State) -> Decision | None:
        """Return the decision by which the game is over; None while it is not."""
        holding = self._holding(state)
        return holding and self._decision(self.program.rules.ends[holding[0]], state, holding[1])

    def ending(self, state: State) -> int | None:
        """Return the index of the end by which the game is over; None while it is not."""
        holding = self._holding(state)
        return holding and holding[0]

    def scores(self, state: State) -> list[int]:
        """Return the score of each side; [] if the rules have no score."""
        score = self.program.rules.score
        if score is None:
            return []
        return [self.evaluate(score, Frame(state, {"player": s})) for s in range(self.sides)]

    def by_winner(self, state: State, end: End, winner: int, scores: Sequence[int]) -> Outcome:
        """Return the outcome of an end: payoffs follow from its winner and the scores."""
        rules = self.program.rules
        places = [int(side == winner) for side in range(self.sides)]
        if by_score(end):
            places = ranks(rules, end, -1, scores)
        paid = payoffs(places, self._departures(state))
        return outcome_of(state, (winner, end.reason, tuple(scores), paid))

    def is_by_winner(self, end: End) -> bool:
        """True if the payoffs at an end follow from its winner and the scores."""
        return follows_from_winner(self.program.rules, end)

    def _holding(self, state: State) -> tuple[int, Frame] | None:
        """Return the index of the first end that holds, and the frame in which it holds."""
        for number, end in enumerate(self.program.rules.ends):
            for side in self._order(state) if end.each else (state.side,):
                frame = Frame(state, {"player": side})
                if self.evaluate(end.when, frame):
                    return number, frame
        return None

    def _order(self, state: State) -> list[int]:
        """Return the sides in the order of testing an end: the side that moved last is first."""
        last = (state.side - 1) % self.sides
        if self.program.keeps_last:
            register = state.registers[-2 if self.program.keeps_plies else -1]
            last = register if register >= 0 else last
        return [(last + i) % self.sides for i in range(self.sides)]

    def _decision(self, end: End, state: State, frame: Frame) -> Decision:
        scores = self.scores(state)
        if end.pays:
            pays = self._paid(end.pays, state)
            return _leader(pays), end.reason, tuple(scores), tuple(pays)
        winner = decided = -1
        if end.side is not None:
            winner = decided = self.evaluate(end.side, frame)
        elif end.result in ("highest", "lowest"):
            winner = _leader(scores if end.result == "highest" else [-s for s in scores])
        rules = self.program.rules
        if ((end.result == "loses") != rules.misere) and winner >= 0:
            winner = 1 - winner if self.sides == 2 else -1
        paid = payoffs(ranks(rules, end, decided, scores), self._departures(state))
        return winner, end.reason, tuple(scores), paid

    def _paid(self, number: Op, state: State) -> list[int]:
        """Return the payoff of each side at an end with explicit payoffs."""
        sign = -1 if self.program.rules.misere else 1
        frames = (Frame(state, {"player": side}) for side in range(self.sides))
        return [sign * self.evaluate(number, frame) for frame in frames]

    def _departures(self, state: State) -> tuple[int, ...]:
        """Return the ply at which each side left the game; () if no side ever leaves."""
        if not self.program.rules.outs:
            return ()
        at = self._slots[OUT]
        return state.registers[at : at + self.sides]


def outcome_of(state: State, decision: Decision) -> Outcome:
    """Return a decision as an outcome with the names of the players."""
    winner, reason, scores, paid = decision
    named = [by_name(state, numbers) for numbers in (scores, paid)]
    return Outcome(state.player(winner) if winner >= 0 else None, reason, *named)


def _leader(scores: list[int]) -> int:
    """Return the side with the highest score, or -1 if it is shared."""
    best = max(scores, default=0)
    return scores.index(best) if scores.count(best) == 1 else -1
