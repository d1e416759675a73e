"""The sections of a spec that declare names: parameters, players, pieces, registers, board."""

import unicodedata
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, cast

from rulesengine.language.check.board_form import is_drawing
from rulesengine.language.check.builtins import FUNCTIONS, NAMES, OTHER_FORMS, REPLACEABLE
from rulesengine.language.check.context import Context, Definition, ExpressionContext, NamedEffect
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.reader import Reader, entries, get, integer, items, text
from rulesengine.language.check.seats import PLAYER_KEYS
from rulesengine.language.check.suggestions import new_name, with_key
from rulesengine.language.check.tiles import tile_of
from rulesengine.language.check.tracks import Tracks
from rulesengine.language.document.edits import without_entry, without_item
from rulesengine.language.document.nodes import Mapping, Node, Scalar, Sequence
from rulesengine.language.ir.drawn_sets import parts_of, rows_of
from rulesengine.language.ir.ops import Op, Type, literal
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import (
    OUT,
    Drawing,
    Kind,
    Limit,
    Notation,
    Parameter,
    Player,
    Register,
)
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.vocabulary import EFFECTS, RESERVED
from rulesengine.support.diagnostic import Note, Suggestion, did_you_mean
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN, MAX_CELL_VALUES, MAX_SHOWN_NAME
from rulesengine.support.source import Span

