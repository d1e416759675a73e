"""Games in Smart Game Format, FF[3] and FF[4]. Source: red-bean.com/sgf."""

from collections.abc import Iterator

from rulesengine.formats.registry_types import Notations
from rulesengine.formats.sgf.mapping import SgfMapping
from rulesengine.formats.sgf.reading import read_game
from rulesengine.formats.sgf.tree import is_sgf, read_trees, write_tree
from rulesengine.formats.sgf.writing import game_tree
from rulesengine.formats.values import RecordedGame


class Sgf:
    """Games of one game in Smart Game Format."""

    def __init__(self, notations: Notations) -> None:
        self._mapping = SgfMapping(notations.game)

    def recognises(self, text: str) -> bool:
        """True if the first bracket of a text opens a tree."""
        return is_sgf(text)

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text."""
        for number, tree in enumerate(read_trees(text), start=1):
            yield read_game(self._mapping, number, tree)

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        return write_tree(game_tree(self._mapping, game))
