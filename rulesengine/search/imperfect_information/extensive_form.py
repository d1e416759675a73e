"""Games in extensive form: the interface between searches and games with hidden information.

A history is the sequence of all moves of a game, those of chance included. It holds the state and
the information state of each player.
"""

from collections.abc import Hashable
from typing import Protocol, TypeVar

from rulesengine.engine.drivers.random import Generator
from rulesengine.support.frozen import record

H = TypeVar("H")


class InformationState(Protocol):
    """The events that a player has observed in a history; `str` describes them.

    A move adds events, or it leaves the information state as it was: then the player did not notice
    the move.
    """

    @property
    def key(self) -> bytes:
        """Return a key that is equal for equal events of the same player."""

    @property
    def line(self) -> tuple[bytes, ...]:
        """Return the keys after each event in order; the last one is `key`."""


@record
class Terminal:
    """The end of a game, with the payoff of each player."""

    payoffs: tuple[int, ...]


@record
class Chance:
    """A chance node: the probability of a branch is its weight divided by the sum of all."""

    weights: tuple[int, ...]


@record
class Decision:
    """A decision node.

    - `player` is the number of the player that chooses.
    - `information` is the information state of that player. Nodes with equal keys are one
      information set, and have the same moves in the same order.
    - `moves` are the texts of the legal moves.
    """

    player: int
    information: InformationState
    moves: tuple[str, ...]


Node = Terminal | Chance | Decision


class ExtensiveForm(Protocol[H]):
    """A game as a tree of histories."""

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names of the players, in the order of their numbers."""

    def root(self) -> H:
        """Return the empty history."""

    def node(self, history: H) -> Node:
        """Return the node of a history."""

    def child(self, history: H, number: int) -> H:
        """Return a history extended by a move or branch of its node, given by its number."""


class ObservedForm(ExtensiveForm[H], Protocol[H]):
    """A game with histories that can be compared with the observations of a player."""

    def information(self, history: H, player: int) -> InformationState:
        """Return the information state of a player after a history."""

    def state_key(self, history: H) -> Hashable:
        """Return a key that is equal for histories with equal states.

        Such histories have the same continuations.
        """

    def playout(self, history: H, random: Generator) -> tuple[int, ...]:
        """Return the payoffs of a game with equally probable moves from a history."""
