"""Observations: the part of a state that a player sees, or that all players see.

See decision 142.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.frame import Frame
from rulesengine.language.ir.hiding import UNSEEN, HiddenInformation, hidden_in
from rulesengine.language.ir.ops import Op, reads_parts
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import OF_KIND, OUT, Register, operations, recalled
from rulesengine.state import Outcome, State, following, register_text
from rulesengine.support.frozen import record
from rulesengine.support.validate import check_choice

# The name of chance as the player to move; chance is no player of the spec.
CHANCE = "chance"


@record
class Observation:
    """The part of a state that a player sees; `str(observation)` is its stable text.

    - `player` is the name of the player; None for a spectator, who sees what all players see.
    - `mover` is the player to move, or `chance`; empty if the game is over.
    - `cells` is the mask of the cells with visible pieces; `known` adds those with a visible owner.
    - `planes` are the planes of the state on `cells`.
    - `owners` are the pieces of each side on `known`, neutral ones last.
    - `rows` are the lines of the board as text, with `?` on cells that are not seen.
    - `registers` are the registers seen, by name, as texts.
    - `outcome` is that of a game that is over, else None.
    """

    player: str | None
    mover: str
    cells: int
    known: int
    planes: tuple[int, ...]
    owners: tuple[int, ...]
    rows: tuple[str, ...]
    registers: tuple[tuple[str, str], ...]
    outcome: Outcome | None

    def __str__(self) -> str:
        rows = [*self.rows, *([f"mover: {self.mover}"] if self.mover else [])]
        rows += [f"{name}: {value}" for name, value in self.registers]
        return "\n".join((*rows, *(_outcome_rows(self.outcome) if self.outcome else ())))


@record
class VisiblePart:
    """The part of a state that a player sees, as values.

    - `state` has the pieces on the cells seen, and the initial value of each register that is not
      seen. Its side is the first one unless a player is to move.
    - `unseen` is the mask of the cells on which the player sees neither a piece nor its absence.
    - `owners` are the pieces on them with an owner that is seen, for each side, neutral ones last.
    """

    state: State
    unseen: int
    owners: tuple[int, ...]

    @property
    def covered(self) -> Mapping[int, int]:
        """Return the cells of `unseen`, each with the side of its piece, or -1 if that is unknown.

        A neutral piece has the number after those of the sides.
        """
        sides = {c: side for side, mask in enumerate(self.owners) for c in bits(mask)}
        return {cell: sides.get(cell, -1) for cell in bits(self.unseen)}


class Observer:
    """Observes the states of one game; `machine.derived(Observer)` is the cached one."""

    def __init__(self, machine: Interpreter) -> None:
        self.machine = machine
        self.program = machine.program
        self.players = machine.program.form.players
        self._board = machine.program.topology.mask

    def __reduce__(self) -> "tuple[Callable[..., Observer], tuple[Program]]":
        return _observer_of, (self.program,)

    @cached_property
    def hiding(self) -> HiddenInformation:
        """Return the hidden parts of the game."""
        return hidden_in(self.program.rules)

    def number(self, player: str | None) -> int | None:
        """Return the number of a player, None for a spectator. Raises UsageError."""
        return None if player is None else check_choice("player", player, self.players)

    def observe(self, state: State, player: int | None) -> Observation:
        """Return the observation of a state by a player, given by number; None is a spectator."""
        sides, outcome = self._sides(state, player), self.machine.outcome(state)
        cells, known = self._seen_by(state, sides)
        owners = self._owners(state, known)
        return Observation(
            None if player is None else self.players[player],
            "" if outcome else self._mover(state),
            cells,
            known,
            tuple(plane & cells for plane in state.planes),
            owners,
            tuple(self._rows(state, cells, known, owners)),
            tuple(self._registers(state, sides, cells)),
            outcome,
        )

    def visible_part(self, state: State, player: int | None) -> VisiblePart:
        """Return the part of a state that a player sees, as values; None is a spectator.

        It has the information of `observe` without an outcome, so states with equal observations
        have equal visible parts.
        """
        sides, over = self._sides(state, player), self.machine.outcome(state) is not None
        cells, known = self._seen_by(state, sides)
        owners = self._owners(state, known)
        side = 0 if over or self.machine.is_chance(state) else state.side
        planes = tuple(plane & cells for plane in state.planes)
        registers = self._visible_registers(state, sides, cells)
        return VisiblePart(
            following(state.form, planes, side, registers, state.seats, None),
            self._board & ~cells & ~(known & ~_union(owners)),
            tuple(mask & ~cells for mask in owners),
        )

    def unseen_registers(self, state: State, player: int | None) -> frozenset[int]:
        """Return the slots of the registers with values that a player does not see."""
        seen = {slot for _, slot in self._seen_slots(self._sides(state, player))}
        return frozenset({*range(len(state.registers))} - seen)

    def _visible_registers(
        self, state: State, sides: tuple[int, ...], cells: int
    ) -> tuple[int, ...]:
        values = list(state.form.starts)
        for register, slot in self._seen_slots(sides):
            value = state.registers[slot]
            if register is None:
                values[slot] = value
            elif register.each == "cell":
                visible = self._cells_of(register, cells)
                values[slot] = value & visible | values[slot] & ~visible
            else:
                values[slot] = int(bool(value)) if register.name == OUT else value
        return tuple(values)

    def _sides(self, state: State, player: int | None) -> tuple[int, ...]:
        """Return the sides that share an observation."""
        if player is None:
            return tuple(range(len(self.players)))
        return (state.seats.index(player) if state.seats else player,)

    def _seen_by(self, state: State, sides: tuple[int, ...]) -> tuple[int, int]:
        """Return the cells where all sides see the piece, and those where they see its owner."""
        cells = known = self._board
        for side in sides:
            planes, owned = self._seen(state, side)
            cells, known = cells & planes, known & owned
        return cells, known

    def _owners(self, state: State, known: int) -> tuple[int, ...]:
        """Return the pieces of each side on the cells of a mask, neutral ones last."""
        width = len(self.players) + 1
        return tuple(_union(state.planes[owner::width]) & known for owner in range(width))

    def _mover(self, state: State) -> str:
        return CHANCE if self.machine.is_chance(state) else state.mover

    def _seen(self, state: State, side: int) -> tuple[int, int]:
        """Return the cells on which a side sees the piece, and those on which it sees the owner."""
        sees = self.program.rules.sees
        if sees is None or sees.cells is None:
            return self._board, self._board
        frame = Frame(state, {"player": side})
        cells = self._mask(sees.cells, frame)
        return cells, cells | (self._mask(sees.owners, frame) if sees.owners else 0)

    def _mask(self, op: Op, frame: Frame) -> int:
        return int(self.machine.evaluate_in(op, frame)) & self._board

    def _rows(self, state: State, cells: int, known: int, owners: tuple[int, ...]) -> Iterator[str]:
        """Yield the lines of the board, and the cells with a piece of which only the owner is seen.

        A side that has changed its player is named by its first player.
        """
        form, occupied = self.program.form, _union(owners)

        def symbol(cell: int) -> str:
            if cells >> cell & 1:
                return state.stack(cell) or form.empty
            return form.empty if (known & ~occupied) >> cell & 1 else UNSEEN

        for line in form.lines:
            yield (" " if form.stacks else "").join(map(symbol, line))
        for owner, mask in zip((*self.players, "neutral"), owners, strict=True):
            hidden = [name for c, name in enumerate(form.cells) if (mask & ~cells) >> c & 1]
            if hidden:
                yield f"pieces of {owner}: {' '.join(hidden)}"

    def _registers(
        self, state: State, sides: tuple[int, ...], cells: int
    ) -> Iterator[tuple[str, str]]:
        """Yield the names and texts of the registers seen, in the order of the spec."""
        if state.seats:
            yield "seats", " ".join(self.players[seat] for seat in state.seats)
        for register, slot in self._seen_slots(sides):
            if register is None:
                yield "plies", str(state.registers[slot])
            elif register.each != "cell":
                yield self._value(state, register, slot)
            elif slot == self._slots[register.name]:
                yield register.name, self._numbers(state, register, cells)

    def _seen_slots(self, sides: tuple[int, ...]) -> Iterator[tuple[Register | None, int]]:
        """Yield the slots of the values that sides see, with their registers; None for `plies`."""
        for register in self.program.rules.registers:
            name, first = register.name.partition(OF_KIND)[0], self._slots[register.name]
            if recalled(register.name) or name in self.hiding.nobody:
                continue
            is_own = name in self.hiding.own
            for place in range(register.slots(len(self.players))):
                if not is_own or sides == (place,):
                    yield register, first + place
        if self._counts_plies:
            yield None, len(self.program.form.registers) - 1

    def _value(self, state: State, register: Register, slot: int) -> tuple[str, str]:
        """Return the name and the text of a value; the time of a departure is not seen."""
        form, value = self.program.form, state.registers[slot]
        if register.name == OUT:
            return form.registers[slot], "yes" if value else "no"
        return form.registers[slot], register_text(form, form.types[slot], value)

    def _numbers(self, state: State, register: Register, cells: int) -> str:
        """Return the numbers at the cells seen, by the lines of the board."""
        form = self.program.form
        numbers = next(n for n in form.numbers if n.name == register.name)
        visible = self._cells_of(register, cells)

        def number(cell: int) -> str:
            return str(numbers.at(cell, state.registers)) if visible >> cell & 1 else UNSEEN

        return " / ".join(" ".join(map(number, line)) for line in form.lines)

    def _cells_of(self, register: Register, cells: int) -> int:
        """Return the cells at which the numbers of a register are seen, if the pieces on `cells`
        are.
        """
        return cells if register.name in self.hiding.numbers else self._board

    @cached_property
    def _slots(self) -> dict[str, int]:
        return dict(self.program.slots)

    @cached_property
    def _counts_plies(self) -> bool:
        """True if the observations or the legal moves of a player depend on the number of plies."""
        rules = self.program.rules
        groups = (*(group for tier in rules.tiers for group in tier), *rules.steps)
        made = tuple(
            (g.along, g.origin, g.target, g.choice, g.when, g.piece, g.side) for g in groups
        )
        read = operations((made, rules.keep, rules.strategies, rules.sees))
        return any(reads_parts(op, "plies") for op in read)


def observe(machine: Interpreter, state: State, player: str | None) -> Observation:
    """Return the observation of a state by a player; None is a spectator. Raises UsageError."""
    observer = machine.derived(Observer)
    return observer.observe(state, observer.number(player))


def _observer_of(program: Program) -> Observer:
    return Interpreter(program).derived(Observer)


def _outcome_rows(outcome: Outcome) -> Iterator[str]:
    yield f"over: {f'{outcome.winner} wins' if outcome.winner else 'no winner'}, {outcome.reason}"
    for what, numbers in (("scores", outcome.scores), ("payoffs", outcome.payoffs)):
        if numbers:
            yield f"{what}: " + ", ".join(f"{name} {number}" for name, number in numbers.items())


def _union(planes: tuple[int, ...]) -> int:
    mask = 0
    for plane in planes:
        mask |= plane
    return mask
