"""Execution of one test of a spec: the differences between expected and actual values."""

import io
import random
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rulesengine.errors import IllegalMoveError, InternalError, NotationError, RulesError
from rulesengine.game import Game
from rulesengine.script import run
from rulesengine.state import Move, Outcome, State
from rulesengine.support.limits import MAX_PLIES
from rulesengine.tools.spectests.difference import (
    Difference,
    of_boards,
    of_lines,
    of_moves,
    of_values,
)
from rulesengine.tools.spectests.information import information_sets

Test = Mapping[str, Any]

# The text of a long game includes its history: the first _EACH positions and then one in _EVERY
# are read back.
_EACH, _EVERY = 64, 16
_MOVER = re.compile(r"^\s*mover:", re.MULTILINE)  # in a position text that includes the mover


def run_test(game: Game, test: Test) -> list[Difference]:
    """Run a test and return its differences, none if it passes."""
    if not test.keys() & (_OF_STATE.keys() | _OF_RUN | {"information", "moves", "position"}):
        return [Difference("", "the test expects nothing")]
    differences: list[Difference] = []
    try:
        values = test.get("parameters", {})
        bound = game.bind(**values) if values else game
        if test.keys() & _OF_RUN:
            differences += _check_run(bound, test)
        if test.keys() - _OF_RUN - {"name", "parameters"}:
            differences += _check_state(bound, test)
    except InternalError:
        raise
    except RulesError as error:
        differences.append(Difference("", str(error)))
    return differences


def _check_state(game: Game, test: Test) -> list[Difference]:
    """Play the moves from the initial position or the given one, then compare the state."""
    position = _text(test.get("position", ""))
    says_mover = "mover" in test and "position" in test and not _MOVER.search(position)
    if says_mover:
        position += f"\nmover: {test['mover']}"
    start = game.state_from(position) if "position" in test else game.initial_state()
    state, moves = start, list[Move]()
    for number, word in enumerate(_words(test.get("moves", "")), start=1):
        try:
            moves.append(game.move(word, state))
            state = game.apply(state, moves[-1])
        except (NotationError, IllegalMoveError) as error:
            return [Difference("moves", f"move {number}: {error}")]
    keys = [key for key in _OF_STATE if key in test and not (key == "mover" and says_mover)]
    differences = [_OF_STATE[key](game, state, test[key]) for key in keys]
    if "information" in test:
        differences.append(_information(game, start, moves, test["information"]))
    return [difference for difference in differences if difference]


def _legal(game: Game, state: State, expected: Any) -> Difference | None:
    expected_moves, actual = _words(expected), [str(move) for move in game.legal_moves(state)]
    if expected_moves == actual:
        return None
    value = actual if isinstance(expected, list) else " ".join(actual)
    outcome = None if actual else game.outcome(state)
    over = f"\n  the game is over, {outcome.reason}" if outcome else ""
    return Difference("legal", of_moves(expected_moves, actual) + over, value)


def _illegal(game: Game, state: State, expected: Any) -> Difference | None:
    legal = {str(move) for move in game.legal_moves(state)}
    problems = [f"illegal moves: `{word}` is legal" for word in _words(expected) if word in legal]
    return Difference("illegal", "\n".join(problems)) if problems else None


def _board(game: Game, state: State, expected: Any) -> Difference | None:
    lines = state.form.lines
    actual = str(state).splitlines()[: len(lines)]
    gap = " " if state.form.stacks else ""
    expected_lines = [
        gap.join(line.split()) for line in _text(expected).splitlines() if line.strip()
    ]
    if len(expected_lines) == 1 < len(actual) and not gap:  # rows on one line
        expected_lines = _text(expected).split()
    if expected_lines == actual:
        return None
    names = [[game.program.topology.names[cell] for cell in line] for line in lines]
    return Difference("board", of_boards(expected_lines, actual, names), "\n".join(actual) + "\n")


def _outcome(game: Game, state: State, expected: Any) -> Difference | None:
    return _same("outcome", " ".join(_text(expected).split()), _outcome_text(game.outcome(state)))


def _outcome_text(outcome: Outcome | None) -> str:
    if outcome is None:
        return "none"
    return f"{outcome.winner} wins" if outcome.winner else "draw"


def _scores(game: Game, state: State, expected: Any) -> Difference | None:
    return _by_player("scores", expected, game.scores(state))


def _payoffs(game: Game, state: State, expected: Any) -> Difference | None:
    outcome = game.outcome(state)
    return _by_player("payoffs", expected, outcome.payoffs if outcome else {})


def _by_player(key: str, expected: Any, numbers: Mapping[str, int]) -> Difference | None:
    actual = {name: numbers.get(name) for name in expected}
    if actual == expected:
        return None
    shown = {name: "none" if number is None else number for name, number in actual.items()}
    text = of_values(key, _pairs(expected), _pairs(shown))
    return Difference(key, text, None if None in actual.values() else actual)


