"""The worst-case cost of a ply: computed by hand, and never less than the interpreter's work."""

from collections import Counter
from functools import partial
from typing import Any

import pytest

from rulesengine import LimitError, load
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.evaluator import Method
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.game import Game
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.lower import worst_cost
from rulesengine.language.pipeline import analyse
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.inspect import costs
from tests.helpers.cli_calls import call

SPEC = """\
spec: 1
name: Reckoned
board: {rows: 4, columns: 4}
players: {white: {ahead: north}, black: {ahead: south}}
pieces: {rook: {white: R, black: r}, pawn: {white: P, black: p}, empty: "."}
start: |
  .rpp
  ....
  ....
  .RRR
define:
  attacked(c): any(shift(c, diagonal) and enemy pawn) or any(shift(c, diagonal) and own pawn)
rules:
  moves:
    - move: own rook
      along: orthogonal
      to: slide(from, direction, empty)
      when: attacked(shift(to, ahead))
    - otherwise
    - move: own pawn
      to: shift(from, ahead) and empty
      choice: [rook, pawn]
      do: promote to to choice
  end:
    when: none(own)
    result: player loses
"""
# `when`: 1 for `or`, 2 each for `any` and `and`; two shifts by four directions, 5 each with their
# `diagonal`; once for both, the shift by one direction (1), the mover's direction (`just`, the
# choice by player, the player and two directions: 5) and the cell `to` as a set (2); `enemy` (8)
# and `own` (2), and 2 for each `pawn`. Three pieces of a side may be rooks or pawns.
TABLE = """\
    15  rules.moves[0]            36 = 1 x 4 directions x 3 from x 3 to
    15  rules.moves[0].move       20 = 5 x 4 directions
    16  rules.moves[0].along       1
    17  rules.moves[0].to        156 = 13 x 4 directions x 3 from
    18  rules.moves[0].when    1,332 = 37 x 4 directions x 3 from x 3 to
    20  rules.moves[2]             6 = 1 x 3 from x 1 to x 2 choices
    20  rules.moves[2].move        5
    21  rules.moves[2].to         30 = 10 x 3 from
    22  rules.moves[2].choice      6 = 2 x 3 from x 1 to
    23  rules.moves[2].do          4
    25  rules.end.when             6 = 3 x 2 players
        other                      2
        total                  1,604, at most 100,000,000
"""


class Counting(Interpreter):
    """An interpreter that counts the operations it evaluates."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.done = Counter[str]()
        self.evaluator.methods = {
            name: partial(self._counted, method) for name, method in self.evaluator.methods.items()
        }

    def _counted(self, method: Method, op: Op, frame: Frame) -> Any:
        self.done[op.name] += 1
        return method(op, frame)


def game_of(text: str) -> Game:
    return load_source(Source("reckoned.yaml", text), engine="interpreter")


def origins(text: str) -> int:
    """Return the number of pieces that the first group of a spec may move."""
    found = costs(Source("reckoned.yaml", text), {})
    return dict(next(c.factors for c in found if c.name.endswith("moves[0]")))["from"]


def test_the_stage_is_as_reckoned_by_hand() -> None:
    shown = call("show", "-", "--stage", "cost", stdin=SPEC.encode())
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == TABLE


def test_stage_cost_has_json_output() -> None:
    report = call("show", "-", "--stage", "cost", "--json", stdin=SPEC.encode()).json()
    assert (report["stage"], report["text"]) == ("cost", TABLE)
    assert report["clauses"][6] == {
        "name": "rules.moves[2].move",
        "file": "<stdin>",
        "line": 20,
        "cost": 5,
        "each": 5,
        "factors": {},
    }
    assert report["clauses"][8]["factors"] == {"from": 3, "to": 1}


def test_a_spec_that_is_too_expensive_shows_its_costs_all_the_same() -> None:
    path = "tests/cases/errors/groups-too-dear-together.yaml"
    assert call("check", path).code == 1
    assert call("show", path, "--stage", "cost").out.endswith(" 109,580,585, at most 100,000,000\n")


def test_cost_of_a_shared_clause_has_the_line_of_the_rules() -> None:
    found = costs(Source("reckoned.yaml", SPEC + "  forbid: none(own)\n"), {})
    common = [cost for cost in found if cost.name == "rules.forbid"]
    # The condition, `turn` and the effects of a tested step.
    assert [(cost.line, cost.each) for cost in common] == [(27, 3 + 2 + 0), (27, 3 + 2 + 4)]
    assert all(cost.name for cost in found if cost.line > 14)


def test_a_parameter_changes_the_costs() -> None:
    plain, large = (
        call("show", "halma", "--stage", "cost", *more).out for more in ([], ["--set", "n=16"])
    )
    assert "x 64 from" in plain
    assert "x 256 from" in large


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("choice: [rook, pawn]", "choice: [pawn]", 3),
        # No pawn of Black can be a rook.
        ("do: promote to to choice", "do: promote to to pawn", 3),
        ("do: promote to to choice", "do: flip enemy touching to", 4),
        ("do: promote to to choice", "do: put rook on from", 16),
        ("do: promote to to choice", "do: put pawn on from", 3),
        ("do: promote to to choice", "do: [put pawn on from, promote own to rook]", 16),
        ("move: own rook", "move: enemy rook", 3),
        ("move: own rook", "move: occupied", 6),
        ("move: own rook", "move: rook where it in top", 6),
        ("move: own rook", "move: rook minus own", 3),
        ("move: own rook", "move: own rook or own pawn", 3),
        ("move: own rook", "move: own rook or empty", 16),
    ],
)  # fmt: skip
def test_pieces_count_as_often_as_they_can_occur(old: str, new: str, expected: int) -> None:
    assert old in SPEC
    assert origins(SPEC.replace(old, new)) == expected


def test_a_script_that_reads_boards_may_fill_them() -> None:
    assert origins(SPEC + "io: read board\n") == 16
    assert origins(SPEC + "io: put rook of white on all\n") == 16


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("empty", 16),
        ("shift(from, north)", 1),
        ("shift(from, orthogonal)", 4),
        ("shift(from, [north, south], [east, west])", 4),
        ("neighbours(from)", 8),
        ("neighbours(from, north)", 1),
        ("slide(from, orthogonal, empty)", 6),
        ("slide(from, all, empty)", 12),
        ("slide(from, north, enemy)", 3),
        ("run(from, enemy, own)", 3),
        ("union(d in orthogonal, shift(from, d))", 4),
        ("own where it in top", 3),
        ("if any(own) then top else bottom and left", 4),
        ("fill(from, edge)", 12),
        ("top or neighbours(from)", 12),
        ("top and neighbours(from)", 4),
        ("reach(c in from, neighbours(c))", 16),
    ],
)
def test_a_set_has_at_most_as_many_cells_as_its_operation_gives(cells: str, expected: int) -> None:
    text = SPEC.replace("to: slide(from, direction, empty)", f"to: {cells}")
    found = costs(Source("reckoned.yaml", text), {})
    assert dict(found[0].factors)["to"] == expected


def test_an_argument_is_computed_once_for_each_use() -> None:
    rules = """
