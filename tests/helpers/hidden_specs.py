"""Specs of games with hidden information."""

# H. W. Kuhn, A Simplified Two-Person Poker, 1950. The cards are pieces in the hands of the players.
KUHN = """
spec: 1
name: Three cards
board: {rows: 1, columns: 2, origin: bottom-left}
players: {first: {hand: a1}, second: {hand: b1}}
pieces:
  jack: {neutral: J, values: {rank: 1}}
  queen: {neutral: Q, values: {rank: 2}}
  king: {neutral: K, values: {rank: 3}}
  empty: "."
registers:
  paid: {type: number, each: player, from: 1, to: 2, start: 1}
rules:
  sees: {cells: hand, moves: all}
  moves:
    - {pass: true, written: pass}
    - {pass: true, do: set paid to 2, written: bet}
  chance:
    when: any(empty)
    branches:
      place: choice
      choice: [jack, queen, king]
      to: first(empty)
      when: none(choice)
      written: "{choice}"
  end:
    when: plies > 1 and as(mover, paid >= paid of opponent)
    payoffs: >-
      if paid > paid of opponent then paid of opponent
      else if paid < paid of opponent then -paid
      else if rank of kind(hand) > rank of kind(hand of opponent) then paid
      else -paid
"""

# As OpenSpiel's phantom_ttt, where the other player does not notice a failed try.
PHANTOM = """
spec: 1
name: Unseen marks
board: {rows: 3, columns: 3, origin: bottom-left}
players: [cross, nought]
pieces:
  mark: {cross: x, nought: o}
  empty: "."
registers:
  met: {type: cells, each: player, seen: own}
rules:
  sees: {cells: own or met}
  moves:
    select: unknown
    do: if to in enemy then set met to met or to else put mark on to
  turn: if any(placed) then next(player) else player
  end:
    - {when: "any(line(own, at least 3))", result: player wins}
    - {when: none(empty), result: draw}
"""
