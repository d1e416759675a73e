"""`diff`: two specs compared, their differences in English and in numbers."""

from pathlib import Path

import pytest

from tests.helpers.cli_calls import call

FEW = ("--games", "5", "--engine", "interpreter")


@pytest.mark.slow
def test_only_differences_are_reported() -> None:
    done = call("diff", "tic-tac-toe", "--with-b", "misere", *FEW, "--json")
    assert (done.code, done.err) == (0, "")
    found = done.json()
    assert [part["section"] for part in found["rules"]] == ["End"]
    (part,) = found["rules"]
    sentences = [text.partition(" if ")[0] for text in part["a"] + part["b"]]
    assert sentences == ["You win (“a line”)", "You lose (“a line”)"]
    one, other = found["a"], found["b"]
    assert one["perft"] == other["perft"] == [1, 9, 72, 504, 3024]  # no game ends before
    assert one["wins"] == {"cross": other["wins"]["nought"], "nought": other["wins"]["cross"]}
    assert (one["length"], one["branching"]) == (other["length"], other["branching"])


def test_numbers_follow_each_side() -> None:
    words = ("--set", "n=1", "--set", "k=2", "--set-a", "m=2", "--set-b", "m=4")
    found = call("diff", "tic-tac-toe", "tic-tac-toe", *words, *FEW, "--json").json()
    one, other = found["a"], found["b"]
    assert (one["cells"], other["cells"]) == (2, 4)
    # Of four cells in a row three of the six pairs touch: half of the games are won by then.
    assert (one["perft"], other["perft"]) == ([1, 2, 2, 0], [1, 4, 12, 24, 24 // 2])
    assert (one["length"], one["branching"]) == (2.0, 1.5)  # always drawn


@pytest.mark.slow
def test_the_text_marks_both_sides() -> None:
    text = call("diff", "tic-tac-toe", "connect-four", *FEW).out
    assert text.startswith("- Tic-tac-toe\n+ Connect Four\n")
    assert "\n  - The board has 3 rows and 3 columns" in text
    assert "\n  + The board has 6 rows and 7 columns" in text
    assert "perft 1 " in text


@pytest.mark.slow
def test_a_spec_and_itself_say_the_same() -> None:
    assert "\nThe rules say the same.\n" in call("diff", "tic-tac-toe", *FEW).out


def test_a_game_without_an_end_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(
        "spec: 1\nname: Stuck\nboard: {rows: 1, columns: 2}\nplayers: [a, b]\n"
        'pieces: {man: {a: x, b: o}, empty: "."}\n'
        "rules:\n  moves: {place: man, to: empty}\n"
        "  end: {when: plies > 9, result: draw, reason: long}\n"
    )
    done = call("diff", "tic-tac-toe", str(path), *FEW)
    assert done.code == 0
    assert "rulesengine: Stuck: game 0 of seed 0 has no end" in done.err


def test_wrong_use_is_a_sentence_and_2() -> None:
    for words in (("nosuch",), ("tic-tac-toe", "--set-b", "z=1"), ("hex", "--with-a", "size=x")):
        done = call("diff", *words)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
