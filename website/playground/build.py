"""Write the playground: the files of the page, Pyodide, and an archive of the Python packages."""

import io
import json
import shutil
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from rulesengine.server.web.bundled_games import listed
from rulesengine.server.web.gallery import row
from rulesengine.server.web.game_cache import GameCache
from rulesengine.support.resources import bundled_path
from rulesengine.tools.bundled import BundledSpec
from rulesengine.version import __version__
from website.sections import ROOT

PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
MISSING = "the playground needs the npm package `pyodide`: run `npm ci` in the folder `web`"

_ASSETS = ROOT / "rulesengine" / "server" / "web" / "assets"
_PAGE_FILES = ("main.js", "editor.js", "local.js", "worker.js", "style.css", "icon.svg")
_PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_DEPENDENCIES = (
    "attrs",
    "jsonschema",
    "jsonschema-specifications",
    "lark",
    "pyyaml",
    "referencing",
)
_SUFFIXES = (".py", ".json", ".lark")
_OWN = (("rulesengine", "*.py"), ("games", "*"), ("grammars", "*"))
_LEFT_OUT = ("rulesengine/server/lsp", "rulesengine/engine/kernel/backends/cuda")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the archive does not depend on the time of its files

# `wasm-unsafe-eval` lets Pyodide compile its module; no address of another host is allowed.
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"
    " img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
_HEAD = f"""<html lang="en" data-engine="local">
<head>
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">"""


def write_playground(folder: Path, specs: Sequence[BundledSpec]) -> None:
    """Write all files of the playground. Raises FileNotFoundError without Pyodide."""
    if not PYODIDE.is_dir():
        raise FileNotFoundError(MISSING)
    (folder / "pyodide").mkdir(parents=True)
    (folder / "specs").mkdir()
    for name in _PAGE_FILES:
        shutil.copyfile(_ASSETS / name, folder / name)
    for name in _PYODIDE_FILES:
        shutil.copyfile(PYODIDE / name, folder / "pyodide" / name)
    for spec in specs:
        shutil.copyfile(bundled_path(spec.name), folder / "specs" / f"{spec.name}.yaml")
    (folder / "index.html").write_text(index_page(), encoding="utf-8")
    (folder / "games.json").write_text(json.dumps(games_table(specs)), encoding="utf-8")
    (folder / "python.zip").write_bytes(python_archive())
    (folder / "licences.txt").write_text(_licences(), encoding="utf-8")


def index_page() -> str:
    """Return the page of `serve`, marked as a page without a server."""
    page = (_ASSETS / "index.html").read_text(encoding="utf-8")
    docs = '<a class="docs" href="../index.html">Documentation</a>\n</header>'
    return page.replace('<html lang="en">\n<head>', _HEAD).replace("</header>", docs)


def games_table(specs: Sequence[BundledSpec]) -> dict[str, Any]:
    """Return the table of the gallery, as `serve` answers it."""
    games = GameCache()
    rows = [listed(row(games, {"spec": {"name": spec.name}}), spec.entry) for spec in specs]
    return {"version": __version__, "complete": True, "games": rows}


def python_archive() -> bytes:
    """Return a ZIP archive of the package and its dependencies, equal for equal files."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, data in sorted(_python_files()):
            info = ZipInfo(name, _EPOCH)
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, data, compresslevel=9)
    return buffer.getvalue()


def _python_files() -> Iterator[tuple[str, bytes]]:
    here = Path(__file__).parent
    yield from ((f"{name}.py", (here / f"{name}.py").read_bytes()) for name in ("boot", "rpds"))
    for folder, pattern in _OWN:
        for path in (ROOT / folder).rglob(pattern):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and not name.startswith(_LEFT_OUT):
                yield name, path.read_bytes()
    for package in _DEPENDENCIES:
        for file in metadata.files(package) or ():
            name = file.as_posix()
            if name.endswith(_SUFFIXES) and "/tests/" not in name and not name.startswith(".."):
                yield name, file.read_binary()


def _licences() -> str:
    """Return the licences of the page's packages, and of the Python packages of the archive."""
    parts = [(_ASSETS / "licences.txt").read_text(encoding="utf-8")]
    parts.append("pyodide\n\nMozilla Public License 2.0; its Python is under the PSF licence.\n")
    for package in _DEPENDENCIES:
        texts = [
            file.read_text()
            for file in metadata.files(package) or ()
            if file.name.upper().startswith(("LICEN", "COPYING"))
        ]
        parts.append(f"{package}\n\n{''.join(texts).strip()}\n")
    return "\n\n".join(parts)
