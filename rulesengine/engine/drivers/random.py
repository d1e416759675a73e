"""64-bit words and random numbers, as drivers.

A `Word` is an unsigned 64-bit integer with wrap-around; only the functions below that take a `Word`
operate on it. Up to `fold` each of them is one instruction of kernel code. See decision 010.
"""

from collections.abc import Sequence

from rulesengine.engine.drivers.memory import Word

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def word(number: int) -> Word:
    """Convert a number to an unsigned 64-bit word."""
    return number & _MASK


def wrap_add(a: Word, b: Word) -> Word:
    return a + b & _MASK


def wrap_xor(a: Word, b: Word) -> Word:
    return a ^ b


def wrap_mul(a: Word, b: Word) -> Word:
    return a * b & _MASK


def high_word(z: Word, n: int) -> int:
    """Return the high word of the product of a word and a positive number."""
    return z * n >> 64


def popcount(z: Word) -> int:
    """Return the number of 1 bits of a word."""
    return z.bit_count()


def lowest_bit(z: Word) -> int:
    """Return the index of the lowest 1 bit of a non-zero word."""
    return (z & -z).bit_length() - 1


def mix(z: Word) -> Word:
    """Apply SplitMix64's output function, a permutation of the 64-bit numbers."""
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
    return z ^ z >> 31


def fold(total: Word, number: int) -> Word:
    """Return a checksum updated with one more number."""
    return mix(total ^ (number & _MASK))


def folded(total: Word, words: Sequence[int]) -> Word:
    """Return a checksum updated with words, 64 bits at a time."""
    for part in words:
        while True:
            total = fold(total, part)
            part >>= 64
            if part <= 0:
                break
    return total


def generator(seed: Word, game: int) -> Word:
    """Return the state of the SplitMix64 generator of game `game` of seed `seed`.

    It starts at mix(seed) + mix(game + 1), modulo 2**64 (Steele, Lea, Flood, 2014).
    """
    return wrap_add(mix(seed), mix(word(game + 1)))


def draw(state: Word, n: int) -> tuple[Word, int]:
    """Return the generator's next state, and a random number from 0 to n - 1.

    The number is the high 64 bits of the product of n and the generator's output. With n = 1 the
    generator does not advance.
    """
    if n == 1:
        return state, 0
    following = wrap_add(state, _GOLDEN)
    return following, high_word(mix(following), n)


def weighted_index(weights: Sequence[int], number: int) -> int:
    """Return the index of the weight that a number below the sum of all weights selects."""
    place = 0
    while number >= weights[place]:
        number -= weights[place]
        place += 1
    return place


class Generator:
    """A mutable random number generator for game `game` of seed `seed`."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, game: int) -> None:
        self._state = generator(word(seed), game)

    def below(self, n: int) -> int:
        """Return a random number from 0 to n - 1; with n = 1 the generator does not advance."""
        self._state, number = draw(self._state, n)
        return number

    def among(self, weights: Sequence[int]) -> int:
        """Return a random index by weight; with a sum of 1 the generator does not advance."""
        return weighted_index(weights, self.below(sum(weights)))
