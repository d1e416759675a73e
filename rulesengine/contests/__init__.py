"""Contests: matches and tournaments between players of any kind, with ratings and reports."""

from rulesengine.contests.api import match, tournament
from rulesengine.contests.entrants import Players, read_entrants
from rulesengine.contests.executors import Pool, dask, processes, threads, wrap_executor
from rulesengine.contests.html_report import html_report
from rulesengine.contests.opening_files import Openings, opening_states, read_openings
from rulesengine.contests.openings import Opening, opening
from rulesengine.contests.parquet import write_parquet
from rulesengine.contests.referee import FinishedGame, play_game
from rulesengine.contests.schedule import SYSTEMS, Plan, plan_of
from rulesengine.contests.stats.crosstable import Crosstable
from rulesengine.contests.stats.ratings import Rating, difference, has_ratings, ratings
from rulesengine.contests.stats.sprt import Sprt, read_sprt
from rulesengine.contests.store import Store, opened
from rulesengine.contests.text_tables import failing_line, standings_text
from rulesengine.contests.tournament import Contest, Standings, hold
from rulesengine.contests.units import ContestOptions, Entrant, PlayedGame, Result, Terms, terms_of
from rulesengine.play.players import (
    BasePlayer,
    Chooser,
    Contestant,
    Fault,
    HiddenSeat,
    Player,
    PlayerObject,
    PlayerSession,
    PlayerView,
    Seat,
    Turn,
    player_of,
)

__all__ = [
    "SYSTEMS",
    "BasePlayer",
    "Chooser",
    "Contest",
    "ContestOptions",
    "Contestant",
    "Crosstable",
    "Entrant",
    "Fault",
    "FinishedGame",
    "HiddenSeat",
    "Opening",
    "Openings",
    "Plan",
    "PlayedGame",
    "Player",
    "PlayerObject",
    "PlayerSession",
    "PlayerView",
    "Players",
    "Pool",
    "Rating",
    "Result",
    "Seat",
    "Sprt",
    "Standings",
    "Store",
    "Terms",
    "Turn",
    "dask",
    "difference",
    "failing_line",
    "has_ratings",
    "hold",
    "html_report",
    "match",
    "opened",
    "opening",
    "opening_states",
    "plan_of",
    "play_game",
    "player_of",
    "processes",
    "ratings",
    "read_entrants",
    "read_openings",
    "read_sprt",
    "standings_text",
    "terms_of",
    "threads",
    "tournament",
    "wrap_executor",
    "write_parquet",
]
