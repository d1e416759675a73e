"""Reading of trees in Smart Game Format as games: moves by the rules, variations and notes kept.

Properties without a meaning for records are comments `[%sgf TR[aa][bb]]`, which writing restores.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

from rulesengine.errors import NotationError, RulesError
from rulesengine.formats.cell_moves import forced_pass
from rulesengine.formats.refusals import refuse
from rulesengine.formats.sgf.mapping import COLOURS, EMPTY, GLYPHS, HEADERS, SgfMapping
from rulesengine.formats.sgf.results import read_result
from rulesengine.formats.sgf.tree import SgfNode, SgfTree, plain_text
from rulesengine.formats.values import (
    NO_NOTES,
    GameResult,
    Note,
    Notes,
    Position,
    Problem,
    RecordedGame,
    Variation,
)
from rulesengine.state import Move, State

_MAX_DEPTH = 64
_MOVES = COLOURS
_TO_MOVE, _COMMENT, _HANDICAP = "PL", "C", "HA"
_CLOCKS = MappingProxyType({"BL": "B", "WL": "W"})
_IGNORED_AT_ROOT = ("FF", "CA", "GM", "SZ", "AP", "ST", _TO_MOVE)
_NUMBER = re.compile(r"[0-9]{1,7}(?:\.[0-9]+)?")


def read_game(mapping: SgfMapping, number: int, tree: SgfTree) -> RecordedGame:
    """Return the game of a tree, with errors as problems."""
    return _GameReader(mapping, number, tree).read()


@dataclass(slots=True)
class _Draft:
    """A note under construction."""

    comments: list[str] = field(default_factory=list)
    nags: list[int] = field(default_factory=list)
    variations: list[Variation] = field(default_factory=list)


class _Line:
    """A line of moves under construction, which begins after `base` plies of the game."""

    def __init__(self, state: State, base: int) -> None:
        self.state = state
        self.base = base
        self.moves: list[Move] = []
        self.drafts: dict[int, _Draft] = {}
        self.is_broken = False
        self.resigned = ""

    @property
    def ply(self) -> int:
        """Return the number of plies of the game so far."""
        return self.base + len(self.moves)

    def draft(self, further: int = 0) -> _Draft:
        """Return the note on the last move, or on one that follows."""
        return self.drafts.setdefault(len(self.moves) + further, _Draft())

    def notes(self) -> Notes:
        """Return the notes by ply."""
        notes = {
            ply: Note(tuple(draft.comments), tuple(draft.nags), tuple(draft.variations))
            for ply, draft in sorted(self.drafts.items())
        }
        return notes or NO_NOTES


class _GameReader:
    """A reader of one game, used once."""

    def __init__(self, mapping: SgfMapping, number: int, tree: SgfTree) -> None:
        self._mapping = mapping
        self._number = number
        self._tree = tree
        self._problems: list[Problem] = []

    def read(self) -> RecordedGame:
        """Return the game."""
        mapping, root = self._mapping, self._tree.nodes[0] if self._tree.nodes else SgfNode()
        for text, reason in self._tree.problems:
            self._problem(0, text, reason)
        is_readable = self._has_same_rules(root)
        line = _Line(self._start(root) if is_readable else mapping.game.initial_state(), 0)
        start = Position(line.state)
        line.is_broken = not is_readable
        headers = tuple(self._headers(root))
        self._walk(line, self._tree, depth=0)
        result = self._checked_result(root, line)
        notes, moves = line.notes(), tuple(line.moves)
        problems = tuple(self._problems)
        return RecordedGame(
            self._number, headers, start, moves, line.state, result, notes, problems
        )

    # the root

    def _has_same_rules(self, root: SgfNode) -> bool:
        """Report a game of another type, size or komi; return False if it cannot be read."""
        mapping, is_same = self._mapping, True
        numbers = mapping.numbers
        if root.values("GM") and numbers and root.text("GM").strip() not in numbers:
            reason = f"a game of another type than GM[{numbers[0]}], {mapping.game.name}"
            self._problem(0, f"GM[{root.text('GM')}]", reason)
            is_same = False
        columns, rows = mapping.size
        width, _, height = root.text("SZ").partition(":")
        if width.strip() and (width.strip(), (height or width).strip()) != (
            str(columns),
            str(rows),
        ):
            hint = mapping.size_hint("" if height else width)
            reason = f"the board of the game is {columns} x {rows}{hint}"
            self._problem(0, f"SZ[{root.text('SZ')}]", reason)
            is_same = False
        komi, own = root.text("KM").strip(), mapping.doubled_komi()
        if own is not None and _NUMBER.fullmatch(komi) and 2 * float(komi) != own:
            self._problem(0, f"KM[{komi}]", f"the game has a komi of {own / 2:g}")
        return is_same

    def _start(self, root: SgfNode) -> State:
        """Return the first position. Pieces added at the root replace those of the start."""
        mapping, state = self._mapping, self._mapping.game.initial_state()
        adds = [name for name, _ in root.properties if name in mapping.setup]
        planes = [0] * len(state.planes) if adds else list(state.planes)
        named: dict[int, str] = {}
        for name in (*adds, EMPTY):
            for value in root.values(name):
                cells = mapping.cells(plain_text(value))
                if not cells:
                    self._problem(0, f"{name}[{value}]", "no such point")
                for cell in cells:
                    if named.setdefault(cell, name) != name:
                        reason = f"the point is in {named[cell]} too"
                        self._problem(0, f"{name}[{value}]", reason)
                    planes = [mask & ~(1 << cell) for mask in planes]
                    if name in adds:
                        planes[mapping.setup[name]] |= 1 << cell
        side = self._side(root, state.side)
        if tuple(planes) == state.planes and side == state.side:
            return state
        set_up = State(tuple(planes), side, mapping.form.starts, (), mapping.form, state.seats)
        try:
            refuse(mapping.game, set_up)
        except NotationError as error:
            self._problem(0, "", str(error))
        return set_up

    def _side(self, root: SgfNode, default: int) -> int:
        """Return the side to move: declared, that of the first move, or by the handicap."""
        colours, declared = self._mapping.colours, root.text(_TO_MOVE).strip().upper()
        if declared[:1] in colours:
            return colours.index(declared[:1])
        if declared:
            self._problem(0, f"{_TO_MOVE}[{declared}]", "expected B or W")
        handicap = root.text(_HANDICAP).strip()
        stones = [name for name, _ in root.properties if name in self._mapping.setup]
        if handicap.isdigit() and int(handicap) > 1 and not stones:
            self._problem(0, f"{_HANDICAP}[{handicap}]", "a handicap without its stones")
        first = next(self._first_colours(), "")
        return colours.index(first) if stones and first in colours else default

    def _first_colours(self) -> Iterator[str]:
        """Yield the colours of the moves of the main line."""
        tree: SgfTree | None = self._tree
        while tree is not None:
            for node in tree.nodes:
                yield from (name for name, _ in node.properties if name in _MOVES)
            tree = tree.branches[0] if tree.branches else None

    def _headers(self, root: SgfNode) -> Iterator[tuple[str, str]]:
        """Yield the properties of the whole game that have one value."""
        names = dict(HEADERS) | {"P" + c: self._mapping.header_of(c) for c in self._mapping.colours}
        for name, values in root.properties:
            if self._is_header(name, values):
                text = root.text(name)
                yield names.get(name, name), text.replace("-", ".") if name == "DT" else text

    def _is_header(self, name: str, values: tuple[str, ...]) -> bool:
        other = (*self._mapping.setup, EMPTY, *_MOVES, *_CLOCKS, _COMMENT, *_IGNORED_AT_ROOT)
        return len(values) == 1 and name not in other

    # nodes

    def _walk(self, line: _Line, tree: SgfTree, depth: int) -> None:
        """Read the nodes of a tree and its main line; the other branches become variations."""
        current: SgfTree | None = tree
        while current is not None:
            for node in current.nodes:
                self._node(line, node, is_root=node is self._tree.nodes[0])
            main, *others = current.branches or (None,)
            at, state, is_broken = len(line.moves) + 1, line.state, line.is_broken
            variations = []
            for other in others:
                assert other is not None
                branch = _Line(state, line.ply)
                branch.is_broken = is_broken or depth >= _MAX_DEPTH
                if branch.is_broken and not is_broken:
                    self._problem(line.ply, "(", "nested too deeply")
                self._walk(branch, other, depth + 1)
                if branch.moves or branch.drafts:
                    variations.append(Variation(tuple(branch.moves), branch.notes()))
            if variations:
                line.drafts.setdefault(at, _Draft()).variations += variations
            current = main

    def _node(self, line: _Line, node: SgfNode, *, is_root: bool) -> None:
        """Read the properties of a node: the move first, then the notes on it."""
        for name, values in node.properties:
            if name in _MOVES:
                for value in values:
                    self._move(line, name, plain_text(value).strip())
        for name, values in node.properties:
            if name in _MOVES or (is_root and self._is_read_at_root(name, values)):
                continue
            if name in (*self._mapping.setup, EMPTY, _TO_MOVE) and not is_root:
                self._problem(line.ply, f"{name}[{values[0]}]", "a change of the board by hand")
                line.is_broken = True
            self._note(line, name, values)

    def _is_read_at_root(self, name: str, values: tuple[str, ...]) -> bool:
        known = (*self._mapping.setup, EMPTY, *_IGNORED_AT_ROOT)
        return name in known or self._is_header(name, values)

    def _note(self, line: _Line, name: str, values: tuple[str, ...]) -> None:
        """Add a property to the note on the last move."""
        draft, text = line.draft(), plain_text(values[0])
        glyph = GLYPHS.get((name, text.strip()), 0)
        if name == _COMMENT:
            draft.comments.append(text)
        elif glyph:
            draft.nags.append(glyph)
        elif name in _CLOCKS and line.moves and _NUMBER.fullmatch(text.strip()):
            seconds = float(text)
            hours, minutes = int(seconds // 3600), int(seconds // 60 % 60)
            draft.comments.append(f"[%clk {hours}:{minutes:02}:{round(seconds % 60, 3):g}]")
        else:
            draft.comments.append(f"[%sgf {name}{''.join(f'[{value}]' for value in values)}]")

    def _move(self, line: _Line, colour: str, text: str) -> None:
        """Play the moves of a value; an error ends the line."""
        for part in self._mapping.turns.parts(text):
            if line.is_broken:
                return
            try:
                reason = self._played(line, colour, part)
            except RulesError as error:
                reason = str(error)
            if reason:
                self._problem(line.ply + 1, f"{colour}[{text}]", reason)
                line.is_broken = True

    def _played(self, line: _Line, colour: str, text: str) -> str:
        """Play a move after a pass that was left out; return the reason if it is not legal."""
        mapping = self._mapping
        if colour not in mapping.colours:
            return f"{mapping.game.name} has no such player"
        player = mapping.form.players[mapping.colours.index(colour)]
        if text.lower() in mapping.resignations:
            line.resigned = player
            return ""
        passed = forced_pass(mapping.game, line.state)
        if line.state.mover != player and passed is not None:
            self._apply(line, passed)
        if line.state.mover != player:
            return self._over(line) or f"it is the move of {self._named(line.state)}"
        pass_text = mapping.program.rules.notation.pass_
        move = mapping.moves.find(text or pass_text, line.state)
        if move is None:
            return self._over(line) or "no legal move is written so"
        self._apply(line, move)
        return ""

    def _named(self, state: State) -> str:
        """Return the player to move, with its colour unless the name shows that."""
        name, colour = state.mover, self._mapping.colours[state.side]
        return name if name[0].upper() == colour else f"{name}, `{colour}`"

    def _over(self, line: _Line) -> str:
        outcome = self._mapping.game.outcome(line.state)
        return "" if outcome is None else f"the game is over, {outcome.reason}"

    def _apply(self, line: _Line, move: Move) -> None:
        line.state = self._mapping.game.apply(line.state, move, check=False)
        line.moves.append(move)

    # the result

    def _checked_result(self, root: SgfNode, line: _Line) -> GameResult | None:
        """Return the result of the text; report one that contradicts the final position."""
        mapping, text = self._mapping, root.text("RE")
        players = mapping.form.players
        result = read_result(text, mapping.colours, players)
        if result is None and line.resigned:
            others = [player for player in players if player != line.resigned]
            return GameResult(others[0], "resignation")
        outcome = None if line.is_broken or mapping.is_agreed else mapping.game.outcome(line.state)
        if outcome is not None and result is not None and result.winner != outcome.winner:
            by_rules = f"{outcome.winner} wins" if outcome.winner else "a draw"
            self._problem(
                line.ply, text, f"by the rules the result is {by_rules}, {outcome.reason}"
            )
        return result

    def _problem(self, ply: int, text: str, reason: str) -> None:
        self._problems.append(Problem(self._number, ply, text[:60], reason))