def _check_views(game: Game, state: State, expected: Any) -> Difference | None:
    """Compare the observations of players: the rows of the board, then any further lines."""
    observed: dict[str, str] = {}
    problems = []
    for player, text in expected.items():
        observation = game.observation(state, player)
        rows, lines = list(observation.rows[: len(state.form.lines)]), _lines(text)
        if len(lines) == 1 < len(rows):  # rows on one line
            lines = _text(text).split()
        board, more = lines[: len(rows)], lines[len(rows) :]
        missing = [line for line in more if line not in str(observation).splitlines()]
        observed[player] = "\n".join(rows) + "\n"
        if board != rows:
            problems.append(
                of_lines(f"sees of {player}", "\n".join(board) + "\n", observed[player])
            )
        if missing:
            difference = f"sees of {player}", "\n".join(missing) + "\n", f"{observation}\n"
            problems.append(of_lines(*difference))
    return Difference("sees", "\n".join(problems), observed) if problems else None


def _lines(text: Any) -> list[str]:
    return [line.strip() for line in _text(text).splitlines() if line.strip()]


def _mover(game: Game, state: State, expected: Any) -> Difference | None:
    return _same("mover", _text(expected), state.mover)


def _perft(game: Game, state: State, expected: Any) -> Difference | None:
    actual = [game.perft(depth, state) for depth in range(1, len(expected) + 1)]
    if actual == expected:
        return None
    return Difference("perft", of_values("perft", _numbers(expected), _numbers(actual)), actual)


def _information(
    game: Game, start: State, moves: Sequence[Move], expected: Any
) -> Difference | None:
    actual = information_sets(game, start, moves, len(expected))
    if actual == expected:
        return None
    text = of_values("information", _numbers(expected), _numbers(actual))
    return Difference("information", text, actual)


def _random(game: Game, state: State, expected: Any) -> Difference | None:
    """Play random games, each with its own seed, until one violates an invariant."""
    for seed in range(expected):
        problem = _random_game(game, state, random.Random(seed))
        if problem:
            return Difference("random", f"random game {seed}: {problem}")
    return None


def _random_game(game: Game, state: State, draw: random.Random) -> str:
    for ply in range(MAX_PLIES):
        moves = game.legal_moves(state)
        problem = _broken_invariant(game, state, moves)
        if not problem and (ply < _EACH or ply % _EVERY == 0):
            problem = _broken_text(game, state, moves)
        if problem:
            return f"after {ply} plies {problem}\n{_indented(str(state))}"
        if not moves:
            return ""
        state = game.apply(state, draw.choice(moves))
    return ""


def _broken_invariant(game: Game, state: State, moves: Sequence[Move]) -> str:
    """Return the invariant that a state violates, or an empty text."""
    over = game.outcome(state) is not None
    if over == bool(moves):
        return "the game is over but there are moves" if over else "no move is left and no end"
    texts = [str(move) for move in moves]
    if len(set(texts)) < len(texts):
        return f"two moves are called `{next(t for t in texts if texts.count(t) > 1)}`"
    return ""


def _broken_text(game: Game, state: State, moves: Sequence[Move]) -> str:
    """Return the problem of a text that reads back as another state or history."""
    again = game.state_from(str(state))
    is_same = again == state and game.legal_moves(again) == moves
    return "" if is_same else "the state's text reads back as another state"


_OF_STATE: Mapping[str, Callable[[Game, State, Any], Difference | None]] = MappingProxyType(
    {
        "legal": _legal,
        "illegal": _illegal,
        "board": _board,
        "outcome": _outcome,
        "scores": _scores,
        "payoffs": _payoffs,
        "mover": _mover,
        "sees": _check_views,
        "perft": _perft,
        "random": _random,
    }
)
_OF_RUN = frozenset({"input", "output", "blank_lines", "exit", "error"})


def _check_run(game: Game, test: Test) -> list[Difference]:
    """Run the script on the input; compare output, exit code and message."""
    output, message, cause = _transcript(game, _text(test.get("input", "")))
    differences = []
    if "output" in test:
        drop = test.get("blank_lines") == "drop"
        expected_output, actual = _filled(_text(test["output"]), drop), _filled(output, drop)
        if expected_output != actual:
            differences.append(
                Difference("output", of_lines("output", expected_output, actual), actual)
            )
    code, ended = test.get("exit", 1 if "error" in test else 0), int(bool(message))
    if code != ended:
        reason = f" ({message})" if message else ""
        text = of_values("exit code", str(code), f"{ended}{reason}")
        differences.append(Difference("exit", text, ended))
    elif _text(test.get("error", "")) not in message:
        text = of_values("message", f"one with `{test['error']}`", message)
        differences.append(Difference("error", text, cause or None))
    return differences


def _transcript(game: Game, text: str) -> tuple[str, str, str]:
    """Return the output of a run, its error message, and the message without its location."""
    target, message, cause = io.BytesIO(), "", ""
    try:
        run(game, io.BytesIO(text.encode()), target)
    except InternalError:
        raise
    except RulesError as error:
        message, cause = str(error), str(error.__cause__ or error)
    return target.getvalue().decode("utf-8", "replace"), message, cause


def _filled(text: str, drop: bool) -> str:
    """Return the text without blank lines and with every line ended, if `drop`."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip()) if drop else text


def _same(key: str, expected: str, actual: str) -> Difference | None:
    return None if expected == actual else Difference(key, of_values(key, expected, actual), actual)


def _words(value: Any) -> list[str]:
    """Return the texts of a list, or the words of a text."""
    return [_text(item) for item in value] if isinstance(value, list) else _text(value).split()


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(values: Any) -> str:
    return " ".join(str(value) for value in values)


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
