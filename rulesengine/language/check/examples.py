"""The `tests` of a spec: players, parameters, registers, symbols and cells that they name."""

import re
from collections.abc import Iterator
from itertools import chain

from rulesengine.board.coordinates import nearest_cell
from rulesengine.language.check.context import Context
from rulesengine.language.check.reader import entries, get, items, text
from rulesengine.language.check.suggestions import declared
from rulesengine.language.document.nodes import Mapping, Node, Scalar
from rulesengine.language.ir.rules import MoveTemplate, Notation, Parameter, Rules
from rulesengine.support.diagnostic import Suggestion, did_you_mean
from rulesengine.support.limits import MAX_ERRORS_SHOWN
from rulesengine.support.source import Slice, Span

_NAME = "([a-z][a-z0-9_]*)"
_FIELD = re.compile(rf"\s*{_NAME}(?: of {_NAME})?(?: of {_NAME})?: *(\S.*?)?\s*")
_OUTCOMES = ("draw", "none")
_FIELDS = frozenset({"mover", "seats", "before", "plies", "last mover"})


class TestSection:
    """The checker of the tests of a spec; it needs the names and the board."""

    def __init__(self, context: Context, notation: Notation, rules: Rules) -> None:
        self.context = context
        self.players = [player.name for player in context.players]
        symbols = [s for kind in context.kinds for s in kind.symbols if s]
        self.symbols = [*symbols, rules.empty_symbol]
        self.hole = rules.drawing.hole
        self.notation = notation
        names = context.topology.names if context.topology else ()
        self.cells = list(names)
        longest = sorted(names, key=len, reverse=True)
        self._cell = re.compile("|".join(map(re.escape, longest)) or r"(?!)")
        forms = (notation.place, notation.move, notation.capture, "-x/ ")
        self._signs = {c for form in forms for c in re.sub(r"\{[a-z]+\}", "", form)}
        self._written = [_pattern(group.written) for group in rules.groups if group.written]

    def check(self, node: Node | None) -> None:
        """Report names in tests that the spec does not declare."""
        for test in items(node):
            self._parameters(get(test, "parameters"))
            self._player(get(test, "mover"))
            self._outcome(get(test, "outcome"))
            by_player = [entries(get(test, key)) for key in ("scores", "payoffs", "sees")]
            for name, span, _ in chain.from_iterable(by_player):
                self._is_known(name, span, self.players, "player")
            usual = get(test, "parameters") is None
            for key in ("position", "board"):
                self._drawing(get(test, key), usual)
            for key in ("moves", "legal"):  # illegal moves may name holes
                if usual and self.cells:
                    self._moves(get(test, key))

    def check_picture(self, node: Node | None) -> None:
        """Report names in `picture` that the spec does not declare, unless a parent has it."""
        root = self.context.root
        if node is None or root is None or node.span.source != root.span.source:
            return
        self._drawing(get(node, "position"), usual=True)
        if self.cells:
            self._moves(get(node, "moves") if isinstance(node, Mapping) else node)

    def _is_known(self, word: str, span: Span, names: list[str], subject: str) -> bool:
        if word in names:
            return True
        help = did_you_mean(word, names) or f"the {subject}s are " + ", ".join(names[:12])
        if len(names) == 1 and not isinstance(help, Suggestion):
            help = Suggestion(f"the only {subject} is `{names[0]}`", names[0])
        self.context.report("unknown-name", span, f"no {subject} `{word[:40]}`", help)
        return False

    def _player(self, node: Node | None) -> None:
        if isinstance(node, Scalar) and text(node) not in self.players:
            self._is_known(text(node), node.span, self.players, "player")

    def _outcome(self, node: Node | None) -> None:
        """Check `white wins`, `draw` or `none`."""
        if not isinstance(node, Scalar) or text(node).strip() in _OUTCOMES:
            return
        words = [m.span() for m in re.finditer(r"\S+", node.text.text)]
        shown = [node.text.text[slice(*span)] for span in words]
        if len(words) == 2 and shown[1] == "wins":
            self._is_known(shown[0], node.text.span(*words[0]), self.players, "player")
            return
        winner = next((word for word in shown if word in self.players), "")
        help = f"write `{self.players[0] if self.players else 'white'} wins`, `draw` or `none`"
        if winner and not re.search(r"\blos", text(node)):
            help = Suggestion(f"write `{winner} wins`", f"{winner} wins")
        elif drawn := did_you_mean(text(node), [*_OUTCOMES]):
            help = drawn
        message = f"expected an outcome, found `{text(node)[:40]}`"
        self.context.report("not-allowed-value", node.span, message, help)

    def _parameters(self, node: Node | None) -> None:
        for name, span, value in entries(node):
            known = self.context.parameters
            if name in known:
                self._value(known[name], value)
            elif known:
                self._is_known(name, span, list(known), "parameter")
            else:
                entry = f"{name}: {{type: integer, default: 1}}"
                help = declared(self.context, "parameters", entry, f"declare it: `{entry}`")
                self.context.report("unknown-name", span, f"no parameter `{name}`", help)

    def _value(self, parameter: Parameter, node: Node) -> None:
        """Report a value that a parameter of the spec does not take."""
        value_text, help = text(node), ""
        if parameter.choices:
            choices = [str(choice) for choice in parameter.choices]
            if value_text in choices:
                return
            help = did_you_mean(value_text, choices) or "its values are " + ", ".join(choices)
        elif parameter.type == "number":
            low, high, step = parameter.low, parameter.high, parameter.step
            number = int(value_text) if re.fullmatch(r"-?[0-9]{1,18}", value_text) else None
            if number is not None and low <= number <= high and (number - low) % step == 0:
                return
            help = f"it goes from {low} to {high}" + (f" in steps of {step}" if step > 1 else "")
            if number is not None:
                near = max(low, min(high, number))
                help = Suggestion(help, str(near - (near - low) % step))
        elif value_text in ("true", "false"):
            return
        message = f"`{parameter.name}` has no value `{value_text[:40]}`"
        self.context.report("not-allowed-value", node.span, message, help or "write true or false")

    def _drawing(self, node: Node | None, usual: bool) -> None:
        """Report unknown symbols, a wrong number of rows, and unknown fields."""
        if not isinstance(node, Scalar):
            return
        height = len({line for line, _ in self._screen()}) if usual else 0
        rows = [row for row in _lines(node.text) if not _FIELD.fullmatch(row.text)]
        for row in rows:
            self._row(row)
        if height and len(rows) != height and rows and len(rows[0].text.split()) != height:
            message = f"the board has {height} rows, found {len(rows)}"
            first = rows[0].text.lstrip()
            at = len(rows[0].text) - len(first)
            span = rows[0].span(at, at + len(first.rstrip()))
            self.context.report("bad-position", span, message)
        for row in _lines(node.text):
            if match := _FIELD.fullmatch(row.text):
                self._field(row, match)

    def _screen(self) -> tuple[tuple[int, int], ...]:
        return self.context.topology.screen if self.context.topology else ()

    def _row(self, row: Slice) -> None:
        for at, sign in enumerate(row.text):
            if not sign.isspace() and sign not in (*self.symbols, self.hole):
                other = next((s for s in self.symbols if s.lower() == sign.lower()), "")
                shown = " ".join(self.symbols)
                help = (
                    Suggestion(f"did you mean `{other}`?", other)
                    if other
                    else f"the symbols are {shown}"
                )
                span = row.span(at, at + 1)
                self.context.report("bad-position", span, f"no piece `{sign}`", help)
                return

    def _field(self, row: Slice, match: re.Match[str]) -> None:
        """Check `mover: white` or `stock of white: 3` below a board."""
        name, owner, more = match[1], match[2], match[3]
        if name == "mover" and match[4]:
            self._is_known(match[4], row.span(*match.span(4)), self.players, "player")
        if name not in _FIELDS and name != "last":
            registers = list(self.context.registers)
            if self._is_known(name, row.span(*match.span(1)), registers, "register") and owner:
                of_kinds = self.context.registers[name].each in ("kind", "player kind")
                kinds = [kind.name for kind in self.context.kinds]
                names, noun = (kinds, "kind") if of_kinds else (self.players, "player")
                self._is_known(owner, row.span(*match.span(2)), names, noun)
                if more:
                    self._is_known(more, row.span(*match.span(3)), self.players, "player")

    def _moves(self, node: Node | None) -> None:
        most = len(self.context.findings) + MAX_ERRORS_SHOWN
        for item in items(node):
            if isinstance(item, Scalar):
                for match in re.finditer(r"\S+", item.text.text):
                    if len(self.context.findings) < most:
                        self._move(item.text.cut(*match.span()))

    def _move(self, word: Slice) -> None:
        """Report a move in a notation with a cell that the board does not have."""
        if word.text in (self.notation.pass_, self.notation.swap):
            return
        if any(pattern.search(word.text) for pattern in self._written):
            return
        at, end = 0, len(word.text.partition("=")[0])
        while at < end:
            match = self._cell.match(word.text, at, end)
            if match is None and word.text[at] not in self._signs:
                self._no_cell(word, at, end)
                return
            at = match.end() if match else at + 1

    def _no_cell(self, word: Slice, at: int, end: int) -> None:
        cut = re.compile("[" + re.escape("".join(self._signs)) + "]").search(word.text, at, end)
        end = cut.start() if cut else end
        wrong = word.text[at:end]
        low = wrong.lower()
        other = Suggestion(f"did you mean `{low}`?", low) if low in self.cells else ""
        extent = f"cells are {self.cells[0]} to {self.cells[-1]}"
        help = other or did_you_mean(wrong, [self.notation.pass_, self.notation.swap])
        if not help and (near := nearest_cell(low, self.cells)):
            help = Suggestion(f"{extent}, the nearest is `{near}`", near)
        help = help or extent
        self.context.report("bad-cell", word.span(at, end), f"no cell `{wrong[:40]}`", help)


def _pattern(written: MoveTemplate) -> re.Pattern[str]:
    """Return a pattern of the texts that a template can produce."""
    parts = written.template.parts
    return re.compile("".join(re.escape(p) if isinstance(p, str) else ".+" for p in parts))


def _lines(drawn: Slice) -> Iterator[Slice]:
    """Yield the nonblank lines of a text."""
    for match in re.finditer(r"[^\n]+", drawn.text):
        if match[0].strip():
            yield drawn.cut(*match.span())
