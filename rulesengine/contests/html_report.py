"""HTML report of a tournament: players, standings, plots, crosstable, and all games as records."""

from collections.abc import Iterator, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from urllib.parse import quote

from rulesengine.contests.plots import bar_plot, rating_plot
from rulesengine.contests.report_page import (
    board,
    boards,
    game_board,
    html_table,
    player_definitions,
    report_page,
)
from rulesengine.contests.schedule import Group
from rulesengine.contests.stats.crosstable import best_seats
from rulesengine.contests.stats.ratings import Rating
from rulesengine.contests.store import opened
from rulesengine.contests.text_tables import notes, ranking, rated_of, rows_of
from rulesengine.contests.tournament import Contest, Standings
from rulesengine.contests.units import FORFEIT, UNFINISHED, PlayedGame
from rulesengine.errors import RulesError
from rulesengine.game import Game
from rulesengine.play import read_record, replay

_MOST_BOARDS = 12  # final positions that are drawn


def html_report(standings: Standings, file: str | PathLike[str], game: Game | None = None) -> str:
    """Return a self-contained page on a tournament that is stored in a file.

    Each game links to its record, a file for `replay`. With the game the page has boards and the
    meaning of each player. Raises UsageError as `opened` does.
    """
    contest = standings.contest
    order, rated = ranking(standings), rated_of(standings)
    names = [contest.entrants[i].name for i in order]
    parts = [
        f"<h1>{escape(contest.name)}</h1>",
        *_setting(contest, game),
        "<h2>Standings</h2>",
        html_table("Standings", rows_of(standings)),
        *(f"<p>{escape(line)}</p>" for line in notes(standings)),
        *_plots(standings, order, names, rated),
        "<h2>Everyone against everyone</h2>",
        "<p>Wins, draws and losses of the player of the row.</p>",
        html_table("Everyone against everyone", _crossed(standings, order, names)),
        "<h2>Games</h2>",
        *_games(standings, Path(file), game),
    ]
    return report_page(contest.name, parts)


def _setting(contest: Contest, game: Game | None) -> Iterator[str]:
    """Yield the conditions of all games, the players, and the board."""
    terms = contest.terms
    settings = [f"{contest.plan.games} games of each pairing", f"seed {terms.seed}"]
    settings += [f"{terms.opening} random plies at the beginning"] if terms.opening else []
    settings += [f"{len(contest.lines)} openings of a file"] if contest.lines else []
    settings += [f"{terms.clock:g} s for each player"] if terms.clock else []
    settings += [f"{name} = {value}" for name, value in terms.parameters]
    yield f"<p>{escape('; '.join(settings))}.</p>"
    if game is not None:
        yield game_board(game)
        yield "<h2>Players</h2>"
        yield player_definitions(game, ((one.name, one.player) for one in contest.entrants))


def _plots(
    standings: Standings, order: Sequence[int], names: Sequence[str], rated: Sequence[Rating] | None
) -> Iterator[str]:
    if rated:
        yield rating_plot(names, [rated[i] for i in order])
    table, seats = standings.table, standings.contest.seats
    ends = [*seats, "draw", "unfinished"]
    counts = [*(table.seats[seat] for seat in range(len(seats))), table.drawn, table.unfinished]
    yield bar_plot("Games by winner", ends, counts)


def _crossed(standings: Standings, order: Sequence[int], names: Sequence[str]) -> list[list[str]]:
    """Return the crosstable: wins, draws and losses of the row's entrant against the column's."""
    rows = [["", *names]]
    for i, name in zip(order, names, strict=True):
        cells = ("–".join(map(str, standings.table.against(i, j))) if i != j else "" for j in order)
        rows.append([name, *cells])
    return rows


def _games(standings: Standings, file: Path, game: Game | None) -> Iterator[str]:
    """Yield a table of games for each group, and the final position of its first game."""
    contest = standings.contest
    by_group: dict[Group, list[PlayedGame]] = {}
    with opened(file, contest.identity()) as store:
        for unit, group in standings.units:
            by_group.setdefault(group, []).extend(store.result(unit).games)
    for number, (group, games) in enumerate(by_group.items()):
        names = [contest.entrants[i].name for i in group]
        title = " – ".join(names)
        yield f"<h3>{escape(title)}</h3>"
        if game is not None and number < _MOST_BOARDS:
            yield from _final_board(game, contest.seats, games[0])
        rows = [_HEAD, *(_row(contest.seats, names, one) for one in games)]
        yield html_table(f"Games: {title}", rows, is_html=True)


def _final_board(game: Game, seats: Sequence[str], played: PlayedGame) -> Iterator[str]:
    """Yield the final position of a game, unless its record cannot be replayed."""
    try:
        replayed = replay(game, read_record(played.record))
    except RulesError:
        return
    caption = f"end of game {_number(seats, played)}, ply {len(replayed.moves)}"
    last = replayed.moves[-1] if replayed.moves else None
    yield boards([board(replayed.game, replayed.states[-1], caption, last)])


def _number(seats: Sequence[str], played: PlayedGame) -> int:
    return played.round * len(seats) + played.turn


_HEAD = ("game", "sat", "won", "plies", "end", "record")


def _row(seats: Sequence[str], names: Sequence[str], game: PlayedGame) -> list[str]:
    seated = [names[place] for place in game.seats]
    best = best_seats(game.payoffs)
    won = seated[best[0]] if len(best) == 1 else "draw"
    reason = game.reason if game.ending != FORFEIT else f"{seated[game.loser]}: {game.reason}"
    number = _number(seats, game)
    data = f"data:text/plain;charset=utf-8,{quote(game.record)}"
    return [
        str(number),
        escape(", ".join(seated)),
        escape("unfinished" if game.ending == UNFINISHED else won),
        str(game.plies),
        escape(reason),
        f'<a download="game-{number}.txt" href="{data}">record</a>',
    ]
