"""Packaging: the wheel and the source archive each install into a fresh environment."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEARNED = sorted(path.name for path in (ROOT / "games" / "learned").iterdir())
GAMES = sorted(path.stem for path in (ROOT / "games").glob("*.yaml"))
GRAMMARS = sorted(path.name for path in (ROOT / "grammars").iterdir())

pytestmark = pytest.mark.slow


def call(*words: str | Path, cwd: Path, text: str = "") -> str:
    """Return standard output of a program, which must succeed; the checkout is not on its path."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=clean,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the source archive and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def environment(folder: Path) -> Path:
    """Return the Python of a new environment with the packages of this one, except ours."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    site = call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site.strip(), "borrowed.pth").write_text("\n".join(sorted(borrowed)), encoding="utf-8")
    return python


def install(archive: Path, folder: Path) -> Path:
    python = environment(folder)
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-index",
    ]
    call(*pip, "--no-deps", "--no-build-isolation", archive, cwd=folder)
    return python


# Line (1) of the README also installs a wheel from the same files.
@pytest.mark.parametrize("pattern", [pytest.param("*.whl", marks=pytest.mark.deep), "*.tar.gz"])
def test_an_installed_archive_plays_from_a_foreign_folder(
    dist: Path, pattern: str, tmp_path: Path
) -> None:
    python = install(only(dist, pattern), tmp_path / "env")
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    script = (
        "import rulesengine; from rulesengine.support import resources\n"
        "print(rulesengine.__file__, *resources.bundled_names())"
    )
    file, *names = call(python, "-c", script, cwd=foreign).split()
    assert Path(file).is_relative_to(tmp_path / "env")
    assert names == GAMES
    program = python.with_name("rulesengine")
    text = ".0*.\n0..0\n0000\n0*.0\n-1\n"
    board = "........\n........\n...0*...\n..0..0..\n..0000..\n..0*.0..\n........\n........\n"
    printed = call(program, "run", "bio97-othello", cwd=foreign, text=text)
    assert printed == f"Strategy 1\n{board}\n"


@pytest.mark.deep
def test_two_builds_have_equal_bytes(dist: Path, tmp_path: Path) -> None:
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    first, again = (
        {path.name: path.read_bytes() for path in f.iterdir()} for f in (dist, tmp_path)
    )
    assert first.keys() == again.keys()
    assert [name for name in first if first[name] != again[name]] == []


@pytest.mark.deep
def test_the_metadata_and_the_contents_pass_their_checkers(dist: Path) -> None:
    pytest.importorskip("twine", reason="the extra `release` is not installed")
    pytest.importorskip("check_wheel_contents", reason="the extra `release` is not installed")
    wheel = only(dist, "*.whl")
    python = [sys.executable, "-m"]
    call(*python, "twine", "check", "--strict", wheel, only(dist, "*.tar.gz"), cwd=dist)
    call(*python, "check_wheel_contents", wheel, cwd=dist)


def test_the_wheel_holds_the_package_its_specs_and_its_grammars_and_no_more(dist: Path) -> None:
    with zipfile.ZipFile(only(dist, "*.whl")) as wheel:
        names = wheel.namelist()
        (place,) = [name for name in names if name.endswith("entry_points.txt")]
        entry_points = wheel.read(place).decode()
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "rulesengine",
        "boardgame_rulesengine",
    }
    assert {f"rulesengine/games/{name}.yaml" for name in GAMES} <= set(names)
    assert "rulesengine/games/catalogue.txt" in names
    assert {f"rulesengine/games/learned/{name}" for name in LEARNED} <= set(names)
    assert {f"rulesengine/grammars/{name}" for name in GRAMMARS} <= set(names)
    assert "rulesengine/py.typed" in names
    assert "[pytest11]\nrulesengine = rulesengine.pytest_plugin" in entry_points
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests/")]


def test_the_source_archive_holds_what_its_tests_need(dist: Path) -> None:
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"games/{name}.yaml" for name in GAMES} <= names
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"} <= names
    assert {"SECURITY.md", "CITATION.cff", "CODE_OF_CONDUCT.md", "examples/perft.py"} <= names
    assert {".github/workflows/ci.yml", ".pre-commit-config.yaml"} <= names
    assert "tests/house/test_packaging.py" in names
