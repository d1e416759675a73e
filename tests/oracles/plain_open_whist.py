"""Two-person whist with open hands, on sets of cards: slow and plain. A card is a text as `KH`."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

RANKS = "JQKA"
CARDS = tuple(rank + suit for suit in "CDHS" for rank in RANKS)
Hand = frozenset[str]


@dataclass(frozen=True)
class Deal:
    """A position: the hands of both players, the player to move, the card that was led."""

    hands: tuple[Hand, Hand]
    mover: int
    led: str = ""

    def legal(self) -> Hand:
        """Return the cards of the suit that was led, else the whole hand."""
        hand = self.hands[self.mover]
        return Hand(card for card in hand if self.led and card[1] == self.led[1]) or hand

    def after(self, card: str) -> tuple["Deal", int]:
        """Return the next position and the winner of the trick, -1 within a trick."""
        hands = (self.hands[0] - {card}, self.hands[1] - {card})
        if not self.led:
            return Deal(hands, 1 - self.mover, card), -1
        is_higher = RANKS.index(card[0]) > RANKS.index(self.led[0])
        winner = self.mover if is_higher and card[1] == self.led[1] else 1 - self.mover
        return Deal(hands, winner), winner


@cache
def best(deal: Deal) -> int:
    """Return the tricks of the first player minus those of the second one by best play."""
    found = []
    for card in deal.legal():
        after, winner = deal.after(card)
        found.append(best(after) + {-1: 0, 0: 1, 1: -1}[winner])
    if not found:
        return 0
    return max(found) if deal.mover == 0 else min(found)


def counts(deal: Deal) -> list[int]:
    """Return the number of lines of play after each ply, up to the end."""
    level, found = Counter([deal]), list[int]()
    while level := _next(level):
        found.append(level.total())
    return found


def _next(level: Counter[Deal]) -> Counter[Deal]:
    found = Counter[Deal]()
    for deal, number in level.items():
        for card in deal.legal():
            found[deal.after(card)[0]] += number
    return found
