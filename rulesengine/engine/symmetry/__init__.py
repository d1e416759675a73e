"""Symmetry: the proved symmetries of a game's rules, and the canonical form of a position."""

from rulesengine.engine.symmetry.canonical import Canonical
from rulesengine.engine.symmetry.detection import (
    COVARIANT,
    few_symmetries,
    is_image_of,
    is_invariant,
    symmetries,
)

__all__ = [
    "COVARIANT",
    "Canonical",
    "few_symmetries",
    "is_image_of",
    "is_invariant",
    "symmetries",
]
