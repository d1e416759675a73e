"""The JSON data of an exported page: names, texts and pictures that its kernels do not contain.

Kernels contain the states and the words of steps.
"""

from collections.abc import Sequence
from itertools import chain

from rulesengine.engine.actions import TOO_MANY, Actions
from rulesengine.engine.drivers.search.result import TREES
from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.engine.moves import shows_captures
from rulesengine.errors import LimitError
from rulesengine.game import Game
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.score_decided import has_payoff
from rulesengine.notation.move_text import Writer
from rulesengine.play.records import GameRecord, rules_hash, write_record
from rulesengine.search.noisy_choice import THOUSANDTHS
from rulesengine.server.export.web_kernels import PageLevel
from rulesengine.server.web.board_payload import board_table, drop_axis, piece_name
from rulesengine.server.web.player_payload import colours_of, scores_shown
from rulesengine.state import CellNumbers, StackForm

Table = dict[str, object]


def check_numbers(game: Game) -> None:
    """Raise LimitError if the steps of a game have no unique numbers."""
    if game.actions.splits:
        raise LimitError(TOO_MANY)


def contents(game: Game, spec: str, drawing: Table, levels: Sequence[PageLevel]) -> Table:
    """Return the game as JSON; `spec` is the argument of `load`, or empty if there is none.

    Raises LimitError if its steps have no numbers.
    """
    check_numbers(game)
    program, form, chance = game.program, game.program.form, game.program.rules.chance
    groups = len(program.rules.groups)
    hidden = form.stacks.slots if form.stacks else range(0)
    return {
        "title": game.name,
        "players": list(form.players),
        "colours": colours_of(game),
        "drops": drop_axis(game),
        "scores": scores_shown(game),
        "pieces": [
            {"piece": piece_name(form, plane), "symbol": symbol or ""}
            for plane, symbol in enumerate(form.symbols)
        ],
        "planes": [plane for plane, symbol in enumerate(form.symbols) if symbol],
        "numbers": [_number(number) for number in form.numbers if number.first not in hidden],
        "stacks": _stacks(form.stacks) if form.stacks else None,
        "end_reasons": [end.reason for end in program.rules.ends],
        "has_payoff": len(form.players) == 1 and has_payoff(program.rules),
        "first_chance_group": groups - len(chance.branches) if chance else groups,
        "tile_groups": [i for i, group in enumerate(program.rules.groups) if group.tiles],
        "steps": _steps(game.actions, program),
        "levels": [*map(_level, levels)],
        "table": board_table(program.topology),
        "drawing": drawing,
        "record": _record(game, spec),
    }


def _number(number: CellNumbers) -> Table:
    return {"name": number.name, "first": number.first, "bits": number.bits, "low": number.low}


def _stacks(stacks: StackForm) -> Table:
    return {
        "height": _number(stacks.height),
        "levels": [*map(_number, stacks.levels)],
        "codes": list(stacks.codes),
    }


def _steps(actions: Actions, program: Program) -> Table:
    """Return the two words of each step, and its part of a move's text, by step number.

    `texts` has two or four columns: the first step of a move without captures, the first step of a
    capture, and the same for later steps. A column equal to the first one is left empty.
    `capture_groups` are the groups with moves that mark captures.
    """
    writer, marks_captures = Writer(program, Fields(program).value), shows_captures(program.rules)
    columns = [
        [writer.step_text(step, captures, later) for step in actions.steps]
        for later in (False, True)[: 1 + actions.chains]
        for captures in (False, True)
    ]
    return {
        "words": [*chain.from_iterable(actions.words())],
        "texts": [columns[0], *(column if column != columns[0] else [] for column in columns[1:])],
        "capture_groups": [number for number, is_set in enumerate(marks_captures) if is_set],
    }


def _level(page: PageLevel) -> Table:
    """Return the budget of a level: positions of alpha-beta, or playouts of a tree search.

    The noise is in thousandths.
    """
    unit = "playouts" if page.method in TREES else "nodes"
    noise = round(THOUSANDTHS * page.level.noise)
    return {unit: page.level.counts, "noise": noise, "method": page.method, "part": page.part}


def _record(game: Game, spec: str) -> list[str]:
    """Return the parts of a record without moves, between which players and moves are inserted."""
    empty = GameRecord(game.name, rules_hash(game), (), None, spec, game.parameters)
    head, seed, _ = write_record(empty).partition("seed: ")
    return [head, f"{seed}0\n"]
