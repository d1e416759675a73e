"""The input of the four programs: handwritten parsing of ASCII words and 64-bit numbers."""

LARGEST = 2**63 - 1
SMALLEST = -(2**63)


class EndOfInputError(Exception):
    """The input is used up."""


class BadInputError(Exception):
    """The statement rules this input out: the program ends with exit code 1."""


class WordReader:
    """The words of an input, one after the other; white space is ASCII's only."""

    def __init__(self, data: bytes) -> None:
        self._words = data.split()
        self._next = 0

    def word(self) -> bytes:
        if self._next == len(self._words):
            raise EndOfInputError
        self._next += 1
        return self._words[self._next - 1]


def number(word: bytes) -> int | None:
    """Return the value of `-` and digits, limited to 64 bits; None for any other word."""
    digits = word[1:] if word.startswith(b"-") else word
    if not digits:
        return None
    value = 0
    for byte in digits:
        if byte < ord("0") or byte > ord("9"):
            return None
        value = min(value * 10 + byte - ord("0"), LARGEST + 1)
    if word.startswith(b"-"):
        return max(-value, SMALLEST)
    return min(value, LARGEST)


def wanted_number(reader: WordReader, low: int, high: int) -> int:
    """Read the next word as a number of a range. Raises BadInputError for any other word."""
    value = number(reader.word())
    if value is None or value < low or value > high:
        raise BadInputError
    return value
