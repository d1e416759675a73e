"""Puzzles of one player by brute force, written from the rules of the puzzles alone."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache

Grid = tuple[tuple[int, ...], ...]
Cell = tuple[int, int]
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


def slid(row: Sequence[int]) -> tuple[int, ...]:
    """Return a row of 2048 after a slide to its first place; 0 is an empty place."""
    tiles, found = [n for n in row if n], list[int]()
    while tiles:
        first = tiles.pop(0)
        if tiles and tiles[0] == first:
            tiles.pop(0)
            first *= 2
        found.append(first)
    return (*found, *[0] * (len(row) - len(found)))


def slides(grid: Grid) -> Iterator[Grid]:
    """Yield the grids after the slides to the left, right, top and bottom."""
    turned = tuple(zip(*grid, strict=True))
    yield tuple(slid(row) for row in grid)
    yield tuple(slid(row[::-1])[::-1] for row in grid)
    yield tuple(zip(*(slid(row) for row in turned), strict=True))
    yield tuple(zip(*(slid(row[::-1])[::-1] for row in turned), strict=True))


def greatest_tile(grid: Grid, moves: int) -> int:
    """Return the greatest tile that exactly so many slides can make."""
    if moves == 0:
        return max(map(max, grid))
    return max(greatest_tile(after, moves - 1) for after in slides(grid))


def most_jumps(holes: Iterable[Cell], pegs: Iterable[Cell]) -> int:
    """Return the greatest number of jumps of peg solitaire."""
    board = frozenset(holes)

    @cache
    def best(left: frozenset[Cell]) -> int:
        found = 0
        for x, y in left:
            for dx, dy in SIDES:
                over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if over in left and to in board and to not in left:
                    found = max(found, 1 + best(left - {(x, y), over} | {to}))
        return found

    return best(frozenset(pegs))


def fewest_steps(level: Sequence[str]) -> int | None:
    """Return the fewest steps that solve a level of Sokoban; None if it has no solution.

    The signs are `#` wall, `@` man, `$` box, `.` goal.
    """
    cells = {(x, y): sign for y, row in enumerate(level) for x, sign in enumerate(row)}
    walls = {at for at, sign in cells.items() if sign == "#"}
    goals = frozenset(at for at, sign in cells.items() if sign == ".")
    man = next(at for at, sign in cells.items() if sign == "@")
    first = man, frozenset(at for at, sign in cells.items() if sign == "$")
    steps, queue = {first: 0}, deque([first])
    while queue:
        (x, y), boxes = state = queue.popleft()
        if boxes == goals:
            return steps[state]
        for dx, dy in SIDES:
            to, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if to in walls or (to in boxes and (behind in walls or behind in boxes)):
                continue
            pushed = boxes - {to} | {behind} if to in boxes else boxes
            if (to, pushed) not in steps:
                steps[to, pushed] = steps[state] + 1
                queue.append((to, pushed))
    return None


def best_samegame(columns: Sequence[str]) -> int:
    """Return the greatest result of Samegame; a column is the colours from its bottom up."""

    @cache
    def best(left: tuple[str, ...]) -> int:
        found = [(len(group) - 2) ** 2 + best(without(left, group)) for group in groups_of(left)]
        return max(found) if found else rest(left)

    return best(tuple(columns))


def rest(columns: Sequence[str]) -> int:
    """Return the points of a position without a group: 1,000, or what the blocks left cost."""
    blocks = "".join(columns)
    return -sum((blocks.count(c) - 2) ** 2 for c in set(blocks)) if blocks else 1000


def groups_of(columns: Sequence[str]) -> Iterator[frozenset[Cell]]:
    """Yield the groups of two blocks or more."""
    left = {(x, y) for x, column in enumerate(columns) for y in range(len(column))}
    while left:
        group, queue = set[Cell](), [left.pop()]
        while queue:
            x, y = at = queue.pop()
            group.add(at)
            for dx, dy in SIDES:
                near = x + dx, y + dy
                if near in left and columns[near[0]][near[1]] == columns[x][y]:
                    left.remove(near)
                    queue.append(near)
        if len(group) > 1:
            yield frozenset(group)


def without(columns: Sequence[str], group: frozenset[Cell]) -> tuple[str, ...]:
    """Return the columns after a group is gone: blocks fall, empty columns close up."""
    left = (
        "".join(block for y, block in enumerate(column) if (x, y) not in group)
        for x, column in enumerate(columns)
    )
    return tuple(column for column in left if column)


def best_of_rolls(rolls: int) -> Fraction:
    """Return the greatest mean of a die that may be thrown again, so many times in all."""
    mean = Fraction(0)
    for _ in range(rolls):
        mean = sum((max(Fraction(pips), mean) for pips in range(1, 7)), Fraction(0)) / 6
    return mean
