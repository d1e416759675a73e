"""The static evaluation of a game in English sentences, for `doctor --evaluation`."""

from collections.abc import Iterator

from rulesengine.engine.drivers.search.mobility import (
    REACHED,
    last_move_wins,
    mobility,
    weighs_reach,
)
from rulesengine.engine.evaluation import (
    evaluation_of,
    followed_tactics,
    material_of,
    null_moves,
    piece_at_risk,
)
from rulesengine.engine.evaluation.activity import cells_by_kind
from rulesengine.engine.evaluation.heuristic import (
    counted_lines,
    counts_pieces_alike,
    is_by_payoff,
    is_derived,
    lacks_of,
    lowest_is_best,
    value_alike,
    values_pieces,
)
from rulesengine.engine.evaluation.lone_pieces import LonePieces
from rulesengine.engine.evaluation.piece_mobility import step_weights
from rulesengine.engine.evaluation.piece_squares import Table, Tables, piece_squares
from rulesengine.engine.evaluation.reserves import reserves
from rulesengine.engine.evaluation.royal_kinds import royal_kinds
from rulesengine.engine.evaluation.royal_zone import DIVISOR, attack_units
from rulesengine.engine.interpreter import Interpreter
from rulesengine.engine.patterns.distances import stacks_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.ir.hiding import hidden_in
from rulesengine.language.ir.roles import is_constant


def evaluation_sentences(game: Game) -> list[str]:
    """Return sentences on the evaluation of a game: its terms, and the search that they lead to."""
    machine = game.machine
    if game.is_hidden:
        hidden = hidden_in(machine.program.rules).text
        return [f"The game hides {hidden}: searches play random games and use no evaluation."]
    own = (*_source(machine), *_lines(machine), *_pieces(machine))
    return [*own, *_search(machine), *_others(game)]


def _source(machine: Interpreter) -> Iterator[str]:
    rules = machine.program.rules
    if rules.evaluation is not None:
        yield "The spec has its own evaluation, `evaluate`."
        if is_constant(rules.evaluation):
            yield "It is constant: all positions in progress are equal."
    elif is_constant(evaluation_of(machine)):
        yield "The rules suggest no evaluation: all positions in progress are equal."
    elif is_by_payoff(rules):
        yield "The evaluation is the payoff, as if the game ended in the position."
    elif rules.score is not None:
        negated = ", negated since the lowest one is best" if lowest_is_best(rules) else ""
        yield f"The evaluation of a player is the score{negated}."
    elif mobility(rules) is None:
        yield "The evaluation follows from the rules."
    elif last_move_wins(rules):
        yield "The side without a move loses, so that the evaluation counts the steps of a side."
    else:
        yield "The side without a move wins, so that the steps of a side count as negative."
    if is_derived(rules) and mobility(rules) is not None and weighs_reach(rules):
        reached = REACHED if last_move_wins(rules) else -REACHED
        yield f"A cell counts {reached} if its pieces reach it in one step, {reached} if in two."


def _lines(machine: Interpreter) -> Iterator[str]:
    """Yield how cells in lines count that are nearly long enough."""
    rules = machine.program.rules
    lines = sorted({(sign, length) for _, length, sign in counted_lines(rules)}, reverse=True)
    for sign, length in lines if is_derived(rules) else ():
        if lacks := lacks_of(length):
            missing = "one cell" if len(lacks) == 1 else "one or two cells"
            way = "count" if sign > 0 else "count against their side"
            yield f"Cells {way} in lines that lack {missing} of {length}."


