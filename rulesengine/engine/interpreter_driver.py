"""An adapter from the interpreter to the interfaces of the drivers.

It adds the analyses that perft, playouts, searches and batches query.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial, reduce
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulesengine.engine.drivers.memory import Memory, load, signed, store
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.interpreter.move_execution import Steps
from rulesengine.language.ir.ops import Op, make
from rulesengine.state import State, Step, registers_of, step_words
from rulesengine.support.frozen import replace

if TYPE_CHECKING:
    from rulesengine.engine.drivers import protocol
    from rulesengine.engine.kernel.analysis.manager import AnalysisManager
    from rulesengine.engine.kernel.analysis.optional_results import (
        Components,
        LivePieces,
        SafeMoves,
    )
    from rulesengine.engine.kernel.passes.threats import Threats
    from rulesengine.engine.patterns import Network
    from rulesengine.engine.symmetry import Canonical


_BITS = 64


class InterpreterFunctions:
    """The functions that drivers call, implemented by the interpreter and by program analyses."""

    def __init__(self, machine: Interpreter) -> None:
        self.machine = machine

    def functions(self) -> "protocol.Functions[State, Steps]":
        """Return the functions of the interpreter that drivers call."""
        from rulesengine.engine.drivers import protocol, random

        return protocol.Functions(
            self.machine.legal,
            self.machine.apply,
            self._winner,
            lambda s: (*s.planes, s.side, *s.registers, *s.seats),
            lambda steps: steps[0].kind == "pass",
            weight=lambda state: sum(self.machine.weights(state)),
            branch=lambda state, number: random.weighted_index(self.machine.weights(state), number),
            share=lambda state, place: self.machine.weights(state)[place],
            is_free=self.machine.is_free,
        )

    @cached_property
    def _analyses(self) -> "AnalysisManager":
        from rulesengine.engine.kernel.analysis.manager import AnalysisManager
        from rulesengine.engine.kernel.passes.optional_analyses import OPTIONAL_ANALYSES

        return AnalysisManager(self.machine.program, OPTIONAL_ANALYSES)

    @cached_property
    def _urgency(self) -> "Threats | None":
        """Return the threat analysis of the game, None if it has none."""
        from rulesengine.engine.kernel.passes.threats import Threats

        return self._analyses.optional(Threats)

    @cached_property
    def reserves(self) -> "SafeMoves | None":
        """Return the analysis of safe moves, None if the game has none."""
        from rulesengine.engine.kernel.analysis.optional_results import SafeMoves

        return self._analyses.optional(SafeMoves)

    @cached_property
    def _live_pieces(self) -> "LivePieces | None":
        from rulesengine.engine.kernel.analysis.optional_results import LivePieces

        return self._analyses.optional(LivePieces)

    @cached_property
    def parts(self) -> "Components | None":
        """Return the analysis of components, None if positions are no sums of components."""
        from rulesengine.engine.kernel.analysis.optional_results import Components

        return self._analyses.optional(Components)

    def _pieces(self, state: State, memory: Memory, at: int) -> int:
        """Write the pieces of the components; see `SearchFunctions.pieces`."""
        if self.parts is not None:
            self._store_by_side(self.parts.pieces, state, memory, at)
        return at

    def _contents(self, state: State, memory: Memory, at: int) -> int:
        """Write the cells of pieces by owner; see `SearchFunctions.contents`."""
        from rulesengine.engine.drivers.search.pattern_layout import MASK_WORDS, OWNERS

        for owner in range(OWNERS):
            cells = 0
            for plane in state.planes[owner::OWNERS]:
                cells |= plane
            for part in range((len(state.form.cells) + 63) // 64):
                word = cells >> 64 * part & (1 << 64) - 1
                store(memory, at + owner * MASK_WORDS + part, signed(word))
        return state.side

    def _store_by_side(self, ops: tuple[Op, Op], state: State, memory: Memory, at: int) -> None:
        """Write one set of cells for the player to move and one for the opponent."""
        for place, side in enumerate((state.side, 1 - state.side)):
            cells = self.machine.number_of(ops[side], state, side)
            store(memory, at + place, signed(cells))

    def living(self, state: State) -> State:
        """Return the state without dead pieces; unchanged without an analysis of live pieces."""
        if self._live_pieces is None:
            return state
        cells = self.machine.number_of(self._live_pieces.cells, state, state.side)
        return replace(state, planes=tuple(plane & cells for plane in state.planes))

    def _placeable(self, state: State, memory: Memory, at: int) -> int:
        """Write the cells of safe placements; see `SearchFunctions.placeable`."""
        if self.reserves is not None:
            cells = self.reserves.cells
            self._store_by_side((cells, cells), state, memory, at)
        return state.side

    def turns(self, side: int) -> Iterator[tuple[int, int]]:
        """Yield the key and the order of each placement of a side on an empty board.

        Yields none without an analysis of moves in reserve.
        """
        if self.reserves is not None:
            turns = self.reserves.sides[side].turns
            for steps in self.machine.legal(replace(self.reserves.bare, side=side)):
                yield _key(steps), turns[steps[0].target]

    def line_counts(self) -> Iterator[tuple[int, int]]:
        """Yield the key of a placement on each cell and the number of winning sets with the cell.

        Yields none without a threat analysis.
        """
        if self._urgency is not None:
            for cell, count in enumerate(self._urgency.line_counts):
                yield _key((Step("place", -1, cell, -1, self._urgency.placing, -1),)), count

    @cached_property
    def _vacant(self) -> Op | None:
        """Return the expression that counts the cells that moves may still fill."""
        from rulesengine.engine.drivers.search.monotone_counts import vacant

        return vacant(self.machine.program)

    def vacant(self, state: State) -> int:
        """Return the number of cells that moves may still fill; see `SearchFunctions.vacant`."""
        from rulesengine.engine.drivers.protocol import ENDLESS

        cells = self._vacant
        return self.machine.number_of(cells, state, state.side) if cells else ENDLESS

    @cached_property
    def _lasting(self) -> Op | None:
        from rulesengine.engine.drivers.search.monotone_counts import lasting

        return lasting(self.machine.program)

    def lasting(self, state: State) -> int:
        """Return a number that no later move decreases; see `SearchFunctions.lasting`."""
        number = self._lasting
        return self.machine.number_of(number, state, state.side) if number else 0

    def past(self, state: State) -> int:
        """Return the path key of the earlier positions that may repeat; see
        `drivers.search.path_key`.
        """
        from rulesengine.engine.drivers.history import recorded
        from rulesengine.engine.drivers.search.path_key import NONE

        form, now, line = state.form, self.lasting(state), list[State]()
        for position, side in reversed(state.history):
            planes, registers = position[: len(form.symbols)], registers_of(form, position)
            before = State(planes, side, registers, (), form)
            if self.lasting(before) != now:
                break
            line.append(before)
        return reduce(recorded, reversed(line), NONE)

    @cached_property
    def _canonical(self) -> "Canonical | None":
        """Return the canonical form under symmetry, if a search is to use it."""
        from rulesengine.engine.symmetry import Canonical, few_symmetries

        group = few_symmetries(self.machine.program)
        return Canonical(self.machine.program, group) if group else None

    def _symmetric_words(self, state: State) -> list[tuple[int, ...]]:
        """Return the words of the other states in the symmetry class of a state."""
        if self._canonical is None or state.packed is None:
            return []
        images = map(state.form.packing.unpack, self._canonical.images(state.packed))
        return [(*planes, side, *registers, *seats) for planes, side, registers, seats in images]

    def search_functions(
        self, evaluation: Op | None = None, *, symmetry: bool = False
    ) -> "protocol.SearchFunctions[State, Steps]":
        """Return the functions that a search calls.

        `evaluation` estimates states; without it the estimate is 0. With `symmetry`, canonical keys
        are those of the symmetry class, and moves lead to states without dead pieces.
        """
        from rulesengine.engine.drivers import protocol
        from rulesengine.engine.drivers.history import recorded
        from rulesengine.engine.drivers.search.rollouts import play_rollouts
        from rulesengine.engine.evaluation import exchange_evaluation

        plain, machine, rules = self.functions(), self.machine, self.machine.program.rules
        exchange = exchange_evaluation(machine)

        def number(op: Op | None, state: State, player: int) -> int:
            side = state.seats[player] if state.seats else player
            return machine.number_of(op, state, side) if op else 0

        game = protocol.SearchFunctions(
            **{name: getattr(plain, name) for name in ("legal", "decide", "words")},
            apply=(lambda *move: self.living(plain.apply(*move))) if symmetry else plain.apply,
            is_pass=plain.is_pass,
            weight=plain.weight,
            branch=plain.branch,
            share=plain.share,
            is_free=plain.is_free,
            mover=self._mover,
            score=(
                self._payoff
                if len(rules.players) == 1
                else lambda state, player: number(rules.score, state, player)
            ),
            estimate=lambda state, player: number(evaluation, state, player),
            by_rules=lambda state, player: number(evaluation, state, player),
            exchange=lambda state, player: number(exchange, state, player),
            key=_key,
            place=self._place,
            likely=machine.likely,
            is_single=lambda state: len(rules.players) == 1,
            rollouts=lambda *args: play_rollouts(game, *args),
            active_entries=self._store_entries,
            weigh=self._weigh,
            viewer=_viewer,
            **self._threat_functions(),
            **self._tactical_functions(),
            vacant=self.vacant,
            placeable=self._placeable,
            has_safe_moves=lambda state: self.reserves is not None,
            pieces=self._pieces,
            contents=self._contents,
            has_components=lambda state: symmetry and self.parts is not None,
            symmetric_words=self._symmetric_words if symmetry else lambda state: (),
            reads_history=lambda state: machine.program.keeps_history,
            recorded=recorded,
            lasting=self.lasting,
        )
        return game

    def _threat_functions(self) -> dict[str, Callable[..., Any]]:
        """Return the functions of a search about moves that win or prevent a win at once."""
        from rulesengine.engine.kernel.threats import parries, threats, urgent

        machine, urgency = self.machine, self._urgency
        return {
            "urgent": partial(urgent, machine, urgency),
            "has_urgent": lambda state: urgency is not None,
            "parries": partial(parries, machine, urgency),
            "threats": partial(threats, machine, urgency),
            "has_threats": lambda state: bool(urgency and urgency.threats),
        }

    def _tactical_functions(self) -> dict[str, Callable[..., Any]]:
        """Return the functions of a search about captures and null moves."""
        from rulesengine.engine.evaluation import (
            followed_tactics,
            is_capture,
            null_moves,
            piece_at_risk,
        )

        tactics, passes = followed_tactics(self.machine), null_moves(self.machine)
        return {
            "captures": lambda state, steps: (
                tactics is not None and is_capture(tactics, state, steps[0])
            ),
            "has_captures": lambda state: tactics is not None,
            "forces_captures": lambda state: tactics is not None and tactics.forces,
            "target": lambda steps: steps[0].target,
            "risk": partial(self._risk, piece_at_risk(self.machine)),
            "threatened": partial(self._threatened, tactics.ban if tactics else None),
            "has_null_moves": lambda state: passes is not None,
            "may_pass": lambda state: passes is not None and self._has_some(passes.pieces, state),
            "passed": lambda state: state if passes is None else _passed(state, passes.resets),
        }

    def _threatened(self, ban: Op | None, state: State) -> bool:
        """True if a ban holds for the side to move; see `SearchFunctions.threatened`."""
        return ban is not None and bool(self.machine.number_of(ban, state, state.side))

    def _risk(self, risk: Op | None, state: State, cell: int) -> int:
        """Return the value of a piece on an attacked cell; see `SearchFunctions.risk`."""
        from rulesengine.engine.interpreter.frame import Frame

        if risk is None:
            return 0
        value: int = self.machine.evaluate_in(
            risk, Frame(state, {"player": 1 - state.side, "to": cell})
        )
        return value

    def _has_some(self, cells: Op, state: State) -> bool:
        """True if a set is not empty for the side to move."""
        return bool(self.machine.number_of(make("count", cells), state, state.side))

    def _place(self, steps: Steps, places: int) -> int:
        from rulesengine.engine.drivers import move_keys
        from rulesengine.engine.drivers.search.tree_settings import is_target_unique

        (first, _), (last, choice) = step_words(steps[0]), step_words(steps[-1])
        if is_target_unique(self.machine.program):
            return move_keys.target_place(last, places)
        return move_keys.move_place(first, last, choice, places)

    def stepped(self, splits: bool = False) -> "protocol.BatchFunctions[State, Steps]":
        """Return the functions that batches call; memory has states as their packed bytes."""
        from rulesengine.engine.drivers import history, protocol

        plain, machine = self.functions(), self.machine
        chains = splits or any(group.then for group in machine.program.rules.groups)
        return protocol.BatchFunctions(
            **{name: getattr(plain, name) for name in ("legal", "apply", "decide", "words")},
            is_pass=plain.is_pass,
            weight=plain.weight,
            branch=plain.branch,
            is_free=plain.is_free,
            loaded=partial(history.loaded, machine.program.form),
            saved=history.saved,
            noted=history.noted if machine.program.keeps_history else _append_nothing,
            mover=self._mover,
            payoff=self._payoff,
            players=lambda state: len(machine.program.form.players),
            cells=lambda state: machine.program.topology.cells,
            step=lambda steps, k: step_words(steps[k])[0] if k < len(steps) else -1,
            choice=lambda steps, k: step_words(steps[k])[1] if k < len(steps) else -1,
            chains=lambda state: chains,
            splits=lambda state: splits and not machine.is_chance(state),
            reads_history=lambda state: machine.program.keeps_history,
            lasting=self.lasting,
            **move_functions(machine, plain.legal),
        )

    def _payoff(self, state: State, player: int) -> int:
        """Return the payoff of a player; 0 while the game is not over."""
        decision = self.machine.decide(state)
        side = state.seats[player] if state.seats else player
        return decision[3][side] if decision else 0

    @cached_property
    def network(self) -> "Network":
        """Return the patterns that a learned evaluation of this game reads."""
        from rulesengine.engine.patterns import network_of

        return network_of(self.machine.program)

    def _store_entries(self, state: State, memory: Memory, at: int) -> int:
        """Write the table entries of a state's patterns; return the player to move."""
        from rulesengine.engine.patterns import active_entries

        for place, entry in enumerate(active_entries(self.network, state), start=at):
            memory.numbers[place] = entry
        return _viewer(state)

    def _weigh(self, state: State, memory: Memory) -> int:
        """Return the sum of the table entries of a state's patterns."""
        from rulesengine.engine.patterns import active_entries

        return sum(memory.numbers[entry] for entry in active_entries(self.network, state))

    def _mover(self, state: State) -> int:
        """Return the number of the player to move; -1 if chance is to move."""
        if self.machine.is_chance(state):
            return -1
        return _viewer(state)

    def _winner(self, state: State) -> int | None:
        """Return the number of the winner or -1; None while the game is not over."""
        decision = self.machine.decide(state)
        if decision is None or decision[0] < 0:
            return None if decision is None else -1
        return state.seats[decision[0]] if state.seats else decision[0]


