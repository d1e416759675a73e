"""Layout of the memories of a batch, and the arrays that are views of them."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rulesengine.batch.copies import Outputs
from rulesengine.batch.histories import room
from rulesengine.batch.placement_tables import PlacementTables
from rulesengine.engine.actions import Actions
from rulesengine.engine.drivers.batch import layout as at
from rulesengine.engine.drivers.batch.outputs import slot_of
from rulesengine.engine.drivers.memory import WORD, Memory
from rulesengine.support.frozen import record

if TYPE_CHECKING:
    import numpy as np

Words = Iterable[tuple[int, int, int]]

_BITS = 64
_STORED_ACTIONS = 128  # legal actions of a game with a stored step
_SIZES_TRIED, _LARGE_TABLE = (
    8,
    1 << 12,
)  # table sizes tried; with more entries only the first size is used


@record
class Plan:
    """The dimensions of a batch, and the packed initial state.

    `depth` is the maximum number of actions of a move before its last one. `cells` is the number of
    cells of the board if all moves are placements or passes, else 0.
    """

    games: int
    players: int
    actions: int
    stop: int
    depth: int
    start: bytes
    shares: int
    restarts: bool
    cells: int = 0

    @property
    def set_words(self) -> int:
        """Return the number of words of a set of targets."""
        return -(-self.cells // _BITS)

    @property
    def list_size(self) -> int:
        """Return the number of bytes of a list of legal actions, or of the set of targets."""
        return self.set_words * WORD if self.cells else self.actions * at.HALF

    @property
    def stored_actions(self) -> int:
        """Return the number of legal actions of a game with a stored step."""
        return 0 if self.cells else min(self.actions, _STORED_ACTIONS)

    @property
    def width(self) -> int:
        """Return the number of words in a record."""
        return self.state + len(self.start) // WORD

    @property
    def state(self) -> int:
        """Return the offset of the state in a record."""
        return at.PATH + self.depth

    @property
    def stride(self) -> int:
        """Return the number of bytes in a row of flags."""
        return -(-self.actions // WORD) * WORD

    def mark(self, share: int) -> int:
        """Return the offset at which a share writes the game in progress."""
        return at.MARKS + share * at.LINE

    def memory(self, words: Words) -> Memory:
        """Build the parameter memory of the drivers; `words` encode the steps of actions."""
        entries = list(words)
        slots = 0 if self.cells else _slots_for(entries)
        start = self.mark(self.shares)
        table = start + len(self.start) // WORD
        placements = PlacementTables(self.cells, self.actions, entries) if self.cells else None
        memory = room(table + (placements.size if placements else slots * at.ENTRY))
        lists = _shown_words(self) * WORD
        parameters = {
            at.GAMES: self.games,
            at.PLAYERS: self.players,
            at.RESTARTS: int(self.restarts),
            at.ACTIONS: self.actions,
            at.STOP_ACTION: self.stop,
            at.WIDTH: self.width,
            at.STATE: self.state,
            at.START: start,
            at.MASKS: lists + self.games * self.list_size,
            at.STRIDE: self.stride,
            at.LISTS: lists,
            at.SLOTS: slots,
            at.TABLE: table,
        }
        for place, number in parameters.items():
            memory.numbers[place] = number
        # Rows of flags are aligned to words; they follow lists of 16-bit numbers.
        memory.numbers[at.MASKS] = -(-parameters[at.MASKS] // WORD) * WORD
        memory.numbers[at.KEPT] = self.stored_actions
        memory.numbers[at.KEPT_AT] = memory.numbers[at.MASKS] // WORD + self._mask_words
        memory.bytes[start * WORD : table * WORD] = self.start
        if placements:
            placements.write(memory, table)
        for entry in () if self.cells else entries:
            _enter(memory, table, slots, entry)
        return memory

    def records(self) -> Memory:
        return room(self.games * self.width)

    def observation_memory(self, plan: Memory) -> Memory:
        return room(plan.numbers[at.KEPT_AT] + self.games * self.stored_actions)

    @property
    def _mask_words(self) -> int:
        return self.games * self.stride // WORD


def plan_of(
    actions: Actions, start: bytes, players: int, games: int, shares: int, restarts: bool
) -> Plan:
    """Return the dimensions of a batch."""
    stop = -1 if actions.stop is None else actions.stop
    depth = actions.longest if actions.chains else 0
    return Plan(games, players, len(actions), stop, depth, start, shares, restarts, actions.cells)


class Arrays:
    """Read-only array views of the output memory, which change with each step."""

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
        self._refused = self.columns[at.REFUSED]
        begin, size = at.REFUSED * games * WORD, games * WORD
        self._bytes, self._refused_bytes = shown.bytes, slice(begin, begin + size)
        self._zeros, self._none = bytes(size), np.zeros(0, np.int64)
        self._paid = words[paid : paid + games * plan.players].reshape(games, plan.players)
        self.payoffs = _shut(self._paid)
        first = memory.numbers[at.MASKS]
        self.rows = flags[first : first + games * plan.stride].reshape(games, plan.stride)
        self.mask = _shut(self.rows[:, : plan.actions])
        lists, size = memory.numbers[at.LISTS], plan.list_size
        listed = np.frombuffer(shown.bytes, np.uint8, games * size, lists)
        self._lists = listed.reshape(games, size)
        stored = memory.numbers[at.KEPT_AT]
        self._kept = words[stored : stored + games * plan.stored_actions].reshape(
            games, plan.stored_actions
        )
        self._shape = games, plan.width

    def refused(self) -> "np.ndarray":
        """Return the games with an illegal action."""
        # Most steps refuse none; a comparison of bytes takes a fifth of the time of `nonzero`.
        if self._bytes[self._refused_bytes] == self._zeros:
            return self._none
        games: "np.ndarray" = self._refused.nonzero()[0]
        return games

    def records(self, memory: Memory) -> "np.ndarray":
        """Return a view of the records, one row for each game."""
        import numpy as np

        return np.frombuffer(memory.bytes, np.int64).reshape(self._shape)

    def outputs(self, numbers: "np.ndarray") -> Outputs:
        """Return a copy of the outputs of some games."""
        columns, paid = self.columns[:, numbers], self._paid[numbers]
        lists = self._lists[numbers], self._kept[numbers]
        return Outputs(columns, paid, self.rows[numbers], *lists)

    def put_outputs(self, numbers: "np.ndarray", outputs: Outputs) -> None:
        """Overwrite the outputs of some games."""
        self.columns[:, numbers], self._paid[numbers] = outputs.columns, outputs.payoffs
        self.rows[numbers], self._lists[numbers] = outputs.flags, outputs.lists
        self._kept[numbers] = outputs.steps

    def forget(self, number: int | None = None) -> None:
        """Clear the output of a game or of all games."""
        games = slice(None) if number is None else number
        self.rows[games] = False
        self.columns[at.COUNTS, games] = 0


def _shut(array: "np.ndarray") -> "np.ndarray":
    """Return a read-only view of an array."""
    view = array[:]
    view.flags.writeable = False
    return view


def _shown_words(plan: Plan) -> int:
    return (at.PAID + plan.players) * plan.games


def _slots_for(entries: Sequence[Sequence[int]]) -> int:
    """Return the size of the hash table, among some candidates, with the fewest collisions.

    A lookup without collisions is well predicted by the branch predictor.
    """
    count = len(entries)
    tries = [2 * count + 1 + k * max(1, count // _SIZES_TRIED) for k in range(2 * _SIZES_TRIED)]
    fewest, best = count + 1, tries[0]
    for slots in tries if count < _LARGE_TABLE else ():
        collisions = count - len({slot_of(step, choice, slots) for step, choice, _ in entries})
        if collisions < fewest:
            fewest, best = collisions, slots
        if not collisions:
            break
    return best


def _enter(memory: Memory, table: int, slots: int, entry: Sequence[int]) -> None:
    """Insert a step into the hash table, which uses open addressing."""
    step, choice, number = entry
    slot = slot_of(step, choice, slots)
    while memory.numbers[table + slot * at.ENTRY + at.NUMBER]:
        slot = (slot + 1) % slots
    for place, value in ((at.STEP, step), (at.CHOICE, choice), (at.NUMBER, number + 1)):
        memory.numbers[table + slot * at.ENTRY + place] = value
