"""Descriptions of steps, slides, rows, lines and groups on the board."""

from dataclasses import replace

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role
from rulesengine.prose import idioms
from rulesengine.prose.describer_base import Scope, is_range_open
from rulesengine.prose.nouns import ANYWHERE, Claim, Noun, lone
from rulesengine.prose.sets import Sets, place_noun


class Paths(Sets):
    """Operations that follow directions or adjacency."""

    def op_shift(self, op: Op, scope: Scope) -> Noun:
        if (ray := idioms.beyond(op)) is not None:
            return self._beyond(ray, scope)
        if (leap := idioms.leap(op)) and self._is_lone(op):
            start, along, over = leap
            there = self.noun(over, scope).some
            text = f"the cell two steps {self._adverbs(along, scope)} from {self._at(start, scope)}"
            return lone(f"{text}, just beyond {there}")
        text = f"{self._steps(op.args[1:], scope)} {self._at(op.args[0], scope)}"
        return lone(f"the cell {text}") if self._is_lone(op) else place_noun(text, prefix="")

    def _beyond(self, ray: tuple[Op, ...], scope: Scope) -> Noun:
        """Describe a slide over some cells and one step further."""
        start, way, through = ray
        text = f"in a straight line {self._adverbs(way, scope)} from {self._at(start, scope)}"
        if has_role(through, "complement"):
            between = self.noun(through.args[0], scope).none
        else:
            between = f"only {self.noun(through, scope).many}"
        return place_noun(f"{text}, with {between} in between,", prefix="")

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
        phrases = [f"{_count(n)} {'step' if n == 1 else 'steps'} {way}" for way, n in runs]
        return ", then ".join(phrases) + " from"

    def _adverbs(self, op: Op, scope: Scope) -> str:
        """Return directions as adverbs."""
        return self.text(op, scope)

    def op_neighbours(self, op: Op, scope: Scope) -> Noun:
        near = self._at(op.args[0], scope)
        if len(op.args) > 1:
            return place_noun(f"one step {self.text(op.args[1], scope)} from {near}", prefix="")
        return place_noun(f"next to {near}", prefix="")

    def op_slide(self, op: Op, scope: Scope) -> Noun:
        start, ways, through = op.args[:3]
        joins = self._joins(*op.args[3:]) if op.args[3:] else ""
        return place_noun(
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
            return f", over only cells without {self.noun(through.args[0], scope).some}"
        return f", over only {noun.many}"

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
        if groups := idioms.adjacent_groups(op):
            return self._groups(*groups, scope)
        start, within = op.args[:2]
        along = f" by steps {self._adverbs(op.args[2], scope)}" if len(op.args) > 2 else ""
        return self.noun(within, scope).narrowed(
            Claim("is", f"joined with {self._at(start, scope)}{along}")
        )


def _count(number: int) -> str:
    words = ("no", "one", "two", "three", "four")
    return words[number] if number < len(words) else str(number)
