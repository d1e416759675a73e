"""Players, games between them, and records of games that are checked when they are read."""

from rulesengine.play.annotating import Note, annotated
from rulesengine.play.players import HUMAN, RANDOM, choose, seated
from rulesengine.play.puzzling import MOST_GAMES, Puzzle, puzzles
from rulesengine.play.record import GameRecord, read_record, rules_hash, write_record
from rulesengine.play.replay import Replay, replay
from rulesengine.play.session import Session, resumed
from rulesengine.play.terminal import Ask, Terminal, converse
from rulesengine.play.view import Style, board_text, marked_board, result_text

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
    "converse",
    "marked_board",
    "puzzles",
    "read_record",
    "replay",
    "result_text",
    "resumed",
    "rules_hash",
    "seated",
    "write_record",
]
