"""The tables for component keys, written to the memory of a driver."""

from rulesengine.engine.dispatch import Dispatcher
from rulesengine.engine.drivers.memory import Memory, signed
from rulesengine.engine.drivers.search.layout import IMAGES, JOINED, PLACES


def lay_out(dispatcher: Dispatcher, own: Memory, at: int) -> None:
    """Write the tables to an address, if positions of this game are sums of components."""
    parts, numbers = dispatcher.interpreted.parts, own.numbers
    if parts is None:
        return
    numbers[at + IMAGES] = len(parts.images)
    for cell, neighbours in enumerate(parts.near):
        numbers[at + JOINED + 2 * cell] = signed(1 << cell)
        numbers[at + JOINED + 2 * cell + 1] = signed(neighbours)
    for image, places in enumerate(parts.images):
        for cell, place in enumerate(places):
            numbers[at + PLACES + 64 * image + cell] = place
