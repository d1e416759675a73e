"""`annotate`: the values of the moves of a saved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.saved_games import add_saved_game, replay_file
from rulesengine.cli.shared_options import Options, Parser, add_json, add_nodes

if TYPE_CHECKING:
    from rulesengine import Game
    from rulesengine.play import Note
    from rulesengine.search.searches import Value

_NODES = 20_000


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_saved_game(command)
    add_nodes(command, _NODES)
    command.set_defaults(set=[], transforms=[], engine="auto")


def execute(options: Options) -> int:
    """Print the value of each move for its player, and a better move if there is one."""
    from rulesengine.play import annotated

    played = replay_file(options)
    with progress("annotate", "moves", len(played.moves)) as job:
        notes = []
        for note in annotated(played.game, played.states, played.moves, options.nodes):
            notes.append(note)
            job.advance(1)
            if not options.json:
                result(_line(note, played.game))
    if options.json:
        json_result({"notes": [_as_json(note, played.game) for note in notes]})
    return 0


def _line(note: Note, game: Game) -> str:
    is_best = note.move == note.best
    better = "" if is_best else f"; best {note.best}: {_text(note.before, game)}"
    mark = " ?" if note.turns else ""
    loss = f"; {note.loss} lost" if note.loss is not None and not is_best else ""
    return f"{note.ply}. {note.player} {note.move}{mark}: {_text(note.after, game)}{better}{loss}"


def _text(value: Value, game: Game) -> str:
    """Return a value; an estimate with its chance to win, if the game is calibrated."""
    chance = game.win_chance(value) if value.unit == "estimate" else None
    return str(value) if chance is None else f"{value} ({chance:.0%})"


def _as_json(note: Note, game: Game) -> dict[str, object]:
    return {
        "ply": note.ply,
        "player": note.player,
        "move": str(note.move),
        "value": note.after.number,
        "unit": note.after.unit,
        "chance": game.win_chance(note.after),
        "best": str(note.best),
        "best_value": note.before.number,
        "best_unit": note.before.unit,
        "best_chance": game.win_chance(note.before),
        "turns": note.turns,
        "loss": None if note.loss is None else note.loss.number,
    }
