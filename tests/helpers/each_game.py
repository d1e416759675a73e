"""The bundled games as parameters of a test: few before each commit, more before a merge."""

from collections.abc import Collection

import pytest

from rulesengine.support.resources import bundled_names, open_names

# Together these cover chains, choices of captures, a history, a swap, three players, passes, a
# script.
SOME = frozenset(
    {
        "bio97-othello",
        "connect-four",
        "english-draughts",
        "hex-pie",
        "nine-mens-morris",
        "reversi",
        "three-player-tic-tac-toe",
    }
)
# Their rules are nearly those of another bundled game, and their tests take longer; or a ply of
# theirs is slow.
LARGER = frozenset(
    {
        *("amazons", "gomoku", "gomoku-exact-five", "connect6", "pente", "atari-go", "nogo"),
        *("acm92-othello", "anti-othello", "aps105-reversi", "othello-10x10", "othello-holes"),
        *("othello-torus", "lines-of-action", "halma", "havannah", "quarto"),
        *("rolit", "rolit-2", "rolit-3", "y", "tablut", "teeko", "neutron", "squava"),
        *("international-draughts", "brazilian-draughts", "russian-draughts"),
        *("chess", "chess960", "crazyhouse", "los-alamos", "minishogi", "shogi", "xiangqi"),
        *("order-and-chaos", "cram", "fox-and-hounds", "snailtrail", "three-musketeers"),
        *("surakarta", "dots-and-boxes", "backgammon", "abalone", "arimaa", "tak", "lasca"),
        "dvonn",
        "hive",
        "blokus-duo",
        *("gonnect", "oware", "ultimate-tic-tac-toe", "l-game", "chinese-checkers"),
        *(f"chinese-checkers-{players}" for players in (2, 3, 4, 5)),
        *("chat-noir", "gale", "hey-thats-my-fish", "okiya", "trike", "yavalath-3"),
    }
)
# Games that differ from another one only in the number of players.
OTHER_PLAYERS = frozenset(
    {"rolit-2", "rolit-3", *(f"chinese-checkers-{players}" for players in (2, 3, 4, 5))}
)
# Games whose tests are deep: they differ little from another bundled game, or words and tests of
# their own games cover them.
SIMILAR = OTHER_PLAYERS | {
    *("anti-othello", "othello-10x10", "othello-holes", "othello-torus"),
    *("brazilian-draughts", "chess960", "connect6", "gomoku-exact-five"),
    *("crazyhouse", "shogi"),
    *("misere-connect-four", "misere-tic-tac-toe", "tic-tac-toe-klein"),
    *("leduc-poker", "liars-dice", "dark-hex", "dark-chess", "phantom-go", "battleship"),
    *("mastermind", "banqi", "oh-hell", "crazy-eights", "german-whist", "quoridor", "stratego"),
    "two-person-whist",
    # Their own tests compare them with other programs; their kernels are large.
    *("tak", "lasca", "dvonn", "hive", "arimaa", "blokus-duo"),
}
# Games with kernels that compile slowly; tests of their own compile them.
LONG_TO_MAKE = frozenset(
    {
        *("chess", "chess960", "crazyhouse", "los-alamos", "minishogi", "shogi", "xiangqi"),
        *("dark-chess", "aps105-reversi", "blokus-duo", "othello-torus", "tak", "hive"),
        *("brazilian-draughts", "international-draughts", "russian-draughts"),
    }
)

# Games in which players see the whole position: searches, pages and environments refuse others.
OPEN = open_names()

# A test with the same outcome in all games runs on some of them in the gate.
OTHERS = frozenset(bundled_names()) - SOME


def each_game(
    *, quick: Collection[str] = SOME, deep: Collection[str] = (), hidden: bool = True
) -> pytest.MarkDecorator:
    """Parametrise a test by all bundled games as `name`; others than `quick` are slow or deep.

    Without `hidden`, games that hide something are left out.
    """

    def marks(name: str) -> tuple[pytest.MarkDecorator, ...]:
        if name in deep or name in SIMILAR:
            return (pytest.mark.deep,)
        return () if name in quick else (pytest.mark.slow,)

    return pytest.mark.parametrize(
        "name",
        [pytest.param(name, marks=marks(name)) for name in (bundled_names() if hidden else OPEN)],
    )
