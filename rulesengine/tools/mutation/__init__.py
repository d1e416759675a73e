"""Mutation testing: small changes to rules, and whether the tests of the spec detect them."""

from rulesengine.language.ir.rules import Site
from rulesengine.tools.mutation.run import Fate, Mutation, Tried, mutation

__all__ = ["Fate", "Mutation", "Site", "Tried", "mutation"]
