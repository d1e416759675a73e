"""Small games for tests of the rules: specs from a few sections of text."""

from textwrap import dedent, indent

from rulesengine import Game, State
from rulesengine.loading import load_source
from rulesengine.support.source import Source

_HEAD = """\
spec: 1
name: rules
players: [white, black]
pieces: {man: {white: o, black: x}, king: {white: O, black: X}, rock: {neutral: "*"}, empty: "."}
"""
_THREE = _HEAD.replace("[white, black]", "[white, black, green]").replace(
    "black: x", "black: x, green: g"
)


def make(rows: int, columns: int, rules: str, rest: str = "", players: int = 2) -> Game:
    """Load a game on a rectangle; `rules` and `rest` are YAML, `rest` further sections."""
    text = _HEAD if players == 2 else _THREE
    if "board:" not in rest:
        text += f"board: {{rows: {rows}, columns: {columns}}}\n"
    text += "rules:\n" + indent(dedent(rules).strip(), "  ") + "\n" + dedent(rest)
    return load_source(Source("rules.yaml", text))


def at(game: Game, *rows: str) -> State:
    """Return the state of board lines and further lines such as `mover: black`."""
    return game.state_from("\n".join(rows))


def moves(game: Game, state: State) -> list[str]:
    return [str(move) for move in game.legal_moves(state)]


def after(game: Game, state: State, *texts: str) -> State:
    """Return the state after moves given by their notation."""
    for text in texts:
        state = game.apply(state, game.move(text, state))
    return state


def board(state: State) -> list[str]:
    """Return the lines of the board."""
    return str(state).splitlines()[: len(state.form.lines)]


def record(game: Game, state: State, text: str) -> dict[str, list[str]]:
    """Return the non-empty parts of a move's record, as names of cells."""
    made = game.move_record(state, game.move(text, state))
    parts = ("placed", "moved", "flipped", "removed", "captured")
    cells = enumerate(state.form.cells)
    names = list(cells)
    masks = {part: getattr(made, part) for part in parts}
    return {
        part: [name for i, name in names if mask >> i & 1] for part, mask in masks.items() if mask
    }
