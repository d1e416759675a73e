"""Script statements that play moves."""

from collections.abc import Callable
from time import monotonic

from rulesengine.engine.interpreter import DECIDED, LAST_MOVE
from rulesengine.engine.interpreter.outcomes import Decision
from rulesengine.errors import EvaluationError, InputError, LimitError
from rulesengine.language.ir.rules import ExactChoice, Statement, StrategyWithArguments
from rulesengine.script.exact_values import best_move, exact_value
from rulesengine.script.runtime import ScriptState, StatementError, shortened
from rulesengine.state import Move, State
from rulesengine.support.limits import INTEGER_MAX, MAX_PLIES


def play_word(stage: ScriptState, statement: Statement) -> None:
    name = statement.words[0]
    if name not in stage.variables:
        raise EvaluationError(f"`{name}` has no value yet")
    _play_written(stage, stage.variables[name])


def play_text(stage: ScriptState, statement: Statement) -> None:
    _play_written(stage, stage.text(statement.operands[0]))


def play_where(stage: ScriptState, statement: Statement) -> None:
    test = stage.prepare(statement.operands[0], "from", "to")
    _play_first(
        stage,
        lambda move: not is_pass(move) and bool(stage.value(test, move)),
        "no legal move fulfils the condition",
    )


def play_pass(stage: ScriptState, statement: Statement) -> None:
    _play_first(stage, is_pass, "a pass is not legal")


def play_chance(stage: ScriptState, statement: Statement) -> None:
    _let_chance_play(stage)


def choose(stage: ScriptState, statement: Statement) -> None:
    move = _choice(stage, statement)
    if move is None:
        raise StatementError("there is no move to choose")
    stage.variables[statement.words[0]] = move.text


def play_one(stage: ScriptState, statement: Statement) -> None:
    _play_by(stage, statement, 1)


def play_all(stage: ScriptState, statement: Statement) -> None:
    _play_by(stage, statement, INTEGER_MAX)


def play_many(stage: ScriptState, statement: Statement) -> None:
    _play_by(stage, statement, stage.value(statement.operands[1]))


def solve(stage: ScriptState, statement: Statement) -> None:
    """Assign the winner of the position under best play, and its distance from the end."""
    value = exact_value(stage, stage.value(statement.operands[0]), len(statement.words) > 1)
    stage.variables |= zip(statement.words, value, strict=False)


def forfeit(stage: ScriptState, statement: Statement) -> None:
    players = len(stage.game.players)
    winner = 1 - stage.state.side if players == 2 else -1
    stage.variables[DECIDED] = forfeited(winner)


def forfeited(winner: int) -> Decision:
    """Return how a game is decided by a forfeit; the winner is -1 if there is none."""
    return winner, "forfeit", (), ()


def is_pass(move: Move) -> bool:
    return move.steps[0].kind == "pass"


def _play_written(stage: ScriptState, text: str) -> None:
    move = None if DECIDED in stage.variables else stage.game.find(text, stage.state)
    if move is None:
        raise StatementError(f"`{shortened(text)}` is not legal")
    play_move(stage, move)


def _play_first(stage: ScriptState, wanted: Callable[[Move], bool], otherwise: str) -> None:
    moves = () if DECIDED in stage.variables else stage.game.legal_moves(stage.state)
    move = next(filter(wanted, moves), None)
    if move is None:
        raise StatementError(otherwise)
    play_move(stage, move)


def _let_chance_play(stage: ScriptState) -> None:
    """Draw chance moves until a player is to move or the game is over."""
    while DECIDED not in stage.variables and (weights := stage.game.weights(stage.state)):
        play_move(stage, stage.game.legal_moves(stage.state)[stage.random.among(weights)])


def _play_by(stage: ScriptState, statement: Statement, times: int) -> None:
    while times > 0 and DECIDED not in stage.variables:
        _let_chance_play(stage)
        move = _choice(stage, statement)
        if move is None:
            break
        play_move(stage, move)
        times -= 1


def _choice(stage: ScriptState, statement: Statement) -> Move | None:
    """Return the move chosen by the strategy that a statement names."""
    name, chosen = statement.words[-1], statement.operands[0]
    if isinstance(chosen, ExactChoice):
        return best_move(stage, stage.value(chosen.nodes))
    if isinstance(chosen, StrategyWithArguments):
        return _move_of_strategy(stage, chosen)
    strategy = name if chosen is None else str(stage.value(chosen))
    if strategy not in stage.game.strategies:
        raise InputError(f"no strategy `{shortened(strategy)}`")
    move = stage.game.choose(strategy, stage.state, since=stage.due)
    stage.free = monotonic()
    return move


def _move_of_strategy(stage: ScriptState, choice: StrategyWithArguments) -> Move | None:
    """Return the move of a strategy with parameters, which only the interpreter supports."""
    values = (stage.value(op) for op in choice.values)
    named = dict(zip(choice.names, values, strict=True))
    steps = stage.view.choose(choice.strategy, stage.state, named)
    moves = stage.game.legal_moves(stage.state)
    return next((move for move in moves if move.steps == steps), None)


def play_move(stage: ScriptState, move: Move) -> None:
    """Play a legal move and update the script's variables."""
    stage.moves += 1
    stage.taken_back.clear()
    carry_out(stage, move)


def carry_out(stage: ScriptState, move: Move) -> None:
    """Carry out a move that is legal, or was when it was played first."""
    stage.plies += 1
    if stage.plies > MAX_PLIES:
        raise LimitError(
            f"a game has at most {MAX_PLIES} plies: add an end such as `when: plies >= 200`"
        )
    note_last(stage, stage.state, move)
    if stage.view.takes_back:
        stage.played.append((stage.state, move))
    stage.state = stage.game.apply(stage.state, move)


def note_last(stage: ScriptState, before: State, move: Move) -> None:
    """Set the names of the last move, which was played in a position."""
    stage.variables[LAST_MOVE] = before, move.steps
    stage.variables |= {
        "move": move.text,
        "from": move.steps[0].origin,
        "to": move.steps[-1].target,
    }
