"""Earlier positions as kernels remember them: who was to move, with what else is compared."""

from rulesengine.drivers import fold
from rulesengine.state import Form


def position_word(form: Form, position: tuple[int, ...], side: int) -> int:
    """The side and the registers behind the planes of a position, as `emit.values` makes them."""
    if not form.compared:
        return side
    word = fold(0, side)
    for slot, value in zip(form.compared, position[len(form.symbols) :], strict=True):
        word = fold(word, value)
        while form.types[slot] == "cells" and (value := value >> 64) > 0:
            word = fold(word, value)
    return word >> 1
