"""The files of the page: built from the adjacent sources, small, and free of external requests."""

import json
import re
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
ASSETS = ROOT / "rulesengine" / "server" / "web" / "assets"
MOST = 300_000  # bytes of all that is loaded before the first board


def test_the_files_were_made_from_the_sources_that_are_there() -> None:
    listed = [WEB / "build.mjs", WEB / "package-lock.json", *(WEB / "src").rglob("*.*")]
    found = sha256()
    for path in sorted(listed, key=lambda path: path.relative_to(WEB).as_posix()):
        found.update(f"{path.relative_to(WEB).as_posix()}\n".encode() + path.read_bytes())
    made_from = (ASSETS / "sources.sha256").read_text().strip()
    assert found.hexdigest() == made_from, "run `npm run build` in the folder `web`"


def test_the_lock_names_packages_and_no_place_to_get_them_from() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert all("integrity" in entry for entry in packages.values())
    assert not any("resolved" in entry for entry in packages.values())


def test_the_page_refers_to_files_of_its_own_alone() -> None:
    page = (ASSETS / "index.html").read_text()
    for address in re.findall(r'(?:src|href)="([^"#]+)"', page):
        assert (ASSETS / address).is_file(), address
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]* src=)", page)


def test_files_of_the_first_board_are_small() -> None:
    needed = [path for path in ASSETS.iterdir() if path.name not in ("editor.js", "licences.txt")]
    assert sum(path.stat().st_size for path in needed) < MOST


def test_licences_of_the_packages_in_the_editor_go_with_it() -> None:
    licences = (ASSETS / "licences.txt").read_text(encoding="utf-8")
    packages = json.loads((WEB / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    editing = [name for name in packages if name.startswith("@codemirror/")]
    assert editing
    for name in editing:
        assert f"{name}\n\n" in licences
