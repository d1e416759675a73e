"""Mutation testing: small changes to the rules of a spec, which its tests should detect."""

from rulesengine.language.ir.rules import Site
from rulesengine.tools.mutation.run import MutantResult, MutantStatus, MutationReport, mutation

__all__ = ["MutantResult", "MutantStatus", "MutationReport", "Site", "mutation"]
