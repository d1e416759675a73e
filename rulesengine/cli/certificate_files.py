"""Proofs of exact values in files: `solve --certificate` and `solve --verify`."""

from pathlib import Path

from rulesengine import Game, State
from rulesengine.certificates import (
    Certificate,
    certificate_of,
    read_certificate,
    verify,
    write_certificate,
)
from rulesengine.cli.output import json_result, print_error, result
from rulesengine.cli.progress import progress
from rulesengine.cli.shared_options import Options
from rulesengine.cli.spec_arguments import given_values, load_game
from rulesengine.errors import NotationError, UsageError
from rulesengine.loading import bind
from rulesengine.search.searches import Solved
from rulesengine.support.files import read_at_most, replace

_MOST_BYTES = 1 << 30


def write_file(game: Game, state: State, solved: Solved, options: Options) -> None:
    """Write the certificate of a solved value."""
    if solved.value is None:
        print_error("no certificate is written: the position is not solved")
        return
    with progress("certificate", "positions") as job:
        certificate = certificate_of(game, state, solved, job)
    replace(options.certificate, write_certificate(certificate).encode())


def verify_file(options: Options) -> int:
    """Print the value that a certificate proves. Raises NotationError with the invalid line."""
    options.engine = "interpreter"
    game = load_game(options.spec, options)
    try:
        certificate = read_certificate(_text(options.verify))
        if not given_values(options) and certificate.parameters.keys() == game.parameters.keys():
            game = bind(game, certificate.parameters)
        with progress("verify", "positions", len(certificate.claims)) as job:
            verify(game, certificate, job)
    except NotationError as error:
        raise NotationError(f"{options.verify}:{error}") from None
    _print(certificate, options)
    return 0


def _print(certificate: Certificate, options: Options) -> None:
    facts: dict[str, object] = {
        "verified": "win" if certificate.value > 0 else "loss" if certificate.value else "draw",
        "score": certificate.value if certificate.points else None,
        "claims": len(certificate.claims),
    }
    if options.json:
        json_result(facts)
    else:
        result("\n".join(f"{name}: {fact}" for name, fact in facts.items() if fact is not None))


def _text(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return read_at_most(file, _MOST_BYTES).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text") from None
