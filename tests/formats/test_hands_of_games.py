"""Positions of bundled games with pieces in hand, against pyffish where it is installed."""

import random

import pytest

import rulesengine


@pytest.mark.parametrize("name", ["minishogi", "dobutsu-shogi"])
def test_positions_of_random_games_are_those_of_pyffish(name: str) -> None:
    library = pytest.importorskip("pyffish", reason="pyffish is not installed")
    game = rulesengine.load(name, engine="interpreter")
    variant, chosen = name.removesuffix("-shogi"), random.Random(5)
    state, moves, start = game.initial_state(), list[str](), library.start_fen(variant)
    for ply in range(40):
        if game.outcome(state) is not None:
            return
        ours = game.export(state, fullmove=ply // 2 + 1).split()
        theirs = library.get_fen(variant, start, moves, False, True).split()
        # pyffish has an order of its own for the pieces in hand.
        assert [*map(sorted, ours)] == [*map(sorted, theirs)]
        assert [ours[0], ours[1], ours[3]] == [theirs[0], theirs[1], theirs[3]]
        legal = game.legal_moves(state)
        move = legal[chosen.randrange(len(legal))]
        moves.append(_as_uci(str(move), name))
        state = game.apply(state, move)
        found = game.state_from(game.export(state, fullmove=(ply + 1) // 2 + 1))
        assert (found.planes, found.side) == (state.planes, state.side)
        assert found.registers == state.registers


def _as_uci(text: str, name: str) -> str:
    """Return a move with columns by letters from the left and rows by numbers from the bottom."""
    if name != "minishogi":
        return text
    names = dict(zip("54321edcba", "abcde12345", strict=True))
    return "".join(names.get(char, char) for char in text).replace("*", "@")
