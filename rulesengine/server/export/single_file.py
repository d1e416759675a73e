"""A game as one HTML file that needs no server: board, rules and computer players.

See decision 059.
"""

import json
import zlib
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from rulesengine.drawing.svg_elements import plain
from rulesengine.engine.kernel.backends.native.object_code import CompileError
from rulesengine.engine.kernel.web_module import WebKernels
from rulesengine.errors import LimitError, UsageError
from rulesengine.game import Game
from rulesengine.language.ir.hiding import require_perfect_information
from rulesengine.prose import html_sections, sections
from rulesengine.server.export.contents import check_numbers, contents
from rulesengine.server.export.packed_weights import weight_planes
from rulesengine.server.export.picture import picture_parts
from rulesengine.server.export.web_kernels import (
    PLAIN,
    larger_patterns,
    level_weights,
    page_levels,
    search_parts,
    web_kernels,
)

_ASSETS = Path(__file__).parents[1] / "web" / "assets"
_MISSING = (
    "the files of the page are missing in this installation: in a checkout `npm ci` and"
    " `npm run build` in the folder `web` make them"
)
_BARE = -15  # raw deflate without a header, as browsers decode it


def exported(game: Game, *, spec: str = "", credit: str = "") -> str:
    """Return the text of the file with all computer players, as `one_file` does.

    Raises UsageError with the reason for a game that cannot be exported.
    """
    try:
        require_perfect_information(game.rules, "the page of a game")
        check_numbers(game)  # checked first because compilation takes longer
        levels = page_levels(game)
        kernels = web_kernels(game, (*PLAIN, *search_parts(levels)), levels[0].factor)
        return one_file(game, kernels, spec=spec, credit=credit)
    except (CompileError, LimitError, UsageError) as error:
        raise UsageError(f"{game.name} cannot be exported: {error}") from None


def one_file(game: Game, kernels: WebKernels, *, spec: str = "", credit: str = "") -> str:
    """Return the text of the file; `spec` is the argument of `load`, `credit` the source of the
    rules.

    Raises LimitError if the steps of moves have no numbers, and UsageError if the page's files are
    missing.
    """
    parts, levels = picture_parts(game), page_levels(game)
    data = {**contents(game, spec, parts.table, levels), "manifest": dict(kernels.manifest)}
    weights = weight_planes(level_weights(levels))
    data["weights"] = {
        "unit": weights.unit,
        "width": weights.width,
        "planes": _packed(weights.planes),
        "larger": larger_patterns(levels),
    }
    script, style = _asset("exported.js"), _asset("exported.css") + parts.style
    return _PAGE.format(
        policy=_policy(script, style),
        title=plain(game.name),
        style=style,
        rules=_rules(game, credit),
        game=_packed(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()),
        kernels=_packed(kernels.code),
        script=script,
    )


def _asset(name: str) -> str:
    try:
        return (_ASSETS / name).read_text("utf-8")
    except OSError:
        raise UsageError(_MISSING) from None


def _policy(script: str, style: str) -> str:
    """Return the Content-Security-Policy: only this script and its kernels run, without network."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}' 'wasm-unsafe-eval'",
            f"style-src '{_hash(style)}'",
            "worker-src blob:",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _rules(game: Game, credit: str) -> str:
    text = html_sections(sections(game), "h3")
    return f'{text}\n<p class="credit">From: {escape(credit)}</p>' if credit else text


def _packed(data: bytes) -> str:
    """Compress bytes by deflate and encode them in base64."""
    packer = zlib.compressobj(9, wbits=_BARE)
    return b64encode(packer.compress(data) + packer.flush()).decode()


_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="rulesengine">
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the game</a>
<main id="main" tabindex="-1">
<noscript>To play needs JavaScript; these are the rules.</noscript>
<div id="rules" class="rules">
{rules}
</div>
</main>
<div id="announcements" class="visually-hidden" role="status" aria-live="polite"></div>
<div id="notices" role="alert"></div>
<script type="text/plain" id="game">{game}</script>
<script type="text/plain" id="kernels">{kernels}</script>
<script id="script">{script}</script>
</body>
</html>
"""
