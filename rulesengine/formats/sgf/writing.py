"""Writing of games as trees of Smart Game Format, FF[4]."""

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType

from rulesengine.formats.null_moves import after_noted, is_null
from rulesengine.formats.sgf.mapping import COLOURS, GLYPHS, HEADERS, SgfMapping
from rulesengine.formats.sgf.results import read_result, result_text
from rulesengine.formats.sgf.tree import Property, SgfNode, SgfTree, escaped
from rulesengine.formats.values import Note, Notes, RecordedGame
from rulesengine.state import Move, State

_NO_NOTE = Note()
_KEPT = re.compile(r"\[%sgf ([A-Z0-9]+)((?:\[(?:[^\]\\]|\\.)*\])+)\]", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_CLOCK = re.compile(r"\[%clk\s+(\d+):(\d+):(\d+(?:\.\d+)?)\s*\]")
_PROPERTY = re.compile(r"[A-Z][A-Z0-9]*")
_FROM_GLYPH = MappingProxyType({glyph: name for name, glyph in GLYPHS.items()})


def game_tree(mapping: SgfMapping, game: RecordedGame) -> SgfTree:
    """Return the tree of a game. Headers that other formats do not have keep their names."""
    start = game.start.state
    root = [*_root(mapping), *_setup(mapping, start), *_headers(mapping, game)]
    root += _note(game.notes.get(0, _NO_NOTE), "")
    return _tree(mapping, start, game.moves, game.notes, SgfNode(_joined(root)))


def _root(mapping: SgfMapping) -> Iterator[Property]:
    columns, rows = mapping.size
    yield "FF", ("4",)
    yield "CA", ("UTF-8",)
    if mapping.numbers:
        yield "GM", (mapping.numbers[0],)
    yield "SZ", (str(columns) if columns == rows else f"{columns}:{rows}",)
    komi = mapping.doubled_komi()
    if komi is not None:
        yield "KM", (f"{komi / 2:g}",)


def _setup(mapping: SgfMapping, state: State) -> Iterator[Property]:
    """Yield the properties of a first position that is not the start of the game."""
    start = mapping.game.initial_state()
    if (state.planes, state.side) == (start.planes, start.side):
        return
    for name, plane in mapping.setup.items():
        cells = [c for c in range(len(mapping.form.cells)) if state.planes[plane] >> c & 1]
        if cells:
            yield name, tuple(mapping.points.names[cell] for cell in cells)
    yield "PL", (mapping.colours[state.side],)


def _headers(mapping: SgfMapping, game: RecordedGame) -> Iterator[Property]:
    known = {header: name for name, header in HEADERS.items()}
    known |= {mapping.header_of(colour): "P" + colour for colour in mapping.colours}
    players = mapping.form.players
    for header, value in game.headers:
        name = known.get(header, header)
        if name not in ("RE", "KM") and _PROPERTY.fullmatch(name) and value:
            yield name, (escaped(value.replace(".", "-") if name == "DT" else value),)
    written = game.header("RE")
    is_same = read_result(written, mapping.colours, players) == game.result
    result = written if written and is_same else result_text(game.result, mapping.colours, players)
    if result:
        yield "RE", (escaped(result),)


def _tree(
    mapping: SgfMapping,
    state: State,
    moves: Sequence[Move],
    notes: Notes,
    first: SgfNode | None = None,
) -> SgfTree:
    """Return a line of moves as a tree, built from its end."""
    states = [state]
    for move in moves:
        states.append(after_noted(mapping.game, states[-1], move))
    nodes = {
        plies[0]: _node(
            mapping, [(states[p - 1], moves[p - 1]) for p in plies], _last(plies, notes)
        )
        for plies in mapping.turns.groups([state.side for state in states[:-1]], notes)
    }
    branches: tuple[SgfTree, ...] = ()
    tail: list[SgfNode] = []
    for ply in range(len(moves) + 1, 0, -1):
        if ply in nodes:
            tail.append(nodes[ply])
        variations = notes.get(ply, _NO_NOTE).variations
        if variations:
            before = states[ply - 1]
            others = [_variation(mapping, before, v.moves, v.notes) for v in variations]
            main = [SgfTree(tuple(reversed(tail)), branches)] if tail else []
            branches, tail = (*main, *others), []
    head = [first] if first is not None else []
    return SgfTree((*head, *reversed(tail)), branches)


def _variation(mapping: SgfMapping, state: State, moves: Sequence[Move], notes: Notes) -> SgfTree:
    before = _joined(_note(notes.get(0, _NO_NOTE), ""))
    return _tree(mapping, state, moves, notes, SgfNode(before) if before else None)


def _node(mapping: SgfMapping, plies: Sequence[tuple[State, Move]], note: Note) -> SgfNode:
    """Return the node of the plies of a written move, each with the state before it."""
    first = plies[0][0]
    colour = mapping.colours[first.form.players.index(first.mover)]
    texts = ["" if is_null(move) else mapping.moves.write(move, state) for state, move in plies]
    text = escaped(mapping.turns.joined(texts))
    return SgfNode(_joined([(colour, (text,)), *_note(note, colour)]))


def _last(plies: range, notes: Notes) -> Note:
    """Return the note on the last of some plies; the others have none."""
    return notes.get(plies[-1], _NO_NOTE)


def _note(note: Note, colour: str) -> Iterator[Property]:
    """Yield the properties of a note on a move of a colour."""
    for glyph in note.nags:
        if glyph in _FROM_GLYPH:
            name, value = _FROM_GLYPH[glyph]
            yield name, (value,)
    for comment in note.comments:
        for match in _KEPT.finditer(comment):
            yield match[1], tuple(_VALUE.findall(match[2]))
        clock = _CLOCK.search(comment) if colour in COLOURS else None
        if clock:
            seconds = int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
            yield colour + "L", (f"{seconds:g}",)
        text = _KEPT.sub("", _CLOCK.sub("", comment) if clock else comment).strip()
        if text:
            yield "C", (escaped(text),)


def _joined(properties: "Iterator[Property] | list[Property]") -> tuple[Property, ...]:
    """Return properties without repetitions of a name; comments are joined by an empty line."""
    joined: dict[str, tuple[str, ...]] = {}
    for name, values in properties:
        if name == "C" and name in joined:
            joined[name] = (joined[name][0] + "\n\n" + values[0],)
        elif name not in joined:
            joined[name] = values
    return tuple(joined.items())
