"""Problems of a game: a code, a message, and the moves that lead to them."""

from dataclasses import dataclass, replace
from itertools import takewhile

from rulesengine.errors import EvaluationError, LimitError
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.rules import READ_BOARD, Rules, statements
from rulesengine.state import State
from rulesengine.tools.lint.metered_interpreter import MeteredInterpreter, Steps

# A hint on moves in games where players do not see all pieces.
KNOWN_EMPTY = "in moves, `empty` has only cells that the player sees; the others are `unknown`"
# The most moves of a game that a message shows.
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem after the moves of `path`; `{when}` in the message is replaced by these.

    `site` is the number of an expression in the rules, -1 for problems of the moves.
    """

    code: str
    message: str
    help: str = ""
    path: tuple[Steps, ...] = ()
    site: int = -1

    def concerns(self, rules: Rules) -> bool:
        """True if this is not about an initial position that a script replaces."""
        replaced = any(s.name in READ_BOARD or s.name == "effect" for s in statements(rules.script))
        return bool(self.path) or not replaced


@dataclass(frozen=True, slots=True)
class Position:
    """A position: the number of the end that holds, the legal moves, and the problem."""

    end: int | None
    moves: tuple[Steps, ...]
    problem: Problem | None


def inspected(machine: MeteredInterpreter, state: State, *, first: bool) -> Position:
    """Inspect a position of a game; `first` means that no move has been made."""
    end = machine.ending(state)
    if end is not None:
        message, help = "the game is over before the first move", "check `start` and `end`"
        return Position(end, (), Problem("over-at-start", message, help) if first else None)
    moves = machine.possible(state, state.side)
    if moves:
        twice = _written_twice(machine, state, moves)
        return Position(None, moves, twice or _unevaluated(machine, state))
    message = f"`{state.mover}` has no move {{when}}, and no end holds"
    help = "add an end with `when: not can_move(mover)`, or let the player `pass`"
    help += f"; {KNOWN_EMPTY}" if hidden_in(machine.program.rules).pieces else ""
    return Position(None, (), Problem("stuck", message, help))


def failure(error: EvaluationError | LimitError, help: str = "") -> Problem:
    """Return the problem of a rule that fails."""
    site = error.site if isinstance(error, EvaluationError) else -1
    return Problem("fails", f"a rule fails {{when}}: {error}", help, site=site)


def replayed(machine: MeteredInterpreter, path: tuple[Steps, ...]) -> Problem | None:
    """Return the first problem of a game with these moves; None if a move is not legal."""
    done = 0
    try:
        state = machine.initial_state()
        while True:
            position = inspected(machine, state, first=not done)
            if position.problem:
                return replace(position.problem, path=path[:done])
            if done == len(path) or path[done] not in position.moves:
                return None
            done += 1
            state = machine.apply(state, path[done - 1])
    except (EvaluationError, LimitError) as error:
        return replace(failure(error), path=path[:done])


def shortened(machine: MeteredInterpreter, problem: Problem) -> Problem:
    """Shorten the game of a problem by removing moves as long as the problem remains."""
    size = len(problem.path) // 2
    while size:
        at = 0
        while at < len(problem.path):
            less = replayed(machine, problem.path[:at] + problem.path[at + size :])
            if less is not None and less.code == problem.code:
                problem = less
            else:
                at += size
        size //= 2
    return problem


def message_of(problem: Problem, machine: MeteredInterpreter) -> str:
    """Return the message with the moves in the notation of the game."""
    if "{when}" not in problem.message:
        return problem.message
    return problem.message.replace("{when}", when(move_texts(machine, problem.path)), 1)


def move_texts(machine: MeteredInterpreter, path: tuple[Steps, ...]) -> list[str]:
    """Return the moves of a game in its notation."""
    words: list[str] = []
    state = machine.initial_state() if path else None
    for number, steps in enumerate(path, start=1):
        assert state is not None
        words.append(_text(machine, state, steps))
        if number < len(path):  # the last move may be the one that fails
            state = machine.apply(state, steps)
    return words


def when(words: list[str]) -> str:
    """Return `at the start`, or `after` with the moves."""
    if not words:
        return "at the start"
    return "after " + " ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _unevaluated(machine: MeteredInterpreter, state: State) -> Problem | None:
    """Return the problem of a position that searches cannot evaluate."""
    evaluation = machine.program.rules.evaluation
    if evaluation is None or machine.is_chance(state):
        return None
    try:
        for side in range(len(machine.program.form.players)):
            machine.number_of(evaluation, state, side)
    except EvaluationError as error:
        return failure(error, "`evaluate` needs a value for each player wherever one is to move")
    return None


def _written_twice(
    machine: MeteredInterpreter, state: State, moves: tuple[Steps, ...]
) -> Problem | None:
    """Return a problem if two legal moves have the same text, where groups define `move_texts`."""
    if not any(group.written for group in machine.program.rules.groups):
        return None
    seen: set[str] = set()
    for steps in moves:
        text = _text(machine, state, steps)
        if text in seen:
            message = f"two legal moves are both written `{text}` {{when}}"
            help = "add a part to `written` that distinguishes them, such as `{from}`"
            return Problem("ambiguous-move", message, help)
        seen.add(text)
    return None


def _text(machine: MeteredInterpreter, state: State, steps: Steps) -> str:
    return machine.writer.text(steps, _takes(machine, state, steps))


def _takes(machine: MeteredInterpreter, state: State, steps: Steps) -> bool:
    """True if a move is written as a capture."""
    carried = tuple(takewhile(lambda step: step.origin >= 0, steps))
    try:
        record = machine.play(state, carried, state.side)[1] if carried else None
    except (EvaluationError, LimitError):
        return False
    return bool(record and record.captured & record.removed)
