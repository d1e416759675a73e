"""A game's most frequent calls in the place of its methods, once native kernels serve them."""

from collections.abc import Callable, Mapping
from typing import Any

from rulesengine.ir.program import Program
from rulesengine.state import Move, State

Fast = Mapping[str, Callable[[State], Any]]
Mask = Callable[[State], int]
List = Callable[[State], tuple[Move, ...]]


def quicken(calls: dict[str, Any], program: Program, fast: Fast, mask: Mask, moves: List) -> None:
    """Let a game's own `legal_mask` and `legal_moves` in `calls` go straight to its kernels.

    Where these fail, or a state is of another form, the methods do the work as before.
    """
    groups = program.rules.groups
    if "mask" in fast and "legal_mask" not in calls:
        calls["legal_mask"] = _mask_call(program, fast["mask"], mask)
    plain = not any(group.kind == "move" or group.choice or group.then for group in groups)
    if "legal" in fast and plain and "legal_moves" not in calls:
        calls["legal_moves"] = _moves_call(program, fast["legal"], moves)


def _mask_call(program: Program, fast: Callable[[State], Any], method: Mask) -> Mask:
    form = program.form

    def legal_mask(state: State) -> int:
        if state.form is form:
            mask: int | None = fast(state)
            if mask is not None:
                return mask
        return method(state)

    return legal_mask


def _moves_call(program: Program, fast: Callable[[State], Any], method: List) -> List:
    form = program.form
    named: dict[int, Move] = {}

    def legal_moves(state: State) -> tuple[Move, ...]:
        found = fast(state) if state.form is form else None
        if found is None:
            return method(state)
        words = found[0][::2]
        try:
            return tuple([named[word] for word in words])
        except KeyError:
            moves = method(state)
            named.update(zip(words, moves, strict=True))
            return moves

    return legal_moves
