"""Suggestions for messages: conversions of types, words of other languages, missing entries."""

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import TypeGuard

from rulesengine.language.check.context import Context
from rulesengine.language.document.edits import with_entry
from rulesengine.language.document.nodes import Mapping, Scalar
from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import Register
from rulesengine.language.syntax import nodes as n
from rulesengine.support.diagnostic import Suggestion
from rulesengine.support.source import Span

# Words of other languages and their equivalents; the first one that exists is suggested.
_OTHER_WORDS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "mine": ("own",),
        "self": ("player", "own"),
        "me": ("player",),
        "friend": ("own",),
        "friendly": ("own",),
        "foe": ("enemy",),
        "opponents": ("enemy", "opponent"),
        "theirs": ("enemy",),
        "free": ("empty",),
        "blank": ("empty",),
        "vacant": ("empty",),
        "filled": ("occupied",),
        "full": ("occupied",),
        "board": ("all",),
        "everywhere": ("all",),
        "cells": ("all",),
        "none": ("nowhere",),
        "nothing": ("nowhere",),
        "null": ("nobody", "no_cell"),
        "up": ("north",),
        "down": ("south",),
        "right": ("east",),
        "left": ("west",),
        "straight": ("orthogonal",),
        "diagonals": ("diagonal",),
        "top": ("north",),
        "bottom": ("south",),
        "target": ("to",),
        "origin": ("from",),
        "turn": ("mover", "plies"),
        "ply": ("plies",),
        "moves": ("plies",),
        "taken": ("captured",),
        "size": ("count",),
        "len": ("count",),
        "length": ("count",),
        "number": ("count",),
        "exists": ("any",),
        "some": ("any",),
        "forall": ("every",),
        "max": ("greater",),
        "min": ("smaller",),
        "adjacent": ("neighbours",),
        "adjacency": ("neighbours",),
        "neighbors": ("neighbours",),
        "ray": ("slide",),
        "flood": ("fill",),
        "closure": ("reach",),
        "reachable": ("reach",),
        "reached": ("reach",),
        "connected": ("fill",),
        "step": ("shift",),
        "legal": ("can_move",),
    }
)
# Words of English in phrases such as `no own king` and `king reaches goal`.
_NEGATIONS = frozenset({"no", "without"})
_ARRIVALS = frozenset({"reaches", "reached", "reach", "on", "inside", "enters", "at"})
_UNABLE = frozenset(
    f"{verb} {rest}"
    for verb, rests in {
        "has": ("no move", "no moves", "no legal move", "no legal moves"),
        "cannot": ("move",),
        "is": ("stuck", "blocked"),
    }.items()
    for rest in rests
)
# The records of cells that a piece has left.
_GONE = frozenset({"captured", "removed"})
# A direction of a cell, such as `north of from`; and the left side of `count(own) = 0 or 1`.
_WORD_OF = re.compile(r"(\w+)\s+of\s+$")
_COMPARED = re.compile(r"([\w()]+(?:\([\w ]*\))? *(?:=|!=)) *[\w-]+ +or +$")
# `row(8)` as a whole value, which means the cells of the row.
_BAND, _AFTER_BAND = re.compile(r"\b(row|column)\(\s*$"), re.compile(r"\s*\)")
_OPERATOR = re.compile(r"\s*(?:[-+*/%<>=!]|in\b|to\b)")
_CELLS_OF_MOVES = frozenset({"from", "to", "it"})
_CELLS_FIXES = MappingProxyType(
    {
        "number": ("count the cells instead", "count({})"),
        "flag": ("test if there is one", "any({})"),
        "cell": ("take one of them", "first({})"),
    }
)
_FIXES: MappingProxyType[tuple[str, str], tuple[str, str]] = MappingProxyType(
    {
        ("cell", "number"): ("take its row", "row({})"),
        ("numbers", "number"): ("take its number of members", "length({})"),
        ("texts", "number"): ("take its number of members", "length({})"),
        **{("cells", expected): fix for expected, fix in _CELLS_FIXES.items()},
        ("number", "flag"): ("compare it", "{} > 0"),
        ("cell", "flag"): ("test if there is one", "any({})"),
        ("side", "number"): ("count the pieces", "count({})"),
        ("kind", "number"): ("count the pieces", "count({})"),
        ("kind", "flag"): ("test if there is one", "any({})"),
        ("number", "cells"): ("a row is a set of cells", "rows({})"),
        ("flag", "number"): ("make a number of it", "(if {} then 1 else 0)"),
        ("flag", "cells"): ("make cells of it", "(if {} then all else nowhere)"),
        ("cell", "side"): ("take its owner", "owner({})"),
        ("cell", "kind"): ("take its kind", "kind({})"),
    }
)

