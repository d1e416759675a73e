"""Certificates: proofs of exact values as text, made by a solver and verified without one."""

from rulesengine.certificates.certificate_text import (
    MOST_POSITIONS,
    Certificate,
    Claim,
    read_certificate,
    write_certificate,
)
from rulesengine.certificates.generation import certified, proved, tabled
from rulesengine.certificates.verification import verify

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
