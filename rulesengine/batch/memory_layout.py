"""The memories of a batch as its drivers want them, and the arrays that show what is in them."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rulesengine.batch.histories import room
from rulesengine.engine.actions import Actions
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.outputs import slot_of
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.support.frozen import record

if TYPE_CHECKING:
    import numpy as np

Words = Iterable[tuple[int, int, int]]

_TRIES, _MANY = 8, 1 << 12  # sizes of a hash table that are looked at, and of which entries


@record
class Plan:
    """How many games of how many players there are, what a record of theirs and the start hold.

    `depth` is how many actions a move may take before its last one.
    """

    games: int
    players: int
    actions: int
    stop: int
    depth: int
    start: bytes
    shares: int
    restarts: bool

    @property
    def width(self) -> int:
        """The words of a record."""
        return self.state + len(self.start) // WORD

    @property
    def state(self) -> int:
        """Where in a record its state begins."""
        return at.PATH + self.depth

    @property
    def stride(self) -> int:
        """The bytes of a row of flags."""
        return -(-self.actions // WORD) * WORD

    def mark(self, share: int) -> int:
        """Where a share notes the game that is in hand."""
        return at.MARKS + share * at.LINE

    def memory(self, words: Words) -> Memory:
        """The plan for steps of these words."""
        entries = list(words)
        slots = _slots_for(entries)
        start = self.mark(self.shares)
        table = start + len(self.start) // WORD
        memory = room(table + slots * at.ENTRY)
        lists = _shown_words(self) * WORD
        held = {
            at.GAMES: self.games,
            at.PLAYERS: self.players,
            at.RESTARTS: int(self.restarts),
            at.ACTIONS: self.actions,
            at.STOP_ACTION: self.stop,
            at.WIDTH: self.width,
            at.STATE: self.state,
            at.START: start,
            at.MASKS: lists + self.games * self.actions * at.HALF,
            at.STRIDE: self.stride,
            at.LISTS: lists,
            at.SLOTS: slots,
            at.TABLE: table,
        }
        for place, number in held.items():
            memory.numbers[place] = number
        # Rows of flags begin at words, behind lists of halves.
        memory.numbers[at.MASKS] = -(-held[at.MASKS] // WORD) * WORD
        memory.bytes[start * WORD : table * WORD] = self.start
        for entry in entries:
            _enter(memory, table, slots, entry)
        return memory

    def records(self) -> Memory:
        return room(self.games * self.width)

    def shown(self, plan: Memory) -> Memory:
        return room((plan.numbers[at.MASKS] + self.games * self.stride) // WORD)


def plan_of(
    actions: Actions, start: bytes, players: int, games: int, shares: int, restarts: bool
) -> Plan:
    stop = -1 if actions.stop is None else actions.stop
    depth = actions.longest if actions.chains else 0
    return Plan(games, players, len(actions), stop, depth, start, shares, restarts)


class Arrays:
    """What is shown, as arrays that cannot be written and change with each step."""

    def __init__(self, plan: Plan, memory: Memory, shown: Memory) -> None:
        import numpy as np

        words = np.frombuffer(shown.bytes, np.int64)
        flags = np.frombuffer(shown.bytes, np.bool_)
        games, paid = plan.games, at.PAID * plan.games
        self.columns = words[:paid].reshape(at.PAID, games)
        low = 0 if sys.byteorder == "little" else WORD - 1
        self.over = _shut(flags[: paid * WORD].reshape(at.PAID, games, WORD)[at.OVER, :, low])
        self.mover = _shut(self.columns[at.MOVERS])
        self.plies = _shut(self.columns[at.LENGTHS])
        self.refused = self.columns[at.REFUSED]
        self.payoffs = _shut(words[paid : paid + games * plan.players].reshape(games, plan.players))
        first = memory.numbers[at.MASKS]
        self.rows = flags[first : first + games * plan.stride].reshape(games, plan.stride)
        self.mask = _shut(self.rows[:, : plan.actions])

    def forget(self, number: int | None = None) -> None:
        """Show nothing of a game or of all, as at the beginning."""
        games = slice(None) if number is None else number
        self.rows[games] = False
        self.columns[at.COUNTS, games] = 0


def _shut(array: "np.ndarray") -> "np.ndarray":
    """The same array, not to be written."""
    found = array[:]
    found.flags.writeable = False
    return found


def _shown_words(plan: Plan) -> int:
    return (at.PAID + plan.players) * plan.games


def _slots_for(entries: Sequence[Sequence[int]]) -> int:
    """How many slots a hash table is to have: of some numbers the one that most entries fit in.

    Where each step is found at once, nothing is to be foreseen wrongly.
    """
    count = len(entries)
    tries = [2 * count + 1 + k * max(1, count // _TRIES) for k in range(2 * _TRIES)]
    fewest, best = count + 1, tries[0]
    for slots in tries if count < _MANY else ():
        beside = count - len({slot_of(step, choice, slots) for step, choice, _ in entries})
        if beside < fewest:
            fewest, best = beside, slots
        if not beside:
            break
    return best


def _enter(memory: Memory, table: int, slots: int, entry: Sequence[int]) -> None:
    """Put a step into the hash table, with open addressing."""
    step, choice, number = entry
    slot = slot_of(step, choice, slots)
    while memory.numbers[table + slot * at.ENTRY + at.NUMBER]:
        slot = (slot + 1) % slots
    for place, value in ((at.STEP, step), (at.CHOICE, choice), (at.NUMBER, number + 1)):
        memory.numbers[table + slot * at.ENTRY + place] = value
