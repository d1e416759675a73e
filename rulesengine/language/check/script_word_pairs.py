"""Words that a script reads, with their meanings: `"B" black, "W" white`."""

import re

from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import get, text
from rulesengine.language.check.suggestions import declared
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.script import Line
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.source import Span

Values = tuple[n.Node | None, ...]


def sides(context: Context, values: Values) -> tuple[str, ...]:
    """Return pairs of the word that is read and the number of the side."""
    pairs = _pairs(values)
    if not pairs:
        return tuple(x for i, p in enumerate(context.players) for x in (p.name, str(i)))
    out: list[str] = []
    for word, node in pairs:
        side = context.side_named(node.word) if isinstance(node, n.Name) else None
        if side is None:
            names = [p.name for p in context.players]
            help = did_you_mean(node.span.text, names) or "the players are " + ", ".join(names)
            message = f"no player `{node.span.text}`"
            context.report("unknown-name", node.span, message, help)
        else:
            out += [word, str(side.value)]
    return tuple(out)


def parameter(context: Context, line: Line) -> tuple[str, ...]:
    """Return the parameter's name, then pairs of the word that is read and the value."""
    word = line.words[0]
    parameter = context.parameters.get(word)
    if parameter is None:
        _no_parameter(context, line)
        return line.words
    context.used.add(word)
    pairs = _pairs(line.values)
    out = [word]
    for read, node in pairs:
        value = node.value if isinstance(node, n.Number) else getattr(node, "word", "")
        if parameter.choices and value not in parameter.choices:
            _no_choice(context, word, node, [str(c) for c in parameter.choices], pairs)
        out += [read, str(value)]
    if not pairs:
        out += [x for c in parameter.choices for x in (str(c), str(c))]
    return tuple(out)


def alphabet(context: Context, node: n.Node | None) -> tuple[str, ...]:
    """Return pairs of the symbol that is read and the number of its plane, -1 for an empty cell."""
    if not isinstance(node, n.Listing):
        return ()
    out: dict[str, str] = {}
    for symbol, piece in _pairs((node,)):
        if len(symbol) != 1:
            help = Suggestion("a symbol is one character", f'"{symbol[:1] or "x"}"')
            message = f"expected one character, found {len(symbol)}"
            context.report("type-mismatch", _text_before(piece, node), message, help)
        elif symbol in out:
            message = f"`{symbol}` is used for two pieces"
            own = _own_symbol(context, _plane(context, piece))
            help = Suggestion(f"give each a symbol of its own, such as `{own}`", f'"{own}"')
            context.report("symbol-taken", _text_before(piece, node), message, help)
        out[symbol] = str(_plane(context, piece))
    return tuple(x for pair in out.items() for x in pair)


def _text_before(piece: n.Node, node: n.Listing) -> Span:
    """Return the span of the text for a piece."""
    (item,) = (i for i in node.items if isinstance(i, n.Listing) and i.items[1] is piece)
    return item.items[0].span


def _plane(context: Context, piece: n.Node) -> int:
    """Return the plane of `empty`, `white`, `disc of white` or `disc of neutral`."""
    sides = [*(p.name for p in context.players), "neutral"]
    kinds = {kind.name: kind.symbols for kind in context.kinds}
    fitting = [(k, s) for k, has in kinds.items() for i, s in enumerate(sides) if has[i]]
    words = piece.span.text.split()
    if words == ["empty"]:
        return -1
    matches = [(k, s) for k, s in fitting if words in ([k, "of", s], [s], [k])]
    if len(matches) == 1:
        return list(kinds).index(matches[0][0]) * len(sides) + sides.index(matches[0][1])
    choices = [f"{k} of {s}" for k, s in matches or fitting]
    shown = " ".join(words)
    help = did_you_mean(shown, [*sides, *choices]) or "write " + " or ".join(choices[:6])
    help = Suggestion(help, choices[0]) if matches and not isinstance(help, Suggestion) else help
    message = f"`{shown}` is several pieces" if matches else f"no piece `{shown}`"
    context.report("unknown-name", piece.span, message, help)
    return -1


def _own_symbol(context: Context, plane: int) -> str:
    """Return the spec's symbol for the pieces of a plane."""
    symbols = [symbol for kind in context.kinds for symbol in kind.symbols]
    return symbols[plane] if plane >= 0 else "."


def sizes(context: Context, line: Line) -> tuple[str, str]:
    """Return the parameters for the numbers of rows and columns; empty for a fixed number."""
    board = context.root.get("board") if context.root else None
    shape = text(get(board, "shape"), "rectangle")
    texts = [text(get(board, key)) for key in ("rows", "columns")]
    names = [name for name in texts if name in context.parameters]
    context.used |= set(names)
    fixed = all(name in names or name.isdigit() for name in texts)
    if shape not in ("rectangle", "rhombus") or not names or not fixed:
        message = "the size of this board cannot be read"
        help = "`rows` and `columns` are no parameters: read one of the size that there is"
        words = re.match("read board( to blank line)", line.span.text)
        if words:
            start = line.span.start
            place = Span(line.span.source, start + words.start(1), start + words.end(1))
            help = Suggestion(help, "", place)
        context.report("not-here", line.span, message, help)
    rows, columns = (name if name in names else "" for name in texts)
    return rows, columns


def _no_parameter(context: Context, line: Line) -> None:
    word = line.words[0]
    entry = f"{word}: {{type: integer, default: 1}}"
    help = did_you_mean(word, list(context.parameters))
    help = help or declared(context, "parameters", entry, f"declare it: `parameters: {{{entry}}}`")
    context.report("unknown-name", line.places[0], f"no parameter `{word}`", help)


def _no_choice(
    context: Context, word: str, node: n.Node, choices: list[str], pairs: list[tuple[str, n.Node]]
) -> None:
    """Report a value that the parameter does not have; suggest the only unused one."""
    words = [pair.span.text for _, pair in pairs]
    left = [choice for choice in choices if choice not in words]
    help = did_you_mean(node.span.text, choices) or "its values are " + ", ".join(choices)
    help = (
        Suggestion(help, left[0]) if len(left) == 1 and not isinstance(help, Suggestion) else help
    )
    message = f"`{word}` has no value `{node.span.text[:40]}`"
    context.report("not-allowed-value", node.span, message, help)


def _pairs(values: Values) -> list[tuple[str, n.Node]]:
    if not values or not isinstance(values[0], n.Listing):
        return []
    pairs = []
    for item in values[0].items:
        assert isinstance(item, n.Listing)
        word = item.items[0]
        assert isinstance(word, n.Text)
        pairs.append(("".join(p for p in word.parts if isinstance(p, str)), item.items[1]))
    return pairs
