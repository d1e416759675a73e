"""`annotate`: the values of the moves of a saved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, result
from rulesengine.cli.progress import progress
from rulesengine.cli.saved_games import add_saved_game, replay_file
from rulesengine.cli.shared_options import Options, Parser, add_json, add_nodes

if TYPE_CHECKING:
    from rulesengine.play import Note

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
            job.add(1)
            if not options.json:
                result(_line(note))
    if options.json:
        json_result({"notes": [_as_json(note) for note in notes]})
    return 0


def _line(note: Note) -> str:
    is_best = note.move == note.best
    better = "" if is_best else f"; best {note.best}: {note.before}"
    mark = " ?" if note.turns else ""
    loss = f"; {note.loss} lost" if note.loss is not None and not is_best else ""
    return f"{note.ply}. {note.player} {note.move}{mark}: {note.after}{better}{loss}"


def _as_json(note: Note) -> dict[str, object]:
    return {
        "ply": note.ply,
        "player": note.player,
        "move": str(note.move),
        "value": note.after.number,
        "unit": note.after.unit,
        "best": str(note.best),
        "best_value": note.before.number,
        "best_unit": note.before.unit,
        "turns": note.turns,
        "loss": None if note.loss is None else note.loss.number,
    }