NOT_NAMES = RESERVED | frozenset(
    "to from direction choice it all label neutral most least highest lowest draw".split()
)
_KEPT_PARAMETERS = frozenset({"engine", "state", "seed", "transforms"})
_REGISTER_TYPES = ("number", "flag", "cell", "cells", "direction", "side", "kind")
# The keys of a kind other than its owners: its attributes, its limit for each owner, its values,
# and the cells that it covers.
_ATTRIBUTES, _AT_MOST, _VALUES, _TILE = "is", "at_most", "values", "tile"
_KEYS_OF_KINDS = MappingProxyType(
    {
        _ATTRIBUTES: "gives kinds of piece their attributes",
        _AT_MOST: "says how many of a kind of piece there can be",
        _VALUES: "has the values of a kind of piece",
        _TILE: "has the cells that a kind of piece covers",
    }
)
Each = Literal["", "player", "cell", "kind", "player kind"]
Seen = Literal["", "all", "own", "nobody"]
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Declarations:
    """A reader of the declaring sections of a document into a context."""

    def __init__(self, context: Context, reader: Reader) -> None:
        self.context = context
        self.reader = reader
        self.expressions = ExpressionChecker(context)
        self.tracks = Tracks(context)
        self._declared: dict[str, Span] = {}
        self._attribute_spans: dict[str, Span] = {}
        # The values of kinds by name, then by the number of the kind.
        self._values: dict[str, dict[int, n.Node]] = {}

    def read(self, root: Mapping) -> None:
        self._check_label(root.get("name"))
        self._players(root.get("players"))
        self._parameters(root.get("parameters"))
        self._pieces(root.get("pieces"))
        self._registers(root.get("registers"))
        self.tracks.read(root.get("tracks"), self._take)
        if any(get(item, "out") is not None for item in items(get(root.get("rules"), "end"))):
            self._departures(root.get("rules"))
        for section in ("regions", "directions"):
            for key, span, value in entries(root.get(section)):
                if section == "regions" and is_drawing(value):
                    self._declare_drawn(key, span, value)
                else:
                    self._definition(key, span, value, self.context.named, section == "directions")
        for key, span, value in entries(root.get("define")):
            self._definition(key, span, value, self.context.definitions)
        for key, span, value in entries(root.get("effects")):
            self._effect(key, span, value)
        self._attributes(root.get("players"))

    def _take(self, name: str, span: Span) -> bool:
        """Claim a name; report one that already has a meaning."""
        if name in NOT_NAMES or name in NAMES:
            message = f"`{name}` is a word of the language"
            self.context.report("name-taken", span, message, help=new_name(name))
            self.context.broken.add(name)
            return False
        if name in self._declared:
            note = Note(self._declared[name], "the first one")
            message = f"`{name}` is declared twice"
            self.context.report("name-taken", span, message, new_name(name), notes=(note,))
            return False
        self._declared[name] = span
        return True

    def _players(self, node: Node | None) -> None:
        players: list[Player] = []
        if isinstance(node, Mapping):
            for key, span, value in entries(node):
                self._take_player(key, span)
                self._check_label(get(value, "label"))
                players.append(Player(key, text(get(value, "label"), key)))
        else:
            # One text in place of the list that the schema requires is read, to know the names.
            for item in items(node):
                for name in text(item).replace(",", " ").split():
                    self._take_player(name, item.span)
                    players.append(Player(name, name))
        self.context.players = tuple(players)

    def _take_player(self, name: str, span: Span) -> None:
        if name in _KEYS_OF_KINDS:
            message = f"`{name}` {_KEYS_OF_KINDS[name]}"
            self.context.report("name-taken", span, message, new_name(name))
        self._take(name, span)

    def _check_label(self, node: Node | None) -> None:
        """Report a display name that is too long, not printable or not normalised."""
        name = text(node)
        fits = len(name) <= MAX_SHOWN_NAME and name.isprintable()
        if node is not None and not (fits and unicodedata.is_normalized("NFC", name)):
            message = f"expected at most {MAX_SHOWN_NAME} printable characters in Unicode's NFC"
            self.context.report("not-allowed-value", node.span, message)

    def _attributes(self, node: Node | None) -> None:
        if not isinstance(node, Mapping):
            return
        rows = [(key, span, dict_of(value)) for key, span, value in entries(node)]
        names = dict.fromkeys(a for _, _, row in rows for a in row if a not in PLAYER_KEYS)
        for name in names:
            missing = [(key, span) for key, span, row in rows if name not in row]
            for key, span in missing:
                message = f"`{key}` has no `{name}`, another player has one"
                present = next(row[name][1] for _, _, row in rows if name in row)
                help = f"give every player `{name}`"
                if isinstance(present, Scalar):
                    help = with_key(get(node, key), f"{name}: {present.span.text}", help)
                self.context.report("missing-key", span, message, help)
            values = [self.reader.parse(row[name][1]) for _, _, row in rows if name in row]
            first = next(row[name][0] for _, _, row in rows if name in row)
            good = tuple(v for v in values if v is not None)
            if self._take(name, first) and len(good) == len(rows):
                self.context.attributes[name] = good
            else:
                self.context.broken.add(name)

    def _parameters(self, node: Node | None) -> None:
        for name, span, value in entries(node):
            if name in _KEPT_PARAMETERS:
                message = f"`{name}` may not be the name of a parameter"
                self.context.report("name-taken", span, message, help=new_name(name))
            elif self._take(name, span):
                self.context.parameters[name] = self._parameter(name, value)

    def _parameter(self, name: str, node: Node) -> Parameter:
        default = get(node, "default")
        kind = text(get(node, "type"), "integer")
        if get(node, "choices") is not None:
            return self._choice(name, node)
        if kind == "flag":
            on = isinstance(default, Scalar) and default.value is True
            return Parameter(name, "flag", (), 0, 1, 1, int(on))
        low = integer(get(node, "from"), INTEGER_MIN)
        high, step = integer(get(node, "to"), INTEGER_MAX), max(1, integer(get(node, "step"), 1))
        value = integer(default, low)
        if self._no_range(name, node, low, high):
            return Parameter(name, "number", (), value, value, 1, value)
        if default is not None and not (low <= value <= high and (value - low) % step == 0):
            message = f"the default {value} is not among the values of `{name}`"
            help = f"it goes from {low} to {high}" + (f" in steps of {step}" if step > 1 else "")
            near = max(low, min(high, value))
            if low <= high:
                help = Suggestion(help, str(near - (near - low) % step))
            self.context.report("not-allowed-value", default.span, message, help)
        return Parameter(name, "number", (), low, high, step, value)

    def _no_range(self, name: str, node: Node, low: int, high: int) -> bool:
        """Report an empty range, and steps without a lower bound."""
        top, step = get(node, "to"), get(node, "step")
        if low > high and top is not None:
            message = f"`{name}` goes from {low} to {high}, which is no value at all"
            help = _exchanged(get(node, "from"), top, "give `from` the smaller number")
            self.context.report("bad-range", top.span, message, help)
        elif integer(step, 1) > 1 and step is not None and get(node, "from") is None:
            message = "the steps count from `from`, which is missing"
            help = with_key(node, "from: 0", "add the least value, `from: 0`")
            self.context.report("bad-range", step.span, message, help)
        else:
            return False
        return True

    def _choice(self, name: str, node: Node) -> Parameter:
        choices = tuple(_choice_value(item) for item in items(get(node, "choices")))
        self._check_choices(get(node, "choices"), choices)
        default = get(node, "default")
        value = _choice_value(default) if default else (choices[0] if choices else 0)
        if default is not None and value not in choices:
            message = f"the default `{value}` is not among the choices"
            help = did_you_mean(str(value), [str(c) for c in choices])
            help = help or "the choices are " + ", ".join(f"`{c}`" for c in choices)
            self.context.report("not-allowed-value", default.span, message, help)
        names = {p.name for p in self.context.players}
        type: Type = "text"
        if all(isinstance(c, int) for c in choices):
            type = "number"
        elif all(c in names for c in choices):
            type = "side"
        return Parameter(name, type, choices, 0, 0, 1, value)

    def _check_choices(self, node: Node | None, choices: tuple[int | str, ...]) -> None:
        """Report duplicate choices, and numbers mixed with words."""
        nodes = items(node)
        for number, (item, choice) in enumerate(zip(nodes, choices, strict=True)):
            first = choices.index(choice)
            if first < number:
                notes = (Note(nodes[first].span, "the first one"),)
                message = f"the choice `{choice}` occurs here twice"
                help = _left_out(node, item)
                self.context.report("bad-range", item.span, message, help, notes=notes)
            elif type(choice) is not type(choices[0]):
                message = "the choices are all numbers or all words"
                help = f"`{choices[0]}` is {'a word' if isinstance(choice, int) else 'a number'}"
                self.context.report("bad-range", item.span, message, help)

    def _pieces(self, node: Node | None) -> None:
        kinds: list[Kind] = []
        owners = [p.name for p in self.context.players] + ["neutral"]
        symbols: dict[str, Span] = {}
        for name, span, value in entries(node):
            pieces = dict_of(value) if name != "empty" else {"": (span, value)}
            words, most, more, cells = (pieces.pop(key, None) for key in _KEYS_OF_KINDS)
            for owner, (owner_span, symbol) in pieces.items():
                self._symbol(text(symbol), symbol.span, symbols, owner + name)
                if owner and owner.lower() not in [known.lower() for known in owners]:
                    free = [o for o in owners[:-1] if o not in pieces]
                    others = "; `is`, `at_most`, `values` and `tile` say more of a kind"
                    help = did_you_mean(owner, [*owners, *_KEYS_OF_KINDS])
                    help = help or "the owners are " + ", ".join(owners) + others
                    help = help if len(free) != 1 else Suggestion(help, free[0])
                    message = f"no player `{owner}`"
                    self.context.report("unknown-name", owner_span, message, help)
            if name != "empty" and self._take(name, span):
                shown = tuple(text(pieces[o][1]) if o in pieces else "" for o in owners)
                attributes = self._kinds_that_are(words, len(kinds))
                self._values_of_kind(more, len(kinds))
                covered = tile_of(cells, self.context)
                if cells is not None and not covered:
                    self.context.broken.add(name)
                kinds.append(Kind(name, shown, attributes, self._limit(most), covered))
        self.context.kinds = tuple(kinds)
        self._kind_values()
        for word in self.context.kinds_by_attribute:
            self._take(word, self._attribute_spans[word])

    def _kinds_that_are(self, words: tuple[Span, Node] | None, kind: int) -> tuple[str, ...]:
        """Record the attributes of a kind."""
        attributes = {text(item): item.span for item in (items(words[1]) if words else ())}
        for word, span in attributes.items():
            known = self.context.kinds_by_attribute.get(word, ())
            self.context.kinds_by_attribute[word] = (*known, kind)
            self._attribute_spans.setdefault(word, span)
        return tuple(attributes)

    def _values_of_kind(self, value: tuple[Span, Node] | None, kind: int) -> None:
        """Parse the values of a kind."""
        for name, span, node in entries(value[1]) if value else ():
            parsed = self.reader.parse(node)
            self._values.setdefault(name, {})
            self.context.kind_value_spans.setdefault(name, span)
            if parsed is not None:
                self._values[name][kind] = parsed

    def _kind_values(self) -> None:
        """Declare the values of kinds, which are known once all kinds are."""
        for name, value in self._values.items():
            if self._take(name, self.context.kind_value_spans[name]) and value:
                kinds = range(len(self.context.kinds))
                self.context.kind_values[name] = tuple(map(value.get, kinds))
            else:
                self.context.broken.add(name)

    def _limit(self, limit: tuple[Span, Node] | None) -> Limit | None:
        """Check the limit of a kind for each owner, over numbers and parameters."""
        expression = self.reader.parse(limit[1]) if limit and isinstance(limit[1], Scalar) else None
        if limit is None or expression is None:
            return None
        number = self.expressions.check(expression, ExpressionContext("pieces"), "number")
        return Limit(number, self.context.site(limit[0].to(limit[1].span)))

    def _symbol(self, symbol: str, span: Span, symbols: dict[str, Span], hint: str) -> None:
        if symbol in symbols:
            note = Note(symbols[symbol], "the first one")
            message = f"the symbol `{symbol}` is used for two pieces"
            free = next(c for c in (*hint, *hint.upper(), *_LETTERS) if c not in symbols)
            help = Suggestion(f"give each piece a symbol of its own, such as `{free}`", free)
            self.context.report("symbol-taken", span, message, help, notes=(note,))
        symbols[symbol] = span

    def _registers(self, node: Node | None) -> None:
        for name, span, value in entries(node):
            if not self._take(name, span):
                continue
            type_name = text(get(value, "type"), "number")
            type = cast(Type, type_name if type_name in _REGISTER_TYPES else "number")
            low, high = (
                self._bound(value, "from", INTEGER_MIN),
                self._bound(value, "to", INTEGER_MAX),
            )
            blank = self._blank(type, low)
            lives = cast(Literal["game", "turn", "move"], text(get(value, "lives"), "game"))
            each = cast(Each, " ".join(sorted(map(text, items(get(value, "each"))), reverse=True)))
            shared = get(value, "compared")
            compared = isinstance(shared, Scalar) and shared.value is True
            visibility = cast(Seen, text(get(value, "seen")))
            register = Register(name, type, low, high, blank, each, lives, compared, visibility)
            if each == "cell" and self._cannot_be_at_cells(register, span, value):
                register = Register(name, "number", 0, 1, literal("number", 0), each, lives)
            self.context.registers[name] = register

    def _cannot_be_at_cells(self, register: Register, span: Span, node: Node) -> bool:
        """Report a register at each cell that is not a number, or has no bounds."""
        if register.type != "number":
            type_node = get(node, "type")
            message = f"only a number can be stored at each cell, found `{register.type}`"
            fix = Suggestion("write `number`, 0 to 1 for a flag", "number")
            self.context.report(
                "not-allowed-value", type_node.span if type_node else span, message, fix
            )
            return True
        if register.high - register.low >= MAX_CELL_VALUES:
            message = f"a number at each cell is one of {MAX_CELL_VALUES:,} at most"
            key = "to" if get(node, "to") is None else "from"
            help = with_key(node, f"{key}: 0" if key == "from" else "to: 48", "give its range")
            self.context.report("missing-key", span, message, help)
            return True
        return False

    def _departures(self, rules: Node | None) -> None:
        """Declare the register of departures: the number of the move, 0 if the player is in the
        game.
        """
        node = get(rules, "end")
        if node is not None and self._take(OUT, node.span):
            blank = literal("number", 0)
            register = Register(OUT, "number", 0, INTEGER_MAX, blank, "player", "game")
            self.context.registers[OUT] = register
            self.context.used.add(OUT)

    def _bound(self, node: Node, key: str, default: int) -> int:
        bound = get(node, key)
        if isinstance(bound, Scalar) and type(bound.value) is not int:
            message = f"expected an integer for `{key}`, found `{text(bound)[:40]}`"
            help = f"write an integer, or leave `{key}` out"
            entry = node.entry(key) if isinstance(node, Mapping) else None
            if isinstance(node, Mapping) and entry:
                where, write = without_entry(node, entry)
                help = Suggestion(help, write, where)
            self.context.report("wrong-type", bound.span, message, help)
        return integer(bound, default)

    def register_starts(self, node: Node | None) -> None:
        """Read the start values of the registers, which may name parts of the board."""
        for name, _, value in entries(node):
            start, register = (
                self.reader.parse(get(value, "start")),
                self.context.registers.get(name),
            )
            if start and register:
                op = self.expressions.check(start, ExpressionContext("start"), register.type)
                self._in_range(register, op, start.span)
                self.context.registers[name] = replace(register, start=op)

    def _in_range(self, register: Register, start: Op, span: Span) -> None:
        value = constant(start) if register.type == "number" else None
        if value is not None and not register.low <= value <= register.high:
            message = f"`{register.name}` starts at {value}"
            near = str(max(register.low, min(register.high, value)))
            help = Suggestion(f"it goes from {register.low} to {register.high}", near)
            self.context.report("bad-start", span, message, help)

    def _blank(self, type: Type, low: int) -> Op:
        if type == "cells":
            return Op("region", "cells", (), "nowhere")
        if type == "number":
            return literal("number", max(low, 0))
        return literal(type, 0 if type == "flag" else -1)

    def _definition(
        self, key: str, span: Span, value: Node, into: dict[str, Definition], leads: bool = False
    ) -> None:
        name, arguments = self.reader.head(key, span)
        body = self.reader.parse(value)
        if not name:
            return
        if name in FUNCTIONS.keys() - REPLACEABLE or name in OTHER_FORMS:
            message = f"`{name}` is a word of the language"
            self.context.report("name-taken", _only(span, name), message, new_name(name))
        elif self._take(name, _only(span, name)) and body is not None:
            into[name] = Definition(name, arguments, body, span, leads)
        else:
            self.context.broken.add(name)

    def _declare_drawn(self, key: str, span: Span, value: Node) -> None:
        """Declare a drawn region and its parts; they are validated later, with the board."""
        name, _ = self.reader.head(key, span)
        for part, rows in parts_of(name, rows_of(text(value))).items() if name else ():
            if self._take(part, span):
                self.context.drawn[part] = rows

    def _effect(self, key: str, span: Span, value: Node) -> None:
        """Declare a named effect; its name must not be that of a definition either."""
        name, arguments = self.reader.head(key, span)
        parsed = [self.reader.parse(item, "effect") for item in items(value)]
        body = tuple(node for node in parsed if node is not None)
        if name in EFFECTS:
            message = f"`{name}` is a word of the language"
            self.context.report("name-taken", _only(span, name), message, new_name(name))
        elif name and self._take(name, _only(span, name)) and len(body) == len(parsed):
            self.context.effects[name] = NamedEffect(name, arguments, body, span)
        elif name:
            self.context.broken.add(name)


