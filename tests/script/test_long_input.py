"""Long and endless input of scripts: the limit of the buffer, and memory that stays bounded."""

import io
import tracemalloc

import pytest

from rulesengine.errors import InputError
from rulesengine.loading import load_source
from rulesengine.script import run
from rulesengine.script.tokens import EndOfInput, Tokenizer
from rulesengine.support.source import Source
from tests.helpers.script_runs import failure, output, text_of

MOST = 4 * 2**20
MESSAGE = "a word or line of the input is longer than 4,194,304 bytes"
LIST = "a list of the input is longer than 4,194,304 bytes"
CHUNK = 65_536


class Repeated:
    """A stream that returns `count` chunks and counts those that were read."""

    def __init__(self, chunk: bytes, count: int) -> None:
        self.left, self._chunk = count, chunk

    def read(self, size: int) -> bytes:
        self.left -= 1
        return self._chunk[:size] if self.left >= 0 else b""


@pytest.mark.parametrize("statement", ["read word w", "read line w"])
def test_a_word_or_line_has_at_most_four_mebibytes(statement: str) -> None:
    script = f'{statement}\nprint "{{length(w)}}"'
    assert output(script, "x" * (MOST - 1)) == "4194303\n"
    assert output(script, "x" * MOST + "\n") == "4194304\n"
    assert MESSAGE in failure(script, "x" * (MOST + 1))


def test_a_list_is_limited_as_a_whole() -> None:
    script = 'read words w\nprint "{length(w)}"'
    long = f"{'x' * (2**20 - 1)} "
    assert output(script, long * 4) == "4\n"
    assert LIST in failure(script, long * 4 + "y")


def test_a_long_word_ends_the_run_before_the_rest_is_read() -> None:
    stream = Repeated(b"x" * CHUNK, 3000)
    game = load_source(Source("script.yaml", text_of("read word w")))
    with pytest.raises(InputError, match="longer than"):
        run(game, stream, io.BytesIO())
    assert stream.left == 3000 - MOST // CHUNK - 1


@pytest.mark.parametrize("chunk", [b" \n" * 32768, b" " * 65536])
def test_white_space_takes_no_memory(chunk: bytes) -> None:
    reader = Tokenizer(Repeated(chunk, 1000), lambda: None)
    tracemalloc.start()
    try:
        with pytest.raises(EndOfInput):
            reader.word()
        assert tracemalloc.get_traced_memory()[1] < 10 * CHUNK
    finally:
        tracemalloc.stop()


def test_words_that_were_read_take_no_memory() -> None:
    word = "x" * 127
    reader = Tokenizer(Repeated(f"{word}\n".encode() * 512, 1000), lambda: None)
    tracemalloc.start()
    try:
        assert all(reader.word() == word for _ in range(20_000))
        assert tracemalloc.get_traced_memory()[1] < 10 * CHUNK
    finally:
        tracemalloc.stop()


def test_places_do_not_depend_on_what_was_forgotten() -> None:
    lines = 30_000
    reader = Tokenizer(io.BytesIO(b"abc de\n" * lines), lambda: None)
    for number in range(1, lines + 1):
        assert [reader.word(), reader.word()] == ["abc", "de"]
        if number % 1000 == 0:
            assert reader.place == (number, 2)
            assert reader.line() == ""
            assert reader.place == (number, 2)
