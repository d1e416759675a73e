"""Judging of a program in games against a player, with the spec as referee."""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.contests.judge.verdicts import CaseLimits, Contestant, Result, Verdict, of_limits
from rulesengine.contests.openings import opening
from rulesengine.contests.referee import FinishedGame, play_game
from rulesengine.contests.units import FORFEIT, OPENING, RULES
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.job import Job
from rulesengine.play.players import Player, has_program_moves, is_person, player_of, protocol_of
from rulesengine.play.players.base import CRASH, ILLEGAL, LATE, OUTPUT, SCRIPT, SILENCE
from rulesengine.play.players.subprocess_player import SubprocessPlayer
from rulesengine.sandbox import Programs, work_folder
from rulesengine.support.frozen import record, replace

_VERDICTS: MappingProxyType[str, Verdict] = MappingProxyType(
    {
        ILLEGAL: "wrong",
        OUTPUT: "wrong",
        SCRIPT: "wrong",
        LATE: "time",
        SILENCE: "time",
        CRASH: "crash",
    }
)
_POINTS = MappingProxyType({1.0: "won", 0.5: "drawn", 0.0: "lost"})


@record
class GameSeries:
    """A number of games against a player, which is at all other seats."""

    against: str
    games: int
    seed: int


def judge_in_games(
    programs: Programs,
    game: Game,
    contestant: Contestant,
    series: GameSeries,
    bounds: CaseLimits,
    job: Job | None = None,
) -> Iterator[Result]:
    """Yield a result for each game of a series; the program changes its seat from game to game.

    Each game has an empty folder for the program. A program is right if it makes legal moves to the
    end; it need not win. A `job` can cancel this. Raises UsageError for an unknown player.
    """
    if is_person(series.against):
        raise UsageError("--against: a person cannot play here: use a strategy or a search")
    from_start = has_program_moves(game)
    if from_start and game.rules.chance:
        raise UsageError("--against: programs with a script of their own play no games of chance")
    seats = len(game.players)
    others = [player_of(game, series.against) for _ in range(seats)]
    try:
        for number in range(series.games):
            seat = number % seats
            name = f"game {number + 1}, {game.players[seat]}"
            if contestant.problem:
                yield Result(name, "crash", contestant.problem, 0.0, 0)
                continue
            # The referee limits wall time: most of it passes during the moves of other players.
            limits = replace(bounds.limits, wall=None)
            start = opening(game, series.seed, number // seats, 0 if from_start else OPENING)
            with work_folder() as folder:
                program = protocol_of(game)(contestant.command, limits, str(folder), programs)
                seated: list[Player] = [*others[:seat], program, *others[seat + 1 :]]
                finished = play_game(game, seated, start, series.seed, number, job=job)
            yield _result(name, game, finished, seat, program, bounds)
    finally:
        for other in others:
            other.close()


def _result(
    name: str,
    game: Game,
    finished: FinishedGame,
    seat: int,
    program: SubprocessPlayer,
    bounds: CaseLimits,
) -> Result:
    """Return the verdict of a game: limits first, then the fault that forfeited it."""
    points = _points(finished.payoffs(game.players), seat)
    verdict, note = _verdict_of(finished, seat, points)
    ending = program.ending
    if not ending:
        return Result(name, verdict, note, 0.0, 0, points=points)
    # The referee stops every program; a short game may end before limits are checked again.
    by_itself = replace(ending, limit="") if ending.limit == "stopped" else ending
    broken, reason = of_limits(by_itself, bounds)
    if broken:
        verdict, note, points = broken, reason, 0.0
    return Result(name, verdict, note, ending.cpu, ending.memory, points=points)


def _verdict_of(finished: FinishedGame, seat: int, points: float) -> tuple[Verdict, str]:
    """Return the verdict of the referee on the program at a seat."""
    if finished.ending == FORFEIT and finished.loser == seat:
        kind, _, note = finished.reason.partition(": ")
        return _VERDICTS[kind], f"after {len(finished.moves)} plies: {note}"
    note = _POINTS.get(points, f"{points:g} points")
    if finished.ending != RULES:
        note = f"{note}: {finished.reason}"
    return "right", note


def _points(payoffs: tuple[int, ...], seat: int) -> float:
    """Return the points of a seat: 1 per win, 0.5 per draw, averaged over the other players."""
    own, others = payoffs[seat], (*payoffs[:seat], *payoffs[seat + 1 :])
    return sum((own > other) + (own == other) / 2 for other in others) / len(others)
