"""Counts of one game: move sequences (perft), random games, and distinct states."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rulesengine.engine.dispatch import Dispatcher, PerftSettings, PlayoutSettings
from rulesengine.engine.drivers.search.result import MOST_COUNT
from rulesengine.job import Job, job_of
from rulesengine.language.ir.program import Program
from rulesengine.state import Move, Playouts, State
from rulesengine.support.validate import check_flag, check_number, check_text, check_word


class Playable(Protocol):
    """The part of a game that counts use."""

    @property
    def program(self) -> Program: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...

    def expect(self, plies: Mapping[str, float]) -> None: ...


class CountingService:
    """Validates the arguments of counts and runs them; `Game` documents arguments and results."""

    def __init__(self, game: Playable, dispatcher: Dispatcher) -> None:
        self._game = game
        self._dispatcher = dispatcher

    def perft(
        self,
        start: State,
        depth: int,
        ended: str,
        passes: str,
        bulk: bool,
        device: str,
        job: Job,
    ) -> int:
        """Return the number of move sequences of exactly `depth` plies."""
        plies = check_number("depth", depth, 0)
        keep = check_word("`ended`", ended, ("drop", "keep")) == "keep"
        free = check_word("`passes`", passes, ("ply", "free")) == "free"
        check_flag("`bulk`", bulk)
        settings = PerftSettings(plies, keep, free, bulk, check_text("`device`", device))
        return self._dispatcher.perft(start, settings, job)

    def divide(self, start: State, depth: int) -> dict[str, int]:
        """Return the count of `perft` for each first move, by its notation."""
        game, plies = self._game, check_number("depth", depth, 0)
        left = plies - (not self._dispatcher.machine.is_free(start))
        moves = game.legal_moves(start) if plies else ()
        return {
            str(move): self.perft(game.apply(start, move), left, "drop", "ply", True, "cpu", Job())
            for move in moves
        }

    def playouts(self, start: State, settings: PlayoutSettings, job: Job) -> Playouts:
        """Return the results of random games."""
        games = check_number("number of games", settings.games, 0, MOST_COUNT)
        threads = check_number("number of threads", settings.threads, 1)
        seed = check_number("seed", settings.seed)
        checked = PlayoutSettings(games, seed, threads, check_text("`device`", settings.device))
        return self._dispatcher.playouts(start, checked, job)

    def count(
        self,
        start: State,
        plies: int,
        symmetry: bool,
        compared: bool,
        memory: int | None,
        job: Job | None,
    ) -> tuple[int, ...]:
        """Return the numbers of distinct states or positions after 0 to `plies` plies."""
        from rulesengine.search.enumeration.layers import distinct

        return distinct(
            self._game,
            plies,
            start,
            symmetry=symmetry,
            compared=compared,
            memory=memory,
            job=job_of(job),
        )
