"""Coverage: the clauses of a spec that held in random games and in its tests."""

from rulesengine.tools.coverage.run import ClauseCoverage, Coverage, coverage

__all__ = ["ClauseCoverage", "Coverage", "coverage"]
