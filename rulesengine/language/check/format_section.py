"""The section `formats`: notations of positions, moves and games that other programs use.

See decision 107. A format is a row of `FORMATS`: its keys, each with the reader of its value.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter, itemgetter
from types import MappingProxyType
from typing import Any, Final

from rulesengine.language.check.context import Context, is_error
from rulesengine.language.check.expressions import ExpressionChecker
from rulesengine.language.check.move_templates import NotationChecker
from rulesengine.language.check.moves import DIRECTION, FROM, TO, view
from rulesengine.language.check.reader import Reader, entries, get, items, text
from rulesengine.language.document.nodes import Mapping as MappingNode
from rulesengine.language.document.nodes import Node
from rulesengine.language.ir.ops import Op, Type
from rulesengine.language.ir.rules import FormatOptions, Group, Rules, Template
from rulesengine.support.diagnostic import did_you_mean
from rulesengine.support.source import Source, Span

Words = tuple[str, ...]
REFUSE = "refuse"
_HANDS = ("pocket", "hand")  # fields of pieces that are not on the board
_UNFIT: Final = object()  # the value of an inherited key that does not fit a variant
_STEP: Mapping[str, Op] = MappingProxyType({"from": FROM, "to": TO, "direction": DIRECTION})
_NO_STEP: Mapping[str, Op] = MappingProxyType({})


class FormatSection:
    """A reader of the section, used once; `rules` are those so far, `source` is the spec's text."""

    def __init__(
        self,
        context: Context,
        reader: Reader,
        expressions: ExpressionChecker,
        rules: Rules,
        source: Source,
    ) -> None:
        self._context = context
        self._reader = reader
        self._expressions = expressions
        self._rules = rules
        self._source = source
        self._writings = NotationChecker(context, expressions)

    def check(self, node: Node | None) -> tuple[FormatOptions, ...]:
        """Check the section; return a row for each format that it declares.

        Rows and keys are sorted, since their order in the spec has no meaning. A key that a variant
        inherits is left out if it does not fit the variant.
        """
        formats = []
        for name, _, value in entries(node):
            if name == REFUSE:
                refusals = tuple(self._refusals(value))
                formats.append(FormatOptions(REFUSE, ((REFUSE, refusals),)))
                continue
            read = ((key, self._option(name, key, option)) for key, _, option in entries(value))
            options = ((key, option) for key, option in read if option is not _UNFIT)
            formats.append(FormatOptions(name, tuple(sorted(options, key=itemgetter(0)))))
        return tuple(sorted(formats, key=attrgetter("name")))

    def _option(self, name: str, key: str, node: Node) -> Any:
        """Return the value of a key; `_UNFIT` if it is inherited and does not fit."""
        before = len(self._context.findings)
        value = FORMATS[name][key](self, node)
        added = self._context.findings[before:]
        own = [finding for finding in added if finding.span.source == self._source]
        self._context.findings[before:] = own
        return value if len(own) == len(added) else _UNFIT

    # values of keys

    def words(self, node: Node) -> Words:
        """Return a text or a list of texts."""
        return tuple(map(text, items(node)))

    def pairs(self, node: Node) -> tuple[tuple[str, str], ...]:
        """Return a map from texts to texts."""
        return tuple((name, text(value)) for name, _, value in entries(node))

    def by_player(self, node: Node) -> tuple[tuple[str, Words], ...]:
        """Return a map from players to texts."""
        return tuple(
            (name, self.words(value)) for name, value in self._known(node, self._players, "player")
        )

    def by_kind(self, node: Node) -> tuple[tuple[str, tuple[tuple[str, Words], ...]], ...]:
        """Return a map from kinds to maps from players, or from an empty text, to texts."""
        return tuple(
            (name, self.by_player(value) if isinstance(value, MappingNode) else self._all(value))
            for name, value in self._known(node, self._kinds, "kind of piece")
        )

    def condition(self, node: Node) -> Op | None:
        """Return a condition on a position, for the side to move."""
        return self._value(node, "flag")

    def number(self, node: Node) -> Op | None:
        """Return a number that depends on a position, for the side to move."""
        return self._value(node, "number")

    def by_group(self, node: Node) -> tuple[tuple[str, Template], ...]:
        """Return a map from groups of moves to templates over the fields of their steps."""
        groups = {group.name: group for group in self._rules.groups if group.name}
        templates = []
        for name, value in self._known(node, tuple(groups), "group of moves"):
            written = self._writings.check(value, _step(groups.get(name)))
            templates += [(name, written.template)] if written else []
        return tuple(templates)

    def fields(self, node: Node) -> tuple[tuple[str, Any], ...]:
        """Return the fields of a position, each with its register and the letters of its cells.

        Letters are those of cells, and those of cells that depend on the position. The last part is
        the cell that is written after every move, if requested.
        """
        return tuple(self._field(item) for item in items(node))

    def region(self, node: Node) -> Op | None:
        """Return cells that depend on a position, for the side to move."""
        return self._value(node, "cells")

    def parameter(self, node: Node) -> Words:
        """Return the name of a parameter."""
        names = tuple(parameter.name for parameter in self._rules.parameters)
        self._is_known(text(node), node.span, names, "parameter")
        return (text(node),)

    def player(self, node: Node) -> Words:
        """Return the name of a player."""
        self._is_known(text(node), node.span, self._players, "player")
        return (text(node),)

    def tracks(self, node: Node) -> tuple[tuple[str, Words], ...]:
        """Return a map from players to names of tracks."""
        for _, value in self._known(node, self._players, "player"):
            names = tuple(self._context.tracks)
            self._is_known(text(value), value.span, names, "track")
        return tuple((name, self.words(value)) for name, _, value in entries(node))

    def numbers(self, node: Node) -> Words:
        """Return the name of a register with a number for each cell."""
        name, registers = text(node), self._context.registers
        names = tuple(own for own, one in registers.items() if one.each == "cell")
        self._is_known(name, node.span, names, "register of cells")
        return (name,)

    def kinds(self, node: Node) -> Words:
        """Return the names of kinds of piece."""
        for item in items(node):
            self._is_known(text(item), item.span, self._kinds, "kind of piece")
        return self.words(node)

    def register_names(self, node: Node) -> Words:
        """Return names of registers of numbers."""
        for item in items(node):
            self._is_register(text(item), item.span, "number")
        return self.words(node)

    # helpers

    def _value(self, node: Node, type: Type, step: Mapping[str, Op] = _NO_STEP) -> Op | None:
        parsed = self._reader.parse(node)
        op = self._expressions.check(parsed, view("evaluate", step), type) if parsed else None
        return None if op is None or is_error(op) else op

    def _field(self, node: Node) -> tuple[str, Any]:
        if not isinstance(node, MappingNode):
            return text(node), ()
        letters: tuple[Any, ...] = ()
        derived: tuple[tuple[str, Op], ...] = ()
        always: Op | None = None
        example: tuple[str, str] = ("", "")
        for key, span, value in entries(node):
            if key in ("letters", "order"):
                letters = self.kinds(value) if key == "order" else tuple(self._by_cell(value))
                continue
            if key == "derived":
                read = ((name, self.region(cells)) for name, _, cells in entries(value))
                derived = tuple((name, op) for name, op in read if op is not None)
                continue
            if key == "always":
                always = self._value(value, "cells", _STEP)
                continue
            if example[0]:
                self._context.report("not-here", span, "a field has one register")
            example = key, text(value)
            self._is_field_register(example[1], value.span, key)
        return example[0], (example[1], letters, derived, always)

    def _by_cell(self, node: Node) -> Iterator[tuple[str, Words]]:
        board = self._context.topology
        for name, span, value in entries(node):
            if board is not None and name not in board.names:
                help = did_you_mean(name, board.names)
                self._context.report("unknown-name", span, f"no cell `{name}`", help)
            yield name, self.words(value)

    def _is_field_register(self, name: str, span: Span, key: str) -> None:
        """Report a register that a field does not write."""
        registers = self._context.registers
        if key not in _HANDS or name not in registers:
            self._is_register(name, span, "number" if key in _HANDS else key)
        elif (registers[name].type, registers[name].each) != ("number", "player kind"):
            message = f"`{name}` has no number for each player and kind"
            self._context.report("type-mismatch", span, message)

    def _is_register(self, name: str, span: Span, type: str) -> None:
        registers = self._context.registers
        self._is_known(name, span, tuple(registers), "register")
        if name in registers and registers[name].type != type:
            message = f"`{name}` is a register of type {registers[name].type}, expected {type}"
            self._context.report("type-mismatch", span, message)
        elif name in registers and registers[name].each:
            message = f"`{name}` has a value for each {registers[name].each}: a field has one"
            self._context.report("type-mismatch", span, message)

    def _refusals(self, node: Node) -> Iterator[tuple[Op, str]]:
        for item in items(node):
            when = get(item, "when")
            op = self._refusal(when) if when is not None else None
            if op is not None:
                yield op, text(get(item, "reason"))

    def _refusal(self, node: Node) -> Op | None:
        """Return a condition; None if it is inherited and does not fit."""
        op = self._option(REFUSE, REFUSE, node)
        return None if op is _UNFIT else op

    def _all(self, node: Node) -> tuple[tuple[str, Words], ...]:
        return (("", self.words(node)),)

    @property
    def _kinds(self) -> Words:
        return tuple(kind.name for kind in self._context.kinds)

    @property
    def _players(self) -> Words:
        return tuple(player.name for player in self._context.players)

    def _known(self, node: Node, names: Words, subject: str) -> Iterator[tuple[str, Node]]:
        for name, span, value in entries(node):
            self._is_known(name, span, names, subject)
            yield name, value

    def _is_known(self, name: str, span: Span, names: Words, subject: str) -> None:
        if name not in names:
            help = did_you_mean(name, names) or "there is " + (", ".join(names) or "none")
            self._context.report("unknown-name", span, f"no {subject} `{name}`", help)


