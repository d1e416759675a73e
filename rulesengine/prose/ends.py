"""Descriptions of turns, scores, ends and strategies."""

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role, is_conditional, is_constant
from rulesengine.language.ir.rules import End, Key, LookAhead, Rules, Strategy, is_always_together
from rulesengine.prose.effects import Describer
from rulesengine.prose.names import MOVER, THEY
from rulesengine.prose.remarks import sentence

_OTHER = MappingProxyType(
    {"wins": "loses", "loses": "wins", "highest": "lowest", "lowest": "highest"}
)
_CLAIMED = " This end is claimed by a player."
# The order in which an end about “you” is tested.
_CHECKED = "Checked after every move, first for the player who has just moved (“you”)"
_TOGETHER = (
    "{}, all players choose a move before any is carried out. Then the moves are carried out in the"
    " order of the players."
)
_CHECKED_IN_ROUNDS = "Checked after every round for each player (“you”), the last one first"
_YOU = re.compile(r"\b[Yy]our?\b")
_PAIR = 2
_EXPRESSION = re.compile(r"\w\(| [=<>]=? | != ")


def turn_sentences(rules: Rules, describer: Describer) -> list[str]:
    """Describe the order of turns."""
    if len(rules.players) == 1:
        return []
    if is_always_together(rules):
        return [_TOGETHER.format("In each round")]
    together = _rounds(rules, describer)
    if rules.alternates:
        order = ", in that order" if len(rules.players) > _PAIR else ""
        return [f"The players take turns{order}.", *together]
    if own := describer.remarks.own("rules", "turn"):
        return [own, *together]
    scope = {"plies": "the number of moves made before this one"}
    phrase = following(rules.next, describer, scope)
    return [f"After a move of yours, {phrase}.", *together]


def _rounds(rules: Rules, describer: Describer) -> list[str]:
    """Describe the positions in which players move together."""
    if rules.together is None:
        return []
    when = describer.clause(rules.together.when, {})
    return [_TOGETHER.format(f"But {when}")]


def following(op: Op, describer: Describer, scope: dict[str, str]) -> str:
    """Describe the next player as a sentence; `you` is the player who has just moved."""
    if is_conditional(op):
        test, then, other = op.args
        yes, no = following(then, describer, scope), following(other, describer, scope)
        return f"if {describer.condition(test, scope)}, {yes}, otherwise {no}"
    person = describer.names.person(op)
    return person.verb("move") + (" next" if person.third else " again")


def score_sentences(rules: Rules, describer: Describer) -> list[str]:
    """Describe the score of a player."""
    if rules.score is None:
        return []
    if own := describer.remarks.own("rules", "score"):
        return [own]
    phrases = [sentence(f"Your score is {describer.value(rules.score, {})}")]
    return [*phrases, *filter(None, [describer.remarks.comment("rules", "score")])]


def end_sentences(rules: Rules, describer: Describer) -> list[str]:
    """Describe the players that leave the game, then the ends in the order of their tests."""
    left = ["The last one who is in the game wins."] if rules.outs else []
    outs = [
        _remarked("out", n, _out(end, describer), describer) for n, end in enumerate(rules.outs)
    ]
    ends = enumerate(rules.ends)
    return [
        *outs,
        *left,
        *(_remarked("end", n, _end(e, rules, describer), describer) for n, e in ends),
    ]


def _remarked(section: str, number: int, phrase: str, describer: Describer) -> str:
    """Return the own text of an end, or the generated one with the comment of the spec."""
    own = describer.remarks.own(section, str(number))
    return own or f"{phrase} {describer.remarks.comment(section, str(number))}".strip()


def each_end(ends: Iterable[End], describer: Describer) -> list[str]:
    """Return a sentence for each end."""
    return [_end(end, describer.rules, describer) + _CLAIMED * end.claim for end in ends]


def end_heading(rules: Rules, phrases: Sequence[str]) -> list[str]:
    """Return the introduction to the ends if they mention “you” and there are other players."""
    if len(rules.players) == 1 or not any(_YOU.search(text) for text in phrases):
        return []
    if is_always_together(rules):
        return [f"{_CHECKED_IN_ROUNDS}:"]
    others = "the opponent" if len(rules.players) == _PAIR else "each other player in turn"
    return [f"{_CHECKED}, then for {others}:"]


def _out(end: End, describer: Describer) -> str:
    """Describe the condition under which a player leaves the game while the others continue."""
    assert end.side is not None
    phrase = describer.names.person(end.side).verb("leave")
    when = describer.clause(end.when, {})
    return sentence(f"{phrase} the game{_reason(end, when)}, which goes on, {when}")


def _reason(end: End, when: str) -> str:
    """Return the reason as it is shown at the end of a game, unless it repeats the condition.

    Without a reason of its own an end has its expression as the reason.
    """
    repeats = end.reason.lower() in when.lower() or _EXPRESSION.search(end.reason)
    return f" (“{end.reason}”)" if end.reason and not repeats else ""


