"""Features of a move, as drivers: distance from the last placement, groups, and their weight.

The features are those of Coulom, Computing Elo ratings of move patterns (2007). The liberties of a
group are the empty cells adjacent to it.
"""

from rulesengine.engine.drivers.memory import Memory, load, store
from rulesengine.engine.drivers.random import high_word, mix, word
from rulesengine.engine.drivers.search.pattern_layout import (
    ADJACENT,
    ADJACENT_COUNT,
    ATTACKS,
    CAPTURES,
    CELLS,
    CODE_COUNT,
    CODES,
    CONTENT,
    COUNTS_LIBERTIES,
    DIAGONAL,
    FAR,
    FEATURES,
    GAMMA,
    GROUP,
    LARGER,
    LARGER_COUNT,
    MARKS,
    MOST_OUTER,
    MOST_WAYS,
    NEAR,
    NEARNESS,
    NO_LAST,
    NOW_LAST,
    OUTER,
    OUTER_COUNT,
    PASS,
    PATTERN_BITS,
    RISKS,
    SAVES,
    SECOND,
    SLOTS,
    STACK,
    STAMP,
    UNIT,
    WAYS,
)


def mark_nearness(own: Memory) -> int:
    """Store the class of each cell's distance from the last placement; return that cell."""
    last, cells, directions = load(own, NOW_LAST), load(own, CELLS), load(own, WAYS)
    for cell in range(cells):
        store(own, NEARNESS + cell, NO_LAST if last >= cells else FAR)
    if last < cells:
        for direction in range(directions):
            neighbour = load(own, NEAR + last * MOST_WAYS + direction)
            for other in range(directions):
                store(own, NEARNESS + load(own, NEAR + neighbour * MOST_WAYS + other), SECOND)
        for direction in range(directions):
            kind = ADJACENT if direction < load(own, ADJACENT_COUNT) else DIAGONAL
            store(own, NEARNESS + load(own, NEAR + last * MOST_WAYS + direction), kind)
    return last


def count_liberties(start: int, most: int, own: Memory) -> int:
    """Return the number of empty cells adjacent to the group of a cell, or at least `most`.

    The number of its cells found so far is stored as its size.
    """
    stamp, kind = load(own, STAMP) + 1, load(own, CONTENT + start)
    adjacent = load(own, ADJACENT_COUNT)
    store(own, STAMP, stamp)
    store(own, STACK, start)
    store(own, MARKS + start, stamp)
    top, done, liberties = 1, 0, 0
    while done < top and liberties < most:
        cell = load(own, STACK + done)
        done += 1
        for direction in range(adjacent):
            neighbour = load(own, NEAR + cell * MOST_WAYS + direction)
            if load(own, MARKS + neighbour) != stamp:
                content = load(own, CONTENT + neighbour)
                if content == kind:
                    store(own, STACK + top, neighbour)
                    top += 1
                if content == 0:
                    liberties += 1
                if content == kind or content == 0:
                    store(own, MARKS + neighbour, stamp)
    store(own, GROUP, top)
    return liberties


def group_features(cell: int, side: int, own: Memory) -> int:
    """Return the index of the features of groups that a placement changes."""
    adjacent = load(own, ADJACENT_COUNT)
    captures, saves, attacks, risk = 0, 0, 0, 0
    for direction in range(adjacent):
        neighbour = load(own, NEAR + cell * MOST_WAYS + direction)
        content = load(own, CONTENT + neighbour)
        if content == 2 - side:
            liberties = count_liberties(neighbour, 3, own)
            if liberties == 1:
                kind = 1 if load(own, GROUP) == 1 else 2
                last = load(own, NOW_LAST)
                if last < load(own, CELLS) and load(own, MARKS + last) == load(own, STAMP):
                    kind = 3
                captures = max(captures, kind)
            if liberties == 2:
                attacks = 1
        if content == side + 1 and count_liberties(neighbour, 2, own) == 1:
            saves = 1
    if captures == 0 and leaves_one_liberty(cell, side, own):
        risk, saves = 1 if load(own, GROUP) == 1 else 2, 0
    index = captures * SAVES + saves
    return (index * ATTACKS + attacks) * RISKS + risk


def leaves_one_liberty(cell: int, side: int, own: Memory) -> bool:
    """True if a placement that captures nothing leaves its group with one liberty or none."""
    store(own, CONTENT + cell, side + 1)
    liberties = count_liberties(cell, 2, own)
    store(own, CONTENT + cell, 0)
    return liberties < 2


def features_of(cell: int, side: int, own: Memory) -> int:
    """Return the index of the features of a placement on an empty cell, or of another move."""
    if cell < 0 or cell >= load(own, CELLS) or load(own, CONTENT + cell) != 0:
        return PASS
    groups = 0
    if load(own, COUNTS_LIBERTIES) != 0:
        groups = group_features(cell, side, own)
    return load(own, NEARNESS + cell) * (CAPTURES * SAVES * ATTACKS * RISKS) + groups


def code_of_pattern(cell: int, own: Memory) -> int:
    """Return the code of the larger pattern of a cell: neighbours, then the cells around them."""
    code = load(own, CODES + cell)
    for place in range(load(own, OUTER_COUNT)):
        outer = load(own, OUTER + cell * MOST_OUTER + place)
        code = (code << 2) + load(own, CONTENT + outer)
    return code


def pattern_weight(cell: int, side: int, own: Memory) -> int:
    """Return the weight of a cell's neighbourhood, times that of its larger pattern if any."""
    gamma = load(own, GAMMA + side * CODE_COUNT + load(own, CODES + cell))
    if load(own, LARGER_COUNT) != 0:
        key = (side << PATTERN_BITS) + code_of_pattern(cell, own) + 1
        slot = high_word(mix(word(key)), SLOTS)
        found = load(own, LARGER + 2 * slot)
        while found != 0:
            if found == key:
                return gamma * load(own, LARGER + 2 * slot + 1) // UNIT
            slot += 1
            if slot == SLOTS:
                slot = 0
            found = load(own, LARGER + 2 * slot)
    return gamma


def move_weight(cell: int, side: int, own: Memory) -> int:
    """Return the weight of a move to a cell, at least 1: that of its pattern times that of its
    features.
    """
    features = features_of(cell, side, own)
    if features == PASS:
        return load(own, FEATURES + PASS)
    gamma = pattern_weight(cell, side, own)
    return max(1, gamma * load(own, FEATURES + features) // UNIT)
