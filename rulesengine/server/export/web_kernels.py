"""The kernels of a game as WebAssembly, for a page without a server, and its levels."""

from collections.abc import Sequence

from rulesengine.engine.drivers.search.pattern_layout import PATTERN_BITS
from rulesengine.engine.kernel.unsupported import Unsupported
from rulesengine.engine.kernel.web_module import WebKernels, module_of
from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language.rules_cache import KernelCache
from rulesengine.search.learned_weights import LearnedWeights
from rulesengine.search.levels import LEVELS, Level, full_strength
from rulesengine.search.move_weights import MoveWeights
from rulesengine.support.frozen import record

PLAIN = ("singles", "turn")  # the parts that play moves, without search


@record
class PageLevel:
    """A level of the page: its budget, the part of kernels that searches, and its weights."""

    level: Level
    part: str
    weights: LearnedWeights | MoveWeights | None

    @property
    def method(self) -> str:
        """Return the method of the search: weights of moves are for GRAVE."""
        return "grave" if isinstance(self.weights, MoveWeights) else self.level.method

    @property
    def factor(self) -> int:
        """Return the factor of values of the rules in the search."""
        return self.weights.factor if isinstance(self.weights, LearnedWeights) else 1


def page_levels(game: Game) -> tuple[PageLevel, ...]:
    """Return the levels of a page; the last one is full strength, without noise."""
    moves = len(game.legal_moves(game.initial_state()))
    strongest = full_strength(game.program, game.search_method, moves)
    levels = (*map(game.level, range(1, LEVELS + 1)), strongest)
    return tuple(_page_level(game, level) for level in levels)


def _page_level(game: Game, level: Level) -> PageLevel:
    budget = level.budget(0)
    searcher = game.searcher(
        nodes=budget.nodes,
        playouts=budget.playouts,
        method=budget.method,
        evaluation=budget.evaluation,
    )
    return PageLevel(level, searcher.part, searcher.weights)


def search_parts(levels: Sequence[PageLevel]) -> tuple[str, ...]:
    """Return the parts of kernels that the levels use."""
    return tuple(dict.fromkeys(level.part for level in levels))


def level_weights(levels: Sequence[PageLevel]) -> bytes:
    """Return the weights that levels use, as 64-bit words; empty without any.

    All levels have one method, so there are no two kinds of weights. Larger patterns of moves are
    not among the words.
    """
    weights = next((level.weights for level in levels if level.weights), None)
    if isinstance(weights, MoveWeights):
        return weights.words_of_neighbourhoods
    return weights.words if weights else b""


def larger_patterns(levels: Sequence[PageLevel]) -> dict[str, object] | None:
    """Return the larger patterns of moves that levels use, None without any.

    - `keys` are the sides and codes as numbers, in order, each less the one before.
    - `weights` are their weights.
    - `images` have the bit position of each cell's contents, and True if the sides are exchanged.
    """
    weights = next((level.weights for level in levels if level.weights), None)
    if not isinstance(weights, MoveWeights) or not weights.larger:
        return None
    pairs = sorted(weights.larger.items())
    keys = [(side << PATTERN_BITS) + code for (side, code), _ in pairs]
    return {
        "keys": [key - before for key, before in zip(keys, (0, *keys), strict=False)],
        "weights": [weight for _, weight in pairs],
        "images": weights.patterns.larger.shifts(),
    }


def web_kernels(game: Game, parts: Sequence[str], factor: int = 1) -> WebKernels:
    """Return the parts of a game's kernels as one module.

    `factor` is that of values of the rules in alpha-beta by a correction. Raises UsageError and
    LimitError if there are no kernels, CompileError if they do not compile.
    """
    if game.initial_state().packed is None:
        raise UsageError("a piece at the start has no symbol")
    try:
        return module_of(game.machine, parts, KernelCache(), factor)
    except Unsupported as error:
        raise UsageError(str(error)) from None
