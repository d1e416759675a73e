"""The methods of a game that formats call."""

from collections.abc import Sequence
from typing import Protocol

from rulesengine.engine.interpreter import Interpreter
from rulesengine.language.ir.program import Program
from rulesengine.state import Move, Outcome, Record, State


class FormatGame(Protocol):
    """A game as formats see it."""

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> tuple[str, ...]: ...

    @property
    def program(self) -> Program: ...

    @property
    def machine(self) -> Interpreter: ...

    @property
    def without_claims(self) -> "FormatGame": ...

    def initial_state(self) -> State: ...

    def legal_moves(self, state: State) -> Sequence[Move]: ...

    def find(self, text: str, state: State) -> Move | None: ...

    def why_not(self, text: str, state: State) -> str: ...

    def apply(self, state: State, move: Move | str, *, check: bool = True) -> State: ...

    def record(self, state: State, move: Move) -> Record: ...

    def outcome(self, state: State) -> Outcome | None: ...
