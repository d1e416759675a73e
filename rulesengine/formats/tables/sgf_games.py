"""Games of tables in Smart Game Format: a node has the dice and the points of the men.

Points are letters from `a`, point 1 of the first player, which is `W`; `y` is the bar and `z` the
tray. Source: the files that gnubg writes, and red-bean.com/sgf.
"""

import re
from collections.abc import Iterator
from string import ascii_lowercase

from rulesengine.formats.registry_types import Notations
from rulesengine.formats.sgf.mapping import HEADERS
from rulesengine.formats.sgf.tree import SgfNode, SgfTree, escaped, is_sgf, read_trees, write_tree
from rulesengine.formats.tables.mapping import BAR, TablesMapping
from rulesengine.formats.tables.turn_reader import (
    TurnReader,
    WrittenTurn,
    names_of,
    points_of,
    points_text,
    turns_of,
)
from rulesengine.formats.tables.turns import Hop, hop_text, read_dice, read_hops
from rulesengine.formats.values import RecordedGame

NUMBER = "6"
_COLOURS = ("W", "B")
_TURN = re.compile(r"([1-6]{2})((?:[a-z]{2}){0,4})")
_RESULT = re.compile(r"([BW])\+(\d*)(R?)")
_SETUP = ("AB", "AW", "AE", "PL")
_BAR, _TRAY = "yz"
_PROPERTY = re.compile(r"[A-Z]{1,4}")
_IGNORED = ("FF", "GM", "CA", "AP", "GS", "RE")


class TablesSgf:
    """Games of one game in Smart Game Format."""

    def __init__(self, notations: Notations) -> None:
        self._mapping = TablesMapping(notations.game)
        self._names = names_of(self._mapping)

    def recognises(self, text: str) -> bool:
        """True if the first bracket of a text opens a tree."""
        return is_sgf(text)

    def read(self, text: str) -> Iterator[RecordedGame]:
        """Yield the games of a text. Only the first branch of a tree is read."""
        for number, tree in enumerate(read_trees(text), start=1):
            yield self._game(number, tree)

    def write(self, game: RecordedGame) -> str:
        """Return a game as text."""
        root = [("FF", ("4",)), ("GM", (NUMBER,)), ("CA", ("UTF-8",))]
        own = dict(zip(self._names, ("PW", "PB"), strict=True))
        own |= {header: name for name, header in HEADERS.items()}
        for header, value in game.headers:
            name = own.get(header, header)
            if _PROPERTY.fullmatch(name) and value and name not in _IGNORED:
                root.append((name, (escaped(value),)))
        if game.result is not None and game.result.winner is not None:
            colour = _COLOURS[self._mapping.players.index(game.result.winner)]
            is_over = self._mapping.game.outcome(game.final) is not None
            points = points_of(self._mapping, game)
            root.append(("RE", (f"{colour}+{points}{'' if is_over else 'R'}",)))
        nodes = [self._node(turn) for turn in turns_of(self._mapping, game)]
        return write_tree(SgfTree((SgfNode(tuple(dict(root).items())), *nodes)))

    def _node(self, turn: WrittenTurn) -> SgfNode:
        points = "".join(
            _letter(start, turn.side) + _letter(end, turn.side, is_end=True)
            for start, end in read_hops(turn.text)
        )
        value = f"{turn.dice[0]}{turn.dice[1]}{points}"
        return SgfNode(((_COLOURS[turn.side], (value,)),))

    def _game(self, number: int, tree: SgfTree) -> RecordedGame:
        reader = TurnReader(self._mapping, number)
        for text, reason in tree.problems:
            reader.problem(text, reason)
        root = tree.nodes[0] if tree.nodes else SgfNode()
        if root.text("GM").strip() not in ("", NUMBER):
            name = self._mapping.game.name
            reader.problem(f"GM[{root.text('GM')}]", f"a game of another type than {name}")
        reader.headers += self._headers(root)
        current: SgfTree | None = tree
        while current is not None:
            for node in current.nodes:
                self._read(reader, node)
            current = current.branches[0] if current.branches else None
        if result := _RESULT.match(root.text("RE")):
            reason = "resigned" if result[3] else points_text(int(result[2] or 1))
            reader.win(_COLOURS.index(result[1]), reason)
        return reader.game()

    def _read(self, reader: TurnReader, node: SgfNode) -> None:
        for name, values in node.properties:
            text = values[0] if values else ""
            if name in _SETUP:
                reader.problem(f"{name}[{text}]", "positions of the middle are not read")
            elif name == "C":
                reader.comment(" ".join(node.text("C").split()))
            elif name in _COLOURS:
                side = _COLOURS.index(name)
                turn = _TURN.fullmatch(text)
                if turn is None:
                    reader.cube(text)
                    continue
                hops = [_hop(turn[2][at : at + 2], side) for at in range(0, len(turn[2]), 2)]
                written = " ".join(hop_text(hop) for hop in hops)
                reader.turn(f"{name}[{text}]", read_dice(turn[1]), written, side)

    def _headers(self, root: SgfNode) -> Iterator[tuple[str, str]]:
        names = dict(HEADERS) | dict(zip(("PW", "PB"), self._names, strict=True))
        for name, values in root.properties:
            if name == "MI":
                facts = dict(value.partition(":")[::2] for value in values)
                yield "MatchLength", facts.get("length", "0")
            elif len(values) == 1 and name not in (*_IGNORED, *_COLOURS, *_SETUP, "C"):
                yield names.get(name, name), root.text(name)


def _letter(point: int, side: int, *, is_end: bool = False) -> str:
    """Return the letter of a point of a player."""
    if point in (0, BAR):
        return _TRAY if is_end else _BAR
    return ascii_lowercase[(point if side == 0 else BAR - point) - 1]


def _hop(letters: str, side: int) -> Hop:
    """Return the points of two letters."""
    places = [ascii_lowercase.index(letter) + 1 for letter in letters]
    points = [place if side == 0 else BAR - place for place in places]
    return BAR if letters[0] == _BAR else points[0], 0 if letters[1] == _TRAY else points[1]