def _end(end: End, rules: Rules, describer: Describer) -> str:
    when = describer.clause(end.when, {})
    reason = _reason(end, when)
    result = _OTHER.get(end.result, end.result) if rules.misere else end.result
    if end.result == "draw" and end.claim:
        return sentence(f"A player may claim a draw{reason} {when}")
    if end.result == "draw":
        return sentence(f"The game is drawn{reason} {when}")
    if end.pays is not None:
        return f"{sentence(f'The game ends{reason} {when}')} {_paid(end.pays, rules, describer)}"
    if end.result in ("highest", "lowest"):
        scored = sentence(_by_score(rules, result))
        return f"{sentence(f'The game ends{reason} {when}')} {scored}"
    assert end.side is not None
    person = describer.names.person(end.side)
    claimed = ", if a player claims it," if end.claim else ""
    if person.subject == MOVER.subject:
        when = _THE_MOVER.sub("they have", when).replace(MOVER.possessive, THEY.possessive)
    lost = "win" if result == "wins" else "lose"
    many = len(rules.players) > _PAIR
    no_winner = ", and nobody wins," if many and result == "loses" else ""
    return sentence(f"{person.verb(lost)}{no_winner}{reason}{claimed} {when}")


_THE_MOVER = re.compile(f"{MOVER.subject} has")


def _paid(pays: Op, rules: Rules, describer: Describer) -> str:
    """Describe the payoffs of an end."""
    paid = sentence(f"You get {describer.value(pays, {})}")
    if len(rules.players) == 1:
        return paid
    return f"{paid} Each player is paid in this way; the player who gets most wins."


def _by_score(rules: Rules, result: str) -> str:
    if len(rules.players) == 1:
        return "your score is your result"
    if rules.misere and len(rules.players) > _PAIR:
        return "nobody wins"
    return f"the {result} score wins; equal scores are a draw"


_FURTHEST = MappingProxyType(
    {
        ("least", "screen_row"): "furthest up",
        ("most", "screen_row"): "furthest down",
        ("least", "screen_column"): "furthest to the left",
        ("most", "screen_column"): "furthest to the right",
    }
)


def keep_sentences(rules: Rules, describer: Describer) -> list[str]:
    """Describe the selection of the legal moves among the possible ones."""
    if not rules.keep:
        return []
    if own := describer.remarks.own("rules", "keep"):
        return [own]
    keys = [key for key in rules.keep if isinstance(key, Key)]
    phrase = "; of those that are left, those ".join(_key(key, describer) for key in keys)
    sentences = [f"Of all these moves, only those {phrase} are legal."] if keys else []
    if len(keys) < len(rules.keep):
        sentences.append("Moves that lead to the same position count as one.")
    return [*sentences, *filter(None, [describer.remarks.comment("rules", "keep")])]


def strategy_sentences(strategy: Strategy, describer: Describer) -> list[str]:
    """Describe the keys of a strategy in order."""
    looked = [] if strategy.search is None else [_search_sentence(strategy.search)]
    keys = [f"Keep the moves {_key(key, describer)}." for key in strategy.keys]
    return [*looked, *keys]


def _search_sentence(search: LookAhead) -> str:
    """Describe the look-ahead of a strategy; a depth given by a parameter is omitted."""
    limits = [f"for {search.seconds} seconds"] if search.seconds else []
    for op, unit in (
        (search.plies, "plies deep"),
        (search.nodes, "positions far"),
        (search.playouts, "random games far"),
    ):
        if op is not None:
            limits.append(f"{op.value} {unit}" if is_constant(op) else f"some {unit}")
    return f"Look ahead {' or '.join(limits)}, and keep the best moves."


def _key(key: Key, describer: Describer) -> str:
    """Describe the moves that a key selects, to follow `the moves`."""
    scope = {"from": "the cell where the move begins", "to": "the cell where the move ends"}
    value = key.value
    if (key.order, value.name) in _FURTHEST and value.args[0].value == "to":
        return f"that end {_FURTHEST[key.order, value.name]}"
    if key.order == "most" and (tests := _preferred(value)):
        return "for which " + "; failing that, those for which ".join(
            describer.condition(test, scope) for test in tests
        ) + "; failing that, all"  # fmt: skip
    if has_role(value, "size") and value.args[0].value == "captured":
        most = "most" if key.order == "most" else "fewest"
        return f"that capture the {most} {describer.names.pieces()}"
    if has_role(value, "size"):
        many = describer.noun(value.args[0], scope).many
        return f"with the {'most' if key.order == 'most' else 'fewest'} {many}"
    order = "greatest" if key.order == "most" else "least"
    return f"with the {order} value of {describer.text(value, scope)}"


def _preferred(value: Op) -> list[Op]:
    """Return the conditions of `prefer … else …`, which is encoded as numbers down to 0."""
    tests = []
    while is_conditional(value) and is_constant(value.args[1]):
        tests.append(value.args[0])
        value = value.args[2]
    return tests if is_constant(value, 0) else []
