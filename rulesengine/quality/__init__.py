"""What a spec's tests are worth: clauses that never held, changes that no test notices."""

from rulesengine.ir.rules import Site
from rulesengine.quality.coverage import Coverage, Covered, coverage
from rulesengine.quality.mutation import Fate, Mutation, Tried, mutation

__all__ = ["Coverage", "Covered", "Fate", "Mutation", "Site", "Tried", "coverage", "mutation"]
