"""One of the `tests` of a spec to its problems: what was expected and what was found."""

import io
import random
import re
from collections.abc import Callable, Mapping
from difflib import unified_diff
from types import MappingProxyType
from typing import Any

from rulesengine import Game, Move, Outcome, State
from rulesengine.cli.specs import bind
from rulesengine.errors import IllegalMoveError, InternalError, NotationError, RulesError
from rulesengine.limits import MAX_PLIES
from rulesengine.protocol import run

Test = Mapping[str, Any]

_MOVER = re.compile(r"^\s*mover:", re.MULTILINE)  # in a position that says itself who moves


def run_test(game: Game, test: Test) -> list[str]:
    """The problems of a test, each one or more lines of text; none if all is as expected."""
    if not test.keys() & (_OF_STATE.keys() | _OF_RUN | {"moves", "position"}):
        return ["the test expects nothing"]
    problems: list[str] = []
    try:
        bound = bind(game, test.get("parameters", {}))
        if test.keys() & _OF_RUN:
            problems += _check_run(bound, test)
        if test.keys() - _OF_RUN - {"name", "parameters"}:
            problems += _check_state(bound, test)
    except InternalError:
        raise
    except RulesError as error:
        problems.append(str(error))
    return problems


def _check_state(game: Game, test: Test) -> list[str]:
    """Play the moves from the start or the position, then look at what has come of it."""
    position = _text(test.get("position", ""))
    says_mover = "mover" in test and "position" in test and not _MOVER.search(position)
    if says_mover:
        position += f"\nmover: {test['mover']}"
    state = game.state_from(position) if "position" in test else game.initial_state()
    for number, word in enumerate(_words(test.get("moves", "")), start=1):
        try:
            state = game.apply(state, game.move(word, state))
        except (NotationError, IllegalMoveError) as error:
            return [f"move {number}: {error}"]
    keys = [key for key in _OF_STATE if key in test and not (key == "mover" and says_mover)]
    return [problem for key in keys for problem in _OF_STATE[key](game, state, test[key])]


def _legal(game: Game, state: State, expected: Any) -> list[str]:
    found = [str(move) for move in game.legal_moves(state)]
    return _same("legal moves", " ".join(_words(expected)), " ".join(found))


def _illegal(game: Game, state: State, expected: Any) -> list[str]:
    return [
        f"illegal moves: `{word}` is legal"
        for word in _words(expected)
        if word in {str(move) for move in game.legal_moves(state)}
    ]


def _board(game: Game, state: State, expected: Any) -> list[str]:
    rows = str(state).splitlines()[: len(state.form.lines)]
    wanted = [line.strip() for line in _text(expected).splitlines() if line.strip()]
    return _same_lines("board", "\n".join(wanted) + "\n", "\n".join(rows) + "\n")


def _outcome(game: Game, state: State, expected: Any) -> list[str]:
    found = _outcome_text(game.outcome(state))
    return _same("outcome", " ".join(_text(expected).split()), found)


def _outcome_text(outcome: Outcome | None) -> str:
    if outcome is None:
        return "none"
    return f"{outcome.winner} wins" if outcome.winner else "draw"


def _scores(game: Game, state: State, expected: Any) -> list[str]:
    found = game.scores(state)
    shown = {name: found.get(name, "none") for name in expected}
    return _same("scores", _pairs(expected), _pairs(shown))


def _mover(game: Game, state: State, expected: Any) -> list[str]:
    return _same("mover", _text(expected), state.mover)


def _perft(game: Game, state: State, expected: Any) -> list[str]:
    found = [game.perft(depth, state) for depth in range(1, len(expected) + 1)]
    return _same("perft", _numbers(expected), _numbers(found))


def _random(game: Game, state: State, expected: Any) -> list[str]:
    """Play random games, each with its own seed, up to the first that breaks a promise."""
    for seed in range(expected):
        problem = _random_game(game, state, random.Random(seed))
        if problem:
            return [f"random game {seed}: {problem}"]
    return []


def _random_game(game: Game, state: State, draw: random.Random) -> str:
    for ply in range(MAX_PLIES):
        moves = game.legal_moves(state)
        problem = _broken_promise(game, state, moves)
        if problem:
            return f"after {ply} plies {problem}\n{_indented(str(state))}"
        if not moves:
            return ""
        state = game.apply(state, draw.choice(moves))
    return ""


def _broken_promise(game: Game, state: State, moves: tuple[Move, ...]) -> str:
    """What must hold in every state of every game, and does not; empty if all does."""
    over = game.outcome(state) is not None
    if over == bool(moves):
        return "the game is over but there are moves" if over else "no move is left and no end"
    texts = [str(move) for move in moves]
    if len(set(texts)) < len(texts):
        return f"two moves are called `{next(t for t in texts if texts.count(t) > 1)}`"
    again = game.state_from(str(state))
    if again != state or game.legal_moves(again) != moves:
        return "the state's text reads back as another state"
    return ""


_OF_STATE: Mapping[str, Callable[[Game, State, Any], list[str]]] = MappingProxyType(
    {
        "legal": _legal,
        "illegal": _illegal,
        "board": _board,
        "outcome": _outcome,
        "scores": _scores,
        "mover": _mover,
        "perft": _perft,
        "random": _random,
    }
)
_OF_RUN = frozenset({"input", "output", "blank_lines", "exit", "error"})


def _check_run(game: Game, test: Test) -> list[str]:
    """Run the script on the input; compare output, exit code and message."""
    target, message = io.BytesIO(), ""
    try:
        run(game, io.BytesIO(_text(test.get("input", "")).encode()), target)
    except InternalError:
        raise
    except RulesError as error:
        message = str(error)
    output = target.getvalue().decode("utf-8", "replace")
    problems = []
    if "output" in test:
        drop = test.get("blank_lines") == "drop"
        wanted = _text(test["output"])
        problems += _same_lines("output", _filled(wanted, drop), _filled(output, drop))
    code = test.get("exit", 1 if "error" in test else 0)
    if code != int(bool(message)):
        why = f" ({message})" if message else ""
        problems += _same("exit code", str(code), f"{int(bool(message))}{why}")
    elif _text(test.get("error", "")) not in message:
        problems += _same("message", f"one with `{test['error']}`", message)
    return problems


def _filled(text: str, drop: bool) -> str:
    """The text; without its blank lines, every line ended, if blank lines do not count."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip()) if drop else text


def _same(what: str, expected: str, found: str) -> list[str]:
    if expected == found:
        return []
    return [f"{what}\n  expected {expected or 'nothing'}\n  found    {found or 'nothing'}"]


def _same_lines(what: str, expected: str, found: str) -> list[str]:
    """The lines that differ, with three around them."""
    if expected == found:
        return []
    one, other = (text.splitlines(keepends=True) for text in (expected, found))
    lines = unified_diff(one, other, "expected", "found")
    return ["\n".join([what, *(f"  {_visible(line)}" for line in lines)])]


def _visible(line: str) -> str:
    """A line of a difference, with what cannot be seen at its end."""
    text = line.removesuffix("\n")
    ended = line.endswith("\n")
    shown = text.rstrip(" ") + "·" * (len(text) - len(text.rstrip(" ")) if len(text) > 1 else 0)
    return shown + ("" if ended else "  (no end of line)")


def _words(value: Any) -> list[str]:
    """A list's texts, or the words of a text."""
    return [_text(item) for item in value] if isinstance(value, list) else _text(value).split()


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(values: Any) -> str:
    return " ".join(str(value) for value in values)


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
