"""Coverage: the clauses of a spec that held in random games and in its tests."""

from rulesengine.tools.coverage.run import Coverage, Covered, coverage

__all__ = ["Coverage", "Covered", "coverage"]
