"""The exceptions of the package.

RulesError
├── UsageError        wrong use: a missing file, an unknown game or parameter
├── SpecError         a spec with errors: `diagnostics` has all of them
├── NotationError     a text that names no move or state of the game
├── IllegalMoveError  a move that is not legal, with the reason
├── EvaluationError   a rule that failed: overflow, division by zero, minimum of an empty set
├── LimitError        a limit of `support/limits.py` that was exceeded during play
├── InputError        input that a protocol excludes
├── Stopped           a call that ended because its job was stopped
└── InternalError     a bug in this package
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesengine.support.diagnostic import Diagnostic


class RulesError(Exception):
    """The base class of all errors that the package raises deliberately."""


class UsageError(RulesError):
    """Wrong use of the program or of the API.

    `message` is the text without the suggestion; `hint` is a suggested correction, or empty.
    `str(error)` joins both with a colon.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}: {hint}" if hint else message)
        self.message, self.hint = message, hint


class SpecError(RulesError):
    """A spec with errors. `diagnostics` has all findings in the order of the text."""

    def __init__(self, diagnostics: "tuple[Diagnostic, ...]") -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        from rulesengine.support.diagnostic import render_all

        return render_all(self.diagnostics)


class NotationError(RulesError):
    """A text that names no move, cell or state of the game."""


class IllegalMoveError(RulesError):
    """A move that is not legal in the state; the message gives the reason."""


class EvaluationError(RulesError):
    """An expression of the rules that failed; the message names it and its place in the spec."""

    site = -1  # the number of the expression in `Rules.sites`, -1 if it is unknown


class LimitError(RulesError):
    """A limit that was exceeded during play; the message names it."""


class InputError(RulesError):
    """Input that the protocol of a game excludes."""


class Stopped(RulesError):
    """A call that ended because its job was stopped."""

    def __str__(self) -> str:
        return "the job was stopped"


class InternalError(RulesError):
    """A bug in this package: please report it with the spec that shows it."""
