"""Cases of meaning: an expression on a board drawn in a YAML file, and its expected value."""

import json
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from rulesengine import Game, State
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Template, TemplateField
from rulesengine.loading import load_source
from rulesengine.script.game_view import GameView
from rulesengine.support.source import Source

FOLDER = Path(__file__).parents[1] / "cases" / "meanings"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same in C, if available

# The default sections of a group of cases.
_SPEC: dict[str, Any] = {
    "players": {
        "white": {"label": "White", "ahead": "north"},
        "black": {"label": "Black", "ahead": "south"},
    },
    "pieces": {
        "man": {"white": "o", "black": "x"},
        "king": {"white": "O", "black": "X"},
        "rock": {"neutral": "*"},
        "empty": ".",
    },
    "rules": {"moves": {"place": "man", "to": "empty"}},
}


@dataclass(frozen=True)
class Case:
    """A group's board and spec, and one expression to evaluate on it."""

    file: str
    number: int
    group: dict[str, Any]
    case: dict[str, Any]

    @property
    def word(self) -> str:
        return str(self.case["word"])

    @property
    def ask(self) -> str:
        return str(self.case["ask"])

    def __str__(self) -> str:
        return f"{self.file}:{self.number}: {self.ask}"

    def get(self, key: str, default: Any = None) -> Any:
        return self.case.get(key, self.group.get(key, default))

    @property
    def rows(self) -> list[str]:
        text = str(self.get("position"))
        if "stacks" in self.get("board", {}):  # blanks separate the cells
            return text.strip().splitlines()
        return [row.replace("_", "") for row in text.split()]


def read_cases() -> list[Case]:
    """Read every case of every file, in order."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        number = 0
        for group in yaml.load(path.read_text("utf-8"), _LOADER):
            for case in group["cases"]:
                number += 1
                found.append(Case(path.stem, number, group, case))
    return found


def spec_text(*cases: Case) -> str:
    """Return a spec of a group's cases; its script evaluates each expression on a state or move."""
    sections = {**_SPEC, **cases[0].get("spec", {})}
    sections["board"] = _board(cases[0])
    text = f"spec: 1\nname: {cases[0].file}\n"
    text += "".join(f"{key}: {json.dumps(value)}\n" for key, value in sections.items())
    return f"{text}io: |\n" + "".join(f"  {_line(case)}\n" for case in cases)


def _line(case: Case) -> str:
    if case.get("move"):
        return f'print moves "{{{case.ask}}}"'
    return f"let asked{case.number} be {case.ask}"


def load(*cases: Case) -> Game:
    return load_source(Source(f"{cases[0].file}.yaml", spec_text(*cases)))


def load_group(case: Case) -> tuple[Game, Op]:
    """Return the game that a case shares with its group, loaded once, and the case's expression."""
    numbers = [one.number for one in _groups()[case.file, case.number]]
    game = _game(case.file, numbers[0])
    return game, expression_in(game, numbers.index(case.number))


@cache
def _game(file: str, number: int) -> Game:
    return load(*_groups()[file, number])


@cache
def _groups() -> dict[tuple[str, int], list[Case]]:
    """Return for each case with a value all such cases of its group."""
    giving = (case for case in read_cases() if "gives" in case.case)
    groups = (list(group) for _, group in groupby(giving, lambda case: id(case.group)))
    return {(case.file, case.number): group for group in groups for case in group}


def state_of(case: Case, game: Game) -> State:
    """Return the case's position, after the moves that it plays."""
    mover = case.get("mover", game.players[0])
    state = game.state_from("\n".join([*case.rows, f"mover: {mover}"]))
    for text in case.get("play", ()):
        state = game.apply(state, game.move(text, state))
    return state


def value_of(game: Game, op: Op, state: State, move: str | None) -> Any:
    """Return the value of an expression, in the form that a case writes: see `cases/meanings`."""
    made = game.move(move, state) if move else None
    return _shown(op.type, GameView(game).value(op, state, {}, made), game, state)


def _board(case: Case) -> dict[str, Any]:
    board = dict(case.get("board", {}))
    if board.get("shape", "rectangle") in ("rectangle", "rhombus"):
        rows = case.rows if "stacks" in board else str(case.get("position")).split()
        columns = len(rows[0].split()) if "stacks" in board else len(rows[0])
        return {"rows": len(rows), "columns": columns, **board}
    return board


def expression_in(game: Game, line: int = 0) -> Op:
    """Return the expression in a line of the script."""
    operand = game.program.rules.script[line].operands[0]
    if isinstance(operand, Template):
        (field,) = operand.parts
        assert isinstance(field, TemplateField)
        return field.value
    assert isinstance(operand, Op)
    return operand


def _shown(type: str, value: Any, game: Game, state: State) -> Any:
    form = state.form
    match type:
        case "flag":
            return bool(value)
        case "cells":
            marks = [["#" if value >> c & 1 else "." for c in line] for line in form.lines]
            return ["".join(row) for row in marks]
        case "cell":
            return form.cells[value]
        case "side":
            return form.players[value] if value >= 0 else "nobody"
        case "kind":
            return game.rules.kinds[value].name
        case "direction":
            return form.directions[value]
        case "directions":
            return [name for i, name in enumerate(form.directions) if value >> i & 1]
    return value


def expected(case: Case, type: str) -> Any:
    """Return the value that the case expects, a drawn set as rows."""
    gives = case.case["gives"]
    return [row.replace("_", "") for row in gives.split()] if type == "cells" else gives
