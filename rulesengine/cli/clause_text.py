"""Output that `coverage` and `mutate` share: clauses of a spec and failed tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import counted, print_error
from rulesengine.cli.shared_options import SPEC_OR_STDIN, Parser, add_seed, add_spec, whole_number

if TYPE_CHECKING:
    from rulesengine.tools.mutation import Site

_WIDTH = 72
_MOST_GAMES = 100_000


def add_random_games(command: Parser, help: str) -> None:
    """Add SPEC, `--games` and `--seed`."""
    add_spec(command, SPEC_OR_STDIN)
    command.add_argument(
        "--games",
        type=whole_number(_MOST_GAMES),
        default=20,
        metavar="N",
        help=f"{help} (20 unless given)",
    )
    add_seed(command)


def report_failed(failed: int) -> None:
    """Report the number of failed tests, if there are any."""
    if failed:
        print_error(f"{counted(failed, 'test')} failed: see `rulesengine test`")


def site_to_json(site: Site) -> dict[str, object]:
    """Return the place and the text of a clause."""
    return {"file": site.file, "line": site.line, "column": site.column, "text": site.text}


def location(site: Site) -> str:
    """Return file, line and column of a clause."""
    return f"{site.file}:{site.line}:{site.column}"


def shortened(text: str) -> str:
    """Shorten a text to the width of a line."""
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
