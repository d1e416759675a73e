"""The board as text for a terminal: coordinates, half-cell shifts, marks, colours by side."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from rulesengine.board.topology import Topology
from rulesengine.drawing import cells_of
from rulesengine.game import Game
from rulesengine.language.ir.hiding import UNSEEN
from rulesengine.language.ir.score_decided import has_payoff
from rulesengine.notation.board_text import cell_text
from rulesengine.play.terminal.graph_view import graph_lines
from rulesengine.search.searches import points_text
from rulesengine.state import Move, Outcome, State
from rulesengine.support.frozen import replace

_COLOURS = (36, 33, 35, 32, 34, 31, 96, 93)  # cyan, yellow, magenta, green, blue, red, ...
_MARKS = ((" ", "("), (")", "|"))  # indexed by: the cell before is marked, the cell after is marked
_LEGAL = "+:~^_"  # the first that is not a symbol of the game marks empty cells with a legal move


@dataclass(frozen=True, slots=True)
class Style:
    """Display options: colour pieces by their side, and the maximum width of a line in columns."""

    colour: bool = False
    width: int = 80


PLAIN = Style()


def board_text(
    game: Game,
    state: State,
    last: Move | None = None,
    style: Style = PLAIN,
    legal: Collection[int] = (),
) -> str:
    """Draw the board with labels, the last move in brackets and the `legal` cells marked."""
    return marked_board(game, state, frozenset(cells_of(last)), style, legal)


def marked_board(
    game: Game,
    state: State,
    marked: frozenset[int] = frozenset(),
    style: Style = PLAIN,
    legal: Collection[int] = (),
    unseen: int = 0,
) -> str:
    """Draw the board with labels, the marked cells in brackets and a sign on the empty `legal`
    cells.

    The cells of the mask `unseen` have `?`. A graph is drawn by its coordinates; if that is too
    wide, its cells are listed. Other boards that are too wide are drawn without gaps between cells
    and without marks.
    """
    topology = game.program.topology
    texts = _texts(game, state, style, legal, unseen)
    if topology.shape == "graph":
        lines = graph_lines(topology, texts, marked)
        fits = lines and max(map(_visible_width, lines)) <= style.width
        return "\n".join(lines if fits else _listed(topology, texts, marked, style))
    lines = _draw_lines(topology, texts, marked, 1)
    if max(map(_visible_width, lines)) > style.width:
        lines = _draw_lines(topology, texts, frozenset(), 0)
    return "\n".join(line.rstrip() for line in lines)


def observed_board(
    game: Game,
    state: State,
    viewer: str | None,
    last: Move | None = None,
    style: Style = PLAIN,
) -> str:
    """Draw the part of the board that a player sees, and the registers that this player sees.

    None is a spectator, who sees what all players see.
    """
    observation = game.observation(state, viewer)
    visible_state = replace(state, planes=observation.planes)
    occupied = reduce(or_, observation.owners)
    known_empty = observation.known & ~occupied
    unseen = game.program.topology.mask & ~observation.cells & ~known_empty
    board = marked_board(game, visible_state, frozenset(cells_of(last)), style, unseen=unseen)
    lines = [*observation.rows[len(state.form.lines) :]]
    lines += [f"{name}: {value}" for name, value in observation.registers]
    return "\n".join([board, *lines])


def result_text(game: Game, outcome: Outcome) -> str:
    """Return the winner or `a draw`, the reason and the scores as text."""
    text = winner_text(game, outcome)
    text += f": {outcome.reason}" if outcome.reason else ""
    scores = score_text(game, outcome.scores)
    return f"{text} ({scores})" if scores else text


def score_text(game: Game, scores: Mapping[str, int]) -> str:
    """Return scores in points as text: `black 40, white 41.5`."""
    units = game.program.rules.units
    return ", ".join(f"{name} {score / units:.12g}" for name, score in scores.items())


def winner_text(game: Game, outcome: Outcome) -> str:
    """Return the winner or `a draw` as text; a single player gets points, wins or loses."""
    if len(game.players) > 1:
        return f"{outcome.winner} wins" if outcome.winner else "a draw"
    (player, payoff), *_ = outcome.payoffs.items()
    if has_payoff(game.program.rules):
        return f"{player} gets {points_text(payoff)}"
    return f"{player} wins" if payoff > 0 else f"{player} loses" if payoff < 0 else "a draw"


def _texts(
    game: Game, state: State, style: Style, legal: Collection[int], unseen: int
) -> list[str]:
    """Return the text of each cell, padded to equal width and coloured if the style requires it."""
    template, form = game.program.rules.drawing.cell, state.form
    texts = [
        UNSEEN if unseen >> cell & 1 else cell_text(template, state, cell)
        for cell in range(len(form.cells))
    ]
    wide = max(map(len, texts))
    sign = next(s for s in _LEGAL if s not in (*form.symbols, form.empty))
    for cell in legal:
        texts[cell] = sign if texts[cell] == form.empty else texts[cell]
    return [_coloured(state, cell, text.rjust(wide), style) for cell, text in enumerate(texts)]


def _coloured(state: State, cell: int, text: str, style: Style) -> str:
    sides = len(state.form.players)
    for plane, mask in enumerate(state.planes):
        side = plane % (sides + 1)
        if mask >> cell & 1 and side < sides and style.colour:
            return f"\x1b[{_COLOURS[side]}m{text}\x1b[0m"
    return text


def _visible_width(line: str) -> int:
    """Return the width of a line without its colour sequences."""
    return len(re.sub("\x1b\\[[0-9]*m", "", line))


def _draw_lines(
    topology: Topology, texts: Sequence[str], marked: frozenset[int], gap: int
) -> list[str]:
    """Draw one line of text per screen line; cells are aligned in columns except for half-cell
    shifts.
    """
    labels = _left_labels(topology)
    margin = max(map(len, labels))
    wide = _visible_width(texts[0])
    lines = []
    for number, cells in enumerate(_by_line(topology)):
        shift = " " * (topology.indents[number] * (wide + gap) // 2)
        row = _row(cells, texts, marked, wide) if gap else _tight(cells, texts, wide)
        lines.append(f"{labels[number]:>{margin}} {shift}{row}{_right_label(topology, cells)}")
    above, below = (" " * (margin + 1 + topology.indents[i] * (wide + gap) // 2) for i in (0, -1))
    heads = _heads(topology.column_labels, wide, gap)
    lines[:0] = [above + head for head in heads]
    return lines if above == below else lines + [below + head for head in heads]


def _by_line(topology: Topology) -> list[list[int]]:
    """Return the cells of each screen line by column, with -1 where there is no cell."""
    lines: list[list[int]] = [[] for _ in topology.indents]
    for cell, (line, column) in enumerate(topology.screen):
        row = lines[line]
        row += [-1] * (column + 1 - len(row))
        row[column] = cell
    return lines


def _row(cells: list[int], texts: Sequence[str], marked: frozenset[int], wide: int) -> str:
    """Draw the cells of a line, separated by a column with the brackets of marked cells."""
    text, before = "", False
    for cell in cells:
        now = cell in marked
        text += _MARKS[before][now] + (texts[cell] if cell >= 0 else " " * wide)
        before = now
    return text + (")" if before else " ")


def _tight(cells: list[int], texts: Sequence[str], wide: int) -> str:
    return "".join(texts[cell] if cell >= 0 else " " * wide for cell in cells)


def _left_labels(topology: Topology) -> list[str]:
    """Return the label of each screen line: the row's label, or the name of its first cell.

    The first cell's name is used where the columns have no labels.
    """
    if any(topology.column_labels):
        return list(topology.row_labels)
    firsts = (next((c for c in cells if c >= 0), -1) for cells in _by_line(topology))
    return [topology.names[first] if first >= 0 else "" for first in firsts]


def _right_label(topology: Topology, cells: list[int]) -> str:
    """Return the name of the last cell of a line if the columns have no labels."""
    return "" if any(topology.column_labels) or not cells else f" {topology.names[cells[-1]]}"


def _heads(labels: tuple[str, ...], wide: int, gap: int) -> list[str]:
    """Return the lines of column labels; a label wider than its column is written vertically."""
    height = 1 if wide > 1 else max(map(len, labels), default=0)
    padded = [label.rjust(height if wide == 1 else wide) for label in labels]
    rows = zip(*padded, strict=True) if wide == 1 else [padded]
    return [" " * gap + (" " * gap).join(row) for row in rows] if any(labels) else []


def _listed(
    topology: Topology, texts: Sequence[str], marked: frozenset[int], style: Style
) -> list[str]:
    """List the cells with their contents, in columns."""
    width = max(map(len, topology.names))
    across = max(1, style.width // (width + _visible_width(texts[0]) + 5))
    parts = []
    for cell, name in enumerate(topology.names):
        left, right = "()" if cell in marked else "  "
        parts.append(f"{name:>{width}} {left}{texts[cell]}{right}  ")
    lines = ["".join(parts[i : i + across]) for i in range(0, len(parts), across)]
    return [line.rstrip() for line in lines]
