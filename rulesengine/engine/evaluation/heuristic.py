"""The static evaluation of positions in progress: the one of the spec, or a heuristic from the
rules. See decisions 032 and 117.
"""

from collections.abc import Iterator

from rulesengine.engine.drivers.search.mobility import last_move_wins, mobility
from rulesengine.engine.evaluation.material import PIECE, Material, has_moves
from rulesengine.engine.evaluation.piece_terms import material_terms, piece_terms
from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.ops import OPS, Op, actions, literal, make, walk
from rulesengine.language.ir.program import Program
from rulesengine.language.ir.roles import constant, has_role
from rulesengine.language.ir.rules import Rules, operations
from rulesengine.language.ir.score_decided import by_score, has_payoff
from rulesengine.support.frozen import replace

_TAKING = frozenset({"removes", "flips"})
# Failures that do not prevent the evaluation of a payoff before the end.
_HARMLESS = frozenset({"unset", "player", "overflow"})
_LACKS = (10, 1)  # weights of cells in lines that lack one cell, and two


def is_by_payoff(rules: Rules) -> bool:
    """True if the evaluation is the payoff of a single player."""
    return rules.evaluation is None and len(rules.players) == 1 and has_payoff(rules)


def lowest_is_best(rules: Rules) -> bool:
    """True if the player with the lowest score is ahead, with `lowest score wins` or in misère."""
    results = {end.result for end in rules.ends if by_score(end)}
    return rules.misere is not (results == {"lowest"})


def is_derived(rules: Rules) -> bool:
    """True if the evaluation is a heuristic, and not a score, a payoff or one of the spec."""
    return rules.evaluation is None and rules.score is None and not is_by_payoff(rules)


def values_pieces(program: Program) -> bool:
    """True if pieces count by kind and place, unless the spec evaluates positions itself."""
    rules = program.rules
    return has_moves(program) and len(rules.players) > 1 and mobility(rules) is None


def counts_pieces_alike(program: Program) -> bool:
    """True if each piece counts `PIECE` instead, whatever its kind and place."""
    rules = program.rules
    if values_pieces(program):
        return False
    return any(group.kind == "move" for group in rules.groups) or takes_pieces(rules)


def value_alike(rules: Rules) -> int:
    """Return the value of each piece where all are equal: negative if the side without a move wins,
    since pieces provide moves.
    """
    return PIECE if mobility(rules) is None or last_move_wins(rules) else -PIECE


def lacks_of(length: int) -> tuple[int, ...]:
    """Return the numbers of missing cells for lines of a winning length that count."""
    return tuple(lack for lack in range(1, len(_LACKS) + 1) if length > lack + 1)


def derive_exchange(machine: Interpreter, material: Material) -> Op | None:
    """Return an evaluation of the pieces alone, wherever they are; None if the evaluation of the
    rules has no values of pieces.
    """
    rules = machine.program.rules
    is_derived = rules.evaluation is None and rules.score is None
    is_by_pieces = is_derived and has_moves(machine.program) and mobility(rules) is None
    return material_terms(machine, material) if is_by_pieces else None


def derive_evaluation(machine: Interpreter, material: Material) -> Op:
    """Return the evaluation of the rules; see `evaluation_of`."""
    rules = machine.program.rules
    if rules.evaluation is not None:
        return rules.evaluation
    if is_by_payoff(rules):
        return _payoff(rules)
    if rules.score is not None:
        return make("negative", rules.score, value=0) if lowest_is_best(rules) else rules.score
    steps = mobility(rules)
    total = _pieces(machine, material)
    for line, length, sign in counted_lines(rules):
        for lack in lacks_of(length):
            shorter = replace(line, args=_with_least(line, length - lack))
            weight = sign * _LACKS[lack - 1]
            total = make("add", total, _times(_count(shorter), weight), value=0)
    return make("add", total, steps, value=0) if steps else total


def _pieces(machine: Interpreter, material: Material) -> Op:
    """Return the value of a side's pieces; their places count unless mobility decides the game."""
    if values_pieces(machine.program):
        return piece_terms(machine, material)
    if not counts_pieces_alike(machine.program):
        return literal("number", 0)
    own = make("owned", make("variable", value="player", type="side"))
    return _times(_count(own), value_alike(machine.program.rules))


def _payoff(rules: Rules) -> Op:
    """Return the payoff of a single player, as it would be at the first end that has one; 0 if its
    evaluation may fail before that end.
    """
    end = next(end for end in rules.ends if end.pays is not None or by_score(end))
    paid = end.pays if end.pays is not None else rules.score
    assert paid is not None
    if any(op.name not in OPS or not OPS[op.name].fails <= _HARMLESS for op in walk(paid)):
        return literal("number", 0)
    is_negative = rules.misere is not (end.result == "lowest")
    return make("negative", paid, value=0) if is_negative else paid


def takes_pieces(rules: Rules) -> bool:
    """True if pieces may be removed or change sides."""
    return any(actions(root) & _TAKING for root in operations(rules))


def counted_lines(rules: Rules) -> Iterator[tuple[Op, int, int]]:
    """Yield the lines that end the game for a side, with their length, and 1 if they win or -1 if
    they lose.
    """
    for end in rules.ends:
        if end.each and end.result in ("wins", "loses"):
            wins = (end.result == "wins") is not rules.misere
            for op in walk(end.when):
                least = constant(op.args[1]) if has_role(op, "line") else None
                if least is not None:
                    yield op, least, 1 if wins else -1


def _with_least(line: Op, least: int) -> tuple[Op, ...]:
    cells, _, most, *rest = line.args
    return (cells, literal("number", least), most, *rest)


def _count(cells: Op) -> Op:
    return make("count", cells)


def _times(number: Op, factor: int) -> Op:
    return make("multiply", number, literal("number", factor), value=0)
