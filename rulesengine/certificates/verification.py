"""Verification of certificates: each claim is checked by the rules alone, without a search."""

from collections.abc import Iterator, Mapping

from rulesengine.certificates.certificate_text import (
    AT_LEAST,
    AT_MOST,
    MOST_POSITIONS,
    Certificate,
    Claim,
)
from rulesengine.certificates.terminal_values import Results
from rulesengine.errors import IllegalMoveError, NotationError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.records import rules_hash
from rulesengine.state import Move, State

_Claims = Mapping[tuple[str, str], Claim]


def verify(game: Game, certificate: Certificate, job: Job | None = None) -> None:
    """Verify a certificate of a game; return nothing if it is valid.

    Raises NotationError that begins with the number of the wrong line. A job counts claims.
    """
    if certificate.rules != rules_hash(game):
        raise _wrong(1, f"of other rules than those of {game.name}")
    if dict(certificate.parameters) != game.parameters:
        raise _wrong(1, "of a game with other parameters")
    _Verifier(game, certificate).verify(job or Job())


class _Verifier:
    """The claims of a certificate, and its game."""

    def __init__(self, game: Game, certificate: Certificate) -> None:
        self.certificate = certificate
        self.results = Results(game)
        self.game = self.results.game
        self.claims = dict(_by_position(certificate))

    def verify(self, job: Job) -> None:
        """Check the head and each claim, endless ones last."""
        if self.certificate.points != self.results.points:
            raise _wrong(1, "`points` differs from the rules")
        for claim in self.certificate.claims:
            if claim.endless and (self.results.points or claim.value != 0):
                raise _wrong(claim.line, "only a draw may continue for ever")
        for claim in sorted(self.certificate.claims, key=lambda claim: claim.endless):
            job.raise_if_stopped()
            job.advance(1)
            self._verify(claim)
        self._conclude()

    def _conclude(self) -> None:
        """Check that the claims on the first position prove the value in the head."""
        value, points = self.certificate.value, self.results.points
        state = self._state(self.certificate.position, 1)
        known = self.results.of(state)
        bounds = [AT_LEAST] if points or value >= 0 else []
        bounds += [AT_MOST] if points or value <= 0 else []
        for bound in bounds if known is None else ():
            claim = self.claims.get((self.certificate.position, bound))
            if claim is None or claim.value != value:
                raise _wrong(1, f"no line says that its position is worth {_words(bound)} {value}")
        if known not in (None, value):
            raise _wrong(1, f"its position is worth {known}, not {value}")

    def _verify(self, claim: Claim) -> None:
        state = self._state(claim.position, claim.line)
        moves = self.game.legal_moves(state)
        if not moves:
            raise _wrong(claim.line, "the game is over in its position")
        named = moves if claim.move is None else [self._move(claim, state)]
        value = max(self._value(claim, state, move) for move in named)
        if value != claim.value:
            raise _wrong(claim.line, f"its moves are worth {_words(claim.bound)} {value}")

    def _value(self, claim: Claim, state: State, move: Move) -> int:
        """Return the value of a move by the claim on the position after it."""
        after = self.game.apply(state, move, check=False)
        known, stays = self.results.of(after), after.mover == state.mover
        if known is None:
            known = self._claimed(claim, str(after), stays, move)
        return known if stays else -known

    def _claimed(self, claim: Claim, position: str, stays: bool, move: Move) -> int:
        other = AT_MOST if claim.bound == AT_LEAST else AT_LEAST
        claimed = self.claims.get((position, claim.bound if stays else other))
        if claimed is None:
            raise _wrong(claim.line, f"nothing is claimed of where {move} leads to")
        if not claim.endless and (claimed.endless or claimed.line >= claim.line):
            raise _wrong(claim.line, f"it depends on line {claimed.line}, which is later")
        return claimed.value

    def _state(self, text: str, line: int) -> State:
        try:
            state = self.game.state_from(text)
        except NotationError as error:
            raise _wrong(line, f"no position: {error}") from None
        if str(state) != text:
            raise _wrong(line, "its position is not as it is written by the game")
        return state

    def _move(self, claim: Claim, state: State) -> Move:
        try:
            return self.game.move(claim.move or "", state)
        except (IllegalMoveError, NotationError) as error:
            raise _wrong(claim.line, str(error)) from None


def _by_position(certificate: Certificate) -> Iterator[tuple[tuple[str, str], Claim]]:
    lines = dict[tuple[str, str], int]()
    for number, claim in enumerate(certificate.claims):
        key = claim.position, claim.bound
        if key in lines:
            raise _wrong(claim.line, f"the same is claimed in line {lines[key]}")
        if number >= MOST_POSITIONS:
            raise _wrong(claim.line, f"more than {MOST_POSITIONS:,} claims")
        lines[key] = claim.line
        yield key, claim


def _words(bound: str) -> str:
    return bound.replace("_", " ")


def _wrong(line: int, text: str) -> NotationError:
    return NotationError(f"{line}: {text}")
