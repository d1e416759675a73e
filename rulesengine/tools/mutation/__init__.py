"""Mutation testing: small changes to rules, and whether the tests of the spec detect them."""

from rulesengine.language.ir.rules import Site
from rulesengine.tools.mutation.run import MutantResult, MutantStatus, MutationReport, mutation

__all__ = ["MutantResult", "MutantStatus", "MutationReport", "Site", "mutation"]
