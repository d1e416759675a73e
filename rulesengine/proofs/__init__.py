"""Certificates: proofs of exact values as text, made by a solver and verified without one."""

from rulesengine.proofs.certificate import (
    MOST_POSITIONS,
    Certificate,
    Claim,
    read_certificate,
    write_certificate,
)
from rulesengine.proofs.making import certified, proved, tabled
from rulesengine.proofs.verifying import verify

__all__ = [
    "MOST_POSITIONS",
    "Certificate",
    "Claim",
    "certified",
    "proved",
    "read_certificate",
    "tabled",
    "verify",
    "write_certificate",
]
