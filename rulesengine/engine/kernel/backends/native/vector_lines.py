"""Lines on boards of up to 64 cells: directions in parallel, in the lanes of a vector."""

from collections.abc import Sequence

from rulesengine.engine.kernel.backends.native import prefix
from rulesengine.engine.kernel.backends.native.layout import power_of_two
from rulesengine.engine.kernel.backends.native.lines import Axis, is_straight
from rulesengine.engine.kernel.backends.native.prefix import Directions, Reach
from rulesengine.engine.kernel.backends.native.relations import all_targets, power, sources
from rulesengine.engine.kernel.backends.native.text import Body, lanes_of, splat
from rulesengine.engine.kernel.code.form import Rays, Relation, Runs

_MOST_PIECES = 6


class Lanes:
    """A vector of words, one for each direction; a single lane is a word."""

    def __init__(self, body: Body, count: int) -> None:
        self.body = body
        self.count = power_of_two(count)
        self.is_word = self.count == 1
        self.type = "i64" if self.is_word else f"<{self.count} x i64>"
        self.flags = "i1" if self.is_word else f"<{self.count} x i1>"
        self.suffix = "i64" if self.is_word else f"v{self.count}i64"
        self.zero = "0" if self.is_word else "zeroinitializer"

    def op(self, name: str, x: str, y: str) -> str:
        return self.body.let(f"{name} {self.type} {x}, {y}")

    def splat(self, value: str) -> str:
        return value if self.is_word else splat(self.body, self.count, "i64", value)

    def const(self, values: list[int]) -> str:
        if self.is_word:
            return str(values[0] if values else 0)
        return lanes_of("i64", values + [0] * (self.count - len(values)))

    def turn(self, vector: str, amounts: list[int]) -> str:
        """Rotate each lane left."""
        args = ((self.type, v) for v in (vector, vector, self.const([a % 64 for a in amounts])))
        return self.body.call(self.type, f"llvm.fshl.{self.suffix}", *args)

    def join(self, vector: str) -> str:
        if self.is_word:
            return vector
        name = f"llvm.vector.reduce.or.{self.suffix}"
        return self.body.call("i64", name, (self.type, vector))

    def any(self, vector: str) -> str:
        """Return a flag that is true if some lane is not 0."""
        flags = self.op("icmp ne", vector, self.zero)
        if self.is_word:
            return flags
        bits = self.body.let(f"bitcast {self.flags} {flags} to i{self.count}")
        return self.body.let(f"icmp ne i{self.count} {bits}, 0")

    def choose(self, flags: str, vector: str) -> str:
        return self.body.let(
            f"select {self.flags} {flags}, {self.type} {vector}, {self.type} {self.zero}"
        )


class LaneDirections(Directions):
    """Directions as lanes."""

    def __init__(self, lanes: Lanes, directions: int) -> None:
        self.lanes, self.directions = lanes, directions

    def op(self, name: str, x: str, y: str) -> str:
        return self.lanes.op(name, x, y)


class RotationDirections(LaneDirections):
    """Directions that move cells by several distances, each a rotation of the word and a mask."""

    def __init__(self, lanes: Lanes, moves: Sequence[Relation]) -> None:
        super().__init__(lanes, len(moves))
        self.moves = moves

    def on(self, cells: str, steps: Sequence[int]) -> str:
        """Apply the k-th rotation of all lanes at once."""
        v = self.lanes
        lanes = [_turns(power(of, n)) for of, n in zip(self.moves, steps, strict=True)]
        rotated = v.const([0])
        for k in range(max(map(len, lanes))):
            turn = [lane[k] if k < len(lane) else (0, 0) for lane in lanes]
            part = v.op("and", v.turn(cells, [t for t, _ in turn]), v.const([m for _, m in turn]))
            rotated = v.op("or", rotated, part) if k else part
        return rotated


class SingleRotations(LaneDirections):
    """Directions that are one rotation each; cells that wrap around are outside `within`."""

    def __init__(
        self, lanes: Lanes, deltas: list[int], within: list[int], before: list[int] | None = None
    ) -> None:
        super().__init__(lanes, len(deltas))
        self.deltas, self.within, self.before = deltas, within, before or []

    def on(self, cells: str, steps: Sequence[int]) -> str:
        return self.lanes.turn(cells, [d * n for d, n in zip(self.deltas, steps, strict=True)])

    def inside(self, over: str) -> str:
        return self.op("and", over, self.lanes.const(self.within))

    def leaving(self, begun: str) -> str:
        return self.op("and", begun, self.lanes.const(self.before))


class ShiftedAxes(LaneDirections):
    """Axes along which words are shifted right."""

    def __init__(self, lanes: Lanes, deltas: list[int]) -> None:
        super().__init__(lanes, len(deltas))
        self.deltas = deltas

    def on(self, cells: str, steps: Sequence[int]) -> str:
        by = self.lanes.const([d * n for d, n in zip(self.deltas, steps, strict=True)])
        return self.op("lshr", cells, by)


def fits(rays: Rays) -> bool:
    """True if a step in each direction is only a few rotations of a word."""
    return all(len(back.deltas) <= _MOST_PIECES for back in rays.back)


def toward(b: Body, runs: Runs, over: str, until: str) -> str:
    """Compute `Layout.toward`; rays are of bits."""
    left = prefix.usable_directions(runs)
    if not left:
        return "0"
    v, backs = Lanes(b, len(left)), [runs.rays.back[k] for k in left]
    direction = _straight_back(v, backs) if is_straight(runs.rays) else RotationDirections(v, backs)
    ends, reach = v.splat(until), prefix.reach_of(runs, left)
    return v.join(prefix.toward([direction], reach, v.splat(over), ends)[0])


def _straight_back(v: Lanes, backs: list[Relation]) -> Directions:
    """Return a way through cells with neighbours on both sides, so that no bit wraps around."""
    within = [all_targets(back) & sources(back) for back in backs]
    return SingleRotations(
        v, [back.deltas[0] for back in backs], within, [sources(back) for back in backs]
    )


def slide(b: Body, rays: Rays, start: str, through: str) -> str:
    """Compute `Layout.slide`; rays are of bits."""
    steps = [step for step in rays.steps if step.deltas]
    if not steps:
        return "0"
    v = Lanes(b, len(steps))
    direction = SingleRotations(
        v, [step.deltas[0] for step in steps], [all_targets(step) for step in steps]
    )
    rooms = tuple(length for length in prefix.lengths(rays) if length)
    over = v.splat(through)
    return v.join(prefix.flood([direction], Reach(1, rooms), over, v.splat(start))[0])


def row_in(b: Body, cells: str, length: int, axes: list[Axis]) -> str:
    """Test rows along all axes at once; the last mask removes cells at which no row begins."""
    v = Lanes(b, len(axes))
    direction = ShiftedAxes(v, [columns for (_, columns), _ in axes])
    begin = prefix.row_starts(direction, v.splat(cells), length)
    return v.any(v.op("and", begin, v.const([int(starts) for _, starts in axes])))


def _turns(moves: Relation) -> list[tuple[int, int]]:
    """Return the left rotations of a relation, each with the mask of valid bits after it."""
    turns: dict[int, int] = {}
    for delta, mask in zip(moves.deltas, moves.masks, strict=True):
        arrived = mask << delta if delta > 0 else mask >> -delta
        turns[delta % 64] = turns.get(delta % 64, 0) | arrived
    return sorted(turns.items())
