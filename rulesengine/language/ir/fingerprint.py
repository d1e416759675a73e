"""The canonical text of rules, independent of how and where the spec is written."""

from typing import Any

from rulesengine.language.ir.ops import OPS, Op
from rulesengine.language.ir.rules import Drawing, Rules, Site
from rulesengine.language.ir.text import show
from rulesengine.support.frozen import names_of, replace

_NOWHERE = Site("", 0, 0, "")


def rules_text(rules: Rules) -> str:
    """Return the text of the parts of the rules that moves and results depend on.

    The location of the spec, its comments and layout, drawing, pictures, strategies, evaluation,
    formats and script are left out.
    """
    return search_text(replace(rules, strategies=(), evaluation=None, playouts=""))


def search_text(rules: Rules) -> str:
    """Return the text of the parts of the rules that searches depend on.

    In addition to the rules of `rules_text` it has the evaluation and the strategy of playouts.
    """
    bare = replace(
        rules,
        drawing=Drawing("", "", "", ""),
        strategies=tuple(one for one in rules.strategies if one.name == rules.playouts),
        script=(),
        look=None,
        definitions=(),
        texts=(),
        formats=(),
    )
    return show(_without_sites(bare))


def play_text(rules: Rules) -> str:
    """Return the text of `search_text` without the name of the game.

    Trials, levels and calibrations of bundled games belong to it, so that a copy of a game under
    another name has them too. See decision 198.
    """
    return search_text(renamed(rules, ""))


def renamed(rules: Rules, name: str) -> Rules:
    """Return the rules under another name of the game, which no move or result depends on."""
    return replace(rules, name=name)


def _without_sites(rules: Rules) -> Rules:
    """Return the rules without source locations."""
    seen: dict[int, Op] = {}

    def without(value: Any) -> Any:
        if isinstance(value, Site):
            return _NOWHERE
        if isinstance(value, Op):
            if id(value) not in seen:
                seen[id(value)] = replace(
                    value, args=without(value.args), value=_placeless_value(value)
                )
            return seen[id(value)]
        if isinstance(value, tuple):
            return tuple(without(v) for v in value)
        if names := names_of(value):
            return replace(value, **{n: without(getattr(value, n)) for n in names})
        return value

    return replace(without(rules), sites=())  # type: ignore[no-any-return]


def _placeless_value(op: Op) -> Any:
    """Return the value of an operation without the number of a site."""
    row = OPS[op.name].value
    if row == "site":
        return None
    return op.value[0] if row.endswith("and site") and isinstance(op.value, tuple) else op.value
