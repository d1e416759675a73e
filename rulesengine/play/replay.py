"""A record played again: whether each move is legal and the result is the game's."""

from dataclasses import dataclass

from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.play.records.native import GameRecord, rules_hash
from rulesengine.state import Move, Outcome, State


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a record: the states as far as its moves are legal, and what differs.

    `states` has one entry more than `moves`. `changed` tells of rules that are no longer those
    of the record, which alone is no fault; `differences` names the ply of each fault.
    """

    game: Game
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    outcome: Outcome | None
    changed: tuple[str, ...]
    differences: tuple[str, ...]


def replay(game: Game, record: GameRecord) -> Replay:
    """Play a record again, with its parameters; every move and the result are checked.

    Raises UsageError for parameters that the game does not take, NotationError for a start that
    is no state of the game.
    """
    game = game.bind(**record.parameters) if record.parameters else game
    state = game.state_from(record.start) if record.start else game.initial_state()
    states, moves, differences = [state], list[Move](), list[str]()
    for ply, text in enumerate(record.moves, start=1):
        try:
            move = game.move(text, state)
        except RulesError as error:
            differences.append(f"ply {ply}: {error}")
            break
        state = game.apply(state, move)
        moves.append(move)
        states.append(state)
    outcome = game.outcome(state)
    if not differences and outcome != record.result:
        expected, found = _shown(record.result), _shown(outcome)
        differences.append(f"ply {len(moves)}: the record says {expected}, the game {found}")
    changed = tuple(_changed(game, record))
    return Replay(game, tuple(states), tuple(moves), outcome, changed, tuple(differences))


def _changed(game: Game, record: GameRecord) -> list[str]:
    found = []
    if game.name != record.game:
        found.append(f"this is a record of {record.game}, the spec is of {game.name}")
    if rules_hash(game) != record.rules:
        found.append("the rules have changed since the record was written")
    return found


def _shown(outcome: Outcome | None) -> str:
    if outcome is None:
        return "unfinished"
    scores = "".join(f", {name} {score}" for name, score in outcome.scores.items())
    return f"{outcome.winner + ' wins' if outcome.winner else 'draw'}, {outcome.reason}{scores}"
