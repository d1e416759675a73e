"""Values of a wrong type are UsageErrors, for each parameter of each documented call."""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import UsageError, contests

SPEC = "extends: tic-tac-toe\nname: T\ntests: null\nstrategies: {left: [leftmost]}\n"
SPEC += "formats: {sgf: {game: 9, players: {cross: B, nought: W}}}\n"
PAGE = Path(__file__).parents[2] / "docs" / "python.md"

GAME = rulesengine.loads(SPEC, engine="interpreter")
STATE = GAME.initial_state()
SGF = "(;GM[9]SZ[3];B[aa];W[bb])"
RECORDED = next(GAME.read_games(SGF))
OBJECTS: dict[str, Any] = {
    "game": GAME,
    "session": GAME.start(),
    "state": STATE,
    "actions": GAME.actions,
    "level": GAME.level(1),
    "rulesengine": rulesengine,
    "contests": contests,
}
# Arguments of a call that works, for the parameters without a default and for limits.
ARGUMENTS: dict[str, Any] = {
    "cell": 0,
    "depth": 1,
    "games": 1,
    "moves": (),
    "n": 1,
    "name": "a1",
    "number": 1,
    "out": "/nowhere/weights",
    "part": "perft",
    "path": "/nowhere/weights",
    "player": None,
    "plies": 1,
    "side": 0,
    "since": 0.0,
    "state": STATE,
    "strategy": "left",
    "taken": (),
    "text": "a1",
    "value": GAME.search(plies=1).moves[0][1],
    "game": GAME,
    "players": ["random", "b=random"],
}
OTHERS: dict[str, dict[str, Any]] = {
    "game.expect": {"plies": {"perft": 1}},
    "game.finish_compiling": {"seconds": 0.01},
    "game.learned_in": {"path": rulesengine.load("othello").bundled_learning},
    "game.move_text": {"move": GAME.move("a1")},
    "game.position_from": {"text": GAME.export()},
    "game.read_games": {"text": GAME.export()},
    "game.apply": {"move": "a1"},
    "game.format_position": {"format": "fen"},
    "game.format_record": {"record": RECORDED, "format": "sgf"},
    "game.move_record": {"move": GAME.move("a1")},
    "game.position": {"text": GAME.export()},
    "game.record": {"text": SGF},
    "game.trace": {"move": GAME.move("a1")},
    "game.search": {"seconds": 0.01},
    "game.searcher": {"seconds": 0.01},
    "game.state_from": {"text": str(STATE)},
    "actions.action_of": {"move": GAME.move("a1")},
    "session.push": {"move": "a1"},
    "contests.match": {"games": 2},
    "contests.tournament": {"games": 2},
    "rulesengine.load": {"path": "tic-tac-toe"},
    "rulesengine.loads": {"text": SPEC},
}


# Calls without a check: they are for other modules of the package.
LEFT_OUT = {"game.script_kernels", "game.with_program"}


def documented() -> list[str]:
    """Return the calls of the objects above that the page of the Python API names."""
    owners = ("session", "state", "actions", "level")
    names = {f"{owner}.{name}" for owner in owners for name in vars(type(OBJECTS[owner]))}
    names |= {".".join(pair) for pair in re.findall(r"\b(\w+)\.(\w+)\(", PAGE.read_text("utf-8"))}
    names |= {"contests.match", "contests.tournament"}
    return sorted(name for name in names - LEFT_OUT if is_call(name))


def is_call(name: str) -> bool:
    owner, _, method = name.partition(".")
    return not method.startswith("_") and callable(getattr(OBJECTS.get(owner), method, None))


def wrong_values(annotation: str) -> Iterator[Any]:
    """Yield values that an annotation excludes."""
    yield from (object(), 2j)
    if not re.search("Mapping|Sequence|Iterable|tuple", annotation):
        yield {1: 2}
    if not re.search("str|Literal|Path|Engine|Theme", annotation):
        yield "x"
    if not re.search("int|float", annotation):
        yield 5
    if "float" not in annotation:
        yield 2.5
    if "None" not in annotation:
        yield None


@pytest.mark.parametrize("call", documented())
def test_a_value_of_a_wrong_type_is_a_usage_error(call: str) -> None:
    owner, _, method = call.partition(".")
    function = getattr(OBJECTS[owner], method)
    parameters = inspect.signature(function).parameters.values()
    given = {**ARGUMENTS, **OTHERS.get(call, {})}
    needed = [one.name for one in parameters if one.default is one.empty and one.name in given]
    base = {name: given[name] for name in (*needed, *OTHERS.get(call, {}))}
    answers = []
    for one in parameters:
        annotation = inspect.formatannotation(one.annotation)
        if annotation == "bool" or one.kind is one.VAR_KEYWORD:
            continue
        for value in wrong_values(annotation):
            error = answer(function, one, {**base, one.name: value})
            if f"{value!r:.20}" not in error:
                answers.append((one.name, value, error))
    assert answers == []


def answer(function: Callable[..., Any], one: inspect.Parameter, named: dict[str, Any]) -> str:
    """Return the message of the UsageError of a call, or the reason why there is none."""
    first = []
    if one.kind is one.VAR_POSITIONAL:
        first = [named.pop(one.name)]
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            first.append(named.pop(name))
    try:
        found = function(*first, **named)
        if inspect.isgenerator(found):
            next(found, None)
    except UsageError as error:
        return str(error)
    except Exception as error:
        return type(error).__name__
    return "no error"


def test_a_strategy_that_is_no_text_is_described_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"^the strategy is a text, found <State: .*$"):
        GAME.choose(STATE, STATE)  # type: ignore[arg-type]


def test_endless_seconds_are_no_limit() -> None:
    late = GAME.state_from("xox\noox\n.x.\nmover: nought")
    found = GAME.search(late, seconds=float("inf"))
    assert (found.whole, found.value) == (True, 0)
    assert GAME.solve(late, seconds=1e300).value == "draw"
