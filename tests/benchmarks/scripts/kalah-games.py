"""Kalah: the moves of games, with the seeds in the stores after each: a plain program."""

# mypy: ignore-errors
import sys

NAMES = {"a1": 0, "b1": 1, "c1": 2, "d1": 3, "e1": 4, "f1": 5}
NAMES |= {"a2": 7, "b2": 8, "c2": 9, "d2": 10, "e2": 11, "f2": 12}
PLAYERS = ("south", "north")


def sow(seeds, side, pit):
    """Make a move; return the player to move next."""
    own, other = 6 + 7 * side, 13 - 7 * side
    left, at = seeds[pit], pit
    seeds[pit] = 0
    while left:
        at = (at + 1) % 14
        if at != other:
            seeds[at] += 1
            left -= 1
    across = 12 - at
    if at != own and at // 7 == side and seeds[at] == 1 and seeds[across]:
        seeds[own] += 1 + seeds[across]
        seeds[at] = seeds[across] = 0
    return side if at == own else 1 - side


def main():
    words = iter(sys.stdin.read().split())
    out = []
    for _ in range(int(next(words))):
        seeds, side = [4, 4, 4, 4, 4, 4, 0] * 2, 0
        while any(seeds[:6]) and any(seeds[7:13]):
            word = next(words)
            pit = NAMES.get(word, -1)
            if pit < 0 or pit // 7 != side or not seeds[pit]:
                out.append(f"{word} is no move of {PLAYERS[side]}")
                continue
            side = sow(seeds, side, pit)
            out.append(f"{word} {seeds[6]:2} {seeds[13]:2} {PLAYERS[side]}")
        out.append(" ".join(f"{seeds[i]:2}" for i in range(13, 6, -1)))
        out.append("   " + " ".join(f"{seeds[i]:2}" for i in range(7)))
        south, north = sum(seeds[:7]), sum(seeds[7:])
        if south == north:
            out.append("draw")
        else:
            out.append(f"{PLAYERS[north > south]} {south} {north}")
    print("\n".join(out))


main()
