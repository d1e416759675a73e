"""Loops and blocks of I/O scripts."""

import re

import pytest

from rulesengine.errors import SpecError
from rulesengine.language.pipeline import analyse
from rulesengine.script import loop_guard
from rulesengine.support.source import Source
from tests.helpers.script_runs import FLIPS, failure, output, run_with_sizes, text_of


def test_at_the_end_of_input_its_block_is_done() -> None:
    script = """
at end
  print "bye"
repeat
  read word w
  print "{w}"
"""
    assert output(script, "one two") == "one\ntwo\nbye\n"


def test_a_loop_counts_from_one_number_to_another() -> None:
    script = """
let top be 3
repeat i from top - 1 to top + 1 separated by "-"
  if i = 3
    next
  print "{i}"
repeat i from 5 to 4
  print "never"
repeat i from 1 to 9 until count(occupied) = 2
  play move by greedy
  print "{i} {move}"
repeat k from 1 to 9
  print "{k}"
  leave
"""
    assert output(script, more=FLIPS) == "2\n-\n4\n1 c1\n2 c2\n1\n"


def test_a_loop_goes_through_a_domain_as_it_is_before_the_first_round() -> None:
    script = """
repeat c in empty where column(it) < 3
  play move where to = c
  print "{c} {count(empty)}"
repeat p in players
  repeat i in numbers(1 to 2)
    print "{p} {i}"
"""
    placed = "a1 5\nb1 4\na2 3\nb2 2\n"
    assert output(script) == placed + "left 1\nleft 2\nright 1\nright 2\n"


def test_the_variable_of_a_loop_leaves_one_outside_as_it_was() -> None:
    script = """
let c be 5
repeat c in rows(1 to 1)
  let d be column(c)
print "{c + d}"
repeat c from 1 to 2
  let d be c
print "{c + d}"
"""
    assert output(script) == "8\n7\n"


def test_the_variable_of_a_loop_is_not_known_after_it() -> None:
    script = 'repeat i from 1 to 3\n  print "{i}"\nprint "{i}"'
    with pytest.raises(SpecError, match="`i` is known in the lines of its loop alone"):
        output(script)


def test_numbers_go_on_where_a_parameter_is_read_in_the_loop() -> None:
    script = """
repeat i from 1 to 3
  read parameter n
  let c be cell_at(1, n)
  print "{i} {c}"
"""
    assert run_with_sizes(script, "2 4 1") == "1 b1\n2 d1\n3 a1\n"


def test_a_block_is_done_with_values_of_its_own() -> None:
    script = """
let n be 5
do show(2, "two")
block show(n, text)
  if n = 0
    leave
  repeat i from 1 to n
    if i = 2
      leave
    print "{text} {i}"
  let last be text
  if n = 9
    stop
  print board
do show(0, "none")
print "{n} {last}"
do again
do show(9, "nine")
print "never"
block again
  do show(count(own), "in {mover}")
"""
    board = "...\n...\n"
    assert output(script) == f"two 1\n{board}5 two\nnine 1\n"


def test_a_block_may_read_and_play_and_change_the_board() -> None:
    script = """
block turn(c)
  play move where to = c
  else
    print "{c} is taken"
    next
  print board
block size(k)
  set n to k
  print "{n}"
repeat 2 times
  do turn(a1)
  do turn(first(all))
do size(2)
do turn(last(all))
read cell c
do size(3)
at end
  do turn(b1)
read word w
"""
    shown = "x...\na1 is taken\na1 is taken\na1 is taken\n2\n.x\n3\n.x.\n"
    assert run_with_sizes(script, "a1") == shown
    with pytest.raises(SpecError, match="`c` was of the board before"):
        run_with_sizes(script.replace("read word w", 'print "{c}"'), "")


def test_cells_do_not_outlive_the_board_of_a_block_that_is_done_again() -> None:
    script = """
block size(k)
  set n to k
  let corner be last(all)
do size(2)
let c be first(all)
print "{c} {corner}"
do size(3)
print "{corner}"
"""
    assert run_with_sizes(script, "") == "a1 b1\nc1\n"
    with pytest.raises(SpecError, match="`c` was of the board before"):
        run_with_sizes(f'{script}print "{{c}}"', "")


def test_a_block_that_is_never_done_is_reported() -> None:
    source = Source("script.yaml", text_of("block idle(x)\n  print x"))
    assert [f.message for f in analyse(source).findings] == [
        "the block `idle` is never done",
        "expected a text in quotation marks, found `x`",
    ]
    source = Source("script.yaml", text_of('block idle(x)\n  print "{x}"\ndo idle(3'))
    assert [f.message for f in analyse(source).findings] == ["a bracket that is not closed"]
    source = Source("script.yaml", text_of('block idle(x)\n  print "{x}"\nprint board'))
    found = [f for f in analyse(source).findings if f.code == "unused-name"]
    assert [f.message for f in found] == ["the block `idle` is never done"]
    assert output('block idle(x)\n  print "{x}"\nprint board') == "...\n...\n"


def test_a_loop_that_prints_nothing_leaves_the_separator_of_the_loop_around_it() -> None:
    script = """
repeat i from 1 to 3 separated by "--"
  repeat k from 1 to 2 separated by "never"
    let sum be i + k
  print "{sum}"
  repeat k from 1 to 2 separated by "-"
    print "{k}"
"""
    once = "{}\n1\n-\n2\n"
    assert output(script) == "--\n".join(once.format(n) for n in (3, 4, 5))


@pytest.mark.parametrize(
    ("script", "blamed"),
    [
        ("repeat\n  let x be 1", "repeat"),
        ("repeat\n  repeat c in all\n    start anew", "repeat"),
        ("repeat until over\n  choose m by greedy", "repeat until over"),
        ("repeat i from 1 to 500\n  repeat 500 times\n    let x be i", "repeat 500 times"),
        ('read word w\nrepeat\n  if over\n    print "{w}"', "repeat"),
    ],
)
def test_loops_that_do_nothing_end_at_the_one_without_a_number(
    monkeypatch: pytest.MonkeyPatch, script: str, blamed: str
) -> None:
    monkeypatch.setattr(loop_guard, "MAX_IDLE_ROUNDS", 100)
    message = failure(script, "once", FLIPS)
    assert message.startswith("nothing is read, printed or played in 100 rounds of loops")
    assert "by `until`, `leave` or `stop` (" in message
    assert re.search(rf"script\.yaml:\d+: `{blamed}`\)$", message)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at_times", "printed"),
    [('print "."', ".\n" * 250), ("read word w", ""), ("start anew\n  play move by greedy", "")],
)
def test_loops_that_read_print_or_play_now_and_then_go_on(
    monkeypatch: pytest.MonkeyPatch, at_times: str, printed: str
) -> None:
    monkeypatch.setattr(loop_guard, "MAX_IDLE_ROUNDS", 100)
    script = f"repeat 250 times\n  repeat 99 times\n    let x be 1\n  {at_times}"
    assert output(script, "once\n" * 250, FLIPS) == printed
