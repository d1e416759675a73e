"""Writes ten seeded random games of each bundled game that has no records yet.

Run as `python -m tests.helpers.make_records`. An existing file is never rewritten: to make new
records of a game, remove its file first and give the reason in the commit.
"""

import sys
from pathlib import Path

import rulesengine
from rulesengine.play import RANDOM, GameRecord, Session, write_record
from rulesengine.support.limits import MAX_PLIES
from rulesengine.support.resources import bundled_names

RECORDS = Path(__file__).parents[1] / "data" / "records"
GAMES = 10


def main() -> int:
    RECORDS.mkdir(parents=True, exist_ok=True)
    for name in bundled_names():
        path = RECORDS / f"{name}.txt"
        if not path.exists():
            path.write_text("\n".join(map(write_record, games(name))), encoding="utf-8")
            sys.stdout.write(f"{name}\n")
    return 0


def games(name: str, count: int = GAMES, plies: int = MAX_PLIES) -> list[GameRecord]:
    """Return the records of a bundled game, one for each seed from 1, of at most so many plies."""
    game = rulesengine.load(name)
    players = dict.fromkeys(game.players, RANDOM)
    return [
        finished(Session.begin(game, players, seed=seed, spec=name), plies).record()
        for seed in range(1, count + 1)
    ]


def finished(session: Session, plies: int = MAX_PLIES) -> Session:
    """Play a session to its end by its players, none of which is a person."""
    while len(session.moves) < plies:
        move = session.answer()
        if move is None:
            break
        session = session.play(move)
    return session


if __name__ == "__main__":
    sys.exit(main())