# Common names of end conditions and their equivalents.
_CONDITIONS = MappingProxyType(
    {
        **dict.fromkeys(("stalemate", "stuck", "blocked", "no_moves"), "not can_move(mover)"),
        **dict.fromkeys(("full", "board_full", "full_board", "filled"), "none(empty)"),
        **dict.fromkeys(("repetition", "repeated"), "position_repeats >= 2"),
    }
)


def register_without_brackets(node: n.Call, registers: dict[str, Register]) -> str:
    """Suggest `seeds of c` for `seeds(c)`, and the bare name of a register with one value.

    Returns an empty text if the function is not the name of a register.
    """
    register = registers.get(node.function)
    if register is None or node.named or len(node.arguments) > 1:
        return ""
    write = register.name
    if register.each and node.arguments:
        argument = node.arguments[0]
        text = argument.span.text
        is_bracketed = isinstance(argument, n.Operation | n.Where | n.Conditional)
        write += f" of ({text})" if is_bracketed else f" of {text}"
    return Suggestion(f"`{register.name}` is a register: `{write}`", write, node.span)


def usual_condition(word: str) -> str:
    """Return a `Suggestion` for the name of a common end condition, or an empty text."""
    meant = _CONDITIONS.get(word, "")
    return Suggestion(f"write `{meant}`", meant) if meant else ""


def suggest_word(word: str, known: list[str]) -> str:
    """Return a `Suggestion` for a word of other languages, or an empty text."""
    meant = next((w for w in _OTHER_WORDS.get(word, ()) if w in known), "")
    return Suggestion(f"write `{meant}`", meant) if meant else ""


def suggest_conversion(op: Op, expected: str, node: n.Node, context: Context) -> str:
    """Return a help that converts a value to the expected type, if there is a usual way."""
    raw = node.span.text
    if op.type == "flag" and expected == "cells" and _is_inclusion(node):
        write = " and ".join(operand.span.text for operand in node.operands)
        return Suggestion(f"the cells of both sets are `{' '.join(write.split())}`", write)
    if (meant := _from_context(op, expected, node, context)) is not None:
        return meant
    if expected in ("cell", "side", "kind") and has_role(op, "record") and op.value in _GONE:
        return f"the pieces of `{op.value}` have left the board: read them before the move"
    if (op.type, expected) in _FIXES:
        action, form = _FIXES[op.type, expected]
        return Suggestion(f"{action}: `{form.format(' '.join(raw.split()))}`", form.format(raw))
    named = {"side": context.side_named, "kind": context.kind_named}.get(expected)
    if named and op.type == "text" and named(str(op.value)):
        return Suggestion(f"write `{op.value}` without quotation marks", str(op.value))
    if expected == "side" and op.type == "direction":
        return "the players are " + ", ".join(p.name for p in context.players)
    if expected == "side":
        known = "the players are " + ", ".join(p.name for p in context.players)
        return Suggestion(f"{known}; `player` is the one in question", "player")
    if expected == "kind":
        known = "the kinds are " + ", ".join(k.name for k in context.kinds)
        return Suggestion(known, context.kinds[0].name) if len(context.kinds) == 1 else known
    if expected == "track" and context.tracks:
        tracks = [*context.tracks]
        help = "the tracks are " + ", ".join(tracks[:8])
        return (
            help if len(tracks) > 1 else Suggestion(f"the only track is `{tracks[0]}`", tracks[0])
        )
    if expected in ("direction", "directions") and context.topology:
        directions = [d.name for d in context.topology.directions]
        if op.type == "cell" and (loop := _through_all(node)):
            return loop
        return suggest_word(raw, directions) or "directions are " + ", ".join(directions[:8])
    if expected == "cells" and op.type in ("direction", "directions"):
        write = f"shift(own, {raw})"
        return Suggestion(f"a direction leads to cells from somewhere: `{write}`", write)
    return ""


