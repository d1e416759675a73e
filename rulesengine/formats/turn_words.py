"""Written moves that are several plies of one turn, such as two stones of a player.

See decision 154.
"""

from collections.abc import Iterator, Sequence

from rulesengine.formats.cell_moves import CellNames
from rulesengine.formats.options import option
from rulesengine.formats.values import Note, Notes
from rulesengine.language.ir.program import Program

_NO_NOTE = Note()


class TurnWords:
    """The written moves of a format of one game; without `turn` in the spec each is one ply.

    `names` are the cells in the format. Plies with an empty text between them are names of cells.
    """

    def __init__(self, program: Program, format: str, names: CellNames) -> None:
        (joint,) = option(program, format, "turn", (None,))
        self.joint: str | None = joint
        self._names = names

    def parts(self, word: str) -> Sequence[str]:
        """Return the texts of the plies of a written move."""
        if self.joint is None or not word:
            return (word,)
        parts = word.split(self.joint) if self.joint else self._names.split(word)
        return [part for part in parts if part] or (word,)

    def groups(self, sides: Sequence[int], notes: Notes) -> Iterator[range]:
        """Yield the plies of each written move, from 1.

        `sides` has the side to move of each ply. A written move ends before a ply with variations
        and after one with comments.
        """
        first = 1
        for ply in range(1, len(sides) + 1):
            if ply == len(sides) or not self._is_joined(ply, sides, notes):
                yield range(first, ply + 1)
                first = ply + 1

    def _is_joined(self, ply: int, sides: Sequence[int], notes: Notes) -> bool:
        """True if a ply and the next one are in one written move."""
        note, following = notes.get(ply, _NO_NOTE), notes.get(ply + 1, _NO_NOTE)
        is_noted = note.comments or note.nags or following.variations
        return self.joint is not None and sides[ply - 1] == sides[ply] and not is_noted

    def joined(self, texts: Sequence[str]) -> str:
        """Return the texts of plies as a written move."""
        return (self.joint or "").join(texts)
