"""A room: a game between persons, its seats, its clock, and offers that need consent.

A seat belongs to the holder of its token, who may hold several, or to a computer player. Only
`observation` turns a room into data for a client. If the game hides something, that has no moves
before the end. See decision 205. Times are passed in by the caller.
"""

import dataclasses
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulesengine.server.web.errors import RequestError
from rulesengine.server.web.rooms.chess_clock import ChessClock
from rulesengine.support.frozen import field, record

JsonTable = Mapping[str, object]
OFFERS = ("draw", "undo", "rematch")


@record
class PlayedMove:
    """A move with its player; the player of a chance event is None."""

    text: str
    player: str | None


@record
class Advance:
    """A move with the chance events after it, and the position that follows.

    `knowledge` has the keys of the information states of all players and of a spectator, by name; a
    spectator has an empty one. It is empty if the game hides nothing.
    """

    played: tuple[PlayedMove, ...]
    mover: str
    outcome: JsonTable | None
    knowledge: Mapping[str, str] = field(default_factory=dict)


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
    computers: dict[str, str] = dataclasses.field(default_factory=dict)
    substitutes: dict[str, str] = dataclasses.field(default_factory=dict)
    tokens: dict[str, str] = dataclasses.field(default_factory=dict)
    present: dict[str, int] = dataclasses.field(default_factory=dict)
    spectators: int = 0
    moves: list[PlayedMove] = dataclasses.field(default_factory=list)
    knowledge: Mapping[str, str] = dataclasses.field(default_factory=dict)
    last_sent: dict[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
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
        free = [name for name in self.players if name not in {*self.tokens, *self.computers}]
        if player and player not in self.players:
            raise RequestError("request", f"`seat`: expected {' or '.join(self.players)}")
        if player not in free and (player or not free):
            raise RequestError("taken", "this seat is taken: choose another one, or watch")
        name = player or secrets.choice(free)
        self.tokens[name] = secrets.token_urlsafe(18)
        self._change()
        return name, self.tokens[name]

    def take_rest(self, token: str) -> None:
        """Assign the free seats to the holder of a token, for several persons at one screen."""
        free = (name for name in self.players if name not in {*self.tokens, *self.computers})
        self.tokens |= dict.fromkeys(free, token)
        self._change()

    def seats_of(self, token: str) -> tuple[str, ...]:
        """Return the players whose seats a token holds; none for a spectator."""
        encoded = token.encode("utf-8", "replace")
        held = self.tokens.items()
        own = {name for name, other in held if secrets.compare_digest(other.encode(), encoded)}
        return tuple(name for name in self.players if name in own)

    def player_of(self, token: str) -> str | None:
        """Return the player of a token, of several the one to move; None for a spectator."""
        seats = self.seats_of(token)
        return self.mover if self.mover in seats else seats[0] if seats else None

    def require_player(self, token: str) -> str:
        """Return the player of a token. Raises RequestError."""
        player = self.player_of(token)
        if player is None:
            raise RequestError("seat", "this seat is not yours: take a free one, or watch")
        return player

    def add_connection(self, token: str) -> None:
        """Count a connection of the holder of a token or of a spectator."""
        self._count(token, 1)

    def remove_connection(self, token: str) -> None:
        """Count the end of a connection."""
        self._count(token, -1)

    def _count(self, token: str, change: int) -> None:
        seats = self.seats_of(token)
        if not seats:
            self.spectators += change
        for player in seats:
            self.present[player] = self.present.get(player, 0) + change
        self._change()

    @property
    def is_full(self) -> bool:
        return len(self.tokens) + len(self.computers) == len(self.players)

    @property
    def computer_to_move(self) -> str:
        """Return the text of the computer player to move, or an empty text."""
        occupants = {**self.computers, **self.substitutes}
        return occupants.get(self.mover, "") if self.is_full and not self.is_over else ""

    def substitute(self, player: str, computer: str) -> None:
        """Replace a computer player until the end of the game."""
        self.substitutes[player] = computer
        self._change()

    @property
    def hides(self) -> bool:
        """True if players see different parts of the game now; at the end all see everything."""
        return bool(self.knowledge) and not self.is_over

    @property
    def is_over(self) -> bool:
        return self.outcome is not None or self.settled is not None

    # moves

    def begin(self, start: Advance) -> None:
        """Begin a game with the chance events at its start."""
        self.moves = list(start.played)
        self.mover, self.outcome, self.settled = start.mover, start.outcome, None
        self.knowledge, self.last_sent = start.knowledge, {}
        self.substitutes = {}
        self.offer, self.clock = None, ChessClock.of(self.players, self.pace)
        self.number += 1
        self._change()

    def is_repeated(self, player: str, seen: str | int, move: str) -> bool:
        """True if a move has been made already, as when a client sends it again.

        `seen` is the ply of the move, or the key of the player's knowledge before it. Others can
        compute such a key, so the move must be the last one of the same token.
        """
        if isinstance(seen, str):
            return self.last_sent.get(self.tokens[player]) == (seen, move)
        return seen < len(self.moves) and self.moves[seen] == PlayedMove(move, player)

    def note_sent(self, player: str, seen: str, move: str) -> None:
        """Store the last move of the holder of a player's seat with the key before it."""
        self.last_sent[self.tokens[player]] = seen, move

    def require_turn(self, player: str, seen: str | int) -> None:
        """Raise RequestError unless a player may move and has seen the current position.

        `seen` is the number of moves, or the key of the player's knowledge.
        """
        if not self.is_full:
            raise RequestError("turn", "the game begins when all seats are taken")
        if self.is_over:
            raise RequestError("turn", "the game is over")
        current = self.knowledge.get(player, "") if self.knowledge else len(self.moves)
        if player != self.mover or seen != current:
            raise RequestError("turn", f"it is the turn of {self.mover}")

    def advance(self, step: Advance, now: float) -> None:
        """Make a move and the chance events after it.

        An offer ends, but in a game that hides something only with the turn, which all see.
        """
        self.moves += step.played
        if not step.knowledge or step.mover != self.mover or step.outcome:
            self.offer = None
        self.mover, self.outcome, self.knowledge = step.mover, step.outcome, step.knowledge
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
        if kind == "undo" and self.hides:
            raise RequestError("turn", "no move is taken back in a game that hides something")
        if kind == "undo" and self._last_ply(player) is None:
            raise RequestError("turn", "you have not moved yet")
        seats = self._seats_with(player)
        if kind == "draw" and len(seats) == len(self.tokens):
            raise RequestError("turn", "only another person can accept a draw")
        self.offer = Offer(kind, player, seats)
        self._change()

    @property
    def is_agreed(self) -> bool:
        """True if all persons have accepted the offer, as one that has no other person."""
        return self.offer is not None and self.offer.accepted == set(self.tokens)

    def _seats_with(self, player: str) -> set[str]:
        """Return the seats of the person that has the seat of a player."""
        return {*self.seats_of(self.tokens[player])}

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
        offer.accepted |= self._seats_with(player)
        self._change()
        if not self.is_agreed:
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
        self.computers = {following[name]: text for name, text in self.computers.items()}
        self.present = {following[name]: count for name, count in self.present.items()}

    def _change(self) -> None:
        self.version += 1


def observation(room: Room, token: str, now: float) -> dict[str, object]:
    """Return everything that the holder of a token, or a spectator, may know about a room.

    In a game that hides something `moves` is None before the end, and `knowledge` has the
    keys of the information states of the token's players. It is empty in other games.
    """
    clock, seats = room.clock, room.seats_of(token)
    known = {name: room.knowledge[name] for name in seats or ("",)} if room.hides else {}
    return {
        "number": room.number,
        "game": dict(room.game),
        "players": list(room.players),
        "you": room.player_of(token),
        "own": list(seats),
        "computers": {**room.computers, **room.substitutes},
        "seats": {
            name: {
                "taken": name in room.tokens or name in room.computers,
                "present": name in room.computers or room.present.get(name, 0) > 0,
            }
            for name in room.players
        },
        "spectators": room.spectators,
        "moves": None if room.hides else [move.text for move in room.moves],
        "knowledge": known,
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
        **({} if room.hides else {"version": room.version}),
    }