def _pieces(machine: Interpreter) -> Iterator[str]:
    """Yield the values of the pieces, if the evaluation has them."""
    rules = machine.program.rules
    if not is_derived(rules) or is_constant(evaluation_of(machine)):
        return
    if counts_pieces_alike(machine.program):
        yield f"Each piece counts {value_alike(rules)}."
    if not values_pieces(machine.program):
        return
    material, lone = material_of(machine), machine.derived(LonePieces)
    names = [kind.name for kind in rules.kinds]
    known = [kind for kind, row in enumerate(rules.kinds) if any(row.symbols[: len(rules.players)])]
    values = [f"{names[kind]} {material.values[kind]}" for kind in known]
    if values:
        yield f"Values of pieces, by their mobility: {', '.join(values)}."
        if stacks_of(machine.program) is not None:
            yield "A stack of pieces on a cell counts as one piece."
    spans, tables = [], piece_squares(machine, material, lone)
    for kind in known:
        gains = [gain for side in range(len(rules.players)) for gain in _table(tables, kind, side)]
        if gains and max(gains) > min(gains):
            spans.append(f"{names[kind]} from {min(gains):+} to {max(gains):+}")
    if spans:
        yield f"The place of a piece changes its value: {', '.join(spans)}."
    weights = step_weights(machine, material, lone)
    if weights:
        steps = ", ".join(f"{names[kind]} {weight}" for kind, weight in weights.items())
        yield f"Each cell that a piece reaches counts: {steps}."
    if units := attack_units(machine, material):
        kinds = ", ".join(f"{names[kind]} {number}" for kind, number in units.items())
        yield f"Units of a cell that a piece attacks on or next to a royal piece: {kinds}."
        yield f"The square of all units, divided by {DIVISOR}, counts (attacks on the royal zone)."
    if in_hand := [names[kind] for _, kind in reserves(machine)]:
        yield f"Pieces in hand count like those on the board: {', '.join(in_hand)}."
    if royal := sorted(royal_kinds(machine.program)):
        protected = ", ".join(names[kind] for kind in royal)
        yield f"Royal pieces, which a ban or a losing end protects: {protected}."


def _activity(machine: Interpreter) -> list[str]:
    """Return the terms that king-relative tables take the place of."""
    material = material_of(machine)
    steps = ["the cells that pieces reach"] * bool(cells_by_kind(machine, material))
    return steps + ["attacks on the royal zone"] * bool(attack_units(machine, material))


def _table(tables: Tables, kind: int, side: int) -> Table:
    """Return the gains of a kind for its side, none if it has no table."""
    return tables[kind, side][side] if (kind, side) in tables else ()


def _search(machine: Interpreter) -> Iterator[str]:
    """Yield how searches follow captures and use null moves."""
    share, tactics = material_of(machine).captures, followed_tactics(machine)
    if tactics is not None:
        yield (
            f"Of the steps in sampled positions, {share} % are captures;"
            " searches follow them at the horizon (quiescence search)."
        )
    elif share:
        yield f"Of the steps in sampled positions, {share} % are captures, too many to follow."
    if null_moves(machine) is not None:
        yield (
            "Where a side is ahead even after a pass, searches look less deep (null-move pruning):"
            " zugzwang is rare here."
        )
        yield "Near the horizon they leave out late quiet moves (late move pruning)."
    if piece_at_risk(machine) is not None:
        yield (
            "There they also leave out captures that lose material to a reply on the same cell"
            " (static exchange)."
        )


def _others(game: Game) -> Iterator[str]:
    """Yield the other named evaluations."""
    if stale := game.evaluation_choice.stale:
        yield f"The package has a learned evaluation that is left out: {stale}."
    try:
        name = game.bundled_learning.name
    except UsageError:
        if game.evaluation_choice.weighs_moves:
            yield "The package has weights of moves. Tree search uses them unless `rules` is named."
        elif not game.evaluation_choice.stale:
            yield "The package has no learned evaluation of this game."
    else:
        is_default = game.evaluation_choice.name == "learned"
        use = "Alpha-beta uses it" if is_default else "Alpha-beta uses the one of the rules"
        yield f"The package has a learned evaluation, `{name}`. {use} unless another one is named."
        weights = game.learned_in(game.bundled_learning) if is_default else None
        if weights is not None and weights.corrects:
            yield "Its weights correct the evaluation of the rules instead of replacing it."
            if weights.replaces_activity and (terms := _activity(game.machine)):
                yield f"They take the place of {' and '.join(terms)}."
    start, expression = game.initial_state(), evaluation_of(game.machine)
    values = [
        f"{name} {game.machine.number_of(expression, start, side)}"
        for side, name in enumerate(game.players)
    ]
    yield f"Values of the initial position: {', '.join(values)}."