def _step(group: Group | None) -> Mapping[str, Op]:
    """Return the fields of the steps of a group: its cells, and a choice of kinds or numbers."""
    if group is None or not group.choice or group.choices:
        return _STEP
    return {**_STEP, "choice": Op("variable", group.choice[0].type, (), "choice")}


_Read = Callable[[FormatSection, Node], Any]
# The keys of each format, and the readers of their values.
FORMATS: Mapping[str, Mapping[str, _Read]] = MappingProxyType(
    {
        REFUSE: {REFUSE: FormatSection.condition},
        "fen": {
            "letters": FormatSection.by_kind,
            "sides": FormatSection.by_player,
            "fields": FormatSection.fields,
        },
        "san": {
            "letters": FormatSection.by_kind,
            "check": FormatSection.condition,
            "special": FormatSection.by_group,
            "also": FormatSection.pairs,
        },
        "points": {
            "tracks": FormatSection.tracks,
            "counts": FormatSection.numbers,
            "first": FormatSection.words,
            "last": FormatSection.words,
        },
        "wxf": {
            "letters": FormatSection.by_kind,
            "up": FormatSection.player,
            "unmarked": FormatSection.kinds,
        },
        "uci": {
            "variant": FormatSection.words,
            "also": FormatSection.pairs,
            "special": FormatSection.by_group,
            "flags": FormatSection.words,
            "cells": FormatSection.words,
        },
        "pgn": {
            "variants": FormatSection.words,
            "players": FormatSection.by_player,
            "turn": FormatSection.words,
        },
        "obf": {"letters": FormatSection.by_kind, "empty": FormatSection.words},
        "ggf": {"game": FormatSection.words, "letters": FormatSection.by_kind},
        "transcript": {
            "joined": FormatSection.words,
            "passes": FormatSection.words,
            "turn": FormatSection.words,
        },
        "tables": {"dice": FormatSection.register_names},
        "xgid": {},
        "gnubgid": {},
        "wthor": {"size": FormatSection.words},
        "gtp": {
            "size": FormatSection.parameter,
            "komi": FormatSection.parameter,
            "half": FormatSection.parameter,
            "scale": FormatSection.words,
            "vertices": FormatSection.words,
        },
        "pdn": {
            "types": FormatSection.words,
            "squares": FormatSection.region,
            "first": FormatSection.words,
            "notation": FormatSection.words,
            "letters": FormatSection.by_kind,
            "players": FormatSection.by_player,
        },
        "sgf": {
            "game": FormatSection.words,
            "points": FormatSection.words,
            "players": FormatSection.by_player,
            "setup": FormatSection.by_kind,
            "joint": FormatSection.words,
            "also": FormatSection.pairs,
            "resigns": FormatSection.words,
            "agreed": FormatSection.words,
            "doubled_komi": FormatSection.number,
            "turn": FormatSection.words,
        },
    }
)
