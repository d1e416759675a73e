"""Input that ends too early: exit code 0 and the same output, with a message."""

import io

import pytest

from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.support.source import Source
from tests.helpers.cli_calls import call
from tests.helpers.script_runs import text_of

CASES = [
    # The first read of a script or of a round of an endless loop is an expected end.
    ("read number n", "", ""),
    ('repeat\n  read word w\n  print "{w}"', "a b", ""),
    ("repeat until over\n  read word w\n  play move w", "a1", ""),
    ("repeat\n  command\n    \"q\"\n      stop\n    \"a{w:word}\"\n      print \"{w}\"", "ab", ""),
    ("repeat\n  if over\n    read word a\n  read word b", "x", ""),
    ("do take\nblock take\n  read word w", "", ""),
    ('at end\n  print "end"\nread number n\nread number k', "3", ""),
    # A list, a number of rounds, a second word and a board are announced.
    ("repeat\n  read word w\n  read cells c", "take", "`read cells c`"),
    ("read number n\nrepeat n times\n  read number k", "3\n1\n2", "`read number k`"),
    ("read word a, b", "x", "`read word a, b`"),
    ("read board", "x..\n", "`read board`"),
    ("repeat\n  read board", "x..\n...\nx..\n", "`read board`"),
    ("read number n\ndo take\nblock take\n  read word w", "1 ", "`read word w`"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "given", "place"), CASES)
def test_input_that_ends_too_early_is_reported(script: str, given: str, place: str) -> None:
    for engine in ("interpreter", "python"):
        game = load_source(Source("script.yaml", text_of(script)), engine=engine)
        for more in ("", "\n", "\n \n"):
            messages = list[str]()
            run(
                game,
                io.BytesIO(given.encode() + more.encode()),
                io.BytesIO(),
                on_early_end=messages.append,
            )
            assert bool(messages) == bool(place), (engine, messages)
            assert all(text.startswith("the input ends too early (") for text in messages)
            assert all(place in text for text in messages)


def test_the_command_prints_the_message_and_exits_with_0() -> None:
    done = call("run", "bio04-four-in-a-line", stdin=b"3\n1 2\n")
    assert (done.code, done.out) == (0, "")
    assert "the input ends too early (line 2, word 2 of the input;" in done.err
    assert call("run", "bio04-four-in-a-line", stdin=b"1\n1\nn\n").err == ""
