"""Words that a script reads, each with what it means: `"B" black, "W" white`."""

from rulesengine.check.context import Context
from rulesengine.check.mends import declared
from rulesengine.diagnostic import Mend, did_you_mean
from rulesengine.syntax import nodes as n
from rulesengine.syntax.script import Line

Values = tuple[n.Node | None, ...]


def sides(context: Context, values: Values) -> tuple[str, ...]:
    """Pairs of the word that is read and the number of the side."""
    pairs = _pairs(values)
    if not pairs:
        return tuple(x for i, p in enumerate(context.players) for x in (p.name, str(i)))
    out: list[str] = []
    for text, node in pairs:
        side = context.side_named(node.word) if isinstance(node, n.Name) else None
        if side is None:
            names = [p.name for p in context.players]
            help = did_you_mean(node.span.text, names) or "the players are " + ", ".join(names)
            message = f"no player `{node.span.text}`"
            context.report("unknown-name", node.span, message, help)
        else:
            out += [text, str(side.value)]
    return tuple(out)


def parameter(context: Context, line: Line) -> tuple[str, ...]:
    """The parameter's name, then pairs of the word that is read and the value."""
    word = line.words[0]
    parameter = context.parameters.get(word)
    if parameter is None:
        _no_parameter(context, line)
        return line.words
    context.used.add(word)
    pairs = _pairs(line.values)
    out = [word]
    for text, node in pairs:
        value = node.value if isinstance(node, n.Number) else getattr(node, "word", "")
        if parameter.choices and value not in parameter.choices:
            _no_choice(context, word, node, [str(c) for c in parameter.choices], pairs)
        out += [text, str(value)]
    if not pairs:
        out += [x for c in parameter.choices for x in (str(c), str(c))]
    return tuple(out)


def _no_parameter(context: Context, line: Line) -> None:
    word = line.words[0]
    entry = f"{word}: {{type: integer, default: 1}}"
    help = did_you_mean(word, list(context.parameters))
    help = help or declared(context, "parameters", entry, f"declare it: `parameters: {{{entry}}}`")
    context.report("unknown-name", line.places[0], f"no parameter `{word}`", help)


def _no_choice(
    context: Context, word: str, node: n.Node, choices: list[str], pairs: list[tuple[str, n.Node]]
) -> None:
    """Report a value that the parameter does not have; the one that is left is offered."""
    given = [pair.span.text for _, pair in pairs]
    left = [choice for choice in choices if choice not in given]
    help = did_you_mean(node.span.text, choices) or "its values are " + ", ".join(choices)
    help = Mend(help, left[0]) if len(left) == 1 and not isinstance(help, Mend) else help
    message = f"`{word}` has no value `{node.span.text[:40]}`"
    context.report("not-allowed-value", node.span, message, help)


def _pairs(values: Values) -> list[tuple[str, n.Node]]:
    if not values or not isinstance(values[0], n.Listing):
        return []
    pairs = []
    for item in values[0].items:
        assert isinstance(item, n.Listing)
        text = item.items[0]
        assert isinstance(text, n.Text)
        pairs.append(("".join(p for p in text.parts if isinstance(p, str)), item.items[1]))
    return pairs
