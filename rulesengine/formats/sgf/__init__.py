"""Games in Smart Game Format, FF[3] and FF[4]. Source: red-bean.com/sgf."""

from collections.abc import Iterator
from functools import partial

from rulesengine.formats.entries import GameEntry
from rulesengine.formats.protocol import FormatGame
from rulesengine.formats.registry_types import Notations
from rulesengine.formats.sgf.mapping import SgfMapping
from rulesengine.formats.sgf.reading import read_game
from rulesengine.formats.sgf.tree import SgfNode, SgfTree, is_sgf, read_trees, write_tree
from rulesengine.formats.sgf.writing import game_tree
from rulesengine.formats.stated_parameters import Values, bound_game, komi_values, size_values
from rulesengine.formats.values import RecordedGame
from rulesengine.support.frozen import replace


class Sgf:
    """Games of one game in Smart Game Format."""

    def __init__(self, notations: Notations) -> None:
        self._game = notations.game
        self._mapping = SgfMapping(notations.game)

    def recognises(self, text: str) -> bool:
        """True if the first bracket of a text opens a tree."""
        return is_sgf(text)

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text, each with the komi that it states."""
        for number, tree in enumerate(read_trees(text), start=1):
            yield self._read(number, tree)

    def entries(self, text: str) -> Iterator[GameEntry]:
        """Yield an entry for each game of a text."""
        for number, tree in enumerate(read_trees(text), start=1):
            root = tree.nodes[0] if tree.nodes else SgfNode()
            names = tuple(root.text(f"P{colour}") for colour in self._mapping.colours)
            read = partial(self._read, number, tree)
            yield GameEntry(number, names if any(names) else (), root.text("RE"), read)

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        mapping, _ = self._with_values(dict(game.parameters))
        return write_tree(game_tree(mapping, game))

    def _read(self, number: int, tree: SgfTree) -> RecordedGame:
        mapping, values = self._with_values(_komi(self._game, tree))
        game = read_game(mapping, number, tree)
        return replace(game, parameters=tuple(values.items())) if values else game

    def _with_values(self, values: Values) -> tuple[SgfMapping, Values]:
        """Return the mapping for values of parameters, and those that differ from the game."""
        own = self._game.parameters
        other = {name: value for name, value in values.items() if own[name] != value}
        bound = bound_game(self._game, other)
        if bound is self._game or bound.program.form != self._game.program.form:
            return self._mapping, {}
        return SgfMapping(bound), other


def stated_parameters(game: FormatGame, text: str) -> Values:
    """Return the values of parameters that the first tree of a text states: size and komi."""
    tree = next(read_trees(text), None)
    if tree is None or not tree.nodes:
        return {}
    width, _, height = tree.nodes[0].text("SZ").partition(":")
    size = size_values(game.program, width) if height in ("", width) else {}
    return size | _komi(game, tree)


def _komi(game: FormatGame, tree: SgfTree) -> Values:
    return komi_values(game.program, tree.nodes[0].text("KM")) if tree.nodes else {}
