"""`annotate` and `puzzles`: what a saved game was worth move by move, positions to be solved."""

from itertools import islice
from pathlib import Path

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import complain, json_result, result
from rulesengine.cli.playing import spec_of
from rulesengine.cli.progress import progress
from rulesengine.cli.specs import load_game
from rulesengine.errors import NotationError
from rulesengine.play import MOST_GAMES, Note, Puzzle, annotated, puzzles, read_record, replay
from rulesengine.support.files import read_source


def annotate(options: Options) -> int:
    """A line for each move: its value to the player, and the best one if that was better."""
    source = read_source(Path(options.file))
    try:
        record = read_record(source.text)
    except NotationError as error:
        raise NotationError(f"{options.file}: {error}") from None
    played = replay(load_game(spec_of(record, options), options), record)
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


def make_puzzles(options: Options) -> int:
    """Positions with one winning move, each with its answer."""
    game = load_game(options.spec, options)
    found = puzzles(game, options.seed, options.nodes, options.shortest)
    with progress("puzzles", "puzzles", options.count) as job:
        shown = []
        for number, puzzle in enumerate(islice(found, options.count), start=1):
            shown.append(puzzle)
            job.add(1)
            if not options.json:
                result(_puzzle_text(number, puzzle))
    if options.json:
        json_result({"puzzles": [_puzzle_json(puzzle) for puzzle in shown]})
    if len(shown) < options.count:
        complain(
            f"{len(shown)} puzzles in {MOST_GAMES} random games: a larger `--nodes` may find more"
        )
    return int(len(shown) < options.count)


def _line(note: Note) -> str:
    is_best = note.move == note.best
    better = "" if is_best else f"; best {note.best}: {note.before}"
    mark = " ?" if note.turns else ""
    return f"{note.ply}. {note.player} {note.move}{mark}: {note.after}{better}"


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
    }


def _puzzle_text(number: int, puzzle: Puzzle) -> str:
    line = " ".join(map(str, puzzle.solved.line))
    return f"{number}.\n{puzzle.state}\n{puzzle.state.mover} wins by: {line}\n"


def _puzzle_json(puzzle: Puzzle) -> dict[str, object]:
    solved = puzzle.solved
    return {
        "position": str(puzzle.state),
        "mover": puzzle.state.mover,
        "move": str(solved.move),
        "line": [str(move) for move in solved.line],
        "distance": solved.distance,
    }
