"""Numbers of information sets of the players to move after so many moves."""

from collections.abc import Iterable, Iterator, Sequence

from rulesengine.engine.observation import InformationState
from rulesengine.game import Game
from rulesengine.state import Move, State

# A state with the information states of all players.
_Node = tuple[State, tuple[InformationState, ...]]


def information_sets(game: Game, start: State, moves: Sequence[Move], depth: int) -> list[int]:
    """Return the numbers of information sets of the players to move, after 0, 1, … more moves.

    `moves` are played from `start` first. Moves of chance are not counted. Positions where the game
    is over have no player to move.
    """
    known = tuple(game.information_state(moves, name, start) for name in game.players)
    for move in moves:
        start = game.apply(start, move)
    counts, level = [], _past_chance(game, [(start, known)])
    for number in range(depth):
        if number:
            level = _past_chance(game, (node for one in level for node in _following(game, one)))
        sides = [(state.side, infos[state.side]) for state, infos in level if _goes_on(game, state)]
        counts.append(len(set(sides)))
    return counts


def _goes_on(game: Game, state: State) -> bool:
    return game.outcome(state) is None


def _past_chance(game: Game, nodes: Iterable[_Node]) -> list[_Node]:
    """Return the distinct nodes in which a player is to move, after all moves of chance."""
    distinct: dict[_Node, None] = {}
    open_nodes = list(dict.fromkeys(nodes))
    while open_nodes:
        node = open_nodes.pop()
        if _goes_on(game, node[0]) and game.machine.is_chance(node[0]):
            open_nodes += _following(game, node)
        else:
            distinct[node] = None
    return list(distinct)


def _following(game: Game, node: _Node) -> Iterator[_Node]:
    state, infos = node
    for move in game.legal_moves(state):
        after = game.apply(state, move)
        yield after, tuple(info.after(state, move, after) for info in infos)
