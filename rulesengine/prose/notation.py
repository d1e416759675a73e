"""Examples of the notation of moves."""

from collections.abc import Iterator
from contextlib import suppress

from rulesengine.errors import RulesError
from rulesengine.prose.described_game import DescribedGame
from rulesengine.prose.nouns import listed
from rulesengine.state import Move, State
from rulesengine.support.frozen import replace

_MOST = 3
_ATTEMPTS = 512  # maximum positions with a single piece


def notation_sentences(game: DescribedGame) -> Iterator[str]:
    """Yield examples of moves, one for each group of moves.

    They are moves of the initial position. A group with a choice that has none there, such as a
    promotion, has a move of a position with a single piece.
    """
    first: dict[tuple[int, ...], str] = {}
    for move in game.legal_moves(game.initial_state()):
        first.setdefault(_groups(move), str(move))
    shown = [*first.values()][:_MOST]
    for number, group in enumerate(game.program.rules.groups):
        is_met = any(number in groups for groups in first)
        if group.step_kind == "move" and group.choice and not is_met and len(shown) < _MOST:
            shown += [str(move) for move in _moves_of_lone_pieces(game, number)][:1]
    if shown:
        yield f"Moves are written like this: {listed(shown, 'or')}."


def _groups(move: Move) -> tuple[int, ...]:
    return tuple(step.group for step in move.steps)


def _moves_of_lone_pieces(game: DescribedGame, number: int) -> Iterator[Move]:
    """Yield moves of a group in positions with only one piece, of the side to move."""
    start, rules = game.initial_state(), game.program.rules
    cells, owners = len(game.program.topology.names), len(rules.players) + 1
    origin, left = rules.groups[number].origin, _ATTEMPTS
    for plane in range(start.side, len(rules.kinds) * owners, owners):
        with suppress(RulesError):
            everywhere = _with_piece(start, plane, (1 << cells) - 1)
            if origin is not None and not game.machine.evaluate(origin, everywhere, {}):
                continue
            for cell in range(min(cells, left)):
                left -= 1
                moves = game.legal_moves(_with_piece(start, plane, 1 << cell))
                yield from (move for move in moves if number in _groups(move))


def _with_piece(state: State, plane: int, cells: int) -> State:
    """Return a position with pieces of one kind only."""
    planes = tuple(cells if n == plane else 0 for n in range(len(state.planes)))
    return replace(state, planes=planes)
