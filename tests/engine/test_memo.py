"""Loop-invariant values: computed once per statement, on first use."""

import io
from collections import Counter
from typing import Any

import pytest

from rulesengine import EvaluationError, Game
from rulesengine.engine.interpreter import MEMO, Interpreter, marked
from rulesengine.engine.interpreter.evaluator import ObservedEvaluator
from rulesengine.language.ir.ops import Op, walk
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source

SPEC = """
spec: 1
name: Once
board: {rows: 3, columns: 3}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end:
    - {when: "any(line(own, at least 3))", result: player wins}
    - {when: none(empty), result: draw}
define:
  near: neighbours(own)
  many: count(near) + count(near and empty)
  safe: not any(replies, won)
io: |
"""
CONDITIONS = (
    "to = b2",
    "count(own) = 1 and to = c1",
    "to in near and many > 2",
    "count(empty) > column(to) and row(to) = many - many + 1",
    "any(c in empty, c = to and c in near)",
    "any(c in empty, row(c) = 1 and count(own) = 1) and to = a1",
    "sum(n in numbers(1 to 3), if n = column(to) then n else many) > 7",
    "count(c in empty, any(d in near, d = c) and any(d in empty, d = to)) = 2",
    "after(count(own)) = count(own) + 1 and to in near",
    "after(count(own and corners)) = 1 and to in near",
    "after(safe) and count(empty) = 7",
    "any(replies, won) or to = a1",
    "count(replies, count(own) = 1) = 7 and column(to) = count(own)",
    "count(placed) = 1 and placed in near",
    "can_move(left) and count(union(c in own, neighbours(c))) > 2 and to != b2",
    "every(p in players, count(p) = 1) and to = c3",
)


class Counting(Interpreter):
    """An interpreter that counts its operations by name."""

    def __init__(self, program: Any) -> None:
        super().__init__(program, ObservedEvaluator(program, self._note))
        self.done = Counter[str]()

    def _note(self, op: Op) -> None:
        self.done[op.name] += 1


def game_of(script: str) -> Game:
    body = "".join(f"  {line}\n" for line in script.splitlines())
    return load_source(Source("once.yaml", SPEC + body), engine="interpreter")


def counted(script: str) -> tuple[str, Counter[str]]:
    game = game_of(script)
    machine, target = Counting(game.program), io.BytesIO()
    run(Game(game.rules, {}, "interpreter", (), machine), io.BytesIO(), target)
    return target.getvalue().decode(), machine.done


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_is_what_it_is_without_marks(condition: str) -> None:
    game = game_of(f"play move where {condition}")
    test = game.program.rules.script[0].operands[0]
    assert isinstance(test, Op)
    marked_test = marked(test, frozenset({"from", "to"}))
    state = game.apply(game.apply(game.initial_state(), "b2"), "a3")
    variables: dict[str, Any] = {MEMO: {}}
    values = [
        [
            game.machine.evaluate(op, state, variables, move.steps)
            for move in game.legal_moves(state)
        ]
        for op in (test, marked_test)
    ]
    assert values[0] == values[1]
    assert condition == "to = b2" or any(op.name == "once" for op in walk(marked_test))


def test_move_independent_value_is_computed_once() -> None:
    script = 'play move where count(empty) = 9 and to = c1\nprint "{move}"'
    assert counted(script)[0] == "c1\n"
    done = counted(script)[1]
    assert (done["count"], done["equal"]) == (1, 1 + 3)


def test_loop_dependent_value_is_computed_per_binding() -> None:
    script = (
        "play move where any(c in empty, c = to and row(c) = count(empty) - 8 and column(c) = 3)"
    )
    done = counted(script + '\nprint "{move}"')
    assert done[0] == "c1\n"
    assert done[1]["count"] == 1


def test_each_statement_evaluates_it_again() -> None:
    script = "repeat 3 times\n  play move where column(to) > count(occupied)\n"
    script += 'print "{occupied}"\nprint moves "{count(occupied)}{to}" joined by " "'
    text, _ = counted(script)
    assert text == "a1 b1 c1\n3a2 3b2 3c2 3a3 3b3 3c3\n"


def test_texts_of_moves_and_members_ask_once_what_they_do_not_name() -> None:
    script = 'print moves "{move} {count(empty)}" joined by ","'
    text, done = counted(script)
    assert text == ",".join(f"{c}{r} 9" for r in "123" for c in "abc") + "\n"
    assert done["count"] == 1
    text, done = counted('print each c in empty "{c}{count(empty)}{row(c)}"')
    assert text.startswith("a191\nb191\n")
    assert (done["count"], done["row"]) == (1, 9)


def test_an_operand_that_is_never_evaluated_does_not_fail() -> None:
    script = "play move where to = b2 or 1 / count(own) = 1"
    never = 'play move where row(to) > 3 and 1 / count(own) = 1\nelse\n  print "none"'
    assert counted(never)[0] == "none\n"
    with pytest.raises(EvaluationError, match="a division by zero"):
        counted(script)