define:
  twice(c): any(c) and count(c) > 0
rules:
  moves:
    move: own rook
    to: shift(from, ahead)
    when: twice(slide(to, orthogonal, empty)) and every(c in own, twice(fill(c, own)))
  end: {when: none(own), result: player loses}
"""
    machine = Counting(game_of(SPEC[: SPEC.index("define")] + rules).program)
    assert len(machine.legal(machine.initial_state())) == 3
    assert (machine.done["slide"], machine.done["fill"]) == (3, 9)


def test_memoised_values_are_recomputed_after_each_effect() -> None:
    """Expect three black pieces before the removal, and two after it."""
    text = SPEC.replace("define:", "define:\n  many: count(own)")
    text = text.replace("promote to to choice", "[set n to many, remove to, set k to many]")
    text = text.replace("to: slide(from, direction, empty)", "to: nowhere")
    text += "registers: {n: {type: number, to: 9}, k: {type: number, to: 9}}\n"
    game = game_of(text)
    state = game.state_from(".rpp\n....\n....\n.RRR\nmover: black")
    after = str(game.apply(state, game.move("c1-c2=pawn", state)))
    assert "n: 3\nk: 2" in after


@pytest.mark.slow
@pytest.mark.parametrize("name", ["halma", "go", "lines-of-action", "tablut", "quarto"])
def test_no_ply_costs_more_than_was_reckoned(name: str) -> None:
    game = load(name, engine="interpreter")
    pieces = [game.program.topology.cells] * len(game.initial_state().planes)
    most = worst_cost(game.program.rules, game.program.topology, pieces)
    machine, state = Counting(game.program), game.initial_state()
    for ply in range(12):
        machine.done.clear()
        moves = machine.legal(state)
        state = machine.apply(state, moves[ply * 7 % len(moves)])
        assert 0 < machine.done.total() <= most


CROWDED = (
    SPEC.replace("rows: 4, columns: 4", "rows: 16, columns: 16")
    .replace("start: |\n  .rpp\n  ....\n  ....\n  .RRR\n", "start: put rook of white on a1\n")
    .replace("none(own)", "any(a in own, any(b in own, any(c in own, every(d in own, a = b))))")
)


def test_a_position_with_more_pieces_than_were_reckoned_with_is_refused() -> None:
    game = game_of(CROWDED)
    few = "R" * 16 + ("\n" + "." * 16) * 15
    assert game.state_from(few).planes[0].bit_count() == 16
    with pytest.raises(LimitError, match=r"too expensive with so many pieces: up to [0-9,]+ set"):
        game.state_from("\n".join(["R" * 16] * 16))


# `place` and `to` are 3 operations with the player, `turn` 2, the `and` of the end is 1, its first
# two conditions 5 each and 3 * 2**k each of the others: any(d0) has 3, any(d1) one more and both
# parts again. The sum of the powers is 3,333,328, which makes 10,000,000 in all.
@pytest.mark.parametrize(
    ("powers", "found"), [(3_333_327, []), (3_333_328, []), (3_333_329, ["too-expensive"])]
)
def test_names_stand_for_ten_million_operations(powers: int, found: list[str]) -> None:
    names = "".join(f"  d{k}: d{k - 1} minus d{k - 1}\n" for k in range(1, 22))
    condition = " and ".join(f"any(d{k})" for k in range(22) if powers >> k & 1)
    text = f"""\
spec: 1
name: Long
board: {{rows: 3, columns: 3}}
players: [left, right]
pieces: {{stone: {{left: x, right: o}}, empty: "."}}
define:
  d0: own
{names}rules:
  moves: {{place: stone, to: empty}}
  end:
    - when: plies + 1 = plies and plies + 1 = plies and {condition}
      result: draw
io: stop
"""
    assert [finding.code for finding in analyse(Source("long.yaml", text)).findings] == found
