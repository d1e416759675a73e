"""Parts of texts and lists in scripts: `slice`, `strip` and `split`."""

import pytest

from tests.helpers.script_runs import output


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ('slice("abcd", 2, 3)', "bc"),
        ('slice("abcd", 0, 9)', "abcd"),
        ('slice("abcd", 3, 2)', ""),
        ('slice("abcd", -5, -1)', ""),
        ('strip("  a b  ")', "a b"),
        ('strip("")', ""),
        ('length(split("a,b,,c", ","))', "4"),
        ('length(split("", ","))', "1"),
        ('split("abc", "")', "a b c"),
        ('split("a--b", "--")', "a b"),
    ],
)
def test_parts_of_texts_are_counted_from_one(value: str, printed: str) -> None:
    assert output(f'let x be {value}\nprint "{{x}}"') == f"{printed}\n"


def test_a_part_of_a_list_is_a_list() -> None:
    script = """
read numbers many
print "{slice(many, 2, 3)} of {length(slice(many, 3, 9))}"
read words names
repeat name in slice(names, 1, 2)
  print "{name}"
"""
    assert output(script, "5 6 7 8\nx y z\n") == "6 7 of 2\nx\ny\n"


def test_a_word_is_split_into_moves() -> None:
    script = """
read word w
repeat part in split(w, ",")
  play move "{part}"
print board
"""
    assert output(script, "a1,b2") == "x..\n.o.\n"
