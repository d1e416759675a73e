"""The board for people: coordinates, half-cell shifts, the last move marked, colours by side."""

from dataclasses import dataclass

from rulesengine.board.topology import Topology
from rulesengine.game import Game
from rulesengine.state import Move, Outcome, State

_COLOURS = (36, 33, 35, 32, 34, 31, 96, 93)  # cyan, yellow, magenta, green, blue, red, ...
_WIDTH = 80
_MARKS = ((" ", "("), (")", "|"))  # by whether the cell before and the cell after are marked


@dataclass(frozen=True, slots=True)
class Style:
    """Whether pieces are coloured by the side that they belong to."""

    colour: bool = False


PLAIN = Style()


def board_text(game: Game, state: State, last: Move | None = None, style: Style = PLAIN) -> str:
    """The board with its labels, the cells of the last move in brackets.

    A board without directions, which has no picture, is a list of its cells.
    """
    return marked_board(game, state, _cells_of(last), style)


def marked_board(
    game: Game, state: State, marked: frozenset[int] = frozenset(), style: Style = PLAIN
) -> str:
    """The board with its labels, the marked cells in brackets."""
    topology = game.program.topology
    if topology.shape == "graph":
        return "\n".join(_listed(topology, state, marked, style))
    return "\n".join(line.rstrip() for line in _drawn(topology, state, marked, style))


def result_text(outcome: Outcome) -> str:
    """Who has won, why, and the scores."""
    text = f"{outcome.winner} wins" if outcome.winner else "a draw"
    text += f": {outcome.reason}" if outcome.reason else ""
    scores = ", ".join(f"{name} {score}" for name, score in outcome.scores.items())
    return f"{text} ({scores})" if scores else text


def _drawn(topology: Topology, state: State, marked: frozenset[int], style: Style) -> list[str]:
    """A line for each line of the screen, cell i of it at column 2i and its half-cell shift."""
    labels = _left_labels(topology)
    margin = max(map(len, labels))
    by_line = _by_line(topology)
    lines = []
    for number, cells in enumerate(by_line):
        shift = " " * topology.indents[number]
        row = _row(cells, state, marked, style)
        lines.append(f"{labels[number]:>{margin}} {shift}{row}{_right_label(topology, cells)}")
    above, below = (" " * (margin + 1 + topology.indents[i]) for i in (0, -1))
    heads = _heads(topology.column_labels)
    lines[:0] = [above + head for head in heads]
    return lines if above == below else lines + [below + head for head in heads]


def _by_line(topology: Topology) -> list[list[int]]:
    """Per line of the screen its cells by column, -1 where there is none."""
    lines: list[list[int]] = [[] for _ in topology.indents]
    for cell, (line, column) in enumerate(topology.screen):
        row = lines[line]
        row += [-1] * (column + 1 - len(row))
        row[column] = cell
    return lines


def _row(cells: list[int], state: State, marked: frozenset[int], style: Style) -> str:
    """The symbols with one column between them, which shows what is marked."""
    text, before = "", False
    for cell in cells:
        now = cell in marked
        text += _MARKS[before][now] + (_symbol(state, cell, style) if cell >= 0 else " ")
        before = now
    return text + (")" if before else " ")


def _symbol(state: State, cell: int, style: Style) -> str:
    symbol = state.symbol(cell)
    sides = len(state.form.players)
    for plane, mask in enumerate(state.planes):
        side = plane % (sides + 1)
        if mask >> cell & 1 and side < sides and style.colour:
            return f"\x1b[{_COLOURS[side]}m{symbol}\x1b[0m"
    return symbol


def _left_labels(topology: Topology) -> list[str]:
    """The label of each line: the row's, or where a line is no row its first cell's name."""
    if any(topology.column_labels):
        return list(topology.row_labels)
    firsts = (next((c for c in cells if c >= 0), -1) for cells in _by_line(topology))
    return [topology.names[first] if first >= 0 else "" for first in firsts]


def _right_label(topology: Topology, cells: list[int]) -> str:
    """The name of a line's last cell where the columns have no labels of their own."""
    return "" if any(topology.column_labels) or not cells else f" {topology.names[cells[-1]]}"


def _heads(labels: tuple[str, ...]) -> list[str]:
    """Lines of labels, letter under letter, each over its column; none if there are no labels."""
    height = max(map(len, labels), default=0)
    rows = zip(*(label.rjust(height) for label in labels), strict=True)
    return [" " + " ".join(row) for row in rows]


def _listed(topology: Topology, state: State, marked: frozenset[int], style: Style) -> list[str]:
    """The cells with their symbols, in columns."""
    width = max(map(len, topology.names))
    across = max(1, _WIDTH // (width + 6))
    parts = []
    for cell, name in enumerate(topology.names):
        left, right = "()" if cell in marked else "  "
        parts.append(f"{name:>{width}} {left}{_symbol(state, cell, style)}{right}  ")
    lines = ["".join(parts[i : i + across]) for i in range(0, len(parts), across)]
    return [line.rstrip() for line in lines]


def _cells_of(move: Move | None) -> frozenset[int]:
    steps = move.steps if move else ()
    return frozenset(c for s in steps for c in (s.origin, s.target) if c >= 0)
