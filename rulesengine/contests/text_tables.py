"""Standings of a contest as a text table, with notes and the Elo difference of two entrants."""

from collections.abc import Sequence
from math import isinf

from rulesengine.contests.stats.ratings import Rating, difference, has_ratings, order_of, ratings
from rulesengine.contests.stats.sprt import NOT_STRONGER, STRONGER
from rulesengine.contests.tournament import Standings

_HEAD, _RATED = ("player", "score", "wins", "draws", "losses"), ("Elo", "95 %")
_WIDEST = 32  # maximum width of a name in columns


def standings_text(standings: Standings) -> str:
    """Format the standings, the best entrant first, followed by notes on the games."""
    return "\n".join([*aligned(rows_of(standings)), "", *notes(standings)])


def rows_of(standings: Standings) -> list[list[str]]:
    """Return a header and a row of cells for each entrant, the best first."""
    rated = rated_of(standings)
    head = [*_HEAD, *_RATED] if rated else [*_HEAD]
    return [head, *(_row(standings, i, rated) for i in ranking(standings))]


def rated_of(standings: Standings) -> tuple[Rating, ...] | None:
    """Return ratings if there are more than two entrants and the extra `contests`."""
    several = standings.table.entrants > 2 and standings.table.played and not standings.table.single
    return ratings(standings.table) if several and has_ratings() else None


def ranking(standings: Standings) -> list[int]:
    """Return the entrants, the best first."""
    return order_of(standings.table, rated_of(standings))


def notes(standings: Standings) -> list[str]:
    """Return lines on games, seats, faults, the Elo difference and the test."""
    table = standings.table
    names = standings.contest.seats
    won = ", ".join(f"{name} {table.seats[seat]}" for seat, name in enumerate(names))
    lines = [f"games: {table.played}, won by {won}, drawn {table.drawn}"]
    if len(names) == 1:
        lines[0] = f"games: {table.played}"
    if table.unfinished:
        lines[0] += f", unfinished {table.unfinished}"
    if table.played:
        lines.append(f"mean length: {table.plies / table.played:.1f} plies")
    lines += _payoff_lines(standings)
    lines += [_fault_line(standings, *fault) for fault in sorted(table.faults)]
    return lines + _difference_lines(standings) + _test_lines(standings)


def failing_line(standings: Standings) -> str:
    """Explain the end of a contest without a decision; empty if there is none."""
    failing = standings.failing
    if failing is None or not failing.is_over:
        return ""
    name = standings.contest.entrants[failing.entrant].name
    game = _number(standings, failing.round, failing.turn)
    return (
        f"{name} has lost {failing.games} games in a row by faults, so nothing is decided; the last"
        f" one, game {game}, by {failing.reason}"
    )


def elo_text(rating: Rating) -> str:
    """Format a rating with its interval."""
    return f"{_elo(rating.elo)} [{_elo(rating.low)}, {_elo(rating.high)}]"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the rows of a table, the first column to the left and all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [f"{first:{widths[0]}}"]
        cells += [f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def _row(standings: Standings, entrant: int, rated: tuple[Rating, ...] | None) -> list[str]:
    table = standings.table
    others = [j for j in range(table.entrants) if j != entrant]
    wins, draws, losses = map(sum, zip(*(table.against(entrant, j) for j in others), strict=True))
    compared = wins + draws + losses
    share = 100 * (wins + draws / 2) / compared if compared else 0.0
    name = standings.contest.entrants[entrant].name
    shown = name if len(name) <= _WIDEST else name[: _WIDEST - 1] + "…"
    row = [shown, f"{share:.1f} %", str(wins), str(draws), str(losses)]
    if rated:
        own = rated[entrant]
        row += [_elo(own.elo), f"[{_elo(own.low)}, {_elo(own.high)}]"]
    return row


def _payoff_lines(standings: Standings) -> list[str]:
    """Return a line with the mean payoffs of the entrants of a game of one player."""
    means = [
        f"{entrant.name} {mean:.2f}"
        for number, entrant in enumerate(standings.contest.entrants)
        if (mean := standings.table.mean_payoff(number)) is not None
    ]
    return [f"mean payoff: {', '.join(means)}"] if means else []


def _difference_lines(standings: Standings) -> list[str]:
    if standings.table.entrants != 2:
        return []
    elo = difference(standings.table, 0, 1)
    one, other = (entrant.name for entrant in standings.contest.entrants)
    return [f"Elo of {one} over {other}: {elo_text(elo)}"] if elo else []


def _fault_line(standings: Standings, entrant: int, kind: str) -> str:
    """Format the number of forfeits of an entrant by one kind of fault, with the last reason."""
    table = standings.table
    *at, detail = table.reasons[entrant, kind]
    name, count = standings.contest.entrants[entrant].name, table.faults[entrant, kind]
    return f"lost by {kind}: {name} {count} (game {_number(standings, *at)}: {detail})"


def _number(standings: Standings, number: int, turn: int) -> int:
    """Return the number of a game in its group, from its round and turn."""
    return number * len(standings.contest.seats) + turn


def _test_lines(standings: Standings) -> list[str]:
    test = standings.test
    if test is None:
        return []
    lower, upper = test.test.bounds
    ratio = f"{test.test.log_ratio(test.counts):.2f} [{lower:.2f}, {upper:.2f}]"
    verdicts = {
        STRONGER: f"H1: stronger by {test.test.elo1:g} Elo rather than {test.test.elo0:g}",
        NOT_STRONGER: f"H0: stronger by {test.test.elo0:g} Elo rather than {test.test.elo1:g}",
    }
    lines = [
        f"SPRT after {test.rounds} rounds: {verdicts.get(test.decision, 'open')}, ratio {ratio}"
    ]
    if test.faulty:
        clean = test.test.log_ratio(test.clean)
        prefix = "decided by faults alone: " if test.is_by_faults else ""
        lines.append(
            f"{prefix}{test.faulty} of these rounds have a fault, ratio without {clean:.2f}"
        )
    return lines


def _elo(elo: float) -> str:
    if isinf(elo):
        return "inf" if elo > 0 else "-inf"
    return f"{round(elo):+d}"
