"""The playground: the package in Pyodide answers as it does here, and the page needs no server."""

import json
import random
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import rpds

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from rulesengine.support.resources import bundled_path
from rulesengine.tools.bundled import bundled_specs
from tests.helpers.served import ROW, respond
from website.playground import build
from website.playground import rpds as stand_in
from website.playground.build import PYODIDE, games_table, index_page

WORKER = Path(__file__).parents[1] / "helpers" / "playground_worker.mjs"
NODE = which("node")
PLAYED: dict[str, Any] = {"spec": {"name": "othello"}, "moves": ["d3", "c3", "c4"]}
TYPED = {"spec": {"text": ROW.replace("stone", "stone of", 1)}}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("position", PLAYED),
    ("position", {"spec": {"text": ROW}, "moves": ["a1"], "theme": "dark"}),
    ("position", {"spec": {"name": "chess"}, "parameters": {}, "moves": ["e2e4"]}),
    ("why", {**PLAYED, "move": "a1"}),
    ("check", TYPED),
    ("complete", {"spec": {"text": ROW}, "offset": ROW.index("place") + 3}),
    ("hover", {"spec": {"text": ROW}, "offset": ROW.index("empty")}),
    ("format", {"spec": {"text": ROW}}),
    ("rules", {"spec": {"name": "hex"}}),
    ("test", {"spec": {"name": "tic-tac-toe"}}),
    ("transforms", {"spec": {"name": "tic-tac-toe"}}),
    ("record", PLAYED),
    ("play", {**PLAYED, "player": "random", "seed": 3}),
    ("play", {**PLAYED, "player": "search:nodes=200", "seed": 3}),
    ("play", {**PLAYED, "player": "search:level=1", "seed": 3}),
    ("annotate", {**PLAYED, "nodes": 50}),
    ("search", {"spec": {"name": "tic-tac-toe"}, "moves": ["a1", "b1"], "nodes": 3000}),
    ("search", {"spec": {"name": "chess"}, "moves": [], "seconds": 0.3}),
    ("study", {"spec": {"text": ROW}, "seconds": 0.3}),
    ("position", {"spec": {"text": "spec: 1\nextends: nowhere\n"}}),
]


def test_the_page_of_the_playground_has_no_server_and_no_foreign_address() -> None:
    page = index_page()
    assert '<html lang="en" data-engine="local">' in page
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "default-src 'self'" in policy
    assert not re.search(r"https?:", page)


@pytest.mark.deep
def test_the_table_of_games_has_the_words_of_the_catalogue() -> None:
    specs = [spec for spec in bundled_specs() if spec.name == "tic-tac-toe"]
    table = games_table(specs)
    assert table["complete"] is True
    (row,) = table["games"]
    assert (row["name"], row["players"]) == ("tic-tac-toe", ["cross", "nought"])
    assert (row["summary"], row["group"]) == (specs[0].entry.summary, specs[0].entry.tags[0])


def test_the_stand_in_for_rpds_behaves_as_rpds() -> None:
    random_numbers = random.Random(1)
    pairs: list[tuple[Any, Any]] = [(m.HashTrieMap(), m.HashTrieSet()) for m in (rpds, stand_in)]
    lists: list[Any] = [m.List() for m in (rpds, stand_in)]
    for _ in range(200):
        key, value = random_numbers.randrange(8), random_numbers.randrange(100)
        has_key = key in pairs[0][0]
        act = random_numbers.choice(["insert", "remove", "update"])
        if act == "remove" and not has_key:
            for table, members in pairs:
                with pytest.raises(KeyError):
                    table.remove(key)
                with pytest.raises(KeyError):
                    members.remove(key)
        elif act == "remove":
            pairs = [(table.remove(key), members.remove(key)) for table, members in pairs]
        elif act == "insert":
            pairs = [(table.insert(key, value), members.insert(key)) for table, members in pairs]
        else:
            pairs = [(t.update({key: value}), s.update([key])) for t, s in pairs]
        lists = [one.push_front(value) for one in lists]
        assert dict(pairs[0][0]) == dict(pairs[1][0])
        assert set(pairs[0][1]) == set(pairs[1][1])
        assert list(lists[0]) == list(lists[1])
    assert dict(stand_in.HashTrieMap.convert({1: 2})) == dict(rpds.HashTrieMap.convert({1: 2}))


def test_a_playground_without_pyodide_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PYODIDE", tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="npm ci"):
        build.write_playground(tmp_path / "out", [])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the files of a playground with a few games."""
    if not PYODIDE.is_dir():
        pytest.skip("needs pyodide: `npm ci` in the folder web")
    names = ("chess", "hex", "othello", "tic-tac-toe")
    folder = tmp_path_factory.mktemp("playground") / "playground"
    build.write_playground(folder, [spec for spec in bundled_specs() if spec.name in names])
    return folder


@pytest.mark.deep
@pytest.mark.skipif(NODE is None, reason="there is no node")
def test_the_package_in_pyodide_answers_as_it_does_here(folder: Path) -> None:
    assert NODE is not None
    requests = [{"name": name, "body": body} for name, body in REQUESTS]
    done = subprocess.run(
        [NODE, WORKER, folder],
        input=json.dumps(requests),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == len(REQUESTS)
    for (name, body), lines in zip(REQUESTS, found, strict=True):
        if "seconds" in body:
            assert lines[-1]["done"], name
        else:
            assert last(lines) == last(respond(name, **body)[1]), name


def last(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the last line of an answer without the parts that depend on time.

    They are the seconds, and the nodes of an iteration that is repeated by a kernel.
    """
    return {key: value for key, value in lines[-1].items() if key not in ("seconds", "nodes")}


@pytest.mark.deep
def test_the_archive_is_the_same_twice_and_has_the_games(folder: Path) -> None:
    assert build.python_archive() == (folder / "python.zip").read_bytes()
    spec = (folder / "specs" / "hex.yaml").read_bytes()
    assert spec == bundled_path("hex").read_bytes()
