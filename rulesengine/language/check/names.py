"""Name resolution: variables, declarations of the spec, words of the language, cells."""

from rulesengine.language.check.base import ExpressionBase
from rulesengine.language.check.builtin_row import Builtin
from rulesengine.language.check.builtins import FUNCTIONS, NAMES
from rulesengine.language.check.context import (
    ENDED,
    GONE,
    LAST_STEP,
    PLAYER,
    VIEWED,
    Definition,
    DefinitionUse,
    ExpressionContext,
    NamedEffect,
    error_op,
    is_error,
)
from rulesengine.language.check.reader import get, items, text
from rulesengine.language.check.suggestions import suggest_word, usual_condition, with_key
from rulesengine.language.document.edits import without_entry
from rulesengine.language.document.nodes import Mapping
from rulesengine.language.ir.ops import Op, Type, literal, make
from rulesengine.language.ir.roles import is_constant, selector_type
from rulesengine.language.ir.rules import Register, recalling
from rulesengine.language.syntax import nodes as n
from rulesengine.language.syntax.syntax_errors import operator_for
from rulesengine.language.syntax.vocabulary import EFFECTS
from rulesengine.support.diagnostic import Diagnostic, Suggestion, did_you_mean
from rulesengine.support.source import Span

_SETS = frozenset({"cell", "side", "cells", "direction", "directions"})


