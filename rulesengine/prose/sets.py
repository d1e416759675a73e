"""Descriptions of sets of cells."""

from collections.abc import Sequence
from dataclasses import replace

from rulesengine.language.ir.ops import Op, make
from rulesengine.language.ir.roles import (
    has_role,
    is_constant,
    is_of_kind,
    is_of_side,
    is_variable,
    loop_function,
    parts_of,
    role_of,
    selector_type,
)
from rulesengine.language.ir.signature import Role
from rulesengine.prose import idioms
from rulesengine.prose.describer_base import DescriberBase, Scope, is_range_open
from rulesengine.prose.nouns import ANYWHERE, Claim, Noun, a, listed, lone, owned, plain, plural

_EMPTY = plain("empty cell", "empty cells", Claim("is", "empty"))
# Roles of sets in the order of their preference as the head of a phrase.
_HEADS: tuple[Role, ...] = ("pieces", "record", "vacancy", "complement", "singleton", "shift")


class Sets(DescriberBase):
    """Operations that return a set of cells."""

    def op_empty(self, op: Op, scope: Scope) -> Noun:
        return _EMPTY

    def op_owned(self, op: Op, scope: Scope) -> Noun:
        side = op.args[0]
        if is_constant(side, self.names.sides):
            word = self.names.piece(neutral=True)
            if self.names.is_unique_neutral():
                return self._the(word)
            return plain(word, plural(word), Claim("holds", a(word)))
        return owned(f"{self.names.person(side).possessive} {self.names.pieces()}")

    def op_of_kind(self, op: Op, scope: Scope) -> Noun:
        word = self.kind_word(op.args[0], scope)
        kind = op.args[0]
        if is_constant(kind) and self.names.is_unique(kind) and self.names.owners(kind) == 1:
            return self._the(word)
        return plain(word, plural(word), Claim("holds", a(word)))

    def _the(self, word: str) -> Noun:
        """Return the noun for the only piece of a kind."""
        the = f"the {word}"
        return Noun(the, the, f"no {word}", Claim("holds", the), lone=True, pieces=True)

    def kind_word(self, kind: Op, scope: Scope) -> str:
        """Return `disc`, or a phrase for a kind that is known only during play."""
        if is_variable(kind) or selector_type(kind) == "number":
            return "piece of the chosen kind"
        text = self.text(kind, scope)
        return f"piece of the kind {text}" if has_role(kind, "register") else text

    def op_record(self, op: Op, scope: Scope) -> Noun:
        piece, did = self.names.piece(), str(op.value)
        phrase = {
            "placed": f"{piece} just placed",
            "moved": f"{piece} just moved",
            "flipped": f"{piece} turned over by the move",
            "removed": "piece removed by the move",
            "captured": f"{piece} captured by the move",
        }[did]
        head, _, rest = phrase.partition(" ")
        claim = Claim("is", f"on the cell of {a(phrase)}")
        return replace(plain(phrase, f"{plural(head)} {rest}", claim), pieces=True)

    def op_literal_cells(self, op: Op) -> Noun:
        mask = int(op.value or 0)  # type: ignore[arg-type]
        board = self.names.program.topology
        if mask in (0, board.mask):
            return lone("nowhere") if not mask else plain("cell", "cells", ANYWHERE)
        for name, region in board.regions:
            if region == mask:
                return self.op_region(Op("region", "cells", (), name), {})
        return _cells([name for i, name in enumerate(board.names) if mask >> i & 1])

    def op_region(self, op: Op, scope: Scope) -> Noun:
        name = str(op.value)
        if name == "all":
            return plain("cell", "cells", ANYWHERE)
        if name == "nowhere":
            return lone("nowhere")
        row = name not in ("edge", "corners") and self.rules.board.shape == "rectangle"
        prefix = "in " if row or name == "corners" else "on "
        return place_noun(f"the {_region(name, self.rules.board.shape)}", prefix)

    def op_seen(self, op: Op, scope: Scope) -> Noun:
        person = self.names.person(op.args[0])
        text = f"that {person.verb('see')}"
        claim = Claim("is", f"seen by {person.subject}")
        return Noun(f"a cell {text}", f"the cells {text}", f"no cell {text}", claim)

    def op_single(self, op: Op, scope: Scope) -> Noun:
        return lone(self.text(op.args[0], scope))

    def op_tile(self, op: Op, scope: Scope) -> Noun:
        first = op.args[0]
        if is_variable(first, "to"):
            claim = Claim("is", "covered by the tile")
            return Noun("a cell of the tile", "the cells of the tile", "no cell of the tile", claim)
        cells = f"of the tile at {self.text(first, scope)}"
        return Noun(f"a cell {cells}", f"the cells {cells}", f"no cell {cells}", Claim("is", cells))

    def op_fitting(self, op: Op, scope: Scope) -> Noun:
        cells = self.noun(op.args[0], scope).all
        text = f"where the tile covers only {cells}"
        return Noun(f"a cell {text}", f"the cells {text}", f"no cell {text}", Claim("is", text))

    def op_rows(self, op: Op, scope: Scope) -> Noun:
        return self._band(op, "row", scope)

    def op_columns(self, op: Op, scope: Scope) -> Noun:
        return self._band(op, "column", scope)

    def _band(self, op: Op, axis: str, scope: Scope) -> Noun:
        low, high = op.args
        if is_constant(low) and is_constant(high) and not is_range_open(high):
            first, last = (self.names.line(axis, int(a.value or 0)) for a in op.args)  # type: ignore[arg-type]
            return place_noun(f"{axis} {first}" if first == last else f"{axis}s {first} to {last}")
        if low == high:
            return place_noun(f"{axis} {self.text(low, scope)}")
        end = "" if is_range_open(high) else f" to {self.text(high, scope)}"
        return place_noun(f"{axis}s from {self.text(low, scope)}{end}")

    def set_called(self, text: str) -> Noun:
        """Return a noun for a set with a name, such as that of a register."""
        claim = Claim("is", f"in {text}")
        return Noun(f"a cell of {text}", f"the cells of {text}", f"no cell of {text}", claim)

    # compound sets

    def op_and(self, op: Op, scope: Scope) -> Noun:
        args = [
            arg
            for arg in parts_of(op, "meet")
            if not (has_role(arg, "name") and arg.value == "all")
        ]
        kind = next((a for a in args if self._kind_words(a, scope)), None)
        side = next((a for a in args if is_of_side(a) or self._is_enemy(a)), None)
        if kind or side:
            args = [a for a in args if not self._is_occupied(a)]
        if kind and side and not (is_of_side(side) and self._is_neutral(side)):
            head = self._owned_kind(self._kind_words(kind, scope), side, kind)
            rest = [a for a in args if a not in (kind, side)]
        elif kind and side:
            head, rest = self.noun(kind, scope), [a for a in args if a not in (kind, side)]
        else:
            first = min(args, key=self._rank)
            head, rest = self.noun(first, scope), [a for a in args if a is not first]
        return head.narrowed(*(self.noun(a, scope).whole for a in rest))

    def _kind_words(self, op: Op, scope: Scope) -> str:
        """Return the plural for the pieces of one kind or of the kinds with an attribute."""
        if self.terms.use(op) is not None:
            return ""
        if is_of_kind(op):
            return plural(self.kind_word(op.args[0], scope))
        if has_role(op, "join") and all(map(is_of_kind, op.args)):
            word = self.in_common([a.args[0] for a in op.args])
            return f"{word} pieces" if word else ""
        return ""

    def _owned_kind(self, words: str, side: Op, kind: Op) -> Noun:
        """Return a noun for the pieces of a kind that a side has."""
        owner = side.args[0] if is_of_side(side) else None
        if owner is None:
            enemy = idioms.enemy_of(side, self.names.sides)
            assert enemy is not None
            if self.names.sides > len(("mover", "other")):
                return owned(f"the other players' {words}")
            owner = make("next", enemy)
        possessive = self.names.person(owner).possessive
        if is_of_kind(kind) and self.names.is_unique(kind.args[0]):
            one = f"{possessive} {self.text(kind.args[0], {})}"
            return Noun(one, one, one, Claim("holds", one), lone=True, pieces=True)
        return owned(f"{possessive} {words}")

    def _is_enemy(self, op: Op) -> bool:
        return idioms.enemy_of(op, self.names.sides) is not None

    def _is_occupied(self, op: Op) -> bool:
        return has_role(op, "complement") and has_role(op.args[0], "vacancy")

    def _rank(self, op: Op) -> int:
        """Rank pieces before cells, and both before regions."""
        if idioms.enemy_of(op, self.names.sides):
            return 0
        if has_role(op, "shift", "singleton") and self._is_lone(op):
            return -1
        if has_role(op, "difference") or loop_function(op):
            return self._rank(op.args[0])
        role = role_of(op)
        rank = _HEADS.index(role) if role in _HEADS else len(_HEADS)
        return 2 * rank + is_of_kind(op)

    def _is_lone(self, op: Op) -> bool:
        """True if the form of a set implies at most one cell."""
        if has_role(op, "meet"):
            return any(self._is_lone(a) for a in op.args)
        if has_role(op, "shift"):
            return self._is_lone(op.args[0]) and all(_one_way(a) for a in op.args[1:])
        return has_role(op, "singleton")

    def is_neutral(self, op: Op) -> bool:
        """True if a set has the pieces of no player."""
        return is_of_side(op) and self._is_neutral(op)

    def _is_neutral(self, op: Op) -> bool:
        side = op.args[0]
        return is_constant(side, self.names.sides)

    def op_or(self, op: Op, scope: Scope) -> Noun:
        if all(has_role(a, "singleton") for a in op.args):
            return _cells([self.text(a.args[0], scope) for a in op.args])
        of_kind = all(map(is_of_kind, op.args))
        if of_kind and (word := self.in_common([a.args[0] for a in op.args])):
            return plain(f"{word} piece", f"{word} pieces", Claim("holds", f"{a(word)} piece"))
        parts = [self.noun(a, scope) for a in op.args]
        claim = Claim("is", listed([p.short for p in parts], "or"))
        return Noun(
            listed([p.some for p in parts], "or"),
            _both([_every_of(p) for p in parts]),
            listed([p.none for p in parts]),
            claim,
            pieces=all(p.pieces for p in parts),
        )

    def in_common(self, kinds: Sequence[Op]) -> str:
        """Return the attribute that exactly these kinds of piece have, if there is one."""
        if not all(map(is_constant, kinds)):
            return ""
        operands = {kind.value for kind in kinds}
        words = dict.fromkeys(word for kind in self.rules.kinds for word in kind.attributes)
        for word in words:
            if operands == {i for i, k in enumerate(self.rules.kinds) if word in k.attributes}:
                return word.replace("_", " ")
        return ""

    def op_minus(self, op: Op, scope: Scope) -> Noun:
        side = idioms.enemy_of(op, self.names.sides)
        if side:
            return self._enemies(side)
        if groups := idioms.adjacent_groups(op):
            return self._groups(*groups, scope)
        if (path := idioms.furthest(op)) is not None:
            return lone(f"the last of {self.noun(path, scope).every}")
        if (cells := idioms.unjoined(op)) is not None:
            noun = self.noun(cells, scope)
            return noun.narrowed(Claim("is", f"joined with the first of {noun.every}", True))
        if (start := idioms.at_distance_two(op)) is not None:
            return place_noun(f"two steps from {self.noun(start, scope).every}", prefix="")
        left, right = (self.noun(a, scope) for a in op.args)
        shared = len(right.claims) == 1 and right.claim == left.claim and not right.narrow
        claim = right.claims[0] if shared else right.whole
        return left.narrowed(claim.deny())

    def _enemies(self, side: Op) -> Noun:
        pieces = self.names.pieces()
        if self.names.sides == 2:
            return owned(f"{self.names.person(make('next', side)).possessive} {pieces}")
        other = "other players'" if side.value == "player" else "other sides'"
        return owned(f"the {other} {pieces}")

    def _groups(self, cells: Op, adjacent: Op, alive: bool, scope: Scope) -> Noun:
        noun = self.noun(cells, scope)
        near = self.noun(adjacent, scope)
        tail = f"in a group with {near.some} next to it"
        if not alive:
            tail = f"in a group without {near.some} next to it"
        return noun.narrowed(Claim("is", tail))

    def op_not(self, op: Op, scope: Scope) -> Noun:
        if has_role(op.args[0], "vacancy"):
            return plain("occupied cell", "occupied cells", Claim("is", "occupied"))
        claim = self.noun(op.args[0], scope).whole.deny()
        return plain("cell", "cells", ANYWHERE).narrowed(claim)


