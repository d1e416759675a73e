"""What the package raises.

RulesError
├── UsageError            wrong use: a missing file, an unknown game or parameter
├── SpecError             findings in a spec, all of them: `diagnostics`
├── NotationError         a text that names no move or state of the game
├── IllegalMoveError      a move that is not legal, with the reason
├── EvaluationError       a rule that failed: overflow, division by zero, the least of nothing
├── LimitError            a limit of `limits.py` was met while playing
├── InputError            input that a protocol rules out
├── Stopped               a call whose job was told to stop
└── InternalError         a bug of ours
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesengine.support.diagnostic import Diagnostic


class RulesError(Exception):
    """The base of everything that the package raises on purpose."""


class UsageError(RulesError):
    """Wrong use of the program or the API; `hint`, the end of its text, says what may be meant."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message, self.hint = message, hint


class SpecError(RulesError):
    """A spec with mistakes: all of them, in the order of the text."""

    def __init__(self, diagnostics: "tuple[Diagnostic, ...]") -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        from rulesengine.support.diagnostic import render_all

        return render_all(self.diagnostics)


class NotationError(RulesError):
    """A text that names no move, cell or state of the game."""


class IllegalMoveError(RulesError):
    """A move that is not legal here, with the reason."""


class EvaluationError(RulesError):
    """An expression of the rules failed; the message names it and where it stands."""


class LimitError(RulesError):
    """A limit was met while playing; the message names it."""


class InputError(RulesError):
    """Input that the protocol of a game rules out."""


class Stopped(RulesError):
    """A call has ended because its job was told to stop."""

    def __str__(self) -> str:
        return "the job was stopped"


class InternalError(RulesError):
    """A bug in this package: please report it with the spec that shows it."""
