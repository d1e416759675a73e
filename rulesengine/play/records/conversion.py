"""Conversion between records of this package and games in the formats of other programs."""

from rulesengine.errors import NotationError
from rulesengine.formats.values import GameResult, Position, RecordedGame
from rulesengine.game import Game
from rulesengine.play.records.record import GameRecord, rules_hash
from rulesengine.play.replay import replay
from rulesengine.state import Outcome, State
from rulesengine.support.frozen import replace


def to_record(game: Game, recorded: RecordedGame, spec: str = "") -> GameRecord:
    """Return a game of a format as a record; comments and variations are omitted.

    The result is the outcome by the rules, or that of a claim if the game states it. Any other
    result is `stated`.
    """
    game = game.bind(**dict(recorded.parameters)) if recorded.parameters else game
    start = recorded.start.state
    outcome = _outcome(game, recorded.final, recorded.result)
    return GameRecord(
        game=game.name,
        rules=rules_hash(game),
        moves=tuple(map(str, recorded.moves)),
        result=outcome,
        spec=spec,
        parameters=game.parameters,
        start="" if start == game.initial_state() else str(start),
        stated=recorded.result if outcome is None else None,
        tags=dict(recorded.headers),
    )


def from_record(game: Game, record: GameRecord) -> RecordedGame:
    """Return a record as a game of a format. Raises NotationError if it breaks the rules."""
    played = replay(game, record)
    if played.differences:
        raise NotationError("; ".join((*played.changed, *played.differences)))
    result = record.stated
    if played.outcome is not None:
        result = GameResult(played.outcome.winner, played.outcome.reason)
    elif record.forfeit and len(game.players) == 2:
        loser, _, reason = record.forfeit.partition(", ")
        winner = next((player for player in game.players if player != loser), None)
        result = GameResult(winner, reason)
    start = Position(played.states[0])
    tags = tuple(record.tags.items())
    own = game.parameters
    other = tuple((k, v) for k, v in played.game.parameters.items() if own[k] != v)
    moves, final = played.moves, played.states[-1]
    return RecordedGame(1, tags, start, moves, final, result, parameters=other)


def from_position(position: Position) -> RecordedGame:
    """Return a position as a game without moves."""
    return RecordedGame(1, (), position, (), position.state, None)


def with_outcome(game: Game, recorded: RecordedGame) -> RecordedGame:
    """Return a game with the result by the rules if it states none."""
    outcome = game.without_claims.outcome(recorded.final)
    if recorded.result is not None or outcome is None:
        return recorded
    return replace(recorded, result=GameResult(outcome.winner, outcome.reason))


def _outcome(game: Game, final: State, result: GameResult | None) -> Outcome | None:
    """Return the outcome of the last state; that of a claim only if the result agrees."""
    outcome = game.without_claims.outcome(final)
    if outcome is not None:
        return outcome
    claim = game.claimable(final)
    return claim if claim and result and claim.winner == result.winner else None