class NameChecker(ExpressionBase):
    """A layer of the expression checker for names."""

    def _name(self, node: n.Name, view: ExpressionContext) -> Op:
        word = node.word
        value = view.variables.get(word) or view.step.get(word)
        if value and value.name == GONE:
            message = f"`{word}` was of the board before `read parameter`"
            help = "give it a value again after that: no cell outlives its board"
            self.context.report("not-here", node.span, message, help)
            return error_op()
        if value and value.name == ENDED:
            message = f"`{word}` is known in the lines of its loop alone"
            self.context.report("unknown-name", node.span, message, _renaming_help(word))
            return error_op()
        if value:
            return value
        self.context.used.add(word)
        if word in self.context.broken and word in NAMES:
            return error_op()  # the spec declares this word of the language
        return self._declared(node, view) or self._builtin(node, view) or self._cell(node, view)

    def _declared(self, node: n.Name, view: ExpressionContext) -> Op | None:
        context, word = self.context, node.word
        if word in context.attributes:
            return self._attribute(node, view)
        if word in context.parameters:
            return Op("parameter", context.parameters[word].type, (), word)
        if word in context.registers:
            return self._register(node, view)
        if word in context.kind_values:
            return self.of_no_kind(node)
        if word in context.tracks:
            return Op("track", "track", (), word)
        if word in context.drawn:
            return Op("region", "cells", (), word)
        definition = context.named.get(word) or context.definitions.get(word)
        if definition:
            return self._use(definition, (), node, view)
        if word in context.kinds_by_attribute:
            mask = sum(1 << kind for kind in context.kinds_by_attribute[word])
            return literal("kinds", mask)
        return context.side_named(word) or context.kind_named(word)

    def _register(self, node: n.Name, view: ExpressionContext) -> Op:
        register = self.context.registers[node.word]
        if register.each == "cell":
            return self._at_no_cell(node)
        if register.each in ("kind", "player kind"):
            return self.of_no_kind(node)
        self._check_reading(register, node.span, view)
        sides = (view.side,) if register.each else ()
        self.check_seen(register, sides, node.span, view)
        return make("register", *sides, value=node.word, type=register.type)

    def of_no_kind(self, node: n.Name) -> Op:
        """Report a value for each kind of piece that is used without a kind."""
        raise NotImplementedError

    def _check_reading(self, register: Register, span: Span, view: ExpressionContext) -> None:
        """Report a register that has no value yet, or not any more."""
        if view.slot == "end" and register.lives in self._gone_at_ends():
            self._already_reset(register, span)
        if view.slot in ("board", "start"):
            message = f"`{register.name}` has no value yet here"
            value, help = register.start.value, ""
            if is_constant(register.start) and register.type == "number":
                help = Suggestion(f"it starts at {value}: write {value}", str(value))
            self.context.report("not-here", span, message, help)

    def check_seen(
        self, register: Register, sides: tuple[Op, ...], span: Span, view: ExpressionContext
    ) -> None:
        """Report a register in moves that the player who moves does not see."""
        hiding = self.context.hiding
        is_own = register.name in hiding.own and PLAYER in sides
        if view.slot in VIEWED and not is_own and register.name in hiding.own | hiding.nobody:
            self.report_hidden(f"`{register.name}`", span)

    def report_hidden(self, subject: str, span: Span) -> None:
        """Report a value in moves that the player who moves does not see."""
        message = f"{subject} is hidden from the player who moves"
        help = "let the move be legal, and decide in `do`: that reads the whole position"
        self.context.report("hidden-read", span, message, help)

    def _gone_at_ends(self) -> tuple[str, ...]:
        """Return the lifetimes that are over when ends are evaluated: also a turn if players
        alternate.
        """
        root = self.context.root
        rules, groups = get(root, "rules"), items(get(get(root, "rules"), "moves"))
        swaps = any(get(group, "swap") or text(group) == "swap" for group in groups)
        others = (
            swaps or get(rules, "turn") or get(rules, "chance") or len(self.context.players) < 2
        )
        return ("move",) if others else ("move", "turn")

    def _already_reset(self, register: Register, span: Span) -> None:
        """Warn that an end reads a register of the move, which has been reset by then."""
        registers = self.context.root.get("registers") if self.context.root else None
        section = get(registers, register.name)
        entry = section.entry("lives") if isinstance(section, Mapping) else None
        help = "let it live for the game"
        if isinstance(section, Mapping) and entry:
            where, write = without_entry(section, entry)
            help = Suggestion(help, write, where)
        message = f"`{register.name}` is reset to its start before the ends are tested"
        finding = Diagnostic("already-reset", span, message, help, severity="warning")
        self.context.findings.append(finding)

    def _at_no_cell(self, node: n.Name) -> Op:
        """Report a number at each cell that is used without a cell."""
        message = f"`{node.word}` is a number at each cell"
        help = Suggestion("say of which cell", f"{node.word} of to")
        self.context.report("type-mismatch", node.span, message, help)
        return error_op()

    def number_at(self, word: str, cell: n.Node, span: Span, view: ExpressionContext) -> Op:
        """Check `seeds of c`, the number at a cell."""
        self.context.used.add(word)
        if view.slot in ("board", "start"):
            self.context.report("not-here", span, f"`{word}` has no value yet here")
            return error_op()
        at = self.check(cell, view, "cell")
        self.check_seen(self.context.registers[word], (), span, view)
        location = (word, str(self.context.site(span)))
        return at if is_error(at) else make("number_at", at, value=location)

    def _attribute(self, node: n.Name, view: ExpressionContext) -> Op:
        values = []
        if not self._enter(node):
            return error_op()
        for i, value in enumerate(self.context.attributes[node.word]):
            own = ExpressionContext(view.slot, literal("side", i))
            values.append((self.infer(value, own), value))
        self._open.pop()
        types = {op.type for op, _ in values if not is_error(op)}
        if len(types) > 1 and types <= _SETS:
            wide = "cells" if types.isdisjoint(("direction", "directions")) else "directions"
            values = [(self.coerce(op, wide, v), v) for op, v in values]
        elif len(types) > 1:
            self._mismatch(values[1][0], values[0][0].type, values[1][1])
            return error_op()
        if not types:
            return error_op()
        ops = tuple(op for op, _ in values)
        return make("by_side", view.side, *ops, type=ops[0].type)

    def _builtin(self, node: n.Name, view: ExpressionContext) -> Op | None:
        word = node.word
        row = NAMES.get(word)
        if row is None:
            return self._board_name(node)
        if not self._allowed(word, node, view):
            return error_op()
        return self._make_name(row, node, view)

    def _make_name(self, row: Builtin, node: n.Name, view: ExpressionContext) -> Op:
        side = view.side
        match row.word:
            case "player":
                return side
            case "opponent":
                if len(self.context.players) != 2:
                    self.context.report(
                        "not-here",
                        node.span,
                        f"`opponent` needs two players, there are {len(self.context.players)}",
                        help=Suggestion("use `next(player)`", "next(player)"),
                    )
                    return error_op()
                return make("next", side)
            case "own":
                return make("owned", side)
            case "enemy":
                neutral = make("owned", literal("side", len(self.context.players)))
                taken = self._occupied(view)
                return make("minus", taken, make("or", make("owned", side), neutral))
            case "neutral":
                return make("owned", literal("side", len(self.context.players)))
            case "occupied":
                return self._occupied(view)
            case "unknown":
                return self._unknown(node, view)
            case "all" | "nowhere":
                return Op("region", "cells", (), row.word)
            case "true" | "false":
                return literal("flag", int(row.word == "true"))
            case "nobody":
                return literal("side", -1)
            case "no_cell":
                return literal("cell", -1)
            case "no_kind":
                return literal("kind", -1)
            case "label":
                labels = [literal("text", p.label) for p in self.context.players]
                return make("by_side", side, *labels, literal("text", "nobody"), type="text")
            case "won":
                return make("equal", make("winner"), side)
            case "lost":
                lost = make(
                    "deny", make("either", make("drawn"), make("equal", make("winner"), side))
                )
                return make("both", make("over"), lost)
            case "score":
                return self._score(node, view)
            case "board_repeats" | "position_repeats":
                if self.context.stacks and row.word == "board_repeats":
                    self._without_stacks_below(node)
                return make("repeats", value=row.word.removesuffix("_repeats"))
            case "placed" | "moved" | "flipped" | "removed" | "captured":
                return self._record(row.word, view)
        return make(row.op)

    def _without_stacks_below(self, node: n.Name) -> None:
        """Report `board_repeats`, which compares the upper pieces only."""
        message = "`board_repeats` compares the upper pieces of stacks only"
        help = Suggestion("write `position_repeats`", "position_repeats", node.span)
        self.context.report("not-here", node.span, message, help)

    def _record(self, word: str, view: ExpressionContext) -> Op:
        """Return the changes of the current move or, in an end, of the last one."""
        if view.slot != "end":
            return make("record", value=word)
        self.context.recalled.add(word)
        return make("register", value=recalling(word), type="cells")

    def _occupied(self, view: ExpressionContext) -> Op:
        taken = make("not", make("empty"))
        if view.slot in VIEWED and self.context.hiding.pieces:
            return make("and", taken, make("seen", PLAYER, value="known"))
        return taken

    def _unknown(self, node: n.Name, view: ExpressionContext) -> Op:
        """Return the cells that a player does not see; the view of others is hidden in moves."""
        if view.slot in VIEWED and self.context.hiding.pieces and view.side != PLAYER:
            self.report_hidden("the view of another player", node.span)
        return make("not", make("seen", view.side, value="known"))

    def _score(self, node: n.Name, view: ExpressionContext) -> Op:
        if self.has_unread_score():
            return error_op()  # reported where it is written
        if self.context.score is None:
            self.context.report(
                "unknown-name",
                node.span,
                "the rules have no `score`",
                help=self._add_score(),
            )
            return error_op()
        if not self._enter(node):
            return error_op()
        op = self.check(self.context.score, ExpressionContext("score", view.side), "number")
        self._open.pop()
        if view.slot in VIEWED and (name := self.context.hiding.is_read_by(op)):
            self.report_hidden(f"`{name}` in `score`", node.span)
        return op

    def _board_name(self, node: n.Name) -> Op | None:
        topology, word = self.context.topology, node.word
        if topology is None:
            return None
        for direction in topology.directions:
            if direction.name == word:
                return Op("named_direction", "direction", (), word)
        if any(name == word for name, _ in topology.direction_sets):
            return Op("named_direction", "directions", (), word)
        if any(name == word for name, _ in topology.regions):
            return Op("region", "cells", (), word)
        return None

    def _cell(self, node: n.Name, view: ExpressionContext) -> Op:
        topology, word = self.context.topology, node.word
        looks = word[-1].isdigit() and word[0].isalpha() and word.isalnum()
        if topology is not None and (word in topology.names or looks):
            return Op("named_cell", "cell", (), (word, str(self.context.site(node.span))))
        pieces = self.context.root.get("pieces") if self.context.root else None
        unread = not (self.context.players and pieces)  # a section is missing
        if word in self.context.broken or unread or (topology is None and view.slot != "board"):
            return error_op()  # reported at its declaration, or with the board
        help = self._instead(word, view)
        self.context.report("unknown-name", node.span, f"unknown name `{word}`", help=help)
        return error_op()

    def has_unread_score(self) -> bool:
        """True if the rules have a score with a syntax error."""
        rules = self.context.root.get("rules") if self.context.root else None
        return self.context.score is None and text(get(rules, "score")) != ""

    def _add_score(self) -> str:
        rules = self.context.root.get("rules") if self.context.root else None
        return with_key(rules, "score: count(own)", "add `score: count(own)` to the rules")

    def _instead(self, word: str, view: ExpressionContext) -> str:
        """Suggest a replacement for an unknown name, of the expected type if possible."""
        if word in FUNCTIONS:
            example = FUNCTIONS[word].example
            return Suggestion(f"`{word}` needs brackets, for example `{example}`", example)
        if word in EFFECTS:
            return f"several effects are written in brackets: `(…, {word} …)`"
        choices = [name for name, op in view.step.items() if selector_type(op) == "number"]
        if word == "choice" and choices:
            return Suggestion(f"the choices here are {', '.join(choices)}", choices[0])
        known, fitting = self._known_names(view), self._fitting(view)
        if self._wanted in ("", "flag") and (help := usual_condition(word)):
            return help
        help = did_you_mean(word, fitting) or suggest_word(word, fitting) or operator_for(word)
        if self._wanted in ("side", "kind", "direction", "directions") and fitting:
            members = {"side": "players", "kind": "kinds"}.get(self._wanted, "directions")
            return help or f"the {members} are " + ", ".join(fitting[:12])
        return help or did_you_mean(word, known) or suggest_word(word, [*known, *FUNCTIONS])

    def _fitting(self, view: ExpressionContext) -> list[str]:
        """Return the names of the expected type, or all names if any type is allowed."""
        context, board = self.context, self.context.topology
        match self._wanted:
            case "side":
                return [*(p.name for p in context.players), "player", "opponent", "mover"]
            case "kind":
                return [kind.name for kind in context.kinds]
            case "track":
                return [*context.tracks]
            case "direction" | "directions" if board:
                own = [*(d.name for d in board.directions), *(s for s, _ in board.direction_sets)]
                step = [*view.step, *view.variables]
                return [*own, *context.named, *context.attributes, *step]
        return self._known_names(view)

    def _known_names(self, view: ExpressionContext) -> list[str]:
        context = self.context
        known = [*view.variables, *view.step, *context.attributes, *context.parameters]
        known += [*context.registers, *context.tracks, *context.kind_values]
        known += [*context.definitions, *context.named, *NAMES]
        known += sorted(context.broken)
        known += [p.name for p in context.players] + sorted(context.piece_names)
        if context.topology:
            known += [d.name for d in context.topology.directions]
            known += [name for name, _ in context.topology.direction_sets]
            known += [name for name, _ in context.topology.regions]
        return known

    def _use(
        self,
        definition: Definition,
        arguments: tuple[n.Node, ...],
        node: n.Node,
        view: ExpressionContext,
    ) -> Op:
        if len(arguments) != len(definition.arguments):
            wanted = argument_count(len(definition.arguments))
            message = f"`{definition.name}` takes {wanted}, found {len(arguments)}"
            help = suggest_arguments(definition, arguments, node)
            self.context.report("argument-count", node.span, message, help)
            return error_op()
        bindings = {
            a: self.infer(v, view) for a, v in zip(definition.arguments, arguments, strict=True)
        }
        if any(is_error(op) for op in bindings.values()) or not self._enter(node, definition.name):
            return error_op()
        key = (
            definition.name,
            tuple(id(op) for op in bindings.values()),
            id(self._one_side(view.side)),
            view.slot,
            view.ahead,
            tuple(view.step),
            view.step is LAST_STEP,
        )
        if key not in self._memo:
            body = self.infer(definition.body, view.inside_definition(bindings))
            if definition.leads and body.type not in ("direction", "directions"):
                body = self.coerce(body, "directions", definition.body)
            self._memo[key] = body, tuple(bindings.values())
            self._remember_use(definition, tuple(op.type for op in bindings.values()), view)
        self._open.pop()
        return self._memo[key][0]

    def _remember_use(
        self, definition: Definition, types: tuple[Type, ...], view: ExpressionContext
    ) -> None:
        """Remember the first use with these types, or the first one for `player`."""
        uses, key = self.context.uses, (definition.name, types)
        if key not in uses or (view.side == PLAYER and uses[key].view.side != PLAYER):
            uses[key] = DefinitionUse(definition, types, view)

    def generic(self, use: DefinitionUse) -> Op:
        """Return the meaning of a definition with variables for its arguments, as `player` reads
        it; an error operation if a definition needs constants.
        """
        assert isinstance(use.definition, Definition)
        return self.infer(use.definition.body, use.generic_view())

    def attribute(self, word: str, span: Span) -> Op:
        """Return the values of an attribute of the players, as `player` reads it."""
        return self._attribute(n.Name(span, word), ExpressionContext(self.context.free_slot))

    def _one_side(self, side: Op) -> Op:
        """Intern equal sides as one object; definitions are then checked once for each side."""
        key = side.name, side.value, tuple(id(self._one_side(a)) for a in side.args)
        return self._sides.setdefault(key, side)


def _renaming_help(word: str) -> str:
    return f"keep it under another name there: `let last_{word} be {word}`"


def argument_count(count: int) -> str:
    return "no arguments" if count == 0 else f"{count} argument{'s' if count > 1 else ''}"


def suggest_arguments(
    definition: Definition | NamedEffect, arguments: tuple[n.Node, ...], node: n.Node
) -> str:
    """Suggest a use with the right number of arguments; missing ones are `own`."""
    name, wanted = definition.name, definition.arguments
    if not wanted:
        return Suggestion("leave the brackets out", name)
    shown = [a.span.text for a in arguments[: len(wanted)]]
    write = ", ".join([*shown, *["own"] * (len(wanted) - len(shown))])
    return Suggestion(f"write `{name}({', '.join(wanted)})`", f"{name}({write})")
