"""Play games between a player of your own and the search of the package.

    python examples/own_player.py         # 6 games of Connect Four
    python examples/own_player.py 20

A player is a function from a game and a state to a legal move. The argument is the number of games.
"""

import random
import sys
from collections.abc import Callable

import rulesengine
from rulesengine import Game, Move, State

Player = Callable[[Game, State], Move]


def wins_at_once(game: Game, state: State) -> Move | None:
    """Return a move that wins for the player to move, None if there is none."""
    for move in game.legal_moves(state):
        outcome = game.outcome(game.apply(state, move, check=False))
        if outcome is not None and outcome.winner == state.mover:
            return move
    return None


def careful(game: Game, state: State) -> Move:
    """Return a move that wins at once, or one that does not let the opponent win at once."""
    move = wins_at_once(game, state)
    if move is not None:
        return move
    legal = list(game.legal_moves(state))
    # A generator seeded by the state: the same position always gets the same move.
    random.Random(str(state)).shuffle(legal)
    for move in legal:
        after = game.apply(state, move)
        if game.outcome(after) is not None or wins_at_once(game, after) is None:
            return move
    return legal[0]


def searching(game: Game, state: State) -> Move:
    """Return the best move of an alpha-beta search of 1000 positions."""
    # A limit in nodes gives the same move on every machine; a limit in seconds does not.
    result = game.search(state, nodes=1000)
    assert result.move is not None
    return result.move


def play(game: Game, players: dict[str, Player], opening: int) -> str | None:
    """Play one game from the given first move and return the winner, None for a draw."""
    # A session changes in place: `push` makes a move, `pop` takes it back.
    with game.start() as session:
        session.push(session.legal[opening % len(session.legal)])
        while (outcome := session.outcome()) is None:
            session.push(players[session.mover](game, session.state))
        return outcome.winner


def main(games: str = "6") -> None:
    """Play pairs of games from the same first move, with the sides exchanged."""
    game = rulesengine.load("connect-four")
    wins = {"careful": 0, "search": 0, "nobody": 0}
    for number in range(int(games)):
        names = ("careful", "search") if number % 2 == 0 else ("search", "careful")
        seats = dict(zip(game.players, names, strict=True))
        known: dict[str, Player] = {"careful": careful, "search": searching}
        winner = play(game, {side: known[name] for side, name in seats.items()}, number // 2)
        wins[seats[winner] if winner else "nobody"] += 1
        print(f"game {number + 1}: {seats[winner] if winner else 'nobody'} wins")
    print(f"careful {wins['careful']}, search {wins['search']}, draws {wins['nobody']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
