"""Descriptions of turns, scores, ends and strategies."""

from collections.abc import Iterable
from types import MappingProxyType

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role, is_conditional, is_constant
from rulesengine.language.ir.rules import End, Key, LookAhead, Rules, Strategy
from rulesengine.prose.effects import Speaker

_OTHER = MappingProxyType(
    {"wins": "loses", "loses": "wins", "highest": "lowest", "lowest": "highest"}
)
# The order in which an end about “you” is tested.
_ASKED = "A condition on “you” is tested first for the player who has just moved"


def turn_sentences(rules: Rules, speaker: Speaker) -> list[str]:
    """Describe the order of turns."""
    if len(rules.players) == 1:
        return []
    if rules.alternates:
        return ["The players take turns, in that order."]
    scope = {"plies": "the number of moves made before this one"}
    said = following(rules.next, speaker, scope)
    return [f"After a move of yours, {said}."]


def following(op: Op, speaker: Speaker, scope: dict[str, str]) -> str:
    """Describe the next player as a sentence; `you` is the player who has just moved."""
    if is_conditional(op):
        test, then, other = op.args
        yes, no = following(then, speaker, scope), following(other, speaker, scope)
        return f"if {speaker.condition(test, scope)}, {yes}, otherwise {no}"
    person = speaker.names.person(op)
    return person.verb("move") + (" next" if person.third else " again")


def score_sentences(rules: Rules, speaker: Speaker) -> list[str]:
    return [f"Your score is {speaker.text(rules.score, {})}."] if rules.score else []


def end_sentences(rules: Rules, speaker: Speaker) -> list[str]:
    """Describe the players that leave the game, then the ends in the order of their tests."""
    left = ["The last one who is in the game wins."] if rules.outs else []
    return [*(_out(end, speaker) for end in rules.outs), *left, *each_end(rules.ends, speaker)]


def each_end(ends: Iterable[End], speaker: Speaker) -> list[str]:
    """Return a sentence for each end."""
    return [_end(end, speaker.rules, speaker) for end in ends]


def end_heading(rules: Rules) -> list[str]:
    """Return the introduction to the ends, if they need one."""
    if any(end.each for end in (*rules.outs, *rules.ends)) and len(rules.players) > 1:
        if len(rules.players) == 2:
            return [f"{_ASKED}, then for the other one."]
        return [f"{_ASKED}, then for each other one in turn."]
    return []


def _out(end: End, speaker: Speaker) -> str:
    """Describe the condition under which a player leaves the game while the others continue."""
    assert end.side is not None
    reason = f" (“{end.reason}”)" if end.reason else ""
    said = speaker.names.person(end.side).verb("leave")
    when = speaker.condition(end.when, {})
    return f"{said[0].upper()}{said[1:]} the game, which goes on, if {when}{reason}."


def _end(end: End, rules: Rules, speaker: Speaker) -> str:
    when = speaker.condition(end.when, {})
    reason = f" (“{end.reason}”)" if end.reason else ""
    result = _OTHER.get(end.result, end.result) if rules.misere else end.result
    if end.result == "draw":
        return f"The game is drawn if {when}{reason}."
    if end.pays is not None:
        others = (
            ", and so each player; the player who gets most wins" if len(rules.players) > 1 else ""
        )
        paid = f"you get {speaker.text(end.pays, {})}{others}"
        return f"The game is over if {when}{reason}: {paid}."
    if end.result in ("highest", "lowest"):
        return f"The game is over if {when}{reason}: {_by_score(end, rules, result)}."
    assert end.side is not None
    person = speaker.names.person(end.side)
    if person.third:
        when = when.replace(f"{person.subject} has", "they have")
    many = len(rules.players) > 2
    said = person.verb("win" if result == "wins" else "lose")
    nobody = ", and nobody wins," if many and result == "loses" else ""
    return f"{said[0].upper()}{said[1:]}{nobody} if {when}{reason}."


def _by_score(end: End, rules: Rules, result: str) -> str:
    if len(rules.players) == 1:
        return "your score is your result"
    tie = "equal scores are a draw"
    if rules.misere and len(rules.players) > 2:
        return "nobody wins"
    return f"the {result} score wins, {tie}"


_FURTHEST = MappingProxyType(
    {
        ("least", "screen_row"): "furthest up",
        ("most", "screen_row"): "furthest down",
        ("least", "screen_column"): "furthest to the left",
        ("most", "screen_column"): "furthest to the right",
    }
)


def keep_sentences(rules: Rules, speaker: Speaker) -> list[str]:
    """Describe the selection of the legal moves among the possible ones."""
    if not rules.keep:
        return []
    keys = [key for key in rules.keep if isinstance(key, Key)]
    said = "; of those that are left, those ".join(_key(key, speaker) for key in keys)
    found = [f"Of all these moves only those {said} are legal."] if keys else []
    if len(keys) < len(rules.keep):
        found.append("Of moves that lead to the same position only the first is legal.")
    return found


def strategy_sentences(strategy: Strategy, rules: Rules, speaker: Speaker) -> list[str]:
    """Describe the keys of a strategy in order, and its use by searches."""
    looked = [] if strategy.search is None else [_search_sentence(strategy.search)]
    keys = [f"Keep the moves {_key(key, speaker)}." for key in strategy.keys]
    is_drawn = strategy.name == rules.playouts
    return [*looked, *keys, *["Searches play their random games by it."] * is_drawn]


def _search_sentence(search: LookAhead) -> str:
    """Describe the look-ahead of a strategy; a depth given by a parameter is omitted."""
    limits = [f"for {search.seconds} seconds"] if search.seconds else []
    for op, what in (
        (search.plies, "plies deep"),
        (search.nodes, "positions far"),
        (search.playouts, "random games far"),
    ):
        if op is not None:
            limits.append(f"{op.value} {what}" if is_constant(op) else f"some {what}")
    return f"Look ahead {' or '.join(limits)}, and keep the best moves."


def _key(key: Key, speaker: Speaker) -> str:
    """Describe the moves that a key selects, to follow `the moves`."""
    scope = {"from": "the cell where the move begins", "to": "the cell where the move ends"}
    value = key.value
    if (key.order, value.name) in _FURTHEST and value.args[0].value == "to":
        return f"that end {_FURTHEST[key.order, value.name]}"
    if key.order == "most" and (tests := _preferred(value)):
        return "for which " + "; failing that, those for which ".join(
            speaker.condition(test, scope) for test in tests
        ) + "; failing that, all"  # fmt: skip
    if has_role(value, "size"):
        many = speaker.noun(value.args[0], scope).many
        return f"with the {'most' if key.order == 'most' else 'fewest'} {many}"
    order = "greatest" if key.order == "most" else "least"
    return f"with the {order} value of {speaker.text(value, scope)}"


def _preferred(value: Op) -> list[Op]:
    """Return the conditions of `prefer … else …`, which is encoded as numbers down to 0."""
    tests = []
    while is_conditional(value) and is_constant(value.args[1]):
        tests.append(value.args[0])
        value = value.args[2]
    return tests if is_constant(value, 0) else []
