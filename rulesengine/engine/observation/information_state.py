"""Information states: the sequence of the events that a player has noticed.

A player notices the own moves, the texts of moves that are told, and an observation that differs
from the last one. Players never forget, so a game has perfect recall. See decision 143.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.observation.observer import CHANCE, Observer
from rulesengine.engine.observation.rounds import Rounds, is_choice
from rulesengine.language.ir.hiding import default_audience, hidden_in
from rulesengine.language.ir.rules import Rules
from rulesengine.state import Move, State, Step
from rulesengine.support.validate import check_kind

try:  # as in `support/cache.py`: `hashlib` would load OpenSSL
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_KEY_BYTES = 16
# Separates the text of an own move from its steps, which distinguish moves with equal texts.
_STEPS = "\0"


class InformationState:
    """The knowledge of a player in a game; compared and hashed by its `key`.

    - `player` is the name of the player; None for a spectator.
    - `key` has 16 bytes that are equal for equal sequences of events, in every process.
    - `str(info)` has the events in order: `move`, `told` and `sees`.
    - `line` has the keys after each event; a state with a longer line may continue this one.

    `info.after(before, move, after)` is the next one. Instances do not change.
    """

    __slots__ = ("_before", "_events", "_keys", "_observer", "_seen", "key", "player")

    def __init__(
        self,
        observer: Observer,
        player: str | None,
        observation: str,
        events: tuple[str, ...],
        before: "InformationState | None" = None,
    ) -> None:
        self.player = player
        self._keys = tuple(_extended(before.key if before else (player or "").encode(), events))
        self.key: bytes = self._keys[-1]
        self._observer = observer
        self._seen = observation
        self._events = events
        self._before = before

    def after(self, before: State, move: Move, after: State) -> "InformationState":
        """Return the information state after a move from one state to another.

        It is this object if the player notices nothing.
        """
        observer, number = self._observer, self._observer.number(self.player)
        events = list(self._events_of(before, move))
        observation = str(observer.observe(after, number))
        if observation != self._seen:
            events.append(f"sees\n{observation}")
        if not events:
            return self
        return InformationState(observer, self.player, observation, tuple(events), self)

    @property
    def observation(self) -> str:
        """Return the text of the last observation."""
        return self._seen

    @property
    def events(self) -> tuple[str, ...]:
        """Return the events in order: `move TEXT`, `told MOVER: TEXT`, or `sees` and a text."""
        links = reversed(tuple(self._links()))
        return tuple(event.partition(_STEPS)[0] for link in links for event in link._events)

    @property
    def line(self) -> tuple[bytes, ...]:
        """Return the keys after each event in order; the last one is `key`."""
        return tuple(key for link in reversed(tuple(self._links())) for key in link._keys)

    def _links(self) -> "Iterator[InformationState]":
        """Yield this state and those before each move that the player noticed."""
        at: InformationState | None = self
        while at is not None:
            yield at
            at = at._before

    def _events_of(self, before: State, move: Move) -> Iterator[str]:
        """Yield the event of a move, if the player makes it or is told of it."""
        rules = self._observer.program.rules
        is_chance = self._observer.machine.is_chance(before)
        mover = CHANCE if is_chance else before.mover
        if not is_chance and self.player == mover:
            parts = ((s.kind, s.origin, s.target, s.choice, s.written) for s in move.steps)
            yield f"move {move}{_STEPS}{[*parts]}"
        elif is_immediately_public(rules, move.steps):
            yield f"told {mover}: {move}"
        for name, text in revealed_moves(self._observer.machine, before, move, self.player):
            yield f"told {name}: {text}"

    def __deepcopy__(self, memo: Any) -> "InformationState":
        return self

    def __reduce__(self) -> "tuple[Callable[..., InformationState], tuple[Any, ...]]":
        """Pickle the events as a flat list, since nested pickles have a limited depth."""
        links = [(link._seen, link._events) for link in reversed(tuple(self._links()))]
        return _restored, (self._observer, self.player, links)

    def __str__(self) -> str:
        return "\n".join(self.events)

    def __repr__(self) -> str:
        of = "a spectator" if self.player is None else self.player
        return f"<InformationState of {of}, {len(self.events)} events>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InformationState) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Playable(Protocol):
    """The part of a game with which moves are made."""

    @property
    def machine(self) -> Interpreter: ...

    def move(self, text: str, state: State | None = None) -> Move: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...


def information_after(
    game: Playable, state: State, moves: Sequence[Move | str], player: str | None
) -> InformationState:
    """Return the knowledge of a player after moves from a state. Raises UsageError."""
    check_kind("moves", moves, Iterable)
    observer = game.machine.derived(Observer)
    observation = str(observer.observe(state, observer.number(player)))
    info = InformationState(observer, player, observation, (f"sees\n{observation}",))
    for move_or_text in moves:
        move = game.move(move_or_text, state) if isinstance(move_or_text, str) else move_or_text
        after = game.apply(state, move)
        info, state = info.after(state, move, after), after
    return info


def revealed_moves(
    machine: Interpreter, before: State, move: Move, player: str | None
) -> Iterator[tuple[str, str]]:
    """Yield the other players and their moves that a player is told, if a move ends a round."""
    rules = machine.program.rules
    if rules.together is None or machine.is_chance(before):
        return
    rounds = machine.derived(Rounds)
    for side, step in rounds.completed(before, move):
        name = before.player(side)
        if name != player and _is_public(rules, (step,)):
            yield name, rounds.text(step)


def is_noticed(rules: Rules, mover: str, move: Move, player: str | None) -> bool:
    """True if a player makes a move or is told its text; in a game that hides nothing, always.

    `mover` is empty for a move of chance.
    """
    if not hidden_in(rules) or (mover and mover == player):
        return True
    return is_immediately_public(rules, move.steps)


def is_immediately_public(rules: Rules, steps: Sequence[Step]) -> bool:
    """True if all players are told the text of a move when it is made; choices wait for a round."""
    return not is_choice(rules, steps[0]) and _is_public(rules, steps)


def _is_public(rules: Rules, steps: Sequence[Step]) -> bool:
    """True if all players are told the text of a move; branches of chance must say so."""
    usual = default_audience(rules)
    groups = [rules.groups[step.group] for step in steps]
    return all((g.told or ("own" if g.weight else usual)) == "all" for g in groups)


def _restored(
    observer: Observer, player: str | None, links: Sequence[tuple[str, tuple[str, ...]]]
) -> InformationState:
    """Return the information state of the observations and events after each noticed move."""
    (seen, events), *later = links
    info = InformationState(observer, player, seen, events)
    for seen, events in later:
        info = InformationState(observer, player, seen, events, info)
    return info


def _extended(key: bytes, events: tuple[str, ...]) -> Iterator[bytes]:
    """Yield the keys of a sequence of events after each further one."""
    for event in events:
        key = blake2b(key + event.encode(), digest_size=_KEY_BYTES).digest()
        yield key
