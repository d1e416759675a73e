"""The digests of the clauses for which a spec has texts under `says`."""

from rulesengine.language.check.checker import Checker
from rulesengine.language.check.clause_texts import clauses_by_name, digest
from rulesengine.language.check.reader import entries
from rulesengine.language.document.nodes import Document, Scalar


def clause_digests(document: Document) -> tuple[tuple[Scalar, str], ...]:
    """Return the texts of `says`, each with the digest of its clause; unknown names are left out.

    Texts of parents are among them.
    """
    checker = Checker(document)
    checker.check()
    clauses = clauses_by_name(document.root, checker.context)
    return tuple(
        (value, digest(clauses[name][2], document.root))
        for name, _, value in entries(document.root.get("says"))
        if name in clauses and isinstance(value, Scalar)
    )