def move_functions(
    machine: Interpreter, legal: "Callable[[State], Sequence[Steps]]"
) -> dict[str, Callable[..., Any]]:
    """Return the functions of a batch that make moves by cells or steps; `legal` lists moves."""
    from rulesengine.engine.drivers.batch.placements import placing_group

    places = placing_group(machine.program) is not None
    words = -(-machine.program.topology.cells // _BITS)

    def targets(state: State, memory: Memory, at: int) -> int:
        cells = {steps[0].target for steps in legal(state)}
        mask = sum(1 << cell for cell in cells if cell >= 0)
        for word in range(words):
            store(memory, at + word, signed(mask >> word * _BITS & (1 << _BITS) - 1))
        return int(-1 in cells)

    def nth_target(state: State, memory: Memory, at: int, index: int) -> int:
        bits = (cell for cell in range(words * _BITS) if _has_bit(memory, at, cell))
        return next(islice(bits, index, None))

    def placed(state: State, cell: int) -> State:
        steps = next(steps for steps in legal(state) if steps[0].target == cell)
        return machine.apply(state, steps)

    def made(state: State, step: int, choice: int) -> State:
        single_steps = (steps for steps in legal(state) if len(steps) == 1)
        return machine.apply(
            state, next(steps for steps in single_steps if step_words(steps[0]) == (step, choice))
        )

    return {
        "made": made,
        "places": lambda state: places,
        "targets": targets,
        "nth_target": nth_target,
        "placed": placed,
    }


def _has_bit(memory: Memory, at: int, cell: int) -> bool:
    return load(memory, at + cell // _BITS) >> cell % _BITS & 1 > 0


def _viewer(state: State) -> int:
    """Return the player to move, or the player for whom chance moves."""
    return state.seats[state.side] if state.seats else state.side


def _passed(state: State, resets: Sequence[tuple[int, int]]) -> State:
    """Return the state after a null move."""
    registers = list(state.registers)
    for slot, number in resets:
        registers[slot] = number
    return replace(state, side=1 - state.side, registers=tuple(registers))


def _append_nothing(state: State, lines: Memory, line: int, count: int) -> int:
    return 0


def _key(steps: Steps) -> int:
    from rulesengine.engine.drivers import move_keys

    (first, _), (last, choice) = step_words(steps[0]), step_words(steps[-1])
    return move_keys.move_key(first, last, choice)
