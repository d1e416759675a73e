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
from rulesengine.prose.nouns import ANYWHERE, Claim, Noun, a, listed, lone, owned, plain, plural
from rulesengine.prose.speaker import Base, Scope, is_range_open

_EMPTY = plain("empty cell", "empty cells", Claim("is", "empty"))
# Roles of sets in the order of their preference as the head of a phrase.
_HEADS: tuple[Role, ...] = ("pieces", "record", "vacancy", "complement", "singleton", "shift")


class Sets(Base):
    """Operations that return a set of cells."""

    def op_empty(self, op: Op, scope: Scope) -> Noun:
        return _EMPTY

    def op_owned(self, op: Op, scope: Scope) -> Noun:
        side = op.args[0]
        if is_constant(side, self.names.sides):
            word = self.names.piece(neutral=True)
            return plain(word, plural(word), Claim("holds", a(word)))
        return owned(f"{self.names.person(side).possessive} {self.names.pieces()}")

    def op_of_kind(self, op: Op, scope: Scope) -> Noun:
        word = self.kind_word(op.args[0], scope)
        return plain(word, plural(word), Claim("holds", a(word)))

    def kind_word(self, kind: Op, scope: Scope) -> str:
        """Return `disc`, or a phrase for a kind that is known only during play."""
        if is_variable(kind) or selector_type(kind) == "number":
            return "piece of the chosen kind"
        text = self.text(kind, scope)
        return f"piece of the kind {text}" if has_role(kind, "register") else text

    def op_record(self, op: Op, scope: Scope) -> Noun:
        piece, did = self.names.piece(), str(op.value)
        said = {
            "placed": f"{piece} just placed",
            "moved": f"{piece} just moved",
            "flipped": f"{piece} turned over by the move",
            "removed": "piece removed by the move",
            "captured": f"{piece} captured by the move",
        }[did]
        head, _, rest = said.partition(" ")
        where = Claim("is", f"on the cell of {a(said)}")
        return replace(plain(said, f"{plural(head)} {rest}", where), pieces=True)

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
        return _place(f"the {_region(name, self.rules.board.shape)}", prefix)

    def op_single(self, op: Op, scope: Scope) -> Noun:
        return lone(self.text(op.args[0], scope))

    def op_rows(self, op: Op, scope: Scope) -> Noun:
        return self._band(op, "row", scope)

    def op_columns(self, op: Op, scope: Scope) -> Noun:
        return self._band(op, "column", scope)

    def _band(self, op: Op, axis: str, scope: Scope) -> Noun:
        low, high = op.args
        if is_constant(low) and is_constant(high) and not is_range_open(high):
            first, last = (self.names.line(axis, int(a.value or 0)) for a in op.args)  # type: ignore[arg-type]
            return _place(f"{axis} {first}" if first == last else f"{axis}s {first} to {last}")
        if low == high:
            return _place(f"{axis} {self.text(low, scope)}")
        end = "" if is_range_open(high) else f" to {self.text(high, scope)}"
        return _place(f"{axis}s from {self.text(low, scope)}{end}")

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
        kind = next((a for a in args if is_of_kind(a)), None)
        side = next((a for a in args if is_of_side(a)), None)
        if kind and side and not self._is_neutral(side):
            word = plural(self.text(kind.args[0], scope))
            head = owned(f"{self.names.person(side.args[0]).possessive} {word}")
            rest = [a for a in args if a not in (kind, side)]
        else:
            first = min(args, key=self._rank)
            head, rest = self.noun(first, scope), [a for a in args if a is not first]
        return head.narrowed(*(self.noun(a, scope).whole for a in rest))

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
            _both([p.every for p in parts]),
            listed([p.none for p in parts], "or"),
            claim,
            pieces=all(p.pieces for p in parts),
        )

    def in_common(self, kinds: Sequence[Op]) -> str:
        """Return the attribute that exactly these kinds of piece have, if there is one."""
        if not all(map(is_constant, kinds)):
            return ""
        asked = {kind.value for kind in kinds}
        words = dict.fromkeys(word for kind in self.rules.kinds for word in kind.attributes)
        for word in words:
            if asked == {i for i, k in enumerate(self.rules.kinds) if word in k.attributes}:
                return word.replace("_", " ")
        return ""

    def op_minus(self, op: Op, scope: Scope) -> Noun:
        side = idioms.enemy_of(op, self.names.sides)
        if side:
            return self._enemies(side)
        if groups := idioms.groups_beside(op):
            return self._groups(*groups, scope)
        if (cells := idioms.unjoined(op)) is not None:
            noun = self.noun(cells, scope)
            return noun.narrowed(Claim("is", f"joined with the first of {noun.every}", True))
        if (start := idioms.at_distance_two(op)) is not None:
            return _place(f"two steps from {self.noun(start, scope).every}", prefix="")
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

    def _groups(self, cells: Op, beside: Op, alive: bool, scope: Scope) -> Noun:
        noun = self.noun(cells, scope)
        near = self.noun(beside, scope)
        tail = f"in a group with {near.some} next to it"
        if not alive:
            tail = f"in a group without {near.some} next to it"
        return noun.narrowed(Claim("is", tail))

    def op_not(self, op: Op, scope: Scope) -> Noun:
        if has_role(op.args[0], "vacancy"):
            return plain("occupied cell", "occupied cells", Claim("is", "occupied"))
        claim = self.noun(op.args[0], scope).whole.deny()
        return plain("cell", "cells", ANYWHERE).narrowed(claim)

    # steps over the board

    def op_shift(self, op: Op, scope: Scope) -> Noun:
        if (ray := idioms.beyond(op)) is not None:
            return self._beyond(ray, scope)
        if (found := idioms.leap(op)) and self._is_lone(op):
            start, along, over = found
            there = self.noun(over, scope).some
            text = f"the cell two steps {self._adverbs(along, scope)} from {self._at(start, scope)}"
            return lone(f"{text}, just beyond {there}")
        text = f"{self._steps(op.args[1:], scope)} {self._at(op.args[0], scope)}"
        return lone(f"the cell {text}") if self._is_lone(op) else _place(text, prefix="")

    def _beyond(self, ray: tuple[Op, ...], scope: Scope) -> Noun:
        """Describe a slide over some cells and one step further."""
        start, way, through = ray
        text = f"in a straight line {self._adverbs(way, scope)} from {self._at(start, scope)}"
        if has_role(through, "complement"):
            between = self.noun(through.args[0], scope).none
        else:
            between = f"only {self.noun(through, scope).many}"
        return _place(f"{text}, with {between} in between,", prefix="")

    def _at(self, op: Op, scope: Scope) -> str:
        """Describe the start of steps."""
        noun = self.noun(op, scope)
        return noun.every if noun.lone else noun.some

    def _steps(self, ways: tuple[Op, ...], scope: Scope) -> str:
        """Return `directly north of`, or `two steps north, then one step west from`."""
        if len(ways) == 1:
            way = self._adverbs(ways[0], scope)
            named = has_role(ways[0], "singleton") and has_role(ways[0].args[0], "name")
            return f"directly {way} of" if named else f"one step {way} from"
        runs: list[tuple[str, int]] = []
        for way in (self._adverbs(op, scope) for op in ways):
            if runs and runs[-1][0] == way:
                runs[-1] = way, runs[-1][1] + 1
            else:
                runs.append((way, 1))
        said = [f"{_count(n)} {'step' if n == 1 else 'steps'} {way}" for way, n in runs]
        return ", then ".join(said) + " from"

    def _adverbs(self, op: Op, scope: Scope) -> str:
        """Return directions as adverbs."""
        return self.text(op, scope)

    def op_neighbours(self, op: Op, scope: Scope) -> Noun:
        near = self._at(op.args[0], scope)
        if len(op.args) > 1:
            return _place(f"one step {self.text(op.args[1], scope)} from {near}", prefix="")
        return _place(f"next to {near}", prefix="")

    def op_slide(self, op: Op, scope: Scope) -> Noun:
        start, ways, through = op.args[:3]
        joins = self._joins(*op.args[3:]) if op.args[3:] else ""
        return _place(
            f"in a straight line {self._adverbs(ways, scope)} from {self._at(start, scope)}"
            + joins
            + self._over(through, scope),
            prefix="",
        )

    def _joins(self, low: Op, high: Op) -> str:
        """Describe how many joins of the board a straight path crosses."""
        if low.value == 0 and is_range_open(high):
            return " that may cross joins"
        if is_range_open(high):
            return f" that crosses at least {self._counted(low)}"
        if low == high:
            return f" that crosses {self._counted(low)}" if low.value else " that crosses no join"
        if low.value == 0:
            return f" that crosses at most {self._counted(high)}"
        return f" that crosses {self.text(low, {})} to {self._counted(high)}"

    def _counted(self, joins: Op) -> str:
        return "one join" if joins.value == 1 else f"{self.text(joins, {})} joins"

    def _over(self, through: Op, scope: Scope) -> str:
        """Describe the cells that a straight path crosses."""
        noun = self.noun(through, scope)
        if noun.claim == ANYWHERE and not noun.claims:
            return ""
        if has_role(through, "complement"):
            return f", over cells without {self.noun(through.args[0], scope).some} only"
        return f", over {noun.many} only"

    def op_slide_on(self, op: Op, scope: Scope) -> Noun:
        return self.op_slide(op, scope)

    def op_run_on(self, op: Op, scope: Scope) -> Noun:
        return self.op_run(op, scope)

    def op_run(self, op: Op, scope: Scope) -> Noun:
        start, over, until, low, high = op.args[:5]
        along = f", running {self._adverbs(op.args[5], scope)}," if len(op.args) > 5 else ""
        length = self._length(low, high)
        row = f"in an unbroken straight row{along}{length} between {self._at(start, scope)}"
        return self.noun(over, scope).narrowed(
            Claim("is", f"{row} and {self.noun(until, scope).some}")
        )

    def _length(self, low: Op, high: Op) -> str:
        """Describe the length of a row; empty for any length from one on."""
        if is_range_open(high):
            return "" if low.value == 1 else f" of at least {self.text(low, {})}"
        if low == high:
            return f" of exactly {self.text(low, {})}"
        if low.value == 1:
            return f" of at most {self.text(high, {})}"
        return f" of {self.text(low, {})} to {self.text(high, {})}"

    def op_line(self, op: Op, scope: Scope) -> Noun:
        cells = self.noun(op.args[0], scope)
        line = Claim("is", f"{self.line(op, scope)} of {cells.every}")
        return replace(cells.narrowed(Claim("is", self.line(op, scope))), narrow=line)

    def line(self, op: Op, scope: Scope) -> str:
        """Return `in an unbroken straight line of at least 4`."""
        along = f", running {self._adverbs(op.args[3], scope)}," if len(op.args) > 3 else ""
        return f"in an unbroken straight line{along}{self._length(op.args[1], op.args[2])}"

    def op_fill(self, op: Op, scope: Scope) -> Noun:
        if groups := idioms.groups_beside(op):
            return self._groups(*groups, scope)
        start, within = op.args[:2]
        along = f" by steps {self._adverbs(op.args[2], scope)}" if len(op.args) > 2 else ""
        return self.noun(within, scope).narrowed(
            Claim("is", f"joined with {self._at(start, scope)}{along}")
        )


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


def _place(text: str, prefix: str = "in ") -> Noun:
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


def _both(parts: list[str]) -> str:
    """Join parts by `and`, with a comma if a part contains `and`."""
    return ", and ".join(parts) if any(" and " in part for part in parts) else listed(parts)


def _one_way(op: Op) -> bool:
    is_turned = has_role(op, "opposite") and _one_way(op.args[0])
    return is_turned or has_role(op, "singleton")


def _count(number: int) -> str:
    words = ("no", "one", "two", "three", "four")
    return words[number] if number < len(words) else str(number)
