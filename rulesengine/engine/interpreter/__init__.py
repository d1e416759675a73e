"""The reference interpreter: it defines the meaning of a program.

It is written for clarity rather than speed; kernels are tested against it.
"""

from rulesengine.engine.interpreter.game_operations import DECIDED, JUDGE, LAST_MOVE
from rulesengine.engine.interpreter.machine import Interpreter
from rulesengine.engine.interpreter.memo import MEMO, marked
from rulesengine.engine.interpreter.outcomes import Decision
from rulesengine.engine.interpreter.script_operations import format_value, padded

__all__ = [
    "DECIDED",
    "JUDGE",
    "LAST_MOVE",
    "MEMO",
    "Decision",
    "Interpreter",
    "format_value",
    "marked",
    "padded",
]
