"""Texts that scripts make and print."""

from tests.helpers.script_runs import failure, output


def test_numbers_are_filled_up_with_zeros_behind_their_sign() -> None:
    assert output('print "{7:03}|{0 - 7:03}|{1234:03}|{7:3}|{7:<3}|"') == "007|-07|1234|  7|7  |\n"


def test_a_text_is_chosen_and_made_inside_a_text_and_as_a_value() -> None:
    script = """
read word w
let joined be "{w}-{count(all):03}:{mover:<6}|"
print "{joined}{if w = "a b" then "never" else "{w}{w}"}{if over then "}}" else "{{"}"
if joined = "x-006:left  |"
  print "equal {if count(own) = 0 then 0 else 1:2}"
"""
    assert output(script, "x") == "x-006:left  |xx{\nequal  0\n"


def test_texts_and_lists_have_a_length_and_members_that_are_counted_from_one() -> None:
    script = """
read words w
read 2 numbers n
let middle be w[2]
print "{length(w)} {w[1]} {w[length(w)]} {length(middle)}{middle[1]} {n} {n[2] + 1}"
print each x in w "{x}" joined by "/"
repeat x in n
  print "{sum(y in n, y * x)} {if 7 in n and not 8 in n and "bc" in w then "yes" else "no"}"
"""
    shown = output(script, "\n a bc \t é\n7\n\n-2")
    assert shown == "3 a é 2b 7 -2 -1\na/bc/é\n35 yes\n-10 yes\n"
    for at in (0, 3):
        text = failure(f'read words w\nprint "{{w[{at}]}}"', "a b")
        assert f"no member {at} of 2 in `w[{at}]`" in text


def test_members_and_moves_come_in_an_order_of_ones_own() -> None:
    script = """
play move "b1"
print each i in numbers(1 to 4) in order of i % 2, -i "{i}" joined by ">"
print each c in empty in order of column(c) "{c}" joined by " "
print moves in order of -column(to), -row(to) "{move}" joined by " "
print moves in order of move "{move}" joined by " "
read words w
print each x in w in order of length(x), x "{x}" joined by " "
repeat c in occupied or corners in order of -column(c), row(c) until column(c) = 1 separated by "/"
  print "{c}"
"""
    lines = [
        *("4>2>3>1", "a1 a2 b2 c1 c2", "c2 c1 b2 a2 a1", "a1 a2 b2 c1 c2", "a b bb aaa"),
        *("c1", "/", "c2", "/", "b1"),
    ]
    assert output(script, "b aaa bb a\n").splitlines() == lines


def test_lists_are_printed_without_a_line_end_too() -> None:
    script = """
prompt each c in rows(1 to 1) "{c}"
prompt "|"
prompt each c in nowhere "{c}"
prompt moves in order of -row(to) "{move}" joined by ","
print ""
prompt each p in players "<{p}>" joined by " "
"""
    assert output(script) == "a1b1c1|a2,b2,c2,a1,b1,c1\n<left> <right>"
