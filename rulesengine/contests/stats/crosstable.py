"""Crosstable: totals of all games by pair of entrants, independent of the order of results."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from rulesengine.contests.units import FORFEIT, UNFINISHED, PlayedGame, Result, Tally, seats_of

_ENDED = 2  # after forfeits and games without an end


class Crosstable:
    """Totals of all games so far, by the numbers of the entrants.

    In a game of several players each pair is compared. `wins[i, j]` counts the games in which `i`
    got more than `j`, `draws[i, j]` those with equal payoffs, for both orders of a pair. In a game
    of one player, the games of the same round are compared: they have the same opening and seed.
    `single` has their payoffs by round and entrant, after 0 for a forfeit, 1 for a game without an
    end, and 2 for any other. `rounds`
    counts, for two players, rounds by the half points of the first one. `faults` counts forfeits by
    entrant and kind of fault; `reasons` has the round, turn and reason of the last one.
    """

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants
        self.games = Counter[int]()
        self.wins = Counter[tuple[int, int]]()
        self.draws = Counter[tuple[int, int]]()
        self.seats = Counter[int]()
        self.faults = Counter[tuple[int, str]]()
        self.reasons: dict[tuple[int, str], tuple[int, int, str]] = {}
        self.single: dict[int, dict[int, tuple[int, int]]] = {}
        self.rounds: dict[tuple[int, int], Counter[int]] = {}
        self.played = self.plies = self.unfinished = self.drawn = 0

    def add(self, result: Result, group: Sequence[int]) -> None:
        """Add the result of a unit; `group` are its entrants."""
        for tally in result.tallies:
            self._add_tally(tally, group)
        for game in result.games:
            self._add_game(game, group)
        self._add_rounds(result, group)

    def score(self, entrant: int) -> float:
        """Return the points: one per win, a half per draw."""
        wins = sum(count for (i, _), count in self.wins.items() if i == entrant)
        draws = sum(count for (i, _), count in self.draws.items() if i == entrant)
        return wins + draws / 2

    def compared(self, entrant: int) -> int:
        """Return the number of comparisons of an entrant with others."""
        beaten = sum(n for (i, j), n in self.wins.items() if entrant in (i, j))
        return beaten + sum(n for (i, _), n in self.draws.items() if i == entrant)

    def against(self, i: int, j: int) -> tuple[int, int, int]:
        """Return wins, draws and losses of one entrant against another."""
        return self.wins[i, j], self.draws[i, j], self.wins[j, i]

    def mean_payoff(self, entrant: int) -> float | None:
        """Return the mean payoff of an entrant alone in games with an end; None without any."""
        games = [games[entrant] for games in self.single.values() if entrant in games]
        paid = [payoff for ending, payoff in games if ending == _ENDED]
        return sum(paid) / len(paid) if paid else None

    def _add_tally(self, tally: Tally, group: Sequence[int]) -> None:
        seated = _entrants_by_seat(group, tally.turn)
        undecided = tally.draws + tally.unfinished
        for one, other in permutations(range(len(seated)), 2):
            pair = seated[one], seated[other]
            self.wins[pair] += tally.wins[one]
            won_by_others = sum(tally.wins) - tally.wins[one] - tally.wins[other]
            self.draws[pair] += undecided + won_by_others
        games = sum(tally.wins) + undecided
        self._count(seated, games, tally.plies)
        self.drawn += tally.draws
        self.unfinished += tally.unfinished
        self.seats.update(dict(enumerate(tally.wins)))

    def _add_game(self, game: PlayedGame, group: Sequence[int]) -> None:
        seated, paid = _entrants_by_seat(group, game.turn), game.payoffs
        for one, other in permutations(range(len(seated)), 2):
            pair = seated[one], seated[other]
            self.wins[pair] += paid[one] > paid[other]
            self.draws[pair] += paid[one] == paid[other]
        if len(seated) == 1:
            self._compare_alone(game, seated[0])
        self._count(seated, 1, game.plies)
        best = best_seats(paid)
        if game.ending == UNFINISHED:
            self.unfinished += 1
        elif len(best) == 1:
            self.seats[best[0]] += 1
        else:
            self.drawn += 1
        if game.ending == FORFEIT:
            kind, _, detail = game.reason.partition(": ")
            fault = seated[game.loser], kind
            self.faults[fault] += 1
            place = game.round, game.turn, detail
            self.reasons[fault] = max(place, self.reasons.get(fault, place))

    def _compare_alone(self, game: PlayedGame, entrant: int) -> None:
        """Compare a game of one player with those of the other entrants in the same round."""
        ending = {FORFEIT: 0, UNFINISHED: 1}.get(game.ending, _ENDED)
        own = ending, game.payoffs[0] if ending == _ENDED else 0
        games = self.single.setdefault(game.round, {})
        for other, result in games.items():
            for pair, first, second in (
                ((entrant, other), own, result),
                ((other, entrant), result, own),
            ):
                self.wins[pair] += first > second
                self.draws[pair] += first == second
        games[entrant] = own

    def _add_rounds(self, result: Result, group: Sequence[int]) -> None:
        """Count the half points of the first of two players in each round."""
        if len(group) != 2 or not result.games:
            return
        halves = Counter[int]()
        for game in result.games:
            halves[game.round] += half_points(game)
        counter = self.rounds.setdefault((group[0], group[1]), Counter())
        counter.update(halves.values())

    def _count(self, seated: Sequence[int], games: int, plies: int) -> None:
        self.played += games
        self.plies += plies
        for entrant in seated:
            self.games[entrant] += games


def half_points(game: PlayedGame) -> int:
    """Return 2 for a win of the group's first player in a two-player game, 1 for a draw, 0 for a
    loss.
    """
    first = game.seats.index(0)
    own, others = game.payoffs[first], game.payoffs[1 - first]
    return 1 + (own > others) - (own < others)


def best_seats(payoffs: Sequence[int]) -> list[int]:
    """Return the seats with the highest payoff: a single one has won, several have drawn."""
    return [seat for seat, pay in enumerate(payoffs) if pay == max(payoffs)]


def _entrants_by_seat(group: Sequence[int], turn: int) -> list[int]:
    """Return the entrants by seat."""
    return [group[place] for place in seats_of(turn, len(group))]
