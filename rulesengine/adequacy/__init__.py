"""What a spec's tests are worth: clauses that never held, changes that no test notices."""

from rulesengine.adequacy.coverage import Coverage, Covered, coverage
from rulesengine.adequacy.mutation import Fate, Mutation, Tried, mutation
from rulesengine.ir.rules import Site

__all__ = ["Coverage", "Covered", "Fate", "Mutation", "Site", "Tried", "coverage", "mutation"]
