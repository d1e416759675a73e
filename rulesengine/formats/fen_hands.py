"""Pieces in hand in positions: letters in brackets, or letters with counts.

See decision 147. Sources: positions with pockets in Fairy-Stockfish (`[QPp]` behind the board);
the field of hands in the Universal Shogi Interface (`2P3p`).
"""

import re
from collections.abc import Iterator, MutableSequence, Sequence

from rulesengine.errors import NotationError
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import OF_KIND

_TOKEN = re.compile(r"([0-9]{0,3})(.)")
NONE = "-"


class HandNotation:
    """The letters of the pieces that a register counts for each player and kind.

    `written` has the letter of each plane of the state, `order` the kinds in the order of writing.
    """

    def __init__(
        self, program: Program, register: str, written: dict[int, str], order: Sequence[str]
    ) -> None:
        self._register = register
        form, slots = program.form, dict(program.slots)
        self._limits = {r.name: r.high for r in program.rules.registers}
        self._letters: dict[str, tuple[str, int]] = {}  # the register and the slot of each letter
        kinds = order or form.kinds
        for side in range(len(form.players)):
            for kind in kinds:
                name = register + OF_KIND + kind
                plane = form.kinds.index(kind) * (len(form.players) + 1) + side
                if name in slots and plane in written:
                    self._letters[written[plane]] = name, slots[name] + side

    def write(self, registers: Sequence[int], *, has_counts: bool) -> str:
        """Return the letters of the pieces; with counts, `2P` is two and `-` none."""
        text = ""
        for letter, (_, slot) in self._letters.items():
            count = registers[slot]
            if not has_counts:
                text += letter * count
            elif count > 0:
                text += (str(count) if count > 1 else "") + letter
        return text or (NONE if has_counts else "")

    def read(self, text: str, registers: MutableSequence[int]) -> None:
        """Parse letters, with or without counts, into registers. Raises NotationError."""
        counts = dict.fromkeys(self._letters, 0)
        for count, letter in self._tokens(text):
            if letter not in counts:
                known = " ".join(counts)
                raise NotationError(f"no piece `{letter}` in hand, expected one of {known}")
            counts[letter] += count
        for letter, (name, slot) in self._letters.items():
            if counts[letter] > self._limits[name]:
                most = f"at most {self._limits[name]} `{letter}` in hand"
                raise NotationError(f"there can be {most}, found {counts[letter]}")
            registers[slot] = counts[letter]

    @staticmethod
    def _tokens(text: str) -> Iterator[tuple[int, str]]:
        for match in _TOKEN.finditer("" if text == NONE else text):
            yield int(match[1] or 1), match[2]
