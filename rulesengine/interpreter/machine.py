"""Legal steps, moves, turns, ends and choices: a program's meaning from state to state."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rulesengine.errors import EvaluationError, LimitError
from rulesengine.interpreter.effects import Changer
from rulesengine.interpreter.frame import Draft, Frame, bits
from rulesengine.ir.ops import Op, reads
from rulesengine.ir.program import Program
from rulesengine.ir.rules import End, Group, Key, Strategy, operations
from rulesengine.limits import MAX_CHAIN_STEPS, MAX_CHOICE_STEPS, MAX_MOVES
from rulesengine.state import Outcome, Record, State, Step

Steps = tuple[Step, ...]
Decision = tuple[int, str, tuple[int, ...]]

# The variable in which a script keeps the state before its last move, and the move.
LAST_MOVE = "last move"


class Interpreter(Changer):
    """A program as functions: initial_state, legal, apply, outcome, choose, evaluate."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._groups = program.rules.groups
        self._has_chains = any(group.then for group in self._groups)
        self._chained = 0
        self._listed = 0

    def initial_state(self) -> State:
        """The state before the first move."""
        rules, form = self.program.rules, self.program.form
        planes = (0,) * len(form.symbols)
        state = State(planes, 0, form.starts, (), form)
        if rules.diagram:
            return self._from_diagram(state, rules.diagram)
        draft = Draft.of(state)
        frame = Frame(draft, {"player": 0})
        for effect in rules.start:
            self.effect(effect, frame)
        return self._finished(draft)

    def legal(self, state: State) -> tuple[Steps, ...]:
        """The legal moves in order; none when the game is over. Raises LimitError."""
        if self.decide(state) is not None:
            return ()
        return self.possible(state, state.side)

    def possible(self, state: State, side: int) -> tuple[Steps, ...]:
        """The moves that a side would have if it were to move, whether or not the game is over."""
        for tier in self.program.rules.tiers:
            first = self._distinct(self._tier(state, side, tier))
            if first:
                moves = self._kept(state, side, self._complete(state, side, first))
                if len(moves) > MAX_MOVES:
                    raise LimitError(f"more than {MAX_MOVES} moves in a position")
                return moves
        return ()

    def apply(self, state: State, steps: Steps) -> State:
        """The state after a move."""
        return self.play(state, steps, state.side)[0]

    def play(self, state: State, steps: Steps, side: int) -> tuple[State, Record]:
        """The state after a move made by a side, and the record of what it changed."""
        return self._made(state, steps, side)

    def _made(self, at: State | Draft, steps: Steps, side: int) -> tuple[State, Record]:
        draft = _copy(at)
        frame = Frame(draft, {"player": side})
        for step in steps:
            self._carry_out(step, frame)
        for effect in self.program.rules.effects:
            self.effect(effect, frame)
        record = draft.record()
        self._end_turn(at, draft, frame)
        return self._finished(draft), record

    def decide(self, state: State) -> Decision | None:
        """The winner's number or -1, the reason and the scores; None while the game goes on."""
        for end in self.program.rules.ends:
            for side in self._asked(state) if end.each else (state.side,):
                frame = Frame(state, {"player": side})
                if self.value(end.when, frame):
                    return self._decision(end, state, frame)
        return None

    def outcome(self, state: State) -> Outcome | None:
        """How the game has ended, or None."""
        decision = self.decide(state)
        if decision is None:
            return None
        winner, reason, scores = decision
        by_player = {state.player(side): score for side, score in enumerate(scores)}
        ordered = {name: by_player[name] for name in self.program.form.players if by_player}
        return Outcome(state.player(winner) if winner >= 0 else None, reason, ordered)

    def choose(self, state: State, strategy: Strategy) -> Steps | None:
        """The move that a strategy makes; None if there is no legal one. Raises LimitError."""
        moves = self.legal(state)
        self._listed = len(moves)
        frames = [(steps, self._considering(state, steps, state.side)) for steps in moves]
        for key in strategy.keys:
            if len(frames) > 1:
                frames = self._best(frames, key)
        return frames[0][0] if frames else None

    def evaluate(self, op: Op, state: State, variables: dict[str, Any], steps: Steps = ()) -> Any:
        """The value of an operation of the script."""
        self._listed = 0
        frame = Frame(state, {"player": state.side, **variables}, steps)
        if steps:
            frame.variables |= {"from": steps[0].origin, "to": steps[-1].target}
        return self.value(op, frame)

    def members(self, domain: str, op: Op, state: State, variables: dict[str, Any]) -> list[int]:
        """What a loop of the script goes through, in order."""
        return list(self.domain(domain, op, Frame(state, {"player": state.side, **variables})))

    # legal steps

    def _tier(self, state: State, side: int, tier: tuple[Group, ...]) -> Iterator[Step]:
        for group in sorted(tier, key=lambda group: group.kind == "pass"):
            yield from self._steps(Frame(state, {"player": side}), self._groups.index(group))

    def _steps(
        self, frame: Frame, number: int, origins: int = -1, directions: int = -1
    ) -> Iterator[Step]:
        """The steps of a group from the given origins along the given directions."""
        group = self._groups[number]
        for direction in self._each_of(group.along, frame, "direction", directions):
            for origin in self._each_of(group.origin, frame, "from", origins):
                for target in self._each_of(group.target, frame, "to", -1):
                    for choice in self._choices(group, frame):
                        step = Step(group.kind, origin, target, choice, number, direction)
                        if self._allowed(group, frame, step):
                            yield step

    def _each_of(self, op: Op | None, frame: Frame, name: str, among: int) -> Iterator[int]:
        """Bind a variable to each member of a set in turn; once to -1 if there is no set."""
        for value in bits(self.value(op, frame) & among) if op else (-1,):
            frame.variables[name] = value
            yield value

    def _choices(self, group: Group, frame: Frame) -> Iterator[int]:
        """Bind `choice` to each value that may be chosen; once to -1 if there is no choice."""
        for op in group.choice or (None,):
            frame.variables["choice"] = self.value(op, frame) if op else -1
            yield frame.variables["choice"]

    def _allowed(self, group: Group, frame: Frame, step: Step) -> bool:
        if group.when and not self.value(group.when, frame):
            return False
        if group.forbid is None:
            return True
        side = frame.variables["player"]
        result = self._made(frame.at, (step,), side)
        seen = Frame(result[0], dict(frame.variables), (step,), {side: result})
        return not self.value(group.forbid, seen)

    def _kept(self, state: State, side: int, moves: tuple[Steps, ...]) -> tuple[Steps, ...]:
        """The moves that `keep` leaves."""
        keys = self.program.rules.keep
        if not keys or len(moves) == 1:
            return moves
        frames = [(steps, self._considering(state, steps, side)) for steps in moves]
        for key in keys:
            frames = self._best(frames, key)
        return tuple(steps for steps, _ in frames)

    # moves of several steps

    def _complete(self, state: State, side: int, first: list[Step]) -> tuple[Steps, ...]:
        """The moves that begin with these steps, in the order of their steps."""
        if not self._has_chains:
            return tuple((step,) for step in first)
        self._chained = len(first)
        moves: list[Steps] = []
        for step in first:
            self._extend((step,), Frame(Draft.of(state), {"player": side}), moves)
        return tuple(moves)

    def _extend(self, steps: Steps, frame: Frame, moves: list[Steps]) -> None:
        """Add the moves that begin with `steps`, the last of which is still to be made."""
        self._carry_out(steps[-1], frame)
        following, optional = self._following(steps[-1], frame)
        if not following or optional:
            moves.append(steps)
        self._chained += len(following)
        if self._chained > MAX_CHAIN_STEPS:
            raise LimitError(f"moves of several steps: more than {MAX_CHAIN_STEPS} steps")
        for step in following:
            after = Frame(_copy(frame.at), {"player": frame.variables["player"]})
            self._extend((*steps, step), after, moves)

    def _following(self, step: Step, frame: Frame) -> tuple[list[Step], bool]:
        """The steps that may follow a step that has been made, and whether one may stop here."""
        then = self._groups[step.group].then
        if then is None or (then.when and not self.value(then.when, frame)):
            return [], False
        origins = self.value(then.origin, frame) if then.origin else -1
        directions = self.value(then.along, frame) if then.along else -1
        number = next(i for i, g in enumerate(self._groups) if g.name == then.step)
        inner = Frame(frame.at, {"player": frame.variables["player"]})
        return self._distinct(self._steps(inner, number, origins, directions)), then.optional

    def _distinct(self, steps: Iterator[Step]) -> list[Step]:
        """Without repetitions; the same step with two meanings is a mistake of the spec."""
        found: dict[Step, Step] = {}
        for step in steps:
            first = found.setdefault(step, step)
            if first is not step and not self._same(first, step):
                site = self._groups[step.group].site
                names = self.program.topology.names
                shown = "-".join(names[c] for c in (step.origin, step.target) if c >= 0)
                raise EvaluationError(
                    f"{site.file}:{site.line}:{site.column}: two groups give the step"
                    f" `{shown or step.kind}` different effects"
                )
        return list(found)

    def _same(self, a: Step, b: Step) -> bool:
        """Whether two equal steps do the same: same effects, which do not read the direction."""
        first, second = self._groups[a.group], self._groups[b.group]
        said = [(g.piece, g.side, g.effects, g.then) for g in (first, second)]
        if said[0] != said[1]:
            return False
        read = any(reads(op, "variable", "direction") for op in operations(said[0]))
        return not read or a.direction == b.direction

    # moves and turns

    def _carry_out(self, step: Step, frame: Frame) -> None:
        group = self._groups[step.group]
        frame.variables |= {"direction": step.direction, "from": step.origin, "to": step.target}
        frame.variables["choice"] = step.choice
        if group.kind == "place" and group.piece and group.side:
            plane = self.value(group.piece, frame) * (self.sides + 1) + self.value(
                group.side, frame
            )
            self.put(frame, plane, 1 << step.target)
        elif group.kind == "move":
            self.carry(frame, step.origin, step.target)
        elif group.kind == "swap":
            self._swap(frame)
        for effect in group.effects:
            self.effect(effect, frame)

    def _swap(self, frame: Frame) -> None:
        """Exchange the sides of the two players; no seats are noted where each has his own."""
        draft = frame.at
        assert isinstance(draft, Draft)
        draft.seats = () if draft.seats else (1, 0)

    def _end_turn(self, before: State | Draft, draft: Draft, frame: Frame) -> None:
        """Registers, history and the next side, after the last effect."""
        program = self.program
        swapped = draft.seats != before.seats
        following = before.side if swapped else self.value(program.rules.next, frame)
        if program.keeps_history:
            draft.history = (*before.history, (tuple(before.planes), before.side))
        for register in program.rules.registers:
            if register.lives == "move" or (register.lives == "turn" and following != before.side):
                at = self.slots[register.name]
                end = at + (self.sides if register.each else 1)
                draft.registers[at:end] = program.form.starts[at:end]
        if program.keeps_last:
            draft.registers[-2 if program.keeps_plies else -1] = before.side
        if program.keeps_plies:
            draft.registers[-1] += 1
        draft.side = following

    def _finished(self, draft: Draft) -> State:
        form = self.program.form
        return State(
            tuple(draft.planes),
            draft.side,
            tuple(draft.registers),
            draft.history,
            form,
            draft.seats,
        )

    def _from_diagram(self, state: State, rows: tuple[str, ...]) -> State:
        planes = list(state.planes)
        for cells, row in zip(state.form.lines, rows, strict=True):
            for cell, symbol in zip(cells, row, strict=True):
                if symbol != state.form.empty:
                    planes[state.form.symbols.index(symbol)] |= 1 << cell
        return State(tuple(planes), 0, state.registers, (), state.form)

    # ends

    def _asked(self, state: State) -> list[int]:
        """The sides in the order in which an end is asked: the one that moved last first."""
        last = (state.side - 1) % self.sides
        if self.program.keeps_last:
            kept = state.registers[-2 if self.program.keeps_plies else -1]
            last = kept if kept >= 0 else last
        return [(last + i) % self.sides for i in range(self.sides)]

    def _decision(self, end: End, state: State, frame: Frame) -> Decision:
        scores = self.scores(state)
        winner = -1
        if end.side is not None:
            winner = self.value(end.side, frame)
        elif end.result in ("highest", "lowest"):
            winner = _leader(scores if end.result == "highest" else [-s for s in scores])
        loses = (end.result == "loses") != self.program.rules.misere
        if loses and winner >= 0:
            winner = 1 - winner if self.sides == 2 else -1
        return winner, end.reason, tuple(scores)

    def scores(self, state: State) -> list[int]:
        """The score of each side, none if the rules have no score."""
        score = self.program.rules.score
        if score is None:
            return []
        return [self.value(score, Frame(state, {"player": s})) for s in range(self.sides)]

    # operations that look at moves and outcomes

    def op_can_move(self, op: Op, frame: Frame) -> int:
        side = self.value(op.args[0], frame)
        at = frame.at if isinstance(frame.at, State) else self._finished(frame.at)
        for tier in self.program.rules.tiers:
            if any(step.kind != "pass" for step in self._tier(at, side, tier)):
                return 1
        return 0

    def op_winner(self, op: Op, frame: Frame) -> int:
        decision = self._decided(frame)
        return decision[0] if decision else -1

    def op_over(self, op: Op, frame: Frame) -> int:
        return int(self._decided(frame) is not None)

    def op_drawn(self, op: Op, frame: Frame) -> int:
        decision = self._decided(frame)
        return int(decision is not None and decision[0] < 0)

    def _decided(self, frame: Frame) -> Decision | None:
        """How the game stands; a script may have ended it by a forfeit."""
        forfeit: Decision | None = frame.variables.get("outcome")
        return forfeit or self.decide(self._state(frame))

    def op_record(self, op: Op, frame: Frame) -> int:
        if isinstance(frame.at, Draft):
            return int(getattr(frame.at, str(op.value)))
        if not frame.step:
            return int(getattr(self._last_record(frame), str(op.value)))
        side = frame.variables["player"]
        return int(getattr(self._result(frame, side)[1], str(op.value)))

    def _last_record(self, frame: Frame) -> Record:
        """What the last move of the script changed; nothing before the first."""
        if LAST_MOVE not in frame.variables:
            return Record()
        before, steps = frame.variables[LAST_MOVE]
        return self.play(before, steps, before.side)[1]

    def op_after(self, op: Op, frame: Frame) -> Any:
        side = self.value(op.args[0], frame)
        return self.value(op.args[1], frame.on(self._result(frame, side)[0]))

    def op_replies(self, op: Op, frame: Frame) -> Any:
        state = self._state(frame)
        moves = self.legal(state)
        self._listed += len(moves)
        if self._listed > MAX_CHOICE_STEPS:
            raise LimitError(f"a choice looks at more than {MAX_CHOICE_STEPS} steps")
        body = op.args[0]

        def at(steps: Steps) -> Any:
            return self.value(body, frame.on(self.apply(state, steps)))

        return _over_replies(str(op.value), moves, at, lambda: self.value(body, frame))

    def _state(self, frame: Frame) -> State:
        assert isinstance(frame.at, State)
        return frame.at

    def _result(self, frame: Frame, side: int) -> tuple[State, Record]:
        """What the step in hand leads to if a side makes it."""
        if side not in frame.results:
            frame.results[side] = self.play(self._state(frame), frame.step, side)
        return frame.results[side]

    # choices

    def _considering(self, state: State, steps: Steps, side: int) -> Frame:
        variables = {"player": side, "from": steps[0].origin, "to": steps[-1].target}
        return Frame(state, variables, steps)

    def _best(self, frames: list[tuple[Steps, Frame]], key: Key) -> list[tuple[Steps, Frame]]:
        values = [self.value(key.value, frame) for _, frame in frames]
        best = max(values) if key.order == "most" else min(values)
        return [pair for pair, value in zip(frames, values, strict=True) if value == best]


def _copy(at: State | Draft) -> Draft:
    """A draft of its own of a state or of another draft."""
    if isinstance(at, State):
        return Draft.of(at)
    return replace(at, planes=list(at.planes), registers=list(at.registers))


def _leader(scores: list[int]) -> int:
    """The side with the highest score, or -1 if it is shared."""
    best = max(scores, default=0)
    return scores.index(best) if scores.count(best) == 1 else -1


def _over_replies(
    function: str, moves: tuple[Steps, ...], at: Callable[[Steps], Any], now: Callable[[], Any]
) -> Any:
    if not moves:
        return int(bool(now())) if function == "count" else now()
    if function == "count":
        return sum(1 for m in moves if at(m))
    if function == "any":
        return int(any(at(m) for m in moves))
    if function == "every":
        return int(all(at(m) for m in moves))
    values = [at(m) for m in moves]
    return min(values) if function == "least" else max(values)
