"""Players, sessions in progress, and game records that are validated when they are read."""

from rulesengine.play.annotation import Note, annotated
from rulesengine.play.game_files import (
    game_entries,
    game_for,
    numbered_game,
    read_game_text,
    recorded_game,
    recorded_games,
    written_game,
)
from rulesengine.play.players import HUMAN, RANDOM, describe_player, seated
from rulesengine.play.players.search_players import choose
from rulesengine.play.puzzles import MOST_GAMES, Puzzle, puzzles
from rulesengine.play.records import (
    GameRecord,
    format_of,
    read_record,
    rules_hash,
    write_record,
)
from rulesengine.play.records.conversion import to_record
from rulesengine.play.replay import Replay, replay
from rulesengine.play.session import Session, replayed, resumed
from rulesengine.play.terminal.board_view import (
    Style,
    board_text,
    marked_board,
    result_text,
    winner_text,
)
from rulesengine.play.terminal.loop import Ask, Terminal, run_terminal

__all__ = [
    "HUMAN",
    "MOST_GAMES",
    "RANDOM",
    "Ask",
    "GameRecord",
    "Note",
    "Puzzle",
    "Replay",
    "Session",
    "Style",
    "Terminal",
    "annotated",
    "board_text",
    "choose",
    "describe_player",
    "format_of",
    "game_entries",
    "game_for",
    "marked_board",
    "numbered_game",
    "puzzles",
    "read_game_text",
    "read_record",
    "recorded_game",
    "recorded_games",
    "replay",
    "replayed",
    "result_text",
    "resumed",
    "rules_hash",
    "run_terminal",
    "seated",
    "to_record",
    "winner_text",
    "write_record",
    "written_game",
]
