"""Reading of games of tables in Smart Game Format: a node has the dice and the points of the men.

Points are letters from `a`, point 1 of the first player, which is `W`; `y` is the bar and `z` the
tray. Source: the files that gnubg writes, and red-bean.com/sgf.
"""

import re
from collections.abc import Iterator
from string import ascii_lowercase

from rulesengine.formats.registry_types import Notations
from rulesengine.formats.sgf.mapping import HEADERS
from rulesengine.formats.sgf.tree import SgfNode, SgfTree, is_sgf, read_trees, write_tree
from rulesengine.formats.tables.mapping import BAR, TablesMapping
from rulesengine.formats.tables.sgf_writing import BAR_LETTER, COLOURS, NUMBER, TRAY, TreeWriter
from rulesengine.formats.tables.turn_reader import TurnReader, names_of, points_text
from rulesengine.formats.tables.turns import Hop, hop_text, read_dice
from rulesengine.formats.values import RecordedGame

_TURN = re.compile(r"([1-6]{2})((?:[a-z]{2}){0,4})")
_RESULT = re.compile(r"([BW])\+(\d*)(R?)")
_CUBE_RULES = frozenset({"", "Crawford", "CrawfordGame", "Jacoby"})
_SETUP = ("AB", "AW", "AE", "PL")
_IGNORED = ("FF", "GM", "CA", "AP", "GS", "RE")
_MAX_DEPTH = 64


class TablesSgf:
    """Games of one game in Smart Game Format."""

    def __init__(self, notations: Notations) -> None:
        self._mapping = TablesMapping(notations.game)
        self._names = names_of(self._mapping)

    def recognises(self, text: str) -> bool:
        """True if the first bracket of a text opens a tree."""
        return is_sgf(text)

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text."""
        for number, tree in enumerate(read_trees(text), start=1):
            yield self._game(number, tree)

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        return write_tree(TreeWriter(self._mapping).tree(game))

    def _game(self, number: int, tree: SgfTree) -> RecordedGame:
        reader = TurnReader(self._mapping, number)
        for text, reason in tree.problems:
            reader.problem(text, reason)
        root = tree.nodes[0] if tree.nodes else SgfNode()
        if root.text("GM").strip() not in ("", NUMBER):
            name = self._mapping.game.name
            reader.problem(f"GM[{root.text('GM')}]", f"a game of another type than {name}")
        for rule in root.text("RU").split(":"):
            if rule not in _CUBE_RULES and not self._mapping.is_variant(rule):
                why = f"a game of another variant than {self._mapping.game.name}"
                reader.problem(f"RU[{root.text('RU')}]", why)
        reader.headers += self._headers(root)
        self._walk(reader, tree, 0)
        if result := _RESULT.match(root.text("RE")):
            reason = "resigned" if result[3] else points_text(int(result[2] or 1))
            reader.win(COLOURS.index(result[1]), reason)
        return reader.game()

    def _walk(self, reader: TurnReader, tree: SgfTree, depth: int) -> None:
        """Read the nodes of a tree and its main line; the other branches become variations."""
        current: SgfTree | None = tree
        while current is not None:
            for node in current.nodes:
                self._read(reader, node)
            ply, branches = reader.next_ply, []
            for other in current.branches[1:]:
                branch = reader.branch()
                if depth < _MAX_DEPTH:
                    self._walk(branch, other, depth + 1)
                else:
                    branch.problem("(", "nested too deeply")
                branches.append(branch)
            current = current.branches[0] if current.branches else None
            reader.add_variations(ply, branches)

    def _read(self, reader: TurnReader, node: SgfNode) -> None:
        for name, values in node.properties:
            text = values[0] if values else ""
            if name in _SETUP:
                reader.problem(f"{name}[{text}]", "positions of the middle are not read")
            elif name in COLOURS:
                self._turn(reader, name, text)
        if comment := " ".join(node.text("C").split()):
            reader.comment(comment)

    @staticmethod
    def _turn(reader: TurnReader, colour: str, text: str) -> None:
        side = COLOURS.index(colour)
        turn = _TURN.fullmatch(text)
        if turn is None:
            reader.cube(text)
            return
        hops = [_hop(turn[2][at : at + 2], side) for at in range(0, len(turn[2]), 2)]
        written = " ".join(hop_text(hop) for hop in hops)
        reader.turn(f"{colour}[{text}]", read_dice(turn[1]), written, side)

    def _headers(self, root: SgfNode) -> Iterator[tuple[str, str]]:
        names = dict(HEADERS) | dict(zip(("PW", "PB"), self._names, strict=True))
        for name, values in root.properties:
            if name == "MI":
                facts = dict(value.partition(":")[::2] for value in values)
                yield "MatchLength", facts.get("length", "0")
            elif len(values) == 1 and name not in (*_IGNORED, *COLOURS, *_SETUP, "C"):
                yield names.get(name, name), root.text(name)


def _hop(letters: str, side: int) -> Hop:
    """Return the points of two letters."""
    places = [ascii_lowercase.index(letter) + 1 for letter in letters]
    points = [place if side == 0 else BAR - place for place in places]
    return BAR if letters[0] == BAR_LETTER else points[0], 0 if letters[1] == TRAY else points[1]
