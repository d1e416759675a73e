"""Writing of games of tables as trees of Smart Game Format, with comments and variations."""

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from rulesengine.formats.sgf.mapping import HEADERS
from rulesengine.formats.sgf.tree import Property, SgfNode, SgfTree, escaped
from rulesengine.formats.tables.mapping import BAR, TablesMapping
from rulesengine.formats.tables.turn_reader import (
    CUBE_ACTION,
    WrittenTurn,
    names_of,
    points_of,
    turns_of_line,
)
from rulesengine.formats.tables.turns import read_hops
from rulesengine.formats.values import Note, Notes, RecordedGame
from rulesengine.state import Move, State

NUMBER = "6"
COLOURS = ("W", "B")
BAR_LETTER, TRAY = "yz"
_IGNORED = ("FF", "GM", "CA", "AP", "GS", "RE")
_PROPERTY = re.compile(r"[A-Z]{1,4}")
_NO_NOTE = Note()


class TreeWriter:
    """A writer of the games of one game as trees."""

    def __init__(self, mapping: TablesMapping) -> None:
        self._mapping = mapping

    def tree(self, game: RecordedGame) -> SgfTree:
        """Return a game as a tree."""
        root: list[Property] = [("FF", ("4",)), ("GM", (NUMBER,)), ("CA", ("UTF-8",))]
        root += [*self._headers(game), *_comments(game.notes.get(0, _NO_NOTE))]
        first = SgfNode(tuple(dict(root).items()))
        return self._line(game.start.state, game.moves, game.notes, (first,))

    def _headers(self, game: RecordedGame) -> Iterator[Property]:
        own = dict(zip(names_of(self._mapping), ("PW", "PB"), strict=True))
        own |= {header: name for name, header in HEADERS.items()}
        for header, value in game.headers:
            name = own.get(header, header)
            if _PROPERTY.fullmatch(name) and value and name not in _IGNORED:
                yield name, (escaped(value),)
        if game.result is not None and game.result.winner is not None:
            colour = COLOURS[self._mapping.players.index(game.result.winner)]
            is_over = self._mapping.game.outcome(game.final) is not None
            points = points_of(self._mapping, game)
            yield "RE", (f"{colour}+{points}{'' if is_over else 'R'}",)

    def _line(
        self, state: State, moves: Sequence[Move], notes: Notes, first: tuple[SgfNode, ...] = ()
    ) -> SgfTree:
        """Return a line of moves as a tree, built from its end."""
        turns = list(turns_of_line(self._mapping, state, moves))
        branches: tuple[SgfTree, ...] = ()
        tail: list[SgfNode] = []
        for turn in reversed(turns):
            tail = [*self._nodes(turn, notes), *tail]
            others = tuple(self._variations(turn, moves, notes))
            if others:
                branches, tail = (SgfTree(tuple(tail), branches), *others), []
        return SgfTree((*first, *tail), branches)

    def _nodes(self, turn: WrittenTurn, notes: Notes) -> Iterator[SgfNode]:
        """Yield the node of a turn with its comments, and those of the cube after it."""
        points = "".join(
            _letter(start, turn.side) + _letter(end, turn.side, is_end=True)
            for start, end in read_hops(turn.text)
        )
        value = f"{turn.dice[0]}{turn.dice[1]}{points}"
        nodes = [
            note for ply in range(turn.plies[0], turn.plies[1] + 1) if (note := notes.get(ply))
        ]
        comments = tuple(comment for note in nodes for comment in note.comments)
        actions = [match[1] for text in comments if (match := CUBE_ACTION.fullmatch(text))]
        rest = tuple(text for text in comments if not CUBE_ACTION.fullmatch(text))
        yield SgfNode(((COLOURS[turn.side], (value,)), *_comments(Note(rest))))
        side = 1 - turn.side  # the next player doubles, and the other one takes or drops
        for action in actions:
            yield SgfNode(((COLOURS[side], (escaped(action),)),))
            side = 1 - side

    def _variations(
        self, turn: WrittenTurn, moves: Sequence[Move], notes: Notes
    ) -> Iterator[SgfTree]:
        """Yield the variations of a turn; one within the turn begins with its earlier plies."""
        begin = turn.plies[0]
        for ply in range(begin, turn.plies[1] + 1):
            for other in notes.get(ply, _NO_NOTE).variations:
                shared = tuple(moves[begin - 1 : ply - 1])
                shifted = {at + len(shared): note for at, note in other.notes.items()}
                before = tuple(_comments(other.notes.get(0, _NO_NOTE)))
                first = (SgfNode(before),) if before else ()
                yield self._line(turn.before, (*shared, *other.moves), shifted, first)


def _comments(note: Note) -> Iterator[Property]:
    if note.comments:
        yield "C", (escaped("\n\n".join(note.comments)),)


def _letter(point: int, side: int, *, is_end: bool = False) -> str:
    """Return the letter of a point of a player."""
    if point in (0, BAR):
        return TRAY if is_end else BAR_LETTER
    return ascii_lowercase[(point if side == 0 else BAR - point) - 1]
