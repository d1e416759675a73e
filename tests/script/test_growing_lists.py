"""Lists of scripts that grow: `add VALUE to NAME`, and the empty lists."""

import pytest

from rulesengine.errors import SpecError
from tests.helpers.script_runs import failure, output


def test_a_list_grows_from_the_empty_one() -> None:
    script = """
let seen be no_words
let sizes be no_numbers
repeat 3 times
  read word w
  if w in seen
    print "again {w}"
  add w to seen
  add length(w) to sizes
print "{seen}: {sizes}, {length(seen)}"
"""
    assert output(script, "a bb a") == "again a\na bb a: 1 2 1, 3\n"


def test_a_list_that_was_read_grows() -> None:
    script = """
read numbers many
add sum(n in many, n) to many
print "{many}"
"""
    assert output(script, "1 2 3\n") == "1 2 3 6\n"


def test_a_list_of_another_name_does_not_grow_with_it() -> None:
    script = """
read numbers many
let copy be many
do grow(many)
add 9 to many
print "{many}, {copy}"
block grow(list)
  add 7 to list
  print "{list}"
"""
    assert output(script, "1 2\n") == "1 2 7\n1 2 9, 1 2\n"


def test_a_loop_over_a_list_has_its_members_before_the_first_round() -> None:
    script = """
let many be no_numbers
add 1 to many
add 2 to many
repeat n in many
  add n + 10 to many
print "{many}"
"""
    assert output(script) == "1 2 11 12\n"


def test_a_member_has_the_type_of_the_list() -> None:
    with pytest.raises(SpecError, match="expected a number"):
        output('let many be no_numbers\nadd "a" to many')


def test_a_list_without_a_value_does_not_grow() -> None:
    script = """
if plies > 0
  let many be no_numbers
add 1 to many
"""
    assert "`many` has no value yet" in failure(script)
