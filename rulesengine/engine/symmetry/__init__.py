"""What is the same up to symmetry: a proof for a game's rules, and one position for many."""

from rulesengine.engine.symmetry.canonical import Canonical
from rulesengine.engine.symmetry.detection import (
    COVARIANT,
    few_symmetries,
    is_invariant,
    says_the_same,
    symmetries,
)

__all__ = [
    "COVARIANT",
    "Canonical",
    "few_symmetries",
    "is_invariant",
    "says_the_same",
    "symmetries",
]
