"""A room: a game between persons, its seats, its clock, and offers that need consent.

A seat belongs to the holder of its token. Only `observation` turns a room into data for a client,
so a game with hidden information needs a change in one place. Times are passed in by the caller.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.rooms.chess_clock import ChessClock
from rulesengine.support.frozen import record

JsonTable = Mapping[str, object]
OFFERS = ("draw", "undo", "rematch")


@record
class PlayedMove:
    """A move with its player; the player of a chance event is None."""

    text: str
    player: str | None


@record
class Advance:
    """The result of a move: it and the chance events after it, and the position that follows."""

    played: tuple[PlayedMove, ...]
    mover: str
    outcome: JsonTable | None


@dataclass
class Offer:
    """An offer of a player, with the players that have accepted it."""

    kind: str
    player: str
    accepted: set[str]


@dataclass
class Room:
    """A game in progress; methods raise RequestError for actions that are not allowed now."""

    game: JsonTable
    players: tuple[str, ...]
    pace: str
    tokens: dict[str, str] = field(default_factory=dict)
    present: dict[str, int] = field(default_factory=dict)
    spectators: int = 0
    moves: list[PlayedMove] = field(default_factory=list)
    mover: str = ""
    outcome: JsonTable | None = None
    settled: JsonTable | None = None
    offer: Offer | None = None
    clock: ChessClock | None = None
    version: int = 0
    number: int = 0

    # seats

    def take(self, player: str) -> tuple[str, str]:
        """Take a seat, or any free one for an empty name; return the player and the token."""
        free = [name for name in self.players if name not in self.tokens]
        if player and player not in self.players:
            raise RequestError("request", f"`seat`: expected {' or '.join(self.players)}")
        if player not in free and (player or not free):
            raise RequestError("taken", "this seat is taken: choose another one, or watch")
        name = player or secrets.choice(free)
        self.tokens[name] = secrets.token_urlsafe(18)
        self._change()
        return name, self.tokens[name]

    def player_of(self, token: str) -> str | None:
        """Return the player whose seat a token holds; None for a spectator."""
        for player, player_token in self.tokens.items():
            if secrets.compare_digest(player_token.encode(), token.encode("utf-8", "replace")):
                return player
        return None

    def require_player(self, token: str) -> str:
        """Return the player of a token. Raises RequestError."""
        player = self.player_of(token)
        if player is None:
            raise RequestError("seat", "this seat is not yours: take a free one, or watch")
        return player

    def add_connection(self, player: str | None) -> None:
        """Count a connection of a player or a spectator."""
        self._count(player, 1)

    def remove_connection(self, player: str | None) -> None:
        """Count the end of a connection."""
        self._count(player, -1)

    def _count(self, player: str | None, change: int) -> None:
        if player is None:
            self.spectators += change
        else:
            self.present[player] = self.present.get(player, 0) + change
        self._change()

    @property
    def is_full(self) -> bool:
        return len(self.tokens) == len(self.players)

    @property
    def is_over(self) -> bool:
        return self.outcome is not None or self.settled is not None

    # moves

    def begin(self, start: Advance) -> None:
        """Begin a game with the chance events at its start."""
        self.moves = list(start.played)
        self.mover, self.outcome, self.settled = start.mover, start.outcome, None
        self.offer, self.clock = None, ChessClock.of(self.players, self.pace)
        self.number += 1
        self._change()

    def is_repeated(self, player: str, ply: int, move: str) -> bool:
        """True if a move has been made already, as when a client sends it again."""
        return ply < len(self.moves) and self.moves[ply] == PlayedMove(move, player)

    def require_turn(self, player: str, ply: int) -> None:
        """Raise RequestError unless a player may move at a ply."""
        if not self.is_full:
            raise RequestError("turn", "the game begins when all seats are taken")
        if self.is_over:
            raise RequestError("turn", "the game is over")
        if player != self.mover or ply != len(self.moves):
            raise RequestError("turn", f"it is the turn of {self.mover}")

    def advance(self, step: Advance, now: float) -> None:
        """Make a move and the chance events after it."""
        self.moves += step.played
        self.mover, self.outcome, self.offer = step.mover, step.outcome, None
        if self.clock:
            if self.is_over:
                self.clock.stop(now)
            else:
                self.clock.start(self.mover, now)
        self._change()

    # results and offers

    def resign(self, player: str, now: float) -> None:
        """End the game by resignation."""
        self._settle({"kind": "resigned", "player": player}, now)

    def flag(self, now: float) -> bool:
        """End the game if the running time has lapsed; True if it has."""
        clock = self.clock
        if self.is_over or clock is None or clock.running is None:
            return False
        if clock.remaining(clock.running, now) > 0:
            return False
        self._settle({"kind": "time", "player": clock.running}, now)
        return True

    def propose(self, player: str, kind: str) -> None:
        """Offer a draw, an undo or a rematch to the others."""
        if kind not in OFFERS:
            raise RequestError("request", f"`kind`: expected {', '.join(OFFERS)}")
        if (kind == "rematch") != self.is_over or not self.is_full:
            raise RequestError("turn", "this cannot be offered now")
        if kind == "undo" and self._last_ply(player) is None:
            raise RequestError("turn", "you have not moved yet")
        self.offer = Offer(kind, player, {player})
        self._change()

    def answer(self, player: str, accepts: bool, now: float) -> str:
        """Reply to an offer; return its kind if all have accepted it now, else an empty text.

        The caller begins a new game after `rematch`.
        """
        offer = self.offer
        if offer is None:
            raise RequestError("turn", "there is no offer")
        if not accepts:
            self.offer = None
            self._change()
            return ""
        offer.accepted.add(player)
        self._change()
        if offer.accepted != set(self.players):
            return ""
        self.offer = None
        if offer.kind == "draw":
            self._settle({"kind": "agreed"}, now)
        elif offer.kind == "undo":
            self._undo(offer.player, now)
        else:
            self._rotate()
        return offer.kind

    def _settle(self, result: JsonTable, now: float) -> None:
        if self.is_over or not self.is_full:
            raise RequestError("turn", "there is no game to end")
        self.settled, self.offer = result, None
        if self.clock:
            self.clock.stop(now)
        self._change()

    def _last_ply(self, player: str) -> int | None:
        """Return the ply of the last move of a player."""
        own = [ply for ply, move in enumerate(self.moves) if move.player == player]
        return own[-1] if own else None

    def _undo(self, player: str, now: float) -> None:
        ply = self._last_ply(player)
        assert ply is not None
        self.moves, self.mover = self.moves[:ply], player
        if self.clock:
            self.clock.start(player, now, has_moved=False)
        self._change()

    def _rotate(self) -> None:
        """Move each player to the seat of the next one."""
        names: Sequence[str] = self.players
        following = dict(zip(names, (*names[1:], names[0]), strict=True))
        self.tokens = {following[name]: token for name, token in self.tokens.items()}
        self.present = {following[name]: count for name, count in self.present.items()}

    def _change(self) -> None:
        self.version += 1


def observation(room: Room, player: str | None, now: float) -> dict[str, object]:
    """Return everything that a player, or a spectator, may know about a room.

    The rules of today's games are open: all see all moves.
    """
    clock = room.clock
    return {
        "version": room.version,
        "number": room.number,
        "game": dict(room.game),
        "players": list(room.players),
        "you": player,
        "seats": {
            name: {"taken": name in room.tokens, "present": room.present.get(name, 0) > 0}
            for name in room.players
        },
        "spectators": room.spectators,
        "moves": [move.text for move in room.moves],
        "mover": room.mover,
        "outcome": room.outcome,
        "settled": room.settled,
        "offer": {"kind": room.offer.kind, "player": room.offer.player} if room.offer else None,
        "clock": {
            "left": {name: round(clock.remaining(name, now), 2) for name in room.players},
            "running": clock.running,
        }
        if clock
        else None,
    }
