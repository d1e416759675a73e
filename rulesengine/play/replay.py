"""Replay of a record: checks that each move is legal and that the result is the game's."""

from dataclasses import dataclass

from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.play.records import GameRecord, rules_hash
from rulesengine.state import Move, Outcome, State


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay: the states up to the first illegal move, and the differences.

    `states` has one more entry than `moves`. `changed` describes rules or a game that differ from
    the record's; this alone is not an error. `differences` has the ply of each error. `settlement`
    is a result that is not by the rules: a resignation, a draw by agreement.
    """

    game: Game
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    outcome: Outcome | None
    changed: tuple[str, ...]
    differences: tuple[str, ...]
    settlement: str = ""


def replay(game: Game, record: GameRecord) -> Replay:
    """Replay a record with its parameters and check every move and the result.

    Moves may follow a position in which a player could claim the end of the game, and the result
    may be that of a claim. Raises UsageError for parameters that the game does not have,
    NotationError for a start that is not a state of the game.
    """
    game = game.bind(**record.parameters) if record.parameters else game
    unclaimed = game.without_claims
    state = game.state_from(record.start) if record.start else game.initial_state()
    states, moves, differences = [state], list[Move](), list[str]()
    for ply, text in enumerate(record.moves, start=1):
        try:
            move = unclaimed.move(text, state)
        except RulesError as error:
            differences.append(f"ply {ply}: {error}")
            break
        state = unclaimed.apply(state, move)
        moves.append(move)
        states.append(state)
    outcome = game.outcome(state)
    if outcome is not None and record.result is None and game.claimable(state):
        outcome = None  # the claim was not made
    if not differences and outcome != record.result:
        expected, replayed = _outcome_text(record.result), _outcome_text(outcome)
        differences.append(f"ply {len(moves)}: the record says {expected}, the game {replayed}")
    changed = tuple(_changed(game, record))
    settlement = "" if outcome else record.settlement
    return Replay(
        game, tuple(states), tuple(moves), outcome, changed, tuple(differences), settlement
    )


def _changed(game: Game, record: GameRecord) -> list[str]:
    differences = []
    if record.game and game.name != record.game:
        differences.append(f"this is a record of {record.game}, the spec is of {game.name}")
    if record.rules and rules_hash(game) != record.rules:
        differences.append("the rules have changed since the record was written")
    return differences


def _outcome_text(outcome: Outcome | None) -> str:
    if outcome is None:
        return "unfinished"
    scores = "".join(f", {name} {score}" for name, score in outcome.scores.items())
    return f"{outcome.winner + ' wins' if outcome.winner else 'draw'}, {outcome.reason}{scores}"
