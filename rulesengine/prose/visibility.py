"""Sentences on hidden information: the cells that a player sees, and the moves that are told."""

from collections.abc import Iterator

from rulesengine.language.ir.hiding import default_audience, hidden_in
from rulesengine.language.ir.rules import Group, Rules
from rulesengine.prose.effects import Describer


def visibility_sentences(rules: Rules, describer: Describer) -> Iterator[str]:
    """Yield sentences on the observations of players; none if nothing is hidden."""
    hiding, sees = hidden_in(rules), rules.sees
    if not hiding:
        return
    if hiding.pieces and sees is not None and sees.cells is not None:
        content = "pieces and numbers" if hiding.numbers else "pieces"
        yield f"You see the {content} on these cells alone: {describer.noun(sees.cells, {}).every}."
        if sees.owners is not None:
            cells = describer.noun(sees.owners, {}).every
            yield f"You also see if there is a piece, and of which side, on these: {cells}."
    yield from _move_sentences(rules)


def _round_sentence(audience: str) -> str:
    """Return the sentence on the moves of a round that players are told."""
    if audience == "all":
        return "After a round all players are told its moves."
    if audience == "some":
        return "After a round all players are told some of its moves, and see its result."
    return "You are not told the moves of others; after a round you see its result."


def _move_sentences(rules: Rules) -> Iterator[str]:
    """Yield sentences on the moves that all players are told."""
    branches = rules.chance.branches if rules.chance else ()
    moves = rules.groups[: len(rules.groups) - len(branches)]
    usual = default_audience(rules)
    open_moves = [_is_public(group, usual) for group in moves]
    if rules.together is not None:
        yield _round_sentence("all" if all(open_moves) else "some" if any(open_moves) else "")
    elif all(open_moves):
        yield "All players are told every move of a player."
    elif any(open_moves):
        yield "All players are told some of the moves; of others a player sees only the result."
    else:
        yield "You are not told the moves of others; you notice a move only by what you see."
    if any(_is_public(group, "own") for group in branches):
        yield "All players are told some moves of chance."


def _is_public(group: Group, usual: str) -> bool:
    return (group.told or usual) == "all"
