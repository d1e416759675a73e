"""The calls of one game, each by the engine that pays for it by now."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from rulesengine import stored
from rulesengine.errors import UsageError
from rulesengine.interpreter import Interpreter
from rulesengine.interpreter.moving import Steps
from rulesengine.ir.ops import Op
from rulesengine.job import Job
from rulesengine.kernel.selection import ENGINES, Engine, Selector, unknown_engine
from rulesengine.memory import Memory, signed, store
from rulesengine.moves import packed_moves, packed_words
from rulesengine.record import replace
from rulesengine.state import (
    GOES_ON,
    WINNERS,
    Outcome,
    Playouts,
    Record,
    State,
    Step,
    step_words,
)

if TYPE_CHECKING:
    from rulesengine import drivers
    from rulesengine.kernel.backends.protocol import Compiled
    from rulesengine.kernel.kernels import Fasts, Kernels
    from rulesengine.kernel.passes.parts import Parts
    from rulesengine.kernel.passes.reserves import Reserves
    from rulesengine.kernel.passes.urgency import Urgency
    from rulesengine.patterns import Network
    from rulesengine.symmetry import Canonical

T = TypeVar("T")

# How many steps a random game has, to tell whether kernels pay.
TYPICAL_STEPS = 100
# Plies that have more steps than the choice of an engine asks for, at two moves each.
_DEEP = 40
_BATCH = "batch", "halves"  # the parts of batches, without and with steps that are split


def engine_named(name: str) -> Engine:
    """The engine of a name; raises UsageError."""
    for engine in ENGINES:
        if engine == name:
            return engine
    raise UsageError(unknown_engine(name))


class Dispatcher:
    """What an interpreter does, by it or by kernels of its program, with the same results.

    Single calls go to kernels once such calls have taken long, counts and random games where the
    steps to come are many. `quick` is the code of kernels that has callables, as `fasts` asks;
    `tables` are those of positions that searches keep from move to move, `method` is how they go
    about it by time alone, once that was asked.
    """

    def __init__(self, machine: Interpreter, engine: Engine, fasts: "Fasts | None" = None) -> None:
        self.machine = machine
        self.selector = Selector(machine, engine, stored.Objects(), fasts=fasts)
        self.quick: "Compiled | None" = None
        self.tables: dict[str, Memory] = {}
        self.method = ""

    def legal(self, state: State, origins: int = -1, targets: int = -1) -> tuple[bytes, bytes]:
        """The words of the legal moves in order, and where each ends.

        At least of those from and to the given cells: others are left out where that saves work.
        """
        return self._timed(lambda: self._listed(state, origins, targets))

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        """The state after a move by a side, and what it changed."""
        return self._timed(lambda: (self._singles() or self.machine).play(state, steps, side))

    def apply(self, state: State, steps: Steps, *, check: bool) -> State | None:
        """The state after a move; None if it is looked for and is not legal."""
        return self._timed(lambda: self._after(state, steps, check))

    def outcome(self, state: State) -> Outcome | None:
        """How the game has ended, None while it goes on."""
        return self._timed(lambda: self._outcome(state))

    def weights(self, state: State) -> tuple[int, ...]:
        """The weights of the legal moves where chance is to move, else none."""
        return self.machine.weights(state) if self.outcome(state) is None else ()

    def scores(self, state: State) -> Sequence[int]:
        """The score of each side, none if the rules have none."""
        return self._timed(lambda: self._scores(state))

    def mask(self, state: State) -> int | None:
        """The cells that may be placed on; None where no kernel tells."""
        kernels = self._singles()
        return kernels.mask(state) if kernels else None

    def choose(self, state: State, number: int) -> Steps | None:
        """The move of the strategy of a number; None if there is no legal move."""
        return self._timed(lambda: self._chosen(state, number))

    def perft(
        self, start: State, depth: int, *, keep: bool, free: bool, bulk: bool, job: Job
    ) -> int:
        """As `drivers.perft`; without `bulk` kernels make the last moves too."""
        from rulesengine import drivers

        kernels = self.selector.for_work("perft", self._steps_of(start, depth))
        functions = drivers.stoppable(self.functions(), job, counts=kernels is None)
        if kernels is None:
            return drivers.perft(functions, start, depth, keep=keep, free=free)
        from rulesengine.kernel.long_calls import Count

        count = Count(kernels, functions, job, keep=keep, free=free, bulk=bulk)
        return count.below(start, depth)

    def playouts(self, start: State, games: int, seed: int, threads: int, job: Job) -> Playouts:
        """As `drivers.playouts`; native kernels share the games out to threads."""
        from rulesengine import drivers

        players = self.machine.program.form.players
        functions = drivers.stoppable(self.functions(), job)
        kernels = self.selector.for_work("playouts", games * TYPICAL_STEPS)
        if kernels is None:
            return drivers.playouts(functions, start, players, games, seed, job)
        from rulesengine.kernel.long_calls import RandomGames

        totals = RandomGames(kernels, functions, start, seed, job).totals(games, threads)
        return drivers.summary(players, games, totals)

    def recall(self) -> None:
        """Load the kernels of single calls that an earlier run has kept."""
        self.selector.recall("singles")

    def engines(self) -> dict[str, Engine]:
        """The fastest engine that does each part here; its kernels are made."""
        from rulesengine.kernel.kernels import parts_of, title

        machine, best = self.machine, self.selector.best
        return {title(machine, part): best(part) for part in parts_of(machine)}

    def kinds(self) -> dict[str, str]:
        """What the kernels of those engines keep sets of cells in."""
        from rulesengine.kernel.kernels import parts_of, title
        from rulesengine.kernel.listing import kind

        machine, best = self.machine, self.selector.best
        return {title(machine, p): kind(machine, p, best(p)) for p in parts_of(machine)}

    def problems(self) -> dict[tuple[str, str], str]:
        """Why kernels that were wanted so far could not be made, by engine and part."""
        if not self.selector.problems:
            return {}
        from rulesengine.kernel.kernels import title

        problems = ((*key.split(" ", 1), why) for key, why in self.selector.problems.items())
        return {(engine, title(self.machine, part)): why for engine, part, why in problems}

    def functions(self) -> "drivers.Functions[State, Steps]":
        """The interpreter as drivers take a game."""
        from rulesengine import drivers

        return drivers.Functions(
            self.machine.legal,
            self.machine.apply,
            self._winner,
            lambda s: (*s.planes, s.side, *s.registers, *s.seats),
            lambda steps: steps[0].kind == "pass",
            weight=lambda state: sum(self.machine.weights(state)),
            branch=lambda state, number: drivers.drawn(self.machine.weights(state), number),
            share=lambda state, place: self.machine.weights(state)[place],
            is_free=self.machine.is_free,
        )

    @cached_property
    def _urgency(self) -> "Urgency | None":
        """What cannot wait in this game."""
        from rulesengine.kernel.passes.urgency import urgency_of

        return urgency_of(self.machine.program)

    @cached_property
    def reserves(self) -> "Reserves | None":
        """What sides have in reserve in this game."""
        from rulesengine.kernel.passes.reserves import reserves_of

        return reserves_of(self.machine.program)

    @cached_property
    def _alive(self) -> Op | None:
        from rulesengine.kernel.passes.alive import alive

        return alive(self.machine.program)

    @cached_property
    def parts(self) -> "Parts | None":
        """What tells the parts of a position apart, where it is a sum of these."""
        from rulesengine.kernel.passes.parts import parts_of

        return parts_of(self.machine.program)

    def _pieces(self, state: State, memory: Memory, at: int) -> int:
        """As `Judged.pieces` says."""
        if self.parts is not None:
            self._store_by_side(self.parts.pieces, state, memory, at)
        return at

    def _store_by_side(self, asked: tuple[Op, Op], state: State, memory: Memory, at: int) -> None:
        """Write a set of the player to move and one of the other one, as is asked of each side."""
        for place, side in enumerate((state.side, 1 - state.side)):
            cells = self.machine.number_of(asked[side], state, side)
            store(memory, at + place, signed(cells))

    def living(self, state: State) -> State:
        """The state without pieces that are not alive, where these are known."""
        if self._alive is None:
            return state
        cells = self.machine.number_of(self._alive, state, state.side)
        return replace(state, planes=tuple(plane & cells for plane in state.planes))

    def _placeable(self, state: State, memory: Memory, at: int) -> int:
        """As `Judged.placeable` says."""
        if self.reserves is not None:
            cells = self.reserves.cells
            self._store_by_side((cells, cells), state, memory, at)
        return state.side

    def turns(self, side: int) -> Iterator[tuple[int, int]]:
        """The keys of what a side may place on an empty board, and how soon it is tried.

        Nothing where moves in reserve are not known.
        """
        if self.reserves is not None:
            turns = self.reserves.sides[side].turns
            for steps in self.machine.legal(replace(self.reserves.bare, side=side)):
                yield _key(steps), turns[steps[0].target]

    def ways(self) -> Iterator[tuple[int, int]]:
        """The key of a placement on each cell, and in how much of what wins the cell is.

        Nothing where that is not known.
        """
        if self._urgency is not None:
            for cell, count in enumerate(self._urgency.ways):
                yield _key((Step("place", -1, cell, -1, self._urgency.placing, -1),)), count

    @cached_property
    def _vacant(self) -> Op | None:
        """The number of the cells that moves of this game may fill."""
        from rulesengine.search.filling import vacant

        return vacant(self.machine.program)

    def vacant(self, state: State) -> int:
        """As `Judged.vacant` says."""
        from rulesengine.drivers import ENDLESS

        cells = self._vacant
        return self.machine.number_of(cells, state, state.side) if cells else ENDLESS

    @cached_property
    def _canonical(self) -> "Canonical | None":
        """What makes one of positions that are alike, where a search is to do so."""
        from rulesengine.symmetry import Canonical, few_symmetries

        group = few_symmetries(self.machine.program)
        return Canonical(self.machine.program, group) if group else None

    def _alike(self, state: State) -> list[tuple[int, ...]]:
        """The words of the other states that are the same up to symmetry."""
        if self._canonical is None or state.packed is None:
            return []
        images = map(state.form.packing.unpack, self._canonical.others(state.packed))
        return [(*planes, side, *registers, *seats) for planes, side, registers, seats in images]

    def judged(
        self, evaluation: Op | None = None, *, symmetry: bool = False
    ) -> "drivers.Judged[State, Steps]":
        """The same with what a search asks; states are estimated by an expression, else as 0.

        With `symmetry` its canonical keys are those of all states that are alike, and moves lead to
        states without pieces that are not alive.
        """
        from rulesengine import drivers
        from rulesengine.kernel.urgent import parries, threats, urgent
        from rulesengine.search.rollouts import rollouts

        plain, machine, score = self.functions(), self.machine, self.machine.program.rules.score

        def number(op: Op | None, state: State, player: int) -> int:
            side = state.seats[player] if state.seats else player
            return machine.number_of(op, state, side) if op else 0

        game = drivers.Judged(
            **{name: getattr(plain, name) for name in ("legal", "decide", "words")},
            apply=(lambda *move: self.living(plain.apply(*move))) if symmetry else plain.apply,
            is_pass=plain.is_pass,
            weight=plain.weight,
            branch=plain.branch,
            share=plain.share,
            is_free=plain.is_free,
            mover=self._mover,
            score=lambda state, player: number(score, state, player),
            estimate=lambda state, player: number(evaluation, state, player),
            key=_key,
            place=self._place,
            likely=machine.likely,
            rollouts=lambda *told: rollouts(game, *told),
            shown=self._shown,
            urgent=partial(urgent, machine, self._urgency),
            tells_urgent=lambda state: self._urgency is not None,
            parries=partial(parries, machine, self._urgency),
            threats=partial(threats, machine, self._urgency),
            tells_threats=lambda state: bool(self._urgency and self._urgency.threats),
            vacant=self.vacant,
            placeable=self._placeable,
            tells_reserves=lambda state: self.reserves is not None,
            pieces=self._pieces,
            tells_parts=lambda state: symmetry and self.parts is not None,
            alike=self._alike if symmetry else lambda state: (),
        )
        return game

    def _place(self, steps: Steps, places: int) -> int:
        from rulesengine import drivers
        from rulesengine.search.manner import goes_by_target

        (first, _), (last, choice) = step_words(steps[0]), step_words(steps[-1])
        if goes_by_target(self.machine.program):
            return drivers.target_place(last, places)
        return drivers.move_place(first, last, choice, places)

    def batch(self, splits: bool = False) -> "Compiled | None":
        """The kernels of a batch; None where the interpreter has to do.

        Under `auto` they are made beside the work and serve from then on. There are others where
        `splits` tells that steps from a cell to a cell are two actions.
        """
        part = _BATCH[splits]
        kernels = self.selector.beside(part, lambda: None)
        return kernels.part(part) if kernels else None

    def batch_runs_beside(self, splits: bool = False) -> bool:
        """Whether threads are at work at the same time by the kernels that `batch` gives."""
        kernels = self.selector.beside(_BATCH[splits], lambda: None)
        return kernels is not None and kernels.backend.has_threads

    def is_batch_settled(self, splits: bool = False) -> bool:
        """Whether `batch` gives what it always will."""
        return self.selector.is_settled(_BATCH[splits])

    def stepped(self, splits: bool = False) -> "drivers.Stepped[State, Steps]":
        """The same with what batches ask; states lie in memory as their bytes."""
        from rulesengine import drivers, earlier

        plain, machine = self.functions(), self.machine
        chains = splits or any(group.then for group in machine.program.rules.groups)
        return drivers.Stepped(
            **{name: getattr(plain, name) for name in ("legal", "apply", "decide", "words")},
            is_pass=plain.is_pass,
            weight=plain.weight,
            branch=plain.branch,
            is_free=plain.is_free,
            loaded=partial(earlier.loaded, machine.program.form),
            saved=earlier.saved,
            noted=earlier.noted if machine.program.keeps_history else _notes_nothing,
            mover=self._mover,
            payoff=self._payoff,
            step=lambda steps, k: step_words(steps[k])[0] if k < len(steps) else -1,
            choice=lambda steps, k: step_words(steps[k])[1] if k < len(steps) else -1,
            chains=lambda state: chains,
            splits=lambda state: splits and not machine.is_chance(state),
        )

    def _payoff(self, state: State, player: int) -> int:
        """What a player gets; 0 while the game goes on."""
        decision = self.machine.decide(state)
        side = state.seats[player] if state.seats else player
        return decision[3][side] if decision else 0

    @cached_property
    def network(self) -> "Network":
        """The patterns that a learned evaluation of this game looks at."""
        from rulesengine.patterns import network_of

        return network_of(self.machine.program)

    def _shown(self, state: State, memory: Memory, at: int) -> int:
        """Write which entries of tables a state shows; gives the number of the player to move."""
        from rulesengine.patterns import shown

        for place, entry in enumerate(shown(self.network, state), start=at):
            memory.numbers[place] = entry
        return state.seats[state.side] if state.seats else state.side

    def _mover(self, state: State) -> int:
        """The number of the player to move, -1 where chance is."""
        if self.machine.is_chance(state):
            return -1
        return state.seats[state.side] if state.seats else state.side

    def _timed(self, call: Callable[[], T]) -> T:
        """The result of a single call, whose time counts for the choice of an engine."""
        since = self.selector.clock()
        try:
            return call()
        finally:
            self.selector.took(since)

    def _listed(self, state: State, origins: int, targets: int) -> tuple[bytes, bytes]:
        kernels = self._singles()
        found = kernels.listed(state) if kernels else None
        if found is None and origins & targets != -1:
            return packed_moves(self.machine.legal_among(state, origins, targets))
        if found is None:
            return packed_moves(self.machine.legal(state))
        words, ends = found
        return packed_words(words), packed_words(ends)

    def _after(self, state: State, steps: Steps, check: bool) -> State | None:
        kernels = self._singles()
        after = kernels.made(state, steps, check=check) if kernels else None
        if after is not None:
            return after
        if check:
            # Equal steps may be of another rule: that of the legal move counts.
            likely = self.machine.legal_among(
                state, _mask(steps[0].origin), _mask(steps[-1].target)
            )
            legal = next((own for own in likely if own == steps), None)
            if legal is None:
                return None
            steps = legal
        return self.machine.apply(state, steps)

    def _outcome(self, state: State) -> Outcome | None:
        kernels = self._singles()
        ending = kernels.ending(state) if kernels else None
        if ending is None:
            return self.machine.outcome(state)
        if ending == GOES_ON:
            return None
        number, winner = divmod(ending, WINNERS)
        return self.machine.ended(state, number, winner - 1, tuple(self._scores(state)))

    def _scores(self, state: State) -> Sequence[int]:
        kernels = self._singles()
        found = kernels.scores(state) if kernels else None
        return self.machine.scores(state) if found is None else found

    def _singles(self) -> "Kernels | None":
        """The kernels of single calls, if they pay by now."""
        kernels = self.selector.for_call("singles")
        if kernels and self.quick is None:
            part = kernels.part("singles")
            self.quick = part if part.fast else None
        return kernels

    def _chosen(self, state: State, number: int) -> Steps | None:
        kernels = self.selector.for_call(f"choose {number}")
        if kernels:
            return kernels.choose(state, number)
        return self.machine.choose(state, self.machine.program.rules.strategies[number])

    def _steps_of(self, start: State, depth: int) -> int:
        """About how many steps a count looks at, cut where it no longer matters."""
        counts = self.selector.engine == "auto" and depth > 1
        moves = len(self.machine.legal(start)) if counts else depth
        return int(max(moves, 2) ** min(depth, _DEEP)) if depth else 0

    def _winner(self, state: State) -> int | None:
        """The number of the player who has won or -1; None while the game goes on."""
        decision = self.machine.decide(state)
        if decision is None or decision[0] < 0:
            return None if decision is None else -1
        return state.seats[decision[0]] if state.seats else decision[0]


def _notes_nothing(state: State, lines: Memory, line: int, count: int) -> int:
    return 0


def _key(steps: Steps) -> int:
    from rulesengine import drivers

    (first, _), (last, choice) = step_words(steps[0]), step_words(steps[-1])
    return drivers.move_key(first, last, choice)


def _mask(cell: int) -> int:
    return 1 << cell if cell >= 0 else 0
