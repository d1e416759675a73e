"""Problems with scripts of their own, each with a program written from its statement.

- `first-line`: LeetCode 1275, Find Winner on a Tic Tac Toe Game. The number of moves, then a row
  and a column from 0 for each, A first; print `A`, `B`, `Draw` or `Pending`.
- `four`: columns of Connect Four from 1, a line each, until the game is over; a full column is
  answered by `full`. Print the number of discs and the winner.
- `heaps`: Nim with the heaps a, b and c of 3, 4 and 5. A line has a heap and a number of counters;
  other words and numbers beyond the heap are answered by `no`. Print the heaps after each move,
  then the player who took the last counter.
"""

from types import MappingProxyType

SPECS = MappingProxyType(
    {
        "first-line": """\
spec: 1
name: First line
extends: tic-tac-toe
io: |
  read number moves_made from 1 to 9
  repeat moves_made times
    if over
      fail "the game is over"
    read number r, c from 0 to 2
    play move where r = 3 - row(to) and c = column(to) - 1
    else
      fail "the cell is taken"
  if not over
    print "Pending"
  else if drawn
    print "Draw"
  else if winner = cross
    print "A"
  else
    print "B"
""",
        "four": """\
spec: 1
name: Four
extends: connect-four
io: |
  let discs be 0
  repeat until over
    read number c from 1 to 7
    play move where c = column(to)
    else
      print "full"
      next
    let discs be discs + 1
  if drawn
    print "{discs} draw"
  else
    print "{discs} {winner}"
""",
        "heaps": """\
spec: 1
name: Heaps
extends: nim
io: |
  repeat until over
    layout line
    read word h
    read number k from 1 to 5
    play move "{h}1={k}"
    else
      print "no"
      next
    print "{heap of a1} {heap of b1} {heap of c1}"
  print "{winner}"
""",
    }
)

FORMATS = MappingProxyType(
    {
        "first-line": r"[1-9]\n([0-2] [0-2]\n)+",
        "four": r"([1-7]\n)+",
        "heaps": r"(\S+ [1-5]\n)+",
    }
)

PROGRAMS = MappingProxyType(
    {
        "first-line": """\
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def run(data):
    lines = data.decode().splitlines()
    cells = [None] * 9
    for i in range(int(lines[0])):
        row, column = lines[i + 1].split(" ")
        cells[3 * int(row) + int(column)] = "AB"[i % 2]
    for a, b, c in LINES:
        if cells[a] == cells[b] and cells[b] == cells[c] and cells[a]:
            return (cells[a] + "\\n").encode(), 0
    if int(lines[0]) == 9:
        return b"Draw\\n", 0
    return b"Pending\\n", 0
""",
        "four": """\
STEPS = [(1, 0), (0, 1), (1, 1), (1, -1)]

def run(data):
    columns = [[] for _ in range(7)]
    printed = ""
    discs = 0
    for line in data.decode().splitlines():
        column = int(line) - 1
        if len(columns[column]) == 6:
            printed += "full\\n"
            continue
        columns[column].append(discs % 2)
        discs += 1
        if wins(columns, column):
            return (printed + f"{discs} {['first', 'second'][columns[column][-1]]}\\n").encode(), 0
    if discs == 42:
        printed += "42 draw\\n"
    return printed.encode(), 0

def wins(columns, column):
    level = len(columns[column]) - 1
    for dx, dy in STEPS:
        length = 1
        for sign in (1, -1):
            x, y = column + sign * dx, level + sign * dy
            while 0 <= x < 7 and 0 <= y < len(columns[x]) and columns[x][y] == columns[column][-1]:
                length += 1
                x, y = x + sign * dx, y + sign * dy
        if length >= 4:
            return True
    return False
""",
        "heaps": """\
def run(data):
    heaps = [3, 4, 5]
    player = 0
    printed = ""
    for line in data.decode().splitlines():
        name, taken = line.split(" ")
        if name not in ("a", "b", "c") or int(taken) > heaps["abc".index(name)]:
            printed += "no\\n"
            continue
        heaps["abc".index(name)] -= int(taken)
        printed += f"{heaps[0]} {heaps[1]} {heaps[2]}\\n"
        player = 1 - player
        if sum(heaps) == 0:
            printed += ["first", "second"][1 - player] + "\\n"
    return printed.encode(), 0
""",
    }
)