def _only(span: Span, name: str) -> Span:
    """Return the span of the name of a definition, without its arguments."""
    at = span.start + max(0, span.text.find(name))
    return Span(span.source, at, at + len(name))


def notation(node: Node | None) -> Notation:
    fields = {"rows": "numbers", "columns": "letters", "cell": "{column}{row}", "place": "{to}"}
    fields |= {"move": "{from}-{to}", "capture": "{from}x{to}", "pass": "pass", "swap": "swap"}
    texts = {key: text(get(node, key), default) for key, default in fields.items()}
    texts["pass_"] = texts.pop("pass")
    words = tuple((key, text(word)) for key, _, word in entries(get(node, "directions")))
    return Notation(**texts, directions=words)


def drawing(node: Node | None) -> Drawing:
    fields = {"top": "", "row": "{cells}", "bottom": "", "gap": "", "cell": "{symbol}"}
    fields["hole"] = " "
    return Drawing(**{key: text(get(node, key), default) for key, default in fields.items()})


def _exchanged(low: Node | None, high: Node, help: str) -> str:
    """Suggest to exchange two values, if they are in this order in one text."""
    if low is None or low.span.source != high.span.source or low.span.start > high.span.start:
        return help
    between = low.span.source.text[low.span.end : high.span.start]
    return Suggestion(help, f"{high.span.text}{between}{low.span.text}", low.span.to(high.span))


def _left_out(node: Node | None, item: Node) -> str:
    """Suggest to remove an item from a list."""
    if not isinstance(node, Sequence):
        return ""
    span, write = without_item(node, item)
    return Suggestion("leave it out", write, span)


def dict_of(node: Node | None) -> dict[str, tuple[Span, Node]]:
    return {key: (span, value) for key, span, value in entries(node)}


def _choice_value(node: Node) -> int | str:
    value = node.value if isinstance(node, Scalar) else 0
    return value if type(value) is int else text(node)
