"""Descriptions of chance: its turns, its moves and their probabilities."""

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.rules import Chance, Rules
from rulesengine.prose.effects import Describer
from rulesengine.prose.ends import following
from rulesengine.prose.groups import Groups

Parts = list[str | tuple[str, ...]]

_SAME = Op("variable", "side", (), "player")


def chance_parts(rules: Rules, describer: Describer) -> Parts:
    """Return the paragraphs on chance; none if the game has no chance."""
    chance = rules.chance
    if chance is None:
        return []
    groups = Groups(describer)
    if own := describer.remarks.own("rules", "chance"):
        return [own]
    lead = f"Chance moves, and no player does, {describer.clause(chance.when, {})}:"
    items = tuple(" ".join(groups.sentences(group)) for group in chance.branches)
    return [lead, items, " ".join(_after(chance, describer))]


def _after(chance: Chance, describer: Describer) -> list[str]:
    sentences = []
    if chance.next != _SAME:
        sentences.append(f"After it, {following(chance.next, describer, {})}.")
    counts = "count" if chance.counts else "do not count"
    return [*sentences, f"Moves of chance {counts} as moves."]
