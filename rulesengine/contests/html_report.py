"""HTML report of a tournament: standings, plots, crosstable, and all games as records."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from urllib.parse import quote

from rulesengine.contests.plots import bar_plot, rating_plot
from rulesengine.contests.schedule import Group
from rulesengine.contests.stats.crosstable import best_seats
from rulesengine.contests.stats.ratings import Rating
from rulesengine.contests.store import opened
from rulesengine.contests.text_tables import notes, ranking, rated_of, rows_of
from rulesengine.contests.tournament import Standing
from rulesengine.contests.units import FORFEIT, UNFINISHED, Played

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; display: block; margin: 1em 0; font-size: 12px; }
svg text { fill: currentColor; } svg rect, svg circle { fill: #3a7bd5; }
.range { stroke: #3a7bd5; stroke-width: 2; } .axis { stroke: #8888; }
"""


def html_report(standing: Standing, file: str | PathLike[str]) -> str:
    """Return a self-contained page on a tournament that is stored in a file.

    Each game links to its record, a file for `replay`. Raises UsageError as `opened` does.
    """
    contest = standing.contest
    order, rated = ranking(standing), rated_of(standing)
    names = [contest.entrants[i].name for i in order]
    parts = [
        f"<h1>{escape(contest.name)}</h1>",
        _table(rows_of(standing)),
        *(f"<p>{escape(line)}</p>" for line in notes(standing)),
        *_plots(standing, order, names, rated),
        "<h2>Everyone against everyone</h2>",
        _table(_crossed(standing, order, names)),
        "<h2>Games</h2>",
        *_games(standing, Path(file)),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(contest.name)}'
    return "\n".join([f"{head}</title><style>{STYLE}</style><body>", *parts, "</body></html>\n"])


def _plots(
    standing: Standing, order: Sequence[int], names: Sequence[str], rated: Sequence[Rating] | None
) -> Iterator[str]:
    if rated:
        yield rating_plot(names, [rated[i] for i in order])
    table, seats = standing.table, standing.contest.seats
    ends = [*seats, "draw", "unfinished"]
    counts = [*(table.seats[seat] for seat in range(len(seats))), table.drawn, table.unfinished]
    yield bar_plot("Games by winner", ends, counts)


def _crossed(standing: Standing, order: Sequence[int], names: Sequence[str]) -> list[list[str]]:
    """Return the crosstable: wins, draws and losses of the row's entrant against the column's."""
    rows = [["", *names]]
    for i, name in zip(order, names, strict=True):
        cells = ("–".join(map(str, standing.table.against(i, j))) if i != j else "" for j in order)
        rows.append([name, *cells])
    return rows


def _games(standing: Standing, file: Path) -> Iterator[str]:
    """Yield a table of games for each group."""
    contest = standing.contest
    by_group: dict[Group, list[Played]] = {}
    with opened(file, contest.identity()) as store:
        for unit, group in standing.units:
            by_group.setdefault(group, []).extend(store.result(unit).games)
    for group, games in by_group.items():
        names = [contest.entrants[i].name for i in group]
        yield f"<h3>{escape(' – '.join(names))}</h3>"
        yield _table([_HEAD, *(_row(contest.seats, names, game) for game in games)], links=True)


_HEAD = ("game", "sat", "won", "plies", "end", "record")


def _row(seats: Sequence[str], names: Sequence[str], game: Played) -> list[str]:
    sat = [names[place] for place in game.seats]
    best = best_seats(game.payoffs)
    won = sat[best[0]] if len(best) == 1 else "draw"
    why = game.reason if game.ending != FORFEIT else f"{sat[game.loser]}: {game.reason}"
    number = game.round * len(seats) + game.turn
    data = f"data:text/plain;charset=utf-8,{quote(game.record)}"
    return [
        str(number),
        escape(", ".join(sat)),
        escape("unfinished" if game.ending == UNFINISHED else won),
        str(game.plies),
        escape(why),
        f'<a download="game-{number}.txt" href="{data}">record</a>',
    ]


def _table(rows: Iterable[Sequence[str]], *, links: bool = False) -> str:
    """Format rows as a table with a header; with `links` the cells are HTML already."""
    lines = ["<table>"]
    for at, row in enumerate(rows):
        kind = "td" if at else "th"
        cells = row if links else map(escape, row)
        lines.append("<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in cells) + "</tr>")
    return "\n".join([*lines, "</table>"])
