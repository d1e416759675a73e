"""Generation of certificates: the claims that prove a value, each after those it depends on.

See decision 045.
"""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Protocol

from rulesengine.certificates.certificate_text import (
    AT_LEAST,
    AT_MOST,
    MOST_POSITIONS,
    Certificate,
    Claim,
)
from rulesengine.certificates.single_player import single_claims
from rulesengine.certificates.terminal_values import Results
from rulesengine.engine.drivers.search.result import Solved
from rulesengine.errors import LimitError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.records import rules_hash
from rulesengine.search.enumeration.retrograde import Table, decided
from rulesengine.search.solving import may_repeat
from rulesengine.state import Move, State

_VALUES = MappingProxyType({"win": 1, "draw": 0, "loss": -1})


class Judge(Protocol):
    """An oracle for positions that are not over, such as a solver."""

    def reaches(self, state: State, player: int, goal: int) -> bool | None:
        """True if a player can get at least `goal`; None if unknown."""

    def likely(self, states: Sequence[State], player: int, goal: int) -> list[int]:
        """Return the indices of states, the easiest for the player first."""


def certificate_of(game: Game, state: State, solved: Solved, job: Job | None = None) -> Certificate:
    """Return the certificate of a solved position that is not over.

    Raises LimitError if a proof needs more than `MOST_POSITIONS` claims, UsageError for games
    without certificates. A job counts claims.
    """
    results = Results(game)
    assert solved.value is not None
    value = _VALUES[solved.value] if solved.score is None else solved.score
    if len(game.players) == 1:
        claims = single_claims(results, state, solved, job or Job())
        return _certificate(game, results, state, value, claims)
    if may_repeat(game.program.rules):
        table = decided(results.game, state, MOST_POSITIONS, job)
        if table:
            return certificate_from_table(game, state, table, job)
    return prove_by_judge(game, state, value, game.prover(state), job)


def prove_by_judge(
    game: Game, state: State, value: int, judge: Judge, job: Job | None = None
) -> Certificate:
    """Return the certificate of a position from a judge that proves its value."""
    results = Results(game)
    tree = _Tree(results, judge, job or Job())
    player = game.players.index(state.mover)
    if results.points or value >= 0:
        tree.show(state, player, value)
    if results.points or value <= 0:
        tree.show(state, 1 - player, -value)
    return _certificate(game, results, state, value, list(tree.claims.values()))


def certificate_from_table(
    game: Game, state: State, table: Table, job: Job | None = None
) -> Certificate:
    """Return the certificate of a position from a table of all positions reachable from it."""
    results, claims = Results(game), list[tuple[int, Claim]]()
    for distance, claim in _needed(results, state, table):
        (job or Job()).advance(1)
        claims.append((distance, claim))
        _require_few(len(claims))
    claims.sort(key=lambda pair: pair[0])
    value = _VALUES[table.of(state)[0]]
    return _certificate(game, results, state, value, [claim for _, claim in claims])


def _certificate(
    game: Game, results: Results, state: State, value: int, claims: list[Claim]
) -> Certificate:
    return Certificate(
        game.name,
        rules_hash(game),
        game.parameters,
        str(state),
        value,
        results.points,
        tuple(claims),
    )


def _require_few(claims: int) -> None:
    if claims > MOST_POSITIONS:
        raise LimitError(f"the proof is about more than {MOST_POSITIONS:,} positions")


class _Tree:
    """The claims proved by a judge, by position and bound."""

    def __init__(self, results: Results, judge: Judge, job: Job) -> None:
        self.results, self.judge, self.job = results, judge, job
        self.game = results.game
        self.claims: dict[tuple[State, str], Claim] = {}

    def show(self, state: State, player: int, goal: int) -> None:
        """Add all claims for a proof that a player gets at least `goal`, depth first."""
        stack = [(state, self._after(state, player, goal))]
        while stack:
            state, after = stack[-1]
            following = next((s for _, s in after if not self._is_known(s, player)), None)
            if following is not None:
                stack.append((following, self._after(following, player, goal)))
                continue
            stack.pop()
            self.job.raise_if_stopped()
            self.job.advance(1)
            self._claim(state, player, after)
            _require_few(len(self.claims))

    def _is_known(self, state: State, player: int) -> bool:
        return self._key(state, player) in self.claims or self.results.of(state) is not None

    def _key(self, state: State, player: int) -> tuple[State, str]:
        mover = self.game.players.index(state.mover)
        return state, AT_LEAST if mover == player else AT_MOST

    def _after(self, state: State, player: int, goal: int) -> list[tuple[Move, State]]:
        """Return the moves that a claim depends on, with their positions: the player's best, or
        all.
        """
        moves = [(m, self.game.apply(state, m)) for m in self.game.legal_moves(state)]
        if self.game.players.index(state.mover) != player:
            return moves
        return [moves[self._goal_index([after for _, after in moves], player, goal)]]

    def _goal_index(self, states: Sequence[State], player: int, goal: int) -> int:
        """Return the index of a state in which the player gets `goal`, preferably a known one."""
        open_ones = []
        for place, state in enumerate(states):
            result = self._result(state, player)
            if result is not None and result >= goal:
                return place
            if result is None:
                open_ones.append(place)
        open_states = [states[place] for place in open_ones]
        for place in self.judge.likely(open_states, player, goal):
            if self.judge.reaches(open_states[place], player, goal):
                return open_ones[place]
        raise LimitError("the solver could not reproduce its result")

    def _result(self, state: State, player: int) -> int | None:
        """Return the value for a player by a claim or the end of the game; None if unknown."""
        mine = self.game.players.index(state.mover) == player
        result = self.results.of(state)
        if result is None:
            claim = self.claims.get(self._key(state, player))
            result = claim.value if claim else None
        return result if result is None or mine else -result

    def _claim(self, state: State, player: int, after: Sequence[tuple[Move, State]]) -> None:
        mine = self.game.players.index(state.mover) == player
        results = [self._result(s, player) for _, s in after]
        values = [value if mine else -value for value in results if value is not None]
        key = self._key(state, player)
        move = str(after[0][0]) if mine else None
        self.claims[key] = Claim(str(state), key[1], max(values), move)


def _needed(results: Results, start: State, table: Table) -> Iterator[tuple[int, Claim]]:
    """Yield the claims of a table that a position needs, each with its distance for sorting."""
    game, value = results.game, table.of(start)[0]
    bounds = [AT_LEAST] if value != "loss" else []
    bounds += [AT_MOST] if value != "win" else []
    queue = [(start, bound) for bound in bounds]
    visited = set(queue)
    while queue:
        state, bound = queue.pop()
        value, distance = table.of(state)
        moves = game.legal_moves(state)
        if bound == AT_LEAST:
            moves = (moves[table.best(state)],)
        move = str(moves[0]) if bound == AT_LEAST else None
        late = MOST_POSITIONS if distance is None else distance
        yield late, Claim(str(state), bound, _VALUES[value], move, distance is None)
        for after in (game.apply(state, m) for m in moves):
            key = after, _bound_of(after, bound, after.mover == state.mover, table)
            if results.of(after) is None and key not in visited:
                visited.add(key)
                queue.append(key)


def _bound_of(state: State, bound: str, stays: bool, table: Table) -> str:
    return bound if stays else AT_MOST if bound == AT_LEAST else AT_LEAST
