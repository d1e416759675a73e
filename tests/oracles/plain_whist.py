"""German Whist from its rules, on sets of cards: slow and plain. A card is a text such as `10H`."""

from dataclasses import dataclass, field

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARDS = [rank + suit for suit in "CDHS" for rank in RANKS]
SIDES = ("first", "second")


def height(card: str) -> int:
    return RANKS.index(card[:-1])


@dataclass
class Whist:
    """A position; `drawing` is the player who gets the next card of the stock, or `up`."""

    stock: set[str] = field(default_factory=lambda: set(CARDS))
    hands: dict[str, set[str]] = field(default_factory=lambda: {side: set() for side in SIDES})
    tricks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    # The receivers of the next cards of the stock.
    drawing: list[str] = field(default_factory=lambda: [*SIDES * 13, "up"])
    turned_up: str = ""
    trump: str = ""
    led: str = ""
    mover: str = "first"

    @property
    def over(self) -> bool:
        return not self.stock and not any(self.hands.values())

    @property
    def winner(self) -> str:
        return max(SIDES, key=lambda side: self.tricks[side])

    def legal(self) -> set[str]:
        if self.drawing:
            return set(self.stock)
        hand = self.hands[self.mover]
        return {card for card in hand if self.led and card[-1] == self.led[-1]} or set(hand)

    def play(self, card: str) -> None:
        if self.drawing:
            self._deal(card)
            return
        self.hands[self.mover].remove(card)
        other = SIDES[1 - SIDES.index(self.mover)]
        if not self.led:
            self.led, self.mover = card, other
            return
        if self._wins(card):
            other, self.mover = self.mover, other
        # Now the mover has lost the trick, and the other player has won it.
        loser, self.mover, self.led = self.mover, other, ""
        if not self.turned_up:
            self.tricks[self.mover] += 1
            return
        self.hands[self.mover].add(self.turned_up)
        self.turned_up = ""
        self.drawing = [loser, "up"][: len(self.stock)]

    def _deal(self, card: str) -> None:
        self.stock.remove(card)
        receiver = self.drawing.pop(0)
        if receiver == "up":
            self.turned_up, self.trump = card, self.trump or card[-1]
        else:
            self.hands[receiver].add(card)

    def _wins(self, card: str) -> bool:
        if card[-1] == self.led[-1]:
            return height(card) > height(self.led)
        return card[-1] == self.trump