# The regions that are sides of some board; all others, drawn ones too, are named as they are.
_SIDES = frozenset(
    {
        *("top", "bottom", "left", "right", "back", "front"),
        *("lower_left", "upper_right", "upper_left", "lower_right"),
    }
)


def _region(name: str, shape: str) -> str:
    """Return the common words for a region of a board."""
    words = name.replace("_", " ")
    if shape == "rectangle" and name in _SIDES:
        return words + (" row" if name in ("top", "bottom") else " column")
    return f"{words} side" if name in _SIDES else words


def place_noun(text: str, prefix: str = "in ") -> Noun:
    """Return a noun for the cells at a place."""
    there = prefix + text
    behind = f" {there}" if not prefix else f" of {text}"
    return Noun(f"a cell{behind}", f"the cells{behind}", f"no cell{behind}", Claim("is", there))


def _cells(names: list[str]) -> Noun:
    text = listed(names, "or") or "nowhere"
    if len(names) == 1:
        return lone(text)
    return Noun(
        text, listed(names), f"none of {listed(names)}", Claim("is", f"among {listed(names)}")
    )


def _every_of(noun: Noun) -> str:
    """Describe a set inside a union: the condition on a single cell goes in parentheses."""
    if not (noun.lone and noun.claims):
        return noun.every
    return f"{noun.all} ({noun.every.removeprefix(noun.all).removeprefix(', ')})"


def _both(parts: list[str]) -> str:
    """Join parts by `and`, with a comma if a part contains `and`."""
    return ", and ".join(parts) if any(" and " in part for part in parts) else listed(parts)


def _one_way(op: Op) -> bool:
    is_turned = has_role(op, "opposite") and _one_way(op.args[0])
    return is_turned or has_role(op, "singleton")
