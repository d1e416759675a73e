"""Words, lines and lists that scripts read, and the errors for input that does not fit."""

import pytest

from rulesengine.errors import InputError
from tests.helpers.script_runs import HEAD, failure, output, sized


def test_an_error_of_input_names_the_word_the_turn_and_the_line_of_the_script() -> None:
    script = 'read word w\nplay move w\nread number n to 9\nplay move "{n}"'
    location = "(line 2, word 2 of the input; right is to move; script.yaml:{}: `{}`)"
    shown = "n: expected a number from -9223372036854775808 to 9, found `z9` "
    read = location.format(HEAD + 3, "read number n to 9")
    assert failure(script, "\na1  z9 \n\n") == shown + read
    played = location.format(HEAD + 4, 'play move "{n}"')
    assert failure(script, "\na1  7 8\n\n") == "`7` is not legal " + played


@pytest.mark.slow
def test_words_and_lines_of_the_input_are_counted_through_all_that_was_read() -> None:
    script = """
repeat
  read number n
  else
    read line rest
    read cell c
"""
    words = "1 2 3 4 5\n" * 20000  # more than the reader buffers
    text = failure(script, f"{words}6 x of no matter\n\n  7 8")
    assert "expected a cell such as `a1`, found `7` (line 20003, word 1 of the input; " in text


def test_an_input_without_a_word_read_is_not_mentioned() -> None:
    text = failure("play move where to = a1 and false")
    place = f"script.yaml:{HEAD + 1}: `play move where to = a1 and false`"
    assert text == f"no legal move fulfils the condition (left is to move; {place})"


def test_a_message_of_the_script_and_a_value_that_is_not_there_have_their_place_too() -> None:
    text = failure('forfeit\nread line x\nfail "{x}: no"', "some words\nmore")
    place = f'script.yaml:{HEAD + 3}: `fail "{{x}}: no"`'
    assert text == f"some words: no (line 1, word 2 of the input; the game is over; {place})"
    later = "if over\n  read number n\nrepeat until n = 3\n  stop"
    place = f"script.yaml:{HEAD + 3}: `repeat until n = 3`"
    assert failure(later, "a") == f"`n` has no value yet (left is to move; {place})"


def test_several_names_are_read_one_after_the_other() -> None:
    script = """
read number a, b to 9
else
  print "{a} {word}"
read word c, d
read cell e, f
print "{c}{d} {e}{f}"
"""
    assert output(script, "4 x y\nz a1\nc2") == "4 x\nyz a1c2\n"


def test_a_list_has_the_words_of_its_line() -> None:
    script = """
read number n
repeat n times
  read numbers a from 0
  else
    read line rest
    print "not {word}, then{rest}"
    next
  print "{length(a)}: {a}"
read cells c
print "{c} {count(c)}"
accept numbers
read numbers b
print "{b}"
"""
    given = "3\n1\n\n2 3\r\n4 -5 6\n\na1 c2 a1\nx 7 y 8 z\n9"
    assert output(script, given) == "1: 1\n2: 2 3\nnot -5, then 6\na1 c2 2\n7 8\n"


def test_a_cell_a_row_and_a_letter_come_from_words() -> None:
    script = """
repeat
  read word w
  let c be cell("{w}2")
  if c = no_cell
    print "{w}: {c} {number(w)} {letter(28)}"
  else
    print "{row(c)} {column(c)} {number(w)}"
"""
    assert output(script, "a B 7 ab") == "2 1 1\nB: none 2 ab\n7: none 7 ab\nab: none 28 ab\n"
    assert "`a1` is no number and no letters" in failure('print "{number("a1")}"')
    assert "no letters denote 0" in failure('print "{letter(0)}"')


def test_words_are_compared_and_played_without_regard_to_capitals() -> None:
    script = """
read word w
play move "{small_letters(w)}"
print "{capitals(move)} {capitals(w[1])} {if small_letters(w) = move then "so" else "not"} {w}"
"""
    assert output(script, "b2") == "B2 B so b2\n"
    assert output(script, "B2") == "B2 B so B2\n"


def test_a_command_may_be_a_whole_line_of_words() -> None:
    script = """
repeat
  command line
    "put {c:word} {n:number}"
      print "{c},{n}"
    "put {rest:line}"
      print "?{rest}"
    "say{rest:line}"
      print "[{rest}]"
    else
      print "<{word}>"
"""
    given = "put a  7\n\n \t\r\nput a\nput a b 7\nsay \r\nsay  x  y\nput\nput a -1"
    shown = "a,7\n?a\n?a b 7\n[]\n[ x y]\n<put>\na,-1\n"
    assert output(script, given) == shown


def test_adjacent_fields_match_greedily() -> None:
    script = """
repeat
  command
    "{a:word}-{b:word}{n:number}{d:digit}"
      print "{a} {b} {n} {d}"
"""
    assert output(script, "p-q-xy-12 p-x123") == "p-q xy- 1 2\np x1 2 3\n"


READS = [
    ("read number x to 9", "7\n", "10\n"),
    ("read number x, y", "7 8\n", "7 x\n"),
    ("read numbers x from 0", "7 8\n", "7 -8\n"),
    ("read 2 numbers x", "7\n8\n", "7\nx\n"),
    ("read word x, y", "a b\n", ""),
    ("read words x", "a b\n", ""),
    ("read 2 words x", "a\nb\n", ""),
    ("read line x", "a b\n", ""),
    ("read cell x, y", "a1\nc2\n", "a1 d1\n"),
    ("read cells x", "a1 c2\n", "a1 d1\n"),
    ("read board", "x..\n...\n", "x..\n..\n"),
    ('read board with "x" left, " " empty', "x\n x\n", "x\n o\n"),
    ("read board by symbols", "x. .\n...\n", "x..?.."),
    ("read board to blank line", "x..\n...\n\n", "x..\n..\n\n"),
    ('read mover from "1" left, "2" right', "2\n", "3\n"),
    ("read parameter c", "3\n", "99\n"),
    ('command\n  "a{n:number}"\n    print "{n}"', "b a7\n", ""),
    ('command line\n  "a {n:number}"\n    print "{n}"', "\na  7\n", ""),
]


@pytest.mark.parametrize(("read", "good", "bad"), READS, ids=[read[0] for read in READS])
def test_a_read_ends_with_the_input_and_fails_into_its_else(read: str, good: str, bad: str) -> None:
    printed = sized(f'print "start"\n{read}\nprint "done"')
    assert printed("") == "start\n"
    for end in (at + 1 for at, sign in enumerate(good) if sign.isspace()):
        shown = printed(good[:end]).splitlines()
        assert shown[:1] == ["start"]
        assert shown[1:] in ([], ["done"], ["7", "done"])
    assert shown[-1] == "done"
    if bad:
        with pytest.raises(InputError, match=r"\(line \d+.* of the input; left is to move"):
            printed(bad)
        caught = f'print "start"\n{read}\nelse\n  print "caught"\nprint "done"'
        assert sized(caught)(bad) == "start\ncaught\ndone\n"
