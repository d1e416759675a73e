"""`replay`: a saved game, validated by playing it again."""

from __future__ import annotations

from argparse import SUPPRESS
from typing import TYPE_CHECKING

from rulesengine.cli.output import counted, json_result, print_error, result
from rulesengine.cli.saved_games import add_saved_game, check_games, replay_file
from rulesengine.cli.shared_options import Options, Parser, add_json, engine_name
from rulesengine.cli.terminal_style import terminal_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesengine.play import Replay


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    add_saved_game(command)
    command.add_argument(
        "--strict", action="store_true", help="also exit with 1 if the rules have changed"
    )
    command.add_argument(
        "--as",
        dest="viewer",
        metavar="PLAYER",
        help="print what a player knows: own moves, moves told, and what the player has seen",
    )
    command.add_argument("--engine", type=engine_name, default="auto", help=SUPPRESS)
    command.set_defaults(set=[], transforms=[])


def execute(options: Options) -> int:
    """Replay a record; return 1 if a move or the result differs from the record.

    With `--strict` changed rules are a difference too. Without `--game`, all games of a file with
    several are checked.
    """
    if options.game is None and (checked := check_games(options)) is not None:
        return _report(options, *checked)
    played = replay_file(options)
    for line in (*played.changed, *played.differences):
        print_error(f"{options.file}: {line}")
    if options.viewer is not None:
        _print_knowledge(played, options)
    elif options.json:
        json_result(_as_json(played))
    else:
        result(_final_board(played))
    return int(bool(played.differences or (options.strict and played.changed)))


def _report(options: Options, games: int, problems: Sequence[str]) -> int:
    """Print the errors of a file with several games and return the exit code."""
    for line in problems:
        print_error(f"{options.file}: {line}")
    if options.json:
        json_result({"games": games, "differences": list(problems)})
    else:
        result(f"{counted(games, 'game')}, {counted(len(problems), 'error')}")
    return int(bool(problems))


def _print_knowledge(played: Replay, options: Options) -> None:
    """Print the events of a game that a player has noticed. Raises UsageError."""
    start = played.states[0]
    info = played.game.information_state(played.moves, options.viewer, start)
    if options.json:
        json_result({"player": info.player, "events": list(info.events)})
    else:
        result(str(info))


def _final_board(played: Replay) -> str:
    """Format the last board and the result."""
    from rulesengine.play import board_text, result_text

    last = played.moves[-1] if played.moves else None
    style = terminal_style()
    ending = played.settlement or "unfinished"
    if played.outcome:
        ending = result_text(played.game, played.outcome)
    return f"{board_text(played.game, played.states[-1], last, style)}\n{ending}"


def _as_json(played: Replay) -> dict[str, object]:
    outcome = played.outcome
    return {
        "plies": len(played.moves),
        "finished": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "scores": dict(outcome.scores) if outcome else {},
        "payoffs": dict(outcome.payoffs) if outcome else {},
        "settlement": played.settlement,
        "changed": list(played.changed),
        "differences": list(played.differences),
    }
