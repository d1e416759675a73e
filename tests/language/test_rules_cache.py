"""Checked specs start from the cache, as the same game, without the front end."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulesengine
from rulesengine.errors import SpecError, UsageError
from rulesengine.language import pipeline, rules_cache
from rulesengine.language.ir.json_table import pack, unpack
from rulesengine.language.ir.text import show
from rulesengine.loading import open_spec
from rulesengine.support import resources
from rulesengine.support.cache import Cache, digest
from tests.helpers.cli_calls import call
from tests.helpers.each_game import LARGER, each_game
from tests.helpers.modules import parse
from tests.house.test_layers import imports, is_module

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = Path(__file__).parents[1] / "data" / "transcripts"

SPEC = """\
spec: 1
name: A row
parameters:
  n: {type: integer, from: 1, to: 9, default: 3}
board: {rows: 1, columns: n}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
rules:
  moves: {place: stone, to: empty}
  end: [{when: none(empty), result: draw, reason: the board is full}]
tests:
  - name: one row
    perft: [3, 6, 6]
"""

# Modules that a game from the cache does not need: third-party packages, and parts of ours.
UNUSED = "yaml lark jsonschema referencing llvmlite dataclasses inspect pathlib shutil hashlib"
PARTS = (
    "language.document language.syntax language.check language.lower language.pipeline"
    " support.diagnostic board.shapes engine.kernel.kernels engine.kernel.backends.native"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESENGINE_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def no_front_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(*_: object) -> None:
        raise AssertionError("the spec was read again")

    monkeypatch.setattr(pipeline, "analyse", analyse)


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def is_cached(path: str) -> bool:
    return rules_cache.recall(open_spec(path)) is not None


# the same game


@each_game(deep=LARGER)
def test_a_game_from_the_cache_is_the_game_from_its_text(folder: Path, name: str) -> None:
    fresh = rulesengine.load(name)
    assert is_cached(name)
    again = rulesengine.load(name)
    assert again.show() == fresh.show()
    assert show(again.rules) == show(fresh.rules)
    assert (again.program, again.rules, again.tests) == (fresh.program, fresh.rules, fresh.tests)


@each_game(deep=LARGER)
def test_rules_and_program_are_packed_without_a_loss(name: str) -> None:
    game = rulesengine.load(name)
    text = json.dumps(pack((game.rules, game.program)))
    rules, program = unpack(json.loads(text))
    assert (show(rules), show(program)) == (show(game.rules), game.show())
    assert pack((rules, program)) == pack((game.rules, game.program))


def test_packing_keeps_true_and_one_apart() -> None:
    assert [type(value) for value in unpack(pack(((1, 2), (True, 2))))[1]] == [bool, int]


@pytest.mark.parametrize(
    "rows", [[], [["Nobody", 1]], [["", [7]]], [["Player", "a"]], [["Player", "a", "b", "", "d"]]]
)
def test_a_table_that_pack_never_makes_is_refused(rows: list[list[object]]) -> None:
    with pytest.raises(ValueError):
        unpack(rows)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_other_parameters_are_bound_to_the_rules_that_were_kept() -> None:
    expected = [rulesengine.load("othello", n=n).perft(3) for n in (4, 6)]
    assert is_cached("othello")
    assert [rulesengine.load("othello", n=n).perft(3) for n in (4, 6)] == expected
    assert rulesengine.load("othello").bind(n=6).perft(3) == expected[1]


def test_a_size_that_does_not_fit_is_reported_as_from_the_text(folder: Path) -> None:
    text = SPEC.replace("rows: 1,", "rows: 1, holes: c1,")
    path = write(folder, "row.yaml", text)
    found = []
    for kept in (False, True):
        assert is_cached(path) == kept
        with pytest.raises(SpecError) as error:
            rulesengine.load(path, n=2)
        found.append(str(error.value))
    assert found[0] == found[1]
    assert f"{path}:5:" in found[0]
    for name, value in (("n", 10), ("m", 1)):
        with pytest.raises(UsageError, match=f"`?{name}`?:"):
            rulesengine.load(path, engine="auto", transforms=(), **{name: value})


def test_the_tests_of_a_spec_are_kept_with_it(folder: Path) -> None:
    path = write(folder, "row.yaml", SPEC)
    for _ in range(2):
        done = call("test", path)
        assert (done.code, done.out) == (0, "1 passed\n")


# conditions for equality


@pytest.mark.usefixtures("no_front_end")
def test_a_spec_that_is_not_known_is_read(folder: Path) -> None:
    with pytest.raises(AssertionError, match="read again"):
        rulesengine.load(write(folder, "row.yaml", SPEC))


def test_a_spec_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(folder, "row.yaml", SPEC)
    rulesengine.load(path)
    monkeypatch.setattr(pipeline, "analyse", lambda *_: pytest.fail("read again"))
    assert rulesengine.load(path).perft(1) == 3
    assert rulesengine.load(Path(path), n=4).perft(1) == 4


def test_a_changed_spec_is_read_again(folder: Path) -> None:
    path = write(folder, "row.yaml", SPEC)
    rulesengine.load(path)
    status = Path(path).stat()
    write(folder, "row.yaml", SPEC.replace("default: 3", "default: 5"))
    os.utime(path, (status.st_atime, status.st_mtime))
    assert rulesengine.load(path).perft(1) == 5


def test_a_changed_parent_is_read_again(folder: Path) -> None:
    write(folder, "oldest.yaml", SPEC)
    parent = write(folder, "parent.yaml", "extends: ./oldest.yaml\nname: Parent\n")
    path = write(folder, "child.yaml", "extends: [./parent.yaml]\nname: Child\n")
    assert rulesengine.load(path).perft(1) == 3
    assert is_cached(path)
    write(folder, "oldest.yaml", SPEC.replace("default: 3", "default: 5"))
    assert not is_cached(path)
    assert rulesengine.load(path).perft(1) == 5
    write(folder, "parent.yaml", "extends: ./oldest.yaml\nparameters: {n: {default: 6}}\n")
    assert rulesengine.load(path).perft(1) == 6
    Path(parent).unlink()
    with pytest.raises(SpecError, match="unknown-parent"):
        rulesengine.load(path)


def test_a_key_that_is_written_with_escapes_has_its_parents_too(folder: Path) -> None:
    write(folder, "parent.yaml", SPEC)
    path = write(folder, "child.yaml", '"ext\\x65nds": ./parent.yaml\nname: Child\n')
    rulesengine.load(path)
    assert is_cached(path)
    write(folder, "parent.yaml", SPEC.replace("default: 3", "default: 5"))
    assert rulesengine.load(path).perft(1) == 5


def test_the_same_text_in_another_place_is_another_spec(folder: Path) -> None:
    rulesengine.load(write(folder, "row.yaml", SPEC))
    assert not is_cached(write(folder, "copy.yaml", SPEC))


def test_a_spec_with_a_finding_is_not_kept(folder: Path) -> None:
    unclean = SPEC.replace("none(empty)", "none(empt)")
    path = write(folder, "row.yaml", unclean)
    for _ in range(2):
        with pytest.raises(SpecError, match="did you mean `empty`"):
            rulesengine.load(path)
    assert Cache.open() is None or not list((folder / "cache").glob("rules-*"))


def test_a_spec_with_a_warning_is_not_kept(folder: Path) -> None:
    unused = SPEC.replace("parameters:\n", "parameters:\n  idle: {type: flag, default: false}\n")
    path = write(folder, "row.yaml", unused)
    assert [f.severity for f in pipeline.analyse(open_spec(path)).findings] == ["warning"]
    assert rulesengine.load(path).perft(1) == 3
    assert not is_cached(path)


def test_another_package_reads_the_spec_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(folder, "row.yaml", SPEC)
    rulesengine.load(path)
    assert is_cached(path)
    monkeypatch.setattr(rules_cache, "_PACKAGE", digest(b"another"))
    assert not is_cached(path)


@pytest.mark.slow
def test_the_stamp_of_the_package_covers_what_makes_rules_of_a_spec() -> None:
    code = (
        "import sys, types\n"
        "package = sys.modules['rulesengine'] = types.ModuleType('rulesengine')\n"
        f"package.__path__ = [{str(ROOT / 'rulesengine')!r}]\n"
        "import rulesengine.language.pipeline\n"
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('rulesengine.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    covered = {line.rsplit(" ", 2)[0] for line in resources.stamp().splitlines()}
    assert set(done.stdout.split()) <= covered
    assert {str(path) for path in (ROOT / "grammars").iterdir()} <= covered


def test_the_stamp_of_the_package_changes_with_any_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*resources.RULE_SOURCES, "grammars"):
        (tmp_path / name).mkdir()
    file = tmp_path / "language" / "rule.py"
    file.write_text("one")
    monkeypatch.setattr(resources, "_PACKAGE", str(tmp_path))
    monkeypatch.setattr(resources, "_ROOT", str(tmp_path))
    before = resources.stamp()
    assert resources.stamp() == before
    status = file.stat()
    file.write_text("two")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert resources.stamp() != before


@pytest.mark.slow
def test_an_entry_that_holds_something_else_is_a_miss(folder: Path) -> None:
    path = write(folder, "row.yaml", SPEC)
    rulesengine.load(path)
    cache = Cache.open()
    assert cache is not None
    source = open_spec(path)
    own, whole = rules_cache._own_key(source), rules_cache._key(rules_cache.Parents(source))
    for kind, key in (("parents", own), ("rules", whole)):
        good = cache.get(kind, key)
        assert good is not None
        for bad in (b"", b"[", b"[[]]", b"null", b'{"rows": [], "tests": 1}', b"\xff"):
            cache.put(kind, key, bad)
            assert not is_cached(path)
            assert rulesengine.load(path).perft(1) == 3
        cache.put(kind, key, good)


def test_without_a_cache_everything_is_read(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("RULESENGINE_CACHE", "/dev/null/cache")
    path = write(folder, "row.yaml", SPEC)
    for _ in range(2):
        assert rulesengine.load(path).perft(1) == 3
        assert not is_cached(path)


# the start


def modules_of(folder: Path, spec: str, text: bytes) -> tuple[bytes, set[str]]:
    """Return the output of `rulesengine run SPEC`, and the modules loaded at its end."""
    code = (
        "import sys\n"
        "from rulesengine.cli import main\n"
        "from rulesengine.engine.kernel.backends.registry import BACKENDS\n"
        "for row in BACKENDS: type(row).load_seconds = 1e9\n"  # however busy
        f"code = main(['run', {spec!r}])\n"
        "print(*sys.modules, file=sys.stderr)\n"
        "sys.exit(code)"
    )
    # Without `site`, which may load any module; the paths that it would add are passed.
    paths = os.pathsep.join(path for path in (str(ROOT), *sys.path) if path)
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        input=text,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    return done.stdout, set(done.stderr.decode().split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "transcript", "bound"),
    [("acm92-othello", "acm92-sample", False), ("aps105-reversi", "aps105-sample-1", True)],
)
def test_run_from_the_cache_loads_nothing_that_it_does_not_need(
    folder: Path, spec: str, transcript: str, bound: bool
) -> None:
    given, expected = (TRANSCRIPTS / transcript / name for name in ("run.in", "run.out"))
    first, all_modules = modules_of(folder, spec, given.read_bytes())
    assert {"yaml", "lark", "jsonschema", "rulesengine.language.check"} <= all_modules
    again, loaded = modules_of(folder, spec, given.read_bytes())
    assert first == again == expected.read_bytes()
    parts = {f"rulesengine.{part}" for part in PARTS.split()}
    assert all(map(is_module, parts))
    if bound:  # the size of its board is read, so its rules are lowered for it
        parts -= {"rulesengine.language.lower", "rulesengine.board.shapes"}
        assert "rulesengine.language.lower" in loaded
    unused = set(UNUSED.split()) - ({"dataclasses", "inspect"} if bound else set())
    assert loaded & (unused | parts) == set()


@pytest.mark.slow
def test_no_start_reads_what_the_package_calls_itself(folder: Path) -> None:
    call("run", "tic-tac-toe", stdin=b"")
    loaded = modules_of(folder, "tic-tac-toe", b"")[1]
    assert not {name for name in loaded if name.startswith("importlib.metadata")}


# `rulesengine cache`


def test_cache_info_counts_the_entries(folder: Path) -> None:
    path = write(folder, "row.yaml", SPEC)
    rulesengine.load(path)
    sizes = [file.stat().st_size for file in (folder / "cache").iterdir() if file.name != "key"]
    assert len(sizes) == 2
    lines = [f"directory: {folder}/cache", "entries: 2", f"bytes: {sum(sizes)}"]
    assert call("cache", "info").out.splitlines()[:3] == lines
    about = call("cache", "info", "--json").json()
    assert about == {
        "directory": f"{folder}/cache",
        "entries": 2,
        "bytes": sum(sizes),
        "limit": 128 * 1024 * 1024,
    }


def test_cache_clear_removes_the_entries(folder: Path) -> None:
    path = write(folder, "row.yaml", SPEC)
    rulesengine.load(path)
    assert call("cache", "clear").out == "2 entries removed\n"
    assert not is_cached(path)
    assert call("cache", "clear", "--json").json() == {"removed": 0}


def test_cache_says_why_there_is_none(folder: Path) -> None:
    (folder / "cache").mkdir(mode=0o700)
    (folder / "cache" / "key").mkdir()
    (folder / "cache" / "key" / "file").write_text("")
    why = f"{folder}/cache: its key cannot be read"
    done = call("cache", "info")
    assert (done.code, done.out) == (0, f"there is no cache: {why}\n")
    assert call("cache", "info", "--json").json()["problem"] == why
    done = call("cache", "clear")
    assert (done.code, done.out, done.err) == (2, "", f"rulesengine: there is no cache: {why}\n")


def modules_imported_by(*starts: str) -> set[Path]:
    """Return the files of the package that some modules import, directly or not, lazily or not."""
    package = ROOT / "rulesengine"
    due, found = [package / start for start in starts], set[Path]()
    while due:
        path = due.pop()
        if path not in found:
            found.add(path)
            names = [name.split(".") for name in imports(parse(path), path) if is_module(name)]
            files = [(package.joinpath(*n[1:], "__init__.py"), n) for n in names]
            due += [
                f if f.is_file() else package.joinpath(*n[1:-1], f"{n[-1]}.py") for f, n in files
            ]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("starts", "names"),
    [
        (["language/pipeline.py"], ()),
        (["engine/kernel/emission.py", "engine/kernel/kernels.py"], rules_cache.CODE),
    ],
    ids=["rules", "kernels"],
)
def test_a_change_of_any_module_that_makes_rules_or_kernels_is_a_miss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starts: list[str], names: tuple[str, ...]
) -> None:
    copy = tmp_path / "rulesengine"
    shutil.copytree(ROOT / "rulesengine", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(resources, "_PACKAGE", str(copy))
    modules = modules_imported_by(*starts)
    assert len(modules) > 50
    before = resources.stamp(*names)
    for module in modules:
        with (copy / module.relative_to(ROOT / "rulesengine")).open("a") as file:
            file.write("#")
        after = resources.stamp(*names)
        assert after != before, module
        before = after


def test_a_missing_folder_is_an_error_and_no_stamp_that_never_changes() -> None:
    for stamp in (resources.stamp, resources.stamp_below):
        with pytest.raises(FileNotFoundError):
            stamp("no_such_folder")


def test_a_stamp_covers_folders_below_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / "rules" / "deeper"
    deep.mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", str(tmp_path))
    before = resources.stamp_below("rules")
    (deep / "new.py").touch()
    assert resources.stamp_below("rules") != before
