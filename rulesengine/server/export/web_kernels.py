"""The kernels of a game as WebAssembly, for a page without a server."""

from collections.abc import Sequence

from rulesengine.engine.drivers.search.result import TREES
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.kernel.web_module import WebKernels, module_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.rules_cache import KernelCache

PLAIN = ("singles", "turn")  # the parts that play moves, without search


def searching(game: Game) -> str:
    """Return the kernel part with which the levels of a game search."""
    if game.search_method in TREES:
        return "tree"
    return "learned" if game.level(1).evaluation == "learned" else "search"


def level_weights(game: Game) -> bytes:
    """Return the weights that levels evaluate by, as 64-bit words; empty without any."""
    if searching(game) != "learned":
        return b""
    return bytes(game.learned_in(game.bundled_learning).memory.bytes)


def web_kernels(game: Game, parts: Sequence[str]) -> WebKernels:
    """Return the parts of a game's kernels as one module.

    Raises UsageError and LimitError if there are no kernels, CompileError if they do not compile.
    """
    if game.initial_state().packed is None:
        raise UsageError("a piece at the start has no symbol")
    try:
        return module_of(game.machine, parts, KernelCache())
    except Unsupported as error:
        raise UsageError(str(error)) from None
