"""An independent program of Tak, written from the rules and without the package.

A position is a list of stacks, cell by cell from the bottom row; a stack is a text of symbols from
the bottom to the top: `W V C` are a flat stone, a standing stone and the capstone of white, `B D K`
those of black. Moves have the notation of the bundled game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

STONES = {4: (15, 0), 5: (21, 1), 6: (30, 1)}
PIECES = ("WVC", "BDK")
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
NAMES = ("flat", "wall", "cap")


@dataclass
class Tak:
    """A position; `left` has the stones and capstones that each side may still place."""

    n: int
    stacks: list[str] = field(default_factory=list)
    left: list[list[int]] = field(default_factory=list)
    plies: int = 0

    def __post_init__(self) -> None:
        self.stacks = self.stacks or [""] * self.n**2
        self.left = self.left or [list(STONES[self.n]) for _ in PIECES]

    def moves(self) -> dict[str, "Tak"]:
        """Return the positions after all legal moves, by the texts of the moves."""
        side = self.plies % 2
        found = dict(self._openings(side) if self.plies < 2 else self._placements(side))
        if self.plies >= 2:
            found |= dict(self._spreads(side))
        return found

    def winner(self) -> int | None:
        """Return the side that has won, 2 for a draw, None if the game goes on."""
        last = (self.plies - 1) % 2
        for side in (last, 1 - last):
            if self._has_road(side):
                return side
        if "" in self.stacks and all(any(left) for left in self.left):
            return None
        white, black = (sum(s[-1:] == pieces[0] for s in self.stacks) for pieces in PIECES)
        return 2 if white == black else int(black > white)

    def rows(self) -> list[str]:
        """Return the board as it is printed, the last row first."""
        texts = [stack or "." for stack in self.stacks]
        rows = [" ".join(texts[at : at + self.n]) for at in range(0, self.n**2, self.n)]
        return rows[::-1]

    def _after(self, changed: dict[int, str], owner: int = -1, kind: int = 0) -> "Tak":
        stacks = [changed.get(cell, stack) for cell, stack in enumerate(self.stacks)]
        left = [list(of) for of in self.left]
        if owner >= 0:
            left[owner][kind] -= 1
        return Tak(self.n, stacks, left, self.plies + 1)

    def _openings(self, side: int) -> Iterator[tuple[str, "Tak"]]:
        for cell, stack in enumerate(self.stacks):
            if not stack:
                yield self._name(cell), self._after({cell: PIECES[1 - side][0]}, 1 - side)

    def _placements(self, side: int) -> Iterator[tuple[str, "Tak"]]:
        for number, name in enumerate(NAMES):
            kind = int(name == "cap")
            for cell, stack in enumerate(self.stacks):
                if not stack and self.left[side][kind]:
                    after = self._after({cell: PIECES[side][number]}, side, kind)
                    yield f"{name}-{self._name(cell)}", after

    def _spreads(self, side: int) -> Iterator[tuple[str, "Tak"]]:
        for cell, stack in enumerate(self.stacks):
            if stack[-1:] and stack[-1] in PIECES[side]:
                for lifted in range(1, min(self.n, len(stack)) + 1):
                    start = {cell: stack[:-lifted]}
                    for way in STEPS:
                        for drops, changed in self._laid(cell, way, stack[-lifted:]):
                            text = f"{lifted}{self._name(cell)}{way}{drops}"
                            yield text, self._after(start | changed)

    def _laid(self, cell: int, way: str, hand: str) -> Iterator[tuple[str, dict[int, str]]]:
        """Yield the ways to lay the pieces in hand, the lowest first, beyond a cell."""
        across, up = STEPS[way]
        column, row = cell % self.n + across, cell // self.n + up
        if not (0 <= column < self.n and 0 <= row < self.n):
            return
        target = row * self.n + column
        onto = self.stacks[target]
        if onto[-1:] and onto[-1] in "CK":
            return
        if onto[-1:] and onto[-1] in "VD":
            if hand in ("C", "K"):
                flat = {"V": "W", "D": "B"}[onto[-1]]
                yield "1", {target: onto[:-1] + flat + hand}
            return
        yield str(len(hand)), {target: onto + hand}
        for number in range(1, len(hand)):
            for drops, changed in self._laid(target, way, hand[number:]):
                yield f"{number}{drops}", {target: onto + hand[:number], **changed}

    def _has_road(self, side: int) -> bool:
        own = {c for c, s in enumerate(self.stacks) if s[-1:] in (PIECES[side][0], PIECES[side][2])}
        n = self.n
        for axis in (0, 1):
            front = reached = {c for c in own if divmod(c, n)[axis] == 0}
            while front:
                near = {b for a in front for b in self._near(a)} & own - reached
                front, reached = near, reached | near
            if any(divmod(c, n)[axis] == n - 1 for c in reached):
                return True
        return False

    def _near(self, cell: int) -> Iterator[int]:
        for across, up in STEPS.values():
            column, row = cell % self.n + across, cell // self.n + up
            if 0 <= column < self.n and 0 <= row < self.n:
                yield row * self.n + column

    def _name(self, cell: int) -> str:
        return f"{'abcdef'[cell % self.n]}{cell // self.n + 1}"


def perft(game: Tak, depth: int) -> int:
    """Return the number of sequences of moves; a finished game has no more."""
    if depth == 0:
        return 1
    if game.plies and game.winner() is not None:
        return 0
    return sum(perft(after, depth - 1) for after in game.moves().values())
