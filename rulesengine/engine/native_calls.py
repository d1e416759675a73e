"""Built-in functions that replace the most frequent methods of a game once kernels exist.

Each takes the same arguments and returns the same results as the method of its name. If the kernel
cannot serve a call, or an argument has another type, it calls that method. See decision 022.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any

from rulesengine.engine.interpreter.payoffs import follows_from_winner
from rulesengine.engine.kernel.backends.callables import (
    AbsenceFlag,
    Argument,
    CallableSpec,
    DifferenceFlag,
    HistoryLength,
    IntegerArgument,
    ObjectResult,
    PackedList,
    PackedValues,
    Parameter,
    PlainResult,
    TupleResult,
)
from rulesengine.engine.kernel.game_history import GameHistory
from rulesengine.engine.moves import Branches, MoveFactory, Moves
from rulesengine.language.ir.program import Program
from rulesengine.state import GOES_ON, WINNERS, Move, Outcome, State
from rulesengine.support.frozen import replace
from rulesengine.support.words import GROUP_BITS, TARGET

if TYPE_CHECKING:
    from rulesengine.engine.kernel.backends.protocol import CompiledModule

CALLS = ("legal_moves", "legal_mask", "apply", "outcome")
_WORD_CELLS = 64
_LENGTHEN = "lengthen"


class NativeCalls:
    """The built-in functions of one game; `slow` has the methods that they replace.

    `outcome_of_end` returns the outcome of a state from the index of its end, the winner and the
    scores. A function accepts a packed state. If rules read earlier positions, the state must be in
    the line of play that the kernels hold. For any other state the fallback packs it or loads its
    line, then repeats the call.
    """

    def __init__(
        self,
        program: Program,
        maker: MoveFactory,
        slow: Mapping[str, Callable[..., Any]],
        ended: Callable[[State, int, int, Sequence[int]], Outcome | None],
    ) -> None:
        self.program, self.outcome_of_end = program, ended
        self.form, self.maker, self.slow = program.form, maker, slow
        self._sides = Struct(f"<{len(program.rules.players)}q")
        self.keeps_history = program.keeps_history
        self._calls: dict[str, Callable[..., Any]] = {}
        self._line: GameHistory | None = None
        self._outcomes: dict[int, Outcome] = {}

    def fasts(self, entries: Collection[str]) -> dict[str, CallableSpec]:
        """Return descriptions of the built-in functions for kernels with these entry points."""
        fasts = self._fasts(entries)
        functions = {
            name: replace(fast, slow=self._fallback_for(name)) if fast.slow else fast
            for name, fast in fasts.items()
        }
        functions |= {f"{name}.loaded": fast for name, fast in fasts.items() if fast.slow}
        if self.keeps_history:
            two = (Argument(State), Argument())
            functions[_LENGTHEN] = CallableSpec(_LENGTHEN, two, (self._state(), IntegerArgument(1)))
        return functions

    @property
    def serves(self) -> bool:
        """True if the functions are installed."""
        return bool(self._calls)

    def serve(self, calls: dict[str, Any], part: "CompiledModule") -> None:
        """Install the functions into the instance dictionary of a game."""
        self._calls = dict(part.fast)
        if part.line is not None and _LENGTHEN in self._calls:
            self._line = GameHistory(self.form, self._calls[_LENGTHEN], part.line)
        calls |= {name: call for name, call in self._calls.items() if name in CALLS}
        self.maker.nth = self._calls.get("nth", self.maker.nth)
        self.maker.listed = self._calls.get("listed", self.maker.listed)

    def _fallback_for(self, name: str) -> Callable[..., Any]:
        """Return a fallback that packs the state, loads its line into the kernels and repeats the
        call.
        """

        def call_again(*args: Any, **options: Any) -> Any:
            if args and isinstance(args[0], State) and self._is_loaded(args[0]):
                return self._calls[f"{name}.loaded"](*args, **options)
            return self.slow[name](*args, **options)

        return call_again

    def _outcome(self, ending: int, state: State) -> Outcome | None:
        """Return the outcome of an ending code from a kernel."""
        if ending in self._outcomes:
            return _copied(self._outcomes[ending])
        number, winner = divmod(ending, WINNERS)
        outcome = self.outcome_of_end(state, number, winner - 1, self._scores(state))
        if outcome and self._depends_on_winner_only(number):
            self._outcomes[ending] = _copied(outcome)
        return outcome

    def _depends_on_winner_only(self, number: int) -> bool:
        """True if the outcome of an end is the same in all states with that winner."""
        rules = self.program.rules
        varies = self.form.swaps or rules.score is not None or bool(rules.outs)
        return not varies and follows_from_winner(rules, rules.ends[number])

    def _scores(self, state: State) -> tuple[int, ...]:
        if "scores" not in self._calls:
            return ()
        words = self._calls["scores"](state)
        if isinstance(words, int):  # of a game for one player
            return (words,)
        return words if isinstance(words, tuple) else self._sides.unpack(words)

    def _is_loaded(self, state: State) -> bool:
        is_ours = state.form is self.form or state.form == self.form
        if not is_ours or state.packed is None:
            return False
        return self._line.load(state) if self._line else not self.keeps_history

    def _fasts(self, entries: Collection[str]) -> dict[str, CallableSpec]:
        state = Argument(State, (("form", self.form),))
        parameters: tuple[Parameter, ...] = (self._state(),)
        if self.keeps_history:
            parameters = (*parameters, HistoryLength(0))
        slow, every = self.slow, bool(self.maker.every())
        # States that differ only in their history may have different moves.
        content = "" if self.keeps_history else "packed"
        is_new = AbsenceFlag(1, 0) if every else DifferenceFlag(1, "at", 0, content)
        move = Argument(Move, (("made", self.maker),))
        before = (("before", 0),) if self.keeps_history else ()
        after = ObjectResult(State, (("form", self.form),), results="packed", arguments=before)
        ended = PlainResult(GOES_ON, self._outcome)
        functions = {
            "outcome": CallableSpec("ending", (state,), parameters, ended, slow["outcome"]),
            "apply": CallableSpec(
                "apply",
                (state, move),
                (*parameters, PackedList(1, "words"), is_new),
                after,
                slow["apply"],
                "check",  # a kernel checks faster than any path without the check
            ),
            **self._listing(entries, state, parameters),
        }
        if "scores" in entries:
            functions["scores"] = CallableSpec(
                "scores", (state,), parameters, PlainResult(), slow["scores"]
            )
        if "mask" in entries and len(self.form.cells) <= _WORD_CELLS:
            functions["legal_mask"] = CallableSpec(
                "mask", (state,), parameters, PlainResult(), slow["legal_mask"]
            )
        return functions

    def _listing(
        self, entries: Collection[str], state: Argument, parameters: tuple[Parameter, ...]
    ) -> dict[str, CallableSpec]:
        """Return descriptions of the functions that return all legal moves or one of them."""
        slow, every, maker = self.slow["legal_moves"], self.maker.every(), ("_maker", self.maker)
        if every:
            known = TupleResult(every, GROUP_BITS, TARGET)
            return {"legal_moves": CallableSpec("legal", (state,), parameters, known, slow)}
        made = (("made", self.maker),)
        one = ObjectResult(Move, made, lists=(("words", 0),), arguments=(("at", 0),))
        arguments, results = (
            (state, Argument(), Argument()),
            (PackedList(1, ""), IntegerArgument(2)),
        )
        if "nth" in entries:
            stems = ObjectResult(
                Branches,
                (maker,),
                lists=(("_stems", 0),),
                arguments=(("_state", 0),),
                numbers=(("_count", 1),),
            )
            return {
                "legal_moves": CallableSpec("stems", (state,), parameters, stems, slow),
                "listed": CallableSpec(
                    "legal", (state,), parameters, PlainResult(), self.slow["listed"]
                ),
                "nth": CallableSpec("nth", arguments, (*parameters, *results), one),
            }
        ends = () if self.maker.alone else (("_ends", 1),)
        moves = ObjectResult(
            Moves, (maker,), lists=(("_words", 0), *ends), arguments=(("_state", 0),)
        )
        functions = {"legal_moves": CallableSpec("legal", (state,), parameters, moves, slow)}
        if "item" in entries:
            functions["nth"] = CallableSpec("item", arguments, results, one)
        return functions

    def _state(self) -> PackedValues:
        return PackedValues(0, "packed", self.form.packing.count)


def _copied(outcome: Outcome) -> Outcome:
    """Return an equal outcome with maps of its own."""
    scores, payoffs = dict(outcome.scores), dict(outcome.payoffs)
    return Outcome(outcome.winner, outcome.reason, scores, payoffs)
