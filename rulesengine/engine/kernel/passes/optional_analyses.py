"""The table of optional analyses, with the parts of kernels that use them.

The plug-ins serve few games: to remove one, delete its row and its file.
"""

from typing import Any

from rulesengine.engine.kernel.analysis.manager import OptionalAnalysis
from rulesengine.engine.kernel.analysis.optional_results import (
    Components,
    LivePieces,
    SafeMoves,
    Symmetries,
)
from rulesengine.engine.kernel.passes.components import components_of
from rulesengine.engine.kernel.passes.live_pieces import live_pieces_of
from rulesengine.engine.kernel.passes.safe_moves import safe_moves_of
from rulesengine.engine.kernel.passes.threats import Threats, threats_of
from rulesengine.engine.patterns import (
    KingRelative,
    MovePatterns,
    Network,
    king_relative_of,
    move_patterns_of,
    network_of,
)
from rulesengine.engine.symmetry import few_symmetries
from rulesengine.language.ir.program import Program

_SOLVERS = ("solving", "proof")
_ROYAL = ("royal", "recorded")


def _symmetries_of(program: Program) -> Symmetries | None:
    """Return the symmetries that identify positions in a search; None if there are none."""
    maps = few_symmetries(program)
    return Symmetries(maps) if maps else None


OPTIONAL_ANALYSES: tuple[OptionalAnalysis[Any], ...] = (
    OptionalAnalysis(Network, network_of, ("learned", "fitted", "lessons")),
    OptionalAnalysis(KingRelative, king_relative_of, _ROYAL),
    OptionalAnalysis(MovePatterns, move_patterns_of, ("guided",)),
    OptionalAnalysis(Threats, threats_of, ("search", "learned", "fitted", *_ROYAL, *_SOLVERS)),
    OptionalAnalysis(Symmetries, _symmetries_of, _SOLVERS),
    # Plug-ins.
    OptionalAnalysis(LivePieces, live_pieces_of, _SOLVERS),
    OptionalAnalysis(Components, components_of, _SOLVERS),
    OptionalAnalysis(SafeMoves, safe_moves_of, ("solving",)),
)
