"""Games with hidden information as trees of histories, written from their rules alone.

Kuhn poker: H. W. Kuhn, A Simplified Two-Person Poker, 1950. Leduc poker: F. Southey and others,
Bayes' Bluff, 2005, with six cards, a pair above the higher card, and two bets in each round.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from rulesengine.engine.drivers.random import Generator
from rulesengine.search.imperfect_information.extensive_form import Chance, Decision, Node, Terminal

History = tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """The events of a player."""

    player: int
    events: tuple[Hashable, ...]

    @property
    def key(self) -> bytes:
        return repr((self.player, self.events)).encode()

    @property
    def line(self) -> tuple[bytes, ...]:
        counts = range(len(self.events) + 1)
        return tuple(repr((self.player, self.events[:count])).encode() for count in counts)

    def __str__(self) -> str:
        return " ".join(map(str, self.events))


class HiddenGame:
    """A game of two players whose histories are the texts of all moves."""

    players: tuple[str, ...] = ("first", "second")

    def root(self) -> History:
        return ()

    def child(self, history: History, number: int) -> History:
        node = self.node(history)
        texts = node.moves if isinstance(node, Decision) else self.branches(history)
        return (*history, texts[number])

    def node(self, history: History) -> Node:
        raise NotImplementedError

    def branches(self, history: History) -> tuple[str, ...]:
        """Return the texts of the branches of a chance node."""
        raise NotImplementedError

    def information(self, history: History, player: int) -> Seen:
        raise NotImplementedError

    def state_key(self, history: History) -> Hashable:
        return history

    def playout(self, history: History, random: Generator) -> tuple[int, ...]:
        while True:
            match self.node(history):
                case Terminal(payoffs):
                    return payoffs
                case Chance(weights):
                    history = self.child(history, random.among(weights))
                case Decision(_, _, moves):
                    history = self.child(history, random.below(len(moves)))

    def decision(self, history: History, player: int, *moves: str) -> Decision:
        return Decision(player, self.information(history, player), moves)


class MatchingPennies(HiddenGame):
    """Both choose a side of a coin; the first player gets `payoffs[own, other]`."""

    def __init__(self, heads: int = 1, mixed: int = -1, tails: int = 1) -> None:
        self.payoffs = {("h", "h"): heads, ("h", "t"): mixed, ("t", "h"): mixed, ("t", "t"): tails}

    def node(self, history: History) -> Node:
        if len(history) == 2:
            paid = self.payoffs[history[0], history[1]]
            return Terminal((paid, -paid))
        return self.decision(history, len(history), "h", "t")

    def information(self, history: History, player: int) -> Seen:
        return Seen(player, history[player : player + 1])


class Kuhn(HiddenGame):
    """Kuhn poker: `p` is a pass, `b` a bet or a call."""

    def node(self, history: History) -> Node:
        if len(history) < 2:
            return Chance((1,) * len(self.branches(history)))
        played = "".join(history[2:])
        if played in ("pp", "bb", "bp", "pbp", "pbb"):
            return Terminal(self.paid(history[0] > history[1], played))
        return self.decision(history, len(played) % 2, "p", "b")

    @staticmethod
    def paid(is_higher: bool, played: str) -> tuple[int, int]:
        if played == "bp":
            return 1, -1
        if played == "pbp":
            return -1, 1
        stake = 1 if played == "pp" else 2
        return (stake, -stake) if is_higher else (-stake, stake)

    def branches(self, history: History) -> tuple[str, ...]:
        return tuple(card for card in "123" if card not in history)

    def information(self, history: History, player: int) -> Seen:
        return Seen(player, (*history[player : player + 1], *history[2:]))


class Leduc(HiddenGame):
    """Leduc poker: `f` folds, `c` checks or calls, `r` raises by 2, in the second round by 4."""

    cards = ("J1", "J2", "Q1", "Q2", "K1", "K2")
    ranks = "JQK"

    def node(self, history: History) -> Node:
        if len(history) < 2:
            return Chance((1,) * (6 - len(history)))
        board, rounds, paid = self.played(history)
        actions = rounds[-1]
        if actions[-1:] == ("f",):
            loser = (len(actions) - 1) % 2
            return Terminal(tuple(paid[loser] * (-1 if p == loser else 1) for p in (0, 1)))
        if actions[-1:] == ("c",) and len(actions) > 1:
            return Chance((1,) * 4) if board is None else Terminal(self.shown(history, board, paid))
        moves = ["c"]
        if actions[-1:] == ("r",):
            moves.insert(0, "f")
        if actions.count("r") < 2:
            moves.append("r")
        return self.decision(history, len(actions) % 2, *moves)

    def played(self, history: History) -> tuple[str | None, list[tuple[str, ...]], list[int]]:
        """Return the open card, the actions of each round, and the money that each has paid."""
        board: str | None = None
        rounds: list[tuple[str, ...]] = [()]
        paid = [1, 1]
        for text in history[2:]:
            if text in self.cards:
                board = text
                rounds.append(())
                continue
            player = len(rounds[-1]) % 2
            if text != "f":
                paid[player] = max(paid)
            if text == "r":
                paid[player] += 2 * len(rounds)
            rounds[-1] += (text,)
        return board, rounds, paid

    def shown(self, history: History, board: str, paid: list[int]) -> tuple[int, int]:
        ranks = [self.ranks.index(card[0]) + 9 * (card[0] == board[0]) for card in history[:2]]
        sign = (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
        return sign * paid[1], -sign * paid[1]

    def branches(self, history: History) -> tuple[str, ...]:
        return tuple(card for card in self.cards if card not in history)

    def information(self, history: History, player: int) -> Seen:
        return Seen(player, (*history[player : player + 1], *history[2:]))


LINES = tuple(
    sum(1 << cell for cell in line)
    for line in (
        *((r, r + 1, r + 2) for r in (0, 3, 6)),
        *((c, c + 3, c + 6) for c in (0, 1, 2)),
        (0, 4, 8),
        (2, 4, 6),
    )
)
FULL = 0b111111111


@dataclass(frozen=True)
class Phantom:
    """A position of phantom tic-tac-toe, with the events of both players.

    - `marks` are the cells of each player, `met` the cells of the other one that it has met.
    """

    marks: tuple[int, int] = (0, 0)
    met: tuple[int, int] = (0, 0)
    mover: int = 0
    events: tuple[tuple[Hashable, ...], tuple[Hashable, ...]] = ((), ())

    def sight(self, player: int) -> Hashable:
        return "sees", self.marks[player], self.met[player], self.mover, self.paid()

    def paid(self) -> tuple[int, int] | None:
        for player in (0, 1):
            if any(self.marks[player] & line == line for line in LINES):
                return (1, -1) if player == 0 else (-1, 1)
        return (0, 0) if self.marks[0] | self.marks[1] == FULL else None


class PhantomTicTacToe:
    """Phantom tic-tac-toe: a player that meets a mark of the other one moves again.

    As OpenSpiel's phantom_ttt, where the other player does not notice such a try.
    """

    players = ("cross", "nought")

    def root(self) -> Phantom:
        return Phantom()

    def node(self, history: Phantom) -> Node:
        paid = history.paid()
        if paid:
            return Terminal(paid)
        player = history.mover
        return Decision(player, self.information(history, player), self.moves(history))

    def moves(self, history: Phantom) -> tuple[str, ...]:
        known = history.marks[history.mover] | history.met[history.mover]
        return tuple(str(cell) for cell in range(9) if not known >> cell & 1)

    def child(self, history: Phantom, number: int) -> Phantom:
        text, player = self.moves(history)[number], history.mover
        after = self.played(history, 1 << int(text))
        events = list(history.events)
        events[player] += ((text, after.sight(player)),)
        other = 1 - player
        if after.sight(other) != history.sight(other):
            events[other] += (after.sight(other),)
        return replace(after, events=(events[0], events[1]))

    def played(self, history: Phantom, cell: int) -> Phantom:
        player = history.mover
        if history.marks[1 - player] & cell:
            met = history.met[player] | cell
            return replace(
                history, met=(met, history.met[1]) if player == 0 else (history.met[0], met)
            )
        own = history.marks[player] | cell
        marks = (own, history.marks[1]) if player == 0 else (history.marks[0], own)
        return replace(history, marks=marks, mover=1 - player)

    def information(self, history: Phantom, player: int) -> Seen:
        return Seen(player, history.events[player])

    def state_key(self, history: Phantom) -> Hashable:
        return history.marks, history.met, history.mover

    def playout(self, history: Phantom, random: Generator) -> tuple[int, ...]:
        while not (paid := history.paid()):
            moves = self.moves(history)
            history = self.played(history, 1 << int(moves[random.below(len(moves))]))
        return paid
