"""The time of one move, from the clocks that a client sends."""

_MOVES = 30  # moves that the rest of a game is assumed to take
_SHARE = 0.5  # the most of the clock that one move takes
_LEAST = 0.005
_INCREMENT = 0.8


def move_seconds(left: float, increment: float, moves_to_go: int | None, overhead: float) -> float:
    """Return the seconds for a move, from those on the clock; all arguments are in seconds.

    `overhead` is subtracted from the clock, since it is lost between client and engine.
    """
    left = max(left - overhead, 0.0)
    moves = min(moves_to_go, _MOVES) if moves_to_go else _MOVES
    planned = left / moves + _INCREMENT * increment
    most = left * (0.9 if moves == 1 else _SHARE)
    return max(min(planned, most), _LEAST)
