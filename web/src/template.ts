// The spec that a new game begins with.

export const NEW_SPEC = `spec: 1
name: Three in a row
board: {rows: 3, columns: 3, origin: bottom-left}
players: [cross, nought]
pieces:
  mark: {cross: x, nought: o}
  empty: "."
rules:
  moves:
    place: mark
    to: empty
  end:
    - when: any(line(own, at least 3))
      result: player wins
      reason: three in a row
    - when: none(empty)
      result: draw
      reason: the board is full
tests:
  - name: three in a row win
    moves: a1 a2 b1 b2 c1
    outcome: cross wins
`;
