"""ARCHITECTURE.md is true: its code map, its table of layers, its links, its length."""

import re
import subprocess

from tests.helpers.modules import MODULES, PACKAGE, ROOT, read
from tests.house.test_layers import LAYERS

TEXT = (PACKAGE / "ARCHITECTURE.md").read_text(encoding="utf-8")
MOST_WORDS = 1500


def section(title: str) -> str:
    """Return the text below a heading up to the next one."""
    return re.split(r"^#+ ", TEXT.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.M)[0]


def entries_of_the_package() -> set[str]:
    """Return the names of all tracked entries of the package, folders with a slash."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "rulesengine"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
    except (OSError, subprocess.CalledProcessError):  # a source archive
        listed = [str(path.relative_to(ROOT)) for path in PACKAGE.rglob("*.*")]
    parts = [name.split("/")[1:] for name in listed if "__pycache__" not in name]
    return {part[0] if len(part) == 1 else f"{part[0]}/" for part in parts}


def test_the_code_map_lists_every_entry_of_the_package() -> None:
    cells = re.findall(r"^\| ((?:`[^`]+`(?:, )?)+) \|", section("Code map"), re.M)
    named = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert named == entries_of_the_package() - {"ARCHITECTURE.md"}


def test_the_map_of_the_kernels_lists_their_folders() -> None:
    kernel = PACKAGE / "engine" / "kernel"
    folders = {f"{path.parent.name}/" for path in kernel.glob("*/__init__.py")}
    named = re.findall(r"^\| `(\w+/)` \|", section("Inside `engine/kernel`"), re.M)
    assert set(named) == folders


def test_the_table_of_layers_is_the_one_that_imports_are_checked_against() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", section("Layers"), re.M)
    assert [int(number) for number, _ in rows] == list(range(len(LAYERS)))
    assert [re.findall(r"`([^`]+)`", units) for _, units in rows] == [list(row) for row in LAYERS]


def test_the_paths_and_links_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)", TEXT)
    assert [link for link in links if not (PACKAGE / link).exists()] == []
    paths = set(re.findall(r"`((?:[\w.]+/)+[\w.]*)`", TEXT))
    kernel = PACKAGE / "engine" / "kernel"
    rooms = (ROOT, PACKAGE, *PACKAGE.glob("*/"), kernel, kernel / "backends")
    missing = [path for path in paths if not any((room / path).exists() for room in rooms)]
    assert missing == []


def test_the_names_of_classes_and_tables_exist() -> None:
    named = set(re.findall(r"`([A-Z]\w+)`", TEXT))
    found = "\n".join(map(read, MODULES))
    assert len(named) > 3
    assert [n for n in named if not re.search(rf"^(class )?{n}\b", found, re.M)] == []


def test_the_page_is_short() -> None:
    assert len(TEXT.split()) <= MOST_WORDS
