"""The interpreter of a program: its legal moves, its ends and its strategies, on states."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from threading import RLock
from types import MappingProxyType
from typing import Any, TypeVar

from rulesengine.engine.interpreter.chance import ChanceMoves
from rulesengine.engine.interpreter.effects import EffectExecutor
from rulesengine.engine.interpreter.evaluator import Evaluator
from rulesengine.engine.interpreter.expressions import add_value_operations
from rulesengine.engine.interpreter.frame import Draft, Frame
from rulesengine.engine.interpreter.game_operations import GameOperations
from rulesengine.engine.interpreter.independence import are_apart
from rulesengine.engine.interpreter.move_execution import MoveExecutor, Steps
from rulesengine.engine.interpreter.move_generation import MoveGenerator
from rulesengine.engine.interpreter.move_selection import MoveSelector
from rulesengine.engine.interpreter.outcomes import Decision, OutcomeRules, outcome_of
from rulesengine.engine.interpreter.script_operations import ScriptOperations
from rulesengine.errors import LimitError, UsageError
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.rules import Group, Strategy
from rulesengine.state import Outcome, Record, State, Step
from rulesengine.support.limits import MAX_MOVES

T = TypeVar("T")
_NONE: Mapping[str, Any] = MappingProxyType({})


class Interpreter:
    """A program as functions of states, composed of parts with one purpose each.

    - `evaluator` evaluates expressions.
    - `effects` executes effects.
    - `executor` applies moves.
    - `generator` generates steps and moves.
    - `chance` lists the moves of chance.
    - `outcomes` decides if a game is over.
    - `selector` selects moves by keys.
    - `operations` evaluates operations that read moves and outcomes.

    An evaluator, effect executor or move generator can be passed, in order to observe or limit
    their work. Operations query moves and outcomes through `legal`, `tier`, `play`, `result` and
    `decide`, which a subclass can override for the same purpose.
    """

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator | None = None,
        effects: EffectExecutor | None = None,
        generator: MoveGenerator | None = None,
    ) -> None:
        self.program = program
        self.evaluator = evaluator = evaluator or Evaluator(program)
        if generator is None:
            executor = MoveExecutor(evaluator, effects or EffectExecutor(evaluator))
            generator = MoveGenerator(evaluator, executor)
        self.generator = generator
        self.executor = generator.executor
        self.effects = generator.executor.effects
        self.chance = ChanceMoves(evaluator, generator)
        self.outcomes = OutcomeRules(evaluator)
        self.selector = MoveSelector(evaluator, self.result)
        self.operations = GameOperations(evaluator, self)
        self._derived: dict[Callable[..., Any], Any] = {}
        self._deriving = RLock()
        add_value_operations(evaluator)
        evaluator.add(ScriptOperations(evaluator))
        evaluator.add(self.operations)

    def derived(self, analysis: Callable[["Interpreter"], T]) -> T:
        """Return the result of an analysis of this game, which is computed once.

        A search and a thread that compiles its kernel may request the same result concurrently.
        """
        with self._deriving:
            if analysis not in self._derived:
                self._derived[analysis] = analysis(self)
            result: T = self._derived[analysis]
            return result

    # moves

    def initial_state(self) -> State:
        """Return the state before the first move."""
        return self.executor.initial_state()

    def legal(self, state: State) -> tuple[Steps, ...]:
        """Return the legal moves in order; none when the game is over. Raises LimitError."""
        if self.decide(state) is not None:
            return ()
        return self.possible(state, state.side)

    def legal_among(self, state: State, origins: int, targets: int) -> tuple[Steps, ...]:
        """Return the legal moves that start and end on the given cells, in order, or all legal
        moves. Moves without an origin or a target match. All moves are returned if they cannot be
        generated independently.
        """
        if not self._are_apart or self.is_chance(state):
            return self.legal(state)
        if self.decide(state) is not None:
            return ()
        generator = self.generator
        for tier in self.program.rules.tiers:
            steps = generator.distinct(generator.tier(state, state.side, tier, origins, targets))
            if steps or any(True for _ in self.tier(state, state.side, tier)):
                return tuple((step,) for step in steps)
        return ()

    def placements(self, state: State) -> int:
        """Return the target cells of the legal moves. Raises UsageError if some have an origin."""
        mask = 0
        for step, *_ in self.legal(state):
            if step.origin >= 0:
                name = self.program.rules.name
                raise UsageError(f"the moves of {name} are no placements: use legal_moves")
            mask |= 1 << step.target if step.target >= 0 else 0
        return mask

    def possible(self, state: State, side: int) -> tuple[Steps, ...]:
        """Return the moves of a side as if it were to move, even if the game is over."""
        if self.is_chance(state):
            return tuple((step,) for step in self.chance.branches(state))
        rules = self.program.rules
        for number, tier in enumerate(rules.tiers):
            first = self.generator.distinct(self.tier(state, side, tier))
            if first:
                moves = self.generator.complete(state, side, first)
                if number not in rules.unranked or not self._is_at_rest(state):
                    moves = self.selector.select(state, side, moves)
                if len(moves) > MAX_MOVES:
                    raise LimitError(f"more than {MAX_MOVES} moves in a position")
                return moves
        return ()

    def tier(self, state: State, side: int, groups: tuple[Group, ...]) -> Iterator[Step]:
        """Yield the legal first steps of groups, passes last."""
        return self.generator.tier(state, side, groups)

    def has_answer(self, state: State, side: int, groups: tuple[Group, ...]) -> bool:
        """True if a side has a first step of groups as an answer to a move that is tried."""
        return self.generator.has_answer(state, side, groups)

    def apply(self, state: State, steps: Steps) -> State:
        """Return the state after a move."""
        return self.executor.apply(state, steps)

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        """Return the state after a move by a side, and the record of its changes."""
        return self.executor.play(state, steps, side)

    def result(self, frame: Frame, side: int) -> tuple[State, Record]:
        """Return the state and record after the move of a frame, made by a side; cached."""
        if side not in frame.results:
            assert isinstance(frame.at, State)
            frame.results[side] = self.play(frame.at, frame.step, side)
        return frame.results[side]

    def finished(self, draft: Draft) -> State:
        """Return the state of a draft."""
        return self.executor.finished(draft)

    # chance

    def is_chance(self, state: State) -> bool:
        """True if chance is to move, provided that the game is not over."""
        return self.chance.is_to_move(state)

    def is_free(self, state: State) -> bool:
        """True if the moves of a state take no ply, provided that the game is not over."""
        rules = self.program.rules
        if rules.has_free_chance and self.is_chance(state):
            return True
        free = rules.together.free if rules.together else None
        return free is not None and bool(self.number_of(free, state, state.side))

    def weights(self, state: State) -> tuple[int, ...]:
        """Return the weights of the legal moves if chance is to move, else ().

        Raises EvaluationError for a weight out of range.
        """
        return self.chance.weights(state)

    # outcomes

    def decide(self, state: State) -> Decision | None:
        """Return the decision by which the game is over; None while it is not."""
        return self.outcomes.decide(state)

    def ending(self, state: State) -> int | None:
        """Return the index of the end by which the game is over; None while it is not."""
        return self.outcomes.ending(state)

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome of a game that is over, else None."""
        decision = self.decide(state)
        return None if decision is None else outcome_of(state, decision)

    def outcome_of_end(
        self, state: State, number: int, winner: int, scores: Sequence[int]
    ) -> Outcome | None:
        """Return the outcome of an end by its index and winner, as kernels report them."""
        end = self.program.rules.ends[number]
        if not self.outcomes.is_by_winner(end):
            return self.outcome(state)
        return self.outcomes.by_winner(state, end, winner, scores)

    def scores(self, state: State) -> list[int]:
        """Return the score of each side; [] if the rules have no score."""
        return self.outcomes.scores(state)

    # choices

    def choose(
        self,
        state: State,
        strategy: Strategy,
        values: Mapping[str, Any] = _NONE,
        among: Sequence[Steps] | None = None,
    ) -> Steps | None:
        """Return the move selected by the keys of a strategy; None if there is none.

        `values` are those of the parameters of the strategy. `among` are the candidates, by
        default the legal moves. Raises LimitError.
        """
        if among is None:
            among = () if self.is_chance(state) else self.legal(state)
        self.operations.lookahead_moves = len(among)
        return next(iter(self.selector.best(state, among, strategy.keys, values)), None)

    def likely(self, state: State) -> tuple[Steps, ...]:
        """Return the moves that playouts of a search draw from."""
        moves, keys = self.legal(state), self.program.rules.likely
        if not keys or not moves or self.is_chance(state):
            return moves
        self.operations.lookahead_moves = len(moves)
        return tuple(self.selector.best(state, moves, keys, _NONE))

    # expressions

    def evaluate_in(self, op: Op, frame: Frame) -> Any:
        """Evaluate a whole expression; common subexpressions are evaluated once."""
        return self.evaluator.evaluate(op, frame)

    def value(self, op: Op, frame: Frame) -> Any:
        """Evaluate an operation within an expression."""
        return self.evaluator.value(op, frame)

    def number_of(self, op: Op, state: State, side: int) -> int:
        """Return the value of an expression for a side."""
        number: int = self.evaluator.evaluate(op, Frame(state, {"player": side}))
        return number

    # scripts

    def evaluate(self, op: Op, state: State, variables: dict[str, Any], steps: Steps = ()) -> Any:
        """Return the value of an operation of the script."""
        self.operations.lookahead_moves = 0
        frame = Frame(state, {"player": state.side, **variables}, steps)
        if steps:
            frame.variables |= {"from": steps[0].origin, "to": steps[-1].target}
        return self.evaluator.evaluate(op, frame)

    def with_effect(self, state: State, effect: Op, variables: dict[str, Any]) -> State:
        """Return the position after an effect of the script, without a previous move."""
        frame = Frame(state, {"player": state.side, **variables})
        frame.at = Draft(state, self.operations.last_record(frame))
        self.effects.execute(effect, frame)
        after = self.executor.finished(frame.at)
        starts, registers = self.program.form.starts, list(after.registers)
        for at in self.program.slots_of_earlier_moves():
            registers[at] = starts[at]
        return State(after.planes, after.side, tuple(registers), (), after.form, after.seats)

    def members(self, domain: str, op: Op, state: State, variables: dict[str, Any]) -> list[int]:
        """Return the values of a loop of the script, in order."""
        frame = Frame(state, {"player": state.side, **variables})
        return list(self.evaluator.domain(domain, op, frame))

    def _is_at_rest(self, state: State) -> bool:
        """True if the registers that live for a move have their initial values."""
        starts = self.program.form.starts
        return all(state.registers[slot] == starts[slot] for slot in self._slots_of_moves)

    @cached_property
    def _slots_of_moves(self) -> tuple[int, ...]:
        return self.program.slots_of_moves()

    @cached_property
    def _are_apart(self) -> bool:
        return are_apart(self.program.rules, self.program.topology.cells)