def _from_context(op: Op, expected: str, node: n.Node, context: Context) -> str | None:
    """Return the help that the text around an expression determines; None if there is none."""
    raw, source = node.span.text, node.span.source
    before = source.text[: node.span.start]
    if op.type == "flag" and expected == "cells" and isinstance(node, n.Call):
        if node.function != "any" or len(node.arguments) != 1:
            return None
        cells = node.arguments[0].span.text
        return Suggestion(f"the cells themselves are `{' '.join(cells.split())}`", cells)
    if op.type == "number" and expected == "flag" and isinstance(node, n.Number):
        compared = _COMPARED.search(before)  # a test of the number alone would be constant
        return (
            Suggestion(f"write `{compared[1]} {raw}`", f"{compared[1]} {raw}") if compared else ""
        )
    if op.type == "number" and expected == "cell" and (band := _band(node)):
        return band
    place = _WORD_OF.search(before)
    names = {d.name for d in context.topology.directions} if context.topology else set()
    if op.type == "cell" and expected == "side" and place and place[1] in names:
        write = f"shift({raw}, {place[1]})"
        return Suggestion(f"write `{write}`", write, Span(source, place.start(), node.span.end))
    if op.type == "direction" and expected == "cells" and isinstance(node, n.OfSide):
        if node.side.span.text in _CELLS_OF_MOVES:
            return ""  # reported for the cell
    return None


def _band(node: n.Node) -> str:
    """Return a `Suggestion` of `rows` for the number in `row(…)`; empty within a calculation."""
    source = node.span.source
    begin = _BAND.search(source.text[: node.span.start])
    end = _AFTER_BAND.match(source.text, node.span.end)
    if begin is None or end is None:
        return ""
    left = source.text[: begin.start()].rstrip()[-1:]
    if left in set("-+*/%<>=!") or _OPERATOR.match(source.text, end.end()):
        return ""
    write = f"{begin[1]}s({node.span.text})"
    span = Span(source, begin.start(), end.end())
    return Suggestion(f"the cells of a {begin[1]} are `{write}`", write, span)


def _is_inclusion(node: n.Node) -> TypeGuard[n.Operation]:
    return isinstance(node, n.Operation) and node.operator == "in"


def suggest_phrase(words: tuple[n.Name, ...], known: Callable[[str], bool]) -> tuple[n.Name, str]:
    """Return the word that makes a phrase of names wrong, and the condition that is likely meant.

    Return the first name and an empty text if there is no such word.
    """
    for place, name in enumerate(words):
        before, after = (
            " ".join(w.word for w in part) for part in (words[:place], words[place + 1 :])
        )
        if known(name.word) or not after:
            continue
        if name.word in _NEGATIONS and not before:
            return name, f"none({after})"
        if f"{name.word} {after}" in _UNABLE and before:
            return name, f"not can_move({before})"
        if name.word in _ARRIVALS and before:
            return name, f"any({before} and {after})"
    return words[0], ""


def _through_all(node: n.Node) -> str:
    """Return a `Suggestion` for `d in all`, a loop over cells where `d` should be a direction."""
    name, text = node.span.text, node.span.source.text[: node.span.start]
    at = text.rfind(f"({name} in all,")
    if at < 0:
        return ""
    word = at + len(f"({name} in ")
    help = f"`{name} in all` goes through all cells; write `[all]` for all directions"
    return Suggestion(help, "[all]", Span(node.span.source, word, word + len("all")))


def declared(context: Context, section: str, entry: str, help: str) -> str:
    """Return a help that adds an entry to a section of the spec, which may be missing."""
    root = context.root
    if root is None:
        return help
    present = root.get(section)
    if isinstance(present, Mapping):
        span, write = with_entry(present, entry)
    elif present is None:
        span, write = with_entry(root, f"{section}:\n  {entry}")
    else:
        return help
    return Suggestion(help, write, span)


def with_key(node: object, entry: str, help: str) -> str:
    """Return a help that adds an entry to a map or to an empty value."""
    if isinstance(node, Mapping):
        span, write = with_entry(node, entry)
        return Suggestion(help, write, span)
    if isinstance(node, Scalar) and node.value is None:
        at = node.span.start
        return Suggestion(help, f" {{{entry}}}", Span(node.span.source, at, at))
    return help


def new_name(name: str) -> str:
    """Return a help with another form of a name that is taken."""
    other = f"my_{name}"[:32]
    return Suggestion(f"choose another name, such as `{other}`", other)
