"""The kernels of one program: compiled lazily, called with states, decoded into steps.

Where a kernel fails, the interpreter repeats the call. It raises the error of the rules or, if the
kernel failed needlessly, returns the correct result.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property, partial
from math import inf
from threading import local
from time import perf_counter
from typing import Any

from rulesengine.engine.background import reported
from rulesengine.engine.drivers.history import position_word
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.kernel.analysis.caller_facts import has_only_placements, may_take_long
from rulesengine.engine.kernel.backends.callables import CallableSpec
from rulesengine.engine.kernel.backends.protocol import Backend, CompiledModule, StampedStore
from rulesengine.engine.kernel.code_cache import CodeCache
from rulesengine.engine.kernel.compile_costs import CompileCosts
from rulesengine.engine.kernel.cost_history import CostHistory
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.job import Job
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.steps import StepMaker
from rulesengine.state import Record, State, Step, following, registers_of, step_words
from rulesengine.support.blocking import SHORT, in_threads
from rulesengine.support.cache import digest
from rulesengine.support.words import step_parts

Steps = tuple[Step, ...]
Line = tuple[tuple[tuple[int, ...], int], ...]
Words = tuple[Any, ...]
Fasts = Callable[[Collection[str]], Mapping[str, CallableSpec]]

_RECORD = 5


def parts_of(machine: Interpreter) -> list[str]:
    """Return the names of all parts of a program's kernels."""
    strategies = enumerate(machine.program.rules.strategies)
    chosen = (f"choose {i}" for i, strategy in strategies if strategy.search is None)
    return ["singles", "perft", "playouts", *chosen]


def title(machine: Interpreter, part: str) -> str:
    """Return the display name of a part; a part for a strategy has the strategy's name."""
    name, _, number = part.partition(" ")
    if number:
        return f"strategy {machine.program.rules.strategies[int(number)].name}"
    return name


def plane_numbers(program: Program) -> tuple[int, ...]:
    """Return the numbers of the planes of a state that kernels read."""
    return tuple(i for i, symbol in enumerate(program.form.symbols) if symbol)


def has_swap(program: Program) -> bool:
    return any(group.kind == "swap" for group in program.rules.groups)


def values_of(program: Program, state: State, numbers: Sequence[int], *, swaps: bool) -> Words:
    """Return the values of a state without its history, in the order of `StateLayout.types`.

    `numbers` are those of `plane_numbers`. Raises Unsupported.
    """
    if any(mask and i not in numbers for i, mask in enumerate(state.planes)):
        raise Unsupported("a piece without a symbol")
    seats = ((1 if state.seats else 0),) if swaps else ()
    return (*(state.planes[i] for i in numbers), state.side, *state.registers, *seats)


