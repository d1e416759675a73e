"""The interface between drivers and engines: a game as a set of functions.

Drivers are written in the subset of Python that `kernel/translate` compiles, so every engine has
the behaviour of their source. Numbers are signed 64-bit integers; a driver must avoid overflow,
which is not checked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from rulesengine.engine.drivers.memory import Memory, Word, signed
from rulesengine.engine.drivers.random import folded, mix, word
from rulesengine.job import Job

S = TypeVar("S")
M = TypeVar("M")
UNFINISHED = -2
# Results of `urgent` that are no move number: no threat is known; a move wins at once; every move
# loses to the reply; only the moves accepted by `parries` do not lose.
NO_THREAT, WON_NOW, LOST_NEXT, PARRIED = -1, -2, -3, -4
SETTLED = 1  # the player to move is sure to win by its safe moves
ENDLESS = 1 << 30  # result of `vacant` in games without such a count


def _unknown(state: object, depth: int) -> int:
    return -1


def _no_weight(state: object) -> int:
    return 0


def _no_branch(state: object, number: int) -> int:
    return -1


def _is_calm(state: object) -> int:
    return NO_THREAT


def _has_none(state: object) -> int:
    return 0


def _goes_on(state: object) -> int:
    return ENDLESS


def _takes_a_ply(state: object) -> bool:
    return False


def _meets(state: object, move: object) -> bool:
    return True


def _is_quiet(state: object, move: object) -> bool:
    return False


def _is_nowhere(move: object) -> int:
    return -1


def _no_risk(state: object, cell: int) -> int:
    return 0


def _unchanged(state: S) -> S:
    return state


def _forgets(total: Word, state: object) -> Word:
    return total


def _no_symmetries(state: object) -> Sequence[Sequence[int]]:
    return ()


def _no_estimate(state: object, player: int) -> int:
    return 0


def _weigh_zero(state: object, memory: Memory) -> int:
    return 0


def _shows_nothing(state: object, memory: Memory, at: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Functions(Generic[S, M]):
    """A game as a set of functions over states and moves.

    - `legal` returns the moves in order; it is empty when the game is over.
    - `apply` returns the state after a move.
    - `decide` returns None in a game in progress, else the number of the winning side or -1.
    - `words` returns a state as numbers.
    - `is_pass` is true for a pass.
    - `below` returns the perft count below a state to a depth if it is known without a search, or
      -1.

    The remaining functions concern a state with legal moves:

    - `weight` returns the sum of the move weights if chance is to move, else 0.
    - `branch` returns the index of the move that a number below that sum selects.
    - `share` returns the weight of the move at an index.
    - `is_free` is true if the moves take no ply.
    """

    legal: Callable[[S], Sequence[M]]
    apply: Callable[[S, M], S]
    decide: Callable[[S], int | None]
    words: Callable[[S], Sequence[int]]
    is_pass: Callable[[M], bool]
    below: Callable[[S, int], int] = _unknown
    weight: Callable[[S], int] = _no_weight
    branch: Callable[[S, int], int] = _no_branch
    share: Callable[[S, int], int] = _no_branch
    is_free: Callable[[S], bool] = _takes_a_ply

    def winner(self, state: S) -> int:
        """Return the number of the winning side, -1 for a draw, -2 for a game in progress."""
        winner = self.decide(state)
        return UNFINISHED if winner is None else winner

    def folded(self, total: Word, state: S) -> Word:
        """Return a checksum updated with the words of a state, 64 bits at a time."""
        return folded(total, self.words(state))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFunctions(Functions[S, M]):
    """A game as a set of functions, extended by those that a search needs.

    - `mover` returns the number of the player to move, or -1 if chance is to move.
    - `score` returns the score of a side, 0 without scores; in a game of one player the payoff, 0
      before the end.
    - `estimate` returns the static evaluation for a side.
    - `by_rules` returns the same without weights, 0 where weights replace the evaluation of the
      rules.
    - `exchange` returns an evaluation for a side that changes by captures alone, or the estimate.
    - `key` returns a hash of a move. It is the same wherever the move is legal; collisions are
      rare.
    - `place` hashes the origin and target cells of a move to a number below a bound.
    - `likely` returns the moves from which the playouts of a search draw.
    - `is_single` is true in games of one player.
    - `rollouts` plays some playouts and writes a record of each, as `search.rollouts` does.
    - `active_entries` writes the table indices of a state's features to memory. It returns the
      player for whom they are computed: the player to move, or the player for whom chance moves.
    - `weigh` returns the sum of these entries of tables in memory, and `viewer` that player.
    - `urgent` returns the result of a one-move look-ahead. `WON_NOW`: a move wins at once.
      `LOST_NEXT`: no move wins, and every move loses to the next one. `PARRIED`: every move loses
      except some of the one-step moves for which `parries` is true. A move number: only this move
      may avoid the loss. `NO_THREAT`: none of these.
    - `has_urgent` is true if `urgent` may return anything else than `NO_THREAT`.
    - `threats` counts the empty cells that would complete a line of the side that is not to move,
      if the rules allow that count; `has_threats` is true if they do.
    - `vacant` counts the empty cells if every move except a forced pass fills one permanently; else
      it returns `ENDLESS`.
    - `captures` is true if a move changes the material of a side, as far as the move alone decides.
    - `has_captures` is true if `captures` may be true, but only for some moves of most positions;
      `forces_captures` if captures may exclude all other moves.
    - `target` returns the target cell of the first step of a move, or -1.
    - `risk` returns the value of the piece on a cell if the side to move attacks the cell, else 0.
    - `threatened` is true if the ban of all moves holds for the side to move, such as a check.
    - `has_null_moves` is true if a search may use null moves; `passed` returns the state after one.
    - `may_pass` is true if the side to move has pieces that make zugzwang unlikely.
    - `placeable` writes two masks to memory: the cells where the player to move may place, and
      those where the opponent may. It returns the number of the player to move.
    - `has_safe_moves` is true if `placeable` writes masks: the game has safe-move tables.
    - `contents` writes three sets of cells to memory: the pieces of both sides and other pieces. It
      returns the side to move.
    - `has_patterns` is true if moves have weights by patterns.
    - `pieces` writes the masks of the pieces of the player to move and of the opponent to memory,
      and returns their address.
    - `has_components` is true if `pieces` writes masks: positions are sums of components.
    - `symmetric_words` returns the words of the other states that are equivalent under symmetry.
    - `reads_history` is true if the rules read earlier positions.
    - `recorded` returns a hash updated with the parts of a state that later positions are compared
      with.
    - `lasting` returns a number that only irreversible moves change. A position with another number
      cannot repeat.
    """

    mover: Callable[[S], int]
    score: Callable[[S, int], int]
    estimate: Callable[[S, int], int]
    exchange: Callable[[S, int], int]
    key: Callable[[M], Word]
    place: Callable[[M, int], int]
    likely: Callable[[S], Sequence[M]]
    rollouts: Callable[[S, Word, int, int, int, Memory, int], int]
    by_rules: Callable[[S, int], int] = _no_estimate
    is_single: Callable[[S], bool] = _takes_a_ply
    active_entries: Callable[[S, Memory, int], int] = _shows_nothing
    weigh: Callable[[S, Memory], int] = _weigh_zero
    viewer: Callable[[S], int] = _has_none
    urgent: Callable[[S], int] = _is_calm
    has_urgent: Callable[[S], bool] = _takes_a_ply
    parries: Callable[[S, M], bool] = _meets
    threats: Callable[[S], int] = _has_none
    has_threats: Callable[[S], bool] = _takes_a_ply
    vacant: Callable[[S], int] = _goes_on
    captures: Callable[[S, M], bool] = _is_quiet
    has_captures: Callable[[S], bool] = _takes_a_ply
    forces_captures: Callable[[S], bool] = _takes_a_ply
    target: Callable[[M], int] = _is_nowhere
    risk: Callable[[S, int], int] = _no_risk
    threatened: Callable[[S], bool] = _takes_a_ply
    has_null_moves: Callable[[S], bool] = _takes_a_ply
    may_pass: Callable[[S], bool] = _takes_a_ply
    passed: Callable[[S], S] = _unchanged
    placeable: Callable[[S, Memory, int], int] = _shows_nothing
    has_safe_moves: Callable[[S], bool] = _takes_a_ply
    contents: Callable[[S, Memory, int], int] = _shows_nothing
    has_patterns: Callable[[S], bool] = _takes_a_ply
    pieces: Callable[[S, Memory, int], int] = _shows_nothing
    has_components: Callable[[S], bool] = _takes_a_ply
    symmetric_words: Callable[[S], Sequence[Sequence[int]]] = _no_symmetries
    reads_history: Callable[[S], bool] = _takes_a_ply
    recorded: Callable[[Word, S], Word] = _forgets
    lasting: Callable[[S], int] = _has_none

    def canonical(self, total: Word, state: S) -> Word:
        """Return a checksum updated with a state; equivalent states have the same result."""
        own, others = self.folded(total, state), self.symmetric_words(state)
        if not others:
            return own
        return mix(word(min(map(signed, (own, *(folded(total, words) for words in others))))))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFunctions(Functions[S, M]):
    """A game as a set of functions, extended by those that batches of games need.

    - `loaded` returns the state at an address of memory. If the rules read earlier positions, they
      are read from a game history: its memory, its address, the first entry and the end of those to
      read are the other arguments.
    - `saved` writes a state to an address and returns the address after it.
    - `noted` appends a state to a history of a given length and returns the new length; it returns
      0 if the rules do not read the history.
    - `mover` returns the number of the player to move, or -1 if chance is to move.
    - `payoff` returns the payoff of a player in a state, 0 in a game in progress.
    - `players` returns the number of players, and `cells` that of cells. Both are constants of
      the game, by which kernels unroll loops.
    - `step` returns the first word of the step of a move at an index, or -1 after the last step.
    - `choice` returns the second word of that step.
    - `chains` is true if a move may consist of several actions.
    - `splits` is true if a step from cell to cell counts as two actions in a state.
    - `made` returns the state after a legal move of one step, by the words of the step.
    - `reads_history` and `lasting` are as in `SearchFunctions`.
    - `places` is true if every move is a placement on a cell, by one group of rules, or a pass.
      Then `targets` writes the set of legal targets to an address and returns 1 if a pass is legal,
      else 0. `nth_target` returns a cell of such a set by its index, and `placed` the state after a
      placement on a cell, -1 for a pass.
    """

    loaded: Callable[[Memory, int, Memory, int, int, int], S]
    saved: Callable[[S, Memory, int], int]
    noted: Callable[[S, Memory, int, int], int]
    mover: Callable[[S], int]
    payoff: Callable[[S, int], int]
    players: Callable[[S], int]
    cells: Callable[[S], int]
    step: Callable[[M, int], int]
    choice: Callable[[M, int], int]
    chains: Callable[[S], bool]
    splits: Callable[[S], bool]
    places: Callable[[S], bool]
    targets: Callable[[S, Memory, int], int]
    nth_target: Callable[[S, Memory, int, int], int]
    placed: Callable[[S, int], S]
    made: Callable[[S, int, int], S]
    reads_history: Callable[[S], bool] = _takes_a_ply
    lasting: Callable[[S], int] = _has_none


def interruptible(game: Functions[S, M], job: Job, *, counts: bool = False) -> Functions[S, M]:
    """Return a game with a `legal` that polls a job; with `counts` it also counts its calls."""
    done = int(counts)

    def legal(state: S) -> Sequence[M]:
        job.raise_if_stopped()
        job.advance(done)
        return game.legal(state)

    return replace(game, legal=legal)
