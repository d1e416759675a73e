"""Examples of the notation of moves."""

from collections.abc import Iterator

from rulesengine.prose.described_game import DescribedGame
from rulesengine.prose.nouns import listed

_MOST = 3


def notation_sentences(game: DescribedGame) -> Iterator[str]:
    """Yield examples of moves in the initial position, one for each group of moves."""
    moves = game.legal_moves(game.initial_state())
    first: dict[tuple[int, ...], str] = {}
    for move in moves:
        first.setdefault(tuple(step.group for step in move.steps), str(move))
    shown = [*first.values()][:_MOST]
    if shown:
        yield f"Moves are written like this: {listed(shown, 'or')}."