class Kernels:
    """A program's functions, compiled by one back end; states and steps are the interpreter's.

    `fasts` maps the entry points of single calls to the native callables to build for them.
    `costs` learns from the time of each compilation.
    """

    def __init__(
        self,
        machine: Interpreter,
        backend: Backend,
        store: StampedStore | None = None,
        fasts: Fasts | None = None,
        costs: CompileCosts | None = None,
    ) -> None:
        self.machine = machine
        self._costs = costs or CompileCosts(machine.program, store)
        self.backend = backend
        self._store = store
        self._fasts = fasts
        self._cache = CodeCache(machine.program, backend, store) if store else None
        program = machine.program
        self._plane_numbers = plane_numbers(program)
        self._planes = len(program.form.symbols)
        self._swaps = has_swap(program)
        self._parts: dict[str, CompiledModule] = {}
        self._maker = StepMaker(program.rules)
        self._may_take_long = may_take_long(program)
        self._choice_seconds: dict[int, float] = {}  # seconds of a strategy's last choice
        self._steps: dict[tuple[int, int], Step] = {}
        # The histories in each thread's kernel contexts; both live as long as the thread.
        self._histories = local()
        self._has_masks = has_only_placements(program.rules)

    @cached_property
    def ledger(self) -> CostHistory | None:
        """Return the cost of single calls in previous runs, read on first use."""
        return (
            CostHistory(self._store, self._cache.program_key)
            if self._store and self._cache
            else None
        )

    @cached_property
    def search_ledger(self) -> CostHistory | None:
        """Return the time of searches that ended before their kernels were compiled."""
        if not (self._store and self._cache):
            return None
        return CostHistory(self._store, digest(self._cache.program_key, b"search"))

    def part(self, name: str) -> CompiledModule:
        """Return a compiled part. Raises Unsupported, and RulesError if the back end fails."""
        if name not in self._parts:
            self._parts[name] = self._load_cached(name) or self._compile_once(name)
        return self._parts[name]

    def is_cached(self, name: str) -> bool:
        """True if a previous run has cached the code of a part."""
        return bool(self._cache and self._cache.has(self._cache_name(name)))

    def is_recalled(self, name: str) -> bool:
        """True if a part is loaded or can be loaded from the cache; never compiles."""
        module = self._parts.get(name) or self._load_cached(name)
        if module is not None:
            self._parts[name] = module
        return module is not None

    def _load_cached(self, name: str) -> CompiledModule | None:
        if self._cache is None:
            return None
        return self._cache.load(self._cache_name(name), partial(self._callables_for, name))

    def _compile_once(self, name: str) -> CompiledModule:
        """Compile a part, or wait for another thread or process that shares the cache to do so."""
        lock = self._cache.lock(self._cache_name(name)) if self._cache else nullcontext()
        with reported(f"{self.machine.program.rules.name}, {name}, {self.backend.name}"), lock:
            module = self._load_cached(name)  # another owner of the lock may have stored it
            compile = partial(self._compile, name)
            return module or self._costs.measured(self.backend, name, compile)

    def _compile(self, name: str) -> CompiledModule:
        from rulesengine.engine.kernel.emission import (
            emitted,  # imported here: cached code does not need it
        )

        module = emitted(self.machine, name, self.backend.seats)
        fasts = self._callables_for(name, module.functions)
        made = self.backend.compile(module, self._store, fasts)
        if self._cache:
            self._cache.store(self._cache_name(name), made)
        return made

    def _callables_for(self, name: str, entries: Collection[str]) -> Mapping[str, CallableSpec]:
        """Return the native callables that a part with these entry points needs."""
        return self._fasts(entries) if self._fasts and name == "singles" else {}

    def _cache_name(self, name: str) -> str:
        """Return the cache key of a part; code with native callables has its own key."""
        return f"{name} called" if self._fasts and name == "singles" else name

    # states as words

    def words(self, state: State, part: CompiledModule) -> Words:
        """Return the values of a state in the order of `StateLayout.types`. Raises Unsupported."""
        values = values_of(self.machine.program, state, self._plane_numbers, swaps=self._swaps)
        if not self.machine.program.keeps_history:
            return values
        return (*values, self._history(state, part))

    def _history(self, state: State, part: CompiledModule) -> Any:
        if not self.backend.keeps_history:
            return tuple(
                (position_word(state.form, p, side), *(p[i] for i in self._plane_numbers))
                for p, side in state.history
            )
        # A thread's context has one game history: only the part that differs is copied.
        lines: dict[Any, Line] = vars(self._histories)
        known = lines.get(id(part), ())
        length = _common_length(known, state.history)
        seats = (0,) if self._swaps else ()
        for planes, side in state.history[length:]:
            registers = registers_of(state.form, planes)
            args = (*(planes[i] for i in self._plane_numbers), side, *registers, *seats, length)
            result = part.call("lengthen", args)
            if result is None:
                lines.pop(id(part), None)
                raise Unsupported("a history that is too long")
            (length,) = result
        lines[id(part)] = state.history
        return length

    def state(self, before: State, values: Words) -> State:
        """Build the state after another one from the values that a kernel returned."""
        program = self.machine.program
        planes, rest = values[: len(self._plane_numbers)], values[len(self._plane_numbers) :]
        if len(planes) < self._planes:
            full = [0] * self._planes
            for i, mask in zip(self._plane_numbers, planes, strict=True):
                full[i] = mask
            planes = tuple(full)
        count = len(before.registers)
        seats = (1, 0) if self._swaps and rest[1 + count] else ()
        known = before if program.keeps_history else None
        return following(program.form, planes, rest[0], rest[1 : 1 + count], seats, known)

    def step(self, word: int, choice: int) -> Step:
        """Return the step of two encoded words, memoised."""
        step = self._steps.get((word, choice))
        if step is None:
            group, direction, origin, target = step_parts(word)
            step = self._maker.step(group, direction, origin, target, choice)
            self._steps[word, choice] = step
        return step

    def moves(self, words: Sequence[int], ends: Sequence[int]) -> tuple[Steps, ...]:
        """Decode a kernel's lists of words and ends into moves."""
        step, start, all_steps = self.step, 0, []
        for end in ends:
            all_steps.append(tuple(step(words[i], words[i + 1]) for i in range(start, end, 2)))
            start = end
        return tuple(all_steps)

    # single calls

    def _call(self, part: CompiledModule, name: str, state: State, *more: Any) -> Words | None:
        """Call an entry point with a state; None if it fails or does not support the state."""
        try:
            words = self.words(state, part)
        except Unsupported:
            return None
        return part.call(name, (*words, *more))

    def legal(self, state: State) -> tuple[Steps, ...]:
        """Return the legal moves in order. Raises the same errors as the interpreter."""
        part = self.part("singles")
        result = self._call(part, "legal", state)
        return self.machine.legal(state) if result is None else self.moves(*result)

    def listed(self, state: State) -> tuple[list[int], list[int]] | None:
        """Return the words of the legal moves and the end of each, in words; None if it fails."""
        return self._call(self.part("singles"), "legal", state)

    def mask(self, state: State) -> int | None:
        """Return the cells for legal placements; None if moves are not placements alone."""
        if not self._has_masks:
            return None
        part = self.part("singles")
        result = self._call(part, "mask", state)
        return None if result is None else int(result[0])

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        """Return the state after a move by a side, and the record of its changes."""
        part = self.part("singles")
        try:
            before = self.words(state, part)
        except Unsupported:
            return self.machine.play(state, steps, side)
        draft: Words | None = (*before, *(0,) * _RECORD)
        word = choice = 0
        for step in steps:
            word, choice = step_words(step)
            draft = part.call("step", (*draft, side, word, choice)) if draft else None
        result = part.call("finish", (*before, *draft, side, word, choice)) if draft else None
        if result is None:
            return self.machine.play(state, steps, side)
        return self.state(state, result[:-_RECORD]), Record(*result[-_RECORD:])

    def apply(self, state: State, steps: Steps) -> State:
        """Return the state after a move."""
        return self.state_after(state, steps, check=False) or self.machine.apply(state, steps)

    def state_after(self, state: State, steps: Steps, *, check: bool) -> State | None:
        """Return the state after a move; with `check`, only if the move is legal.

        The result is None for an illegal move, and if the kernel fails.
        """
        words = [word for step in steps for word in step_words(step)]
        result = self._call(self.part("singles"), "apply", state, words, check)
        return None if result is None else self.state(state, result)

    def ending(self, state: State) -> int | None:
        """Return the end and the winner as one number, or `GOES_ON`; None if it fails."""
        result = self._call(self.part("singles"), "ending", state)
        return None if result is None else int(result[0])

    def scores(self, state: State) -> Words | None:
        """Return the scores by side, empty if the rules have none; None if it fails."""
        if self.machine.program.rules.score is None:
            return ()
        return self._call(self.part("singles"), "scores", state)

    def choose(self, state: State, number: int) -> Steps | None:
        """Return the move of a strategy, None if there is no legal move; errors as in the
        interpreter.
        """
        call = partial(self._call, self.part(f"choose {number}"), f"choose_{number}", state)
        result = self._choose_on_worker(number, call) if self._may_take_long else call()
        if result is None:
            strategy = self.machine.program.rules.strategies[number]
            return self.machine.choose(state, strategy)
        words, ends = result
        return self.moves(words, ends[:1])[0] if ends else None

    def _choose_on_worker(self, number: int, choose: Callable[..., Words | None]) -> Words | None:
        """Run the choice of a strategy, on a worker thread unless the last choice was short."""
        start_time, job = perf_counter(), Job()
        is_short = self._choice_seconds.get(number, inf) < SHORT or not self.backend.has_threads
        call = partial(choose, job.control_block())
        words = call() if is_short else in_threads([call], job.stop)[0]
        self._choice_seconds[number] = perf_counter() - start_time
        return words


def _common_length(one: Line, other: Line) -> int:
    """Return the length of the common prefix of two game histories."""
    if one is other or one == other[: len(one)]:
        return len(one)
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
