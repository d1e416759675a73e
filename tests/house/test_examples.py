"""The scripts and the notebook of `examples/`, run as a reader runs them."""

import ast
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.helpers.processes import PATIENCE

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples"
NOTEBOOK = FOLDER / "first-steps.ipynb"
# The extras of a script, by the packages that it imports.
NEEDS = {
    "batch_playouts.py": ("numpy",),
    "environments.py": ("gymnasium", "numpy", "pettingzoo"),
    "zero.py": ("numpy",),
}
# The score of the first player in random tic-tac-toe, exactly: 737/1260 + 8/63 / 2.
RANDOM_SCORE = 0.6484

pytestmark = pytest.mark.slow


def run(script: str, folder: Path, *arguments: str) -> str:
    """Return the output of a script; an error fails the test, and so does a warning of ours."""
    packages = NEEDS.get(script, ())
    absent = [name for name in packages if find_spec(name) is None]
    if absent:
        pytest.skip(f"{script} needs {', '.join(absent)}")
    strict = [] if packages else ["-W", "error"]  # other packages may warn on a newer Python
    done = subprocess.run(
        [sys.executable, *strict, str(FOLDER / script), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert packages or not done.stderr
    return done.stdout


def test_every_script_has_a_test_here() -> None:
    tested = set(re.findall(r'run\("(\w+\.py)"', Path(__file__).read_text(encoding="utf-8")))
    assert tested == {path.name for path in FOLDER.glob("*.py")}


def test_the_page_lists_every_example() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| \[[^]]+\]\(([^)]+)\)", page, re.M))
    assert listed == {path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".ipynb")}


def test_every_example_uses_the_public_api_alone() -> None:
    public = {"rulesengine", "rulesengine.bridges"}
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            ours = {name for name in names if name.partition(".")[0] == "rulesengine"}
            assert ours <= public, f"{path.name}: {ours - public}"


def test_a_network_learns_by_self_play(tmp_path: Path) -> None:
    options = "--games 24 --playouts 8 --moves 30 --matches 40 --rival 1 --out figures.json"
    printed = run("zero.py", tmp_path, "tic-tac-toe", *options.split())
    figures = json.loads(printed)
    assert figures == json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert figures["moves"] == 720
    # At first the loss is 1.8 or more for the choice among the actions, and up to 1 for the value.
    assert figures["loss"] < 2.3
    assert figures["score"] > 0.5  # against single random games


def test_a_random_game_ends_with_a_full_account(tmp_path: Path) -> None:
    printed = run("random_game.py", tmp_path)
    assert printed.startswith("....\n.o*.\n.*o.\n....\n")
    *_, end, black, white = printed.splitlines()
    discs = [int(line.rpartition(" ")[2]) for line in (black, white)]
    assert sum(discs) <= 16
    winner = "nobody" if discs[0] == discs[1] else ("black", "white")[discs[1] > discs[0]]
    assert end == f"{winner} wins: nobody can move"


def test_a_random_game_takes_a_game_with_chance(tmp_path: Path) -> None:
    assert "chance plays" in run("random_game.py", tmp_path, "pig", "3")


def test_counts_are_the_published_ones(tmp_path: Path) -> None:
    assert run("perft.py", tmp_path).splitlines() == [
        "chess: 20 400 8902 (as published)",
        "othello: 4 12 56 244 1396 8200 (as published)",
        "connect-four: 7 49 343 2401 16807 117649 (as published)",
        "tic-tac-toe: 9 72 504 3024 15120 54720 148176 200448 127872 (as published)",
        "tic-tac-toe, games: 255168",
        "tic-tac-toe, positions: 5478",
        "tic-tac-toe, positions up to symmetry: 765",
    ]


def test_the_search_beats_a_player_of_one_ply(tmp_path: Path) -> None:
    *games, total = run("own_player.py", tmp_path, "6").splitlines()
    found = re.fullmatch(r"careful (\d+), search (\d+), draws (\d+)", total)
    assert found
    careful, search, draws = map(int, found.groups())
    assert careful + search + draws == len(games) == 6
    assert search > careful


def test_the_first_move_is_worth_what_theory_says(tmp_path: Path) -> None:
    lines = run("first_move_advantage.py", tmp_path).splitlines()
    found = re.fullmatch(r"m=3 n=3 k=3  (0\.\d+) \+- (0\.\d+)", lines[1])
    assert found
    score, error = map(float, found.groups())
    # 4000 games of one seed: always the same, within three standard errors of the exact score.
    assert abs(score - RANDOM_SCORE) < 1.5 * error
    assert error == pytest.approx(0.014, abs=0.001)
    assert len(lines) == 6


def test_values_of_small_games_are_the_known_ones(tmp_path: Path) -> None:
    printed = run("solve.py", tmp_path)
    assert re.findall(r"^(\S.*)$", printed, re.M) == [
        "Tic-tac-toe (m=3, n=3, k=3): draw for cross",
        "Tic-tac-toe (m=4, n=3, k=3): win for cross",
        "Hex (n=3, pie=0): win for red",
        "Domineering (n=4): win for vertical",
        "Othello (n=4): loss by 8 points for black",
    ]


def test_a_position_is_drawn_with_its_discs(tmp_path: Path) -> None:
    printed = run("draw_position.py", tmp_path, "board.svg", "d3")
    assert printed.startswith("white to move, 3 legal moves\n")
    picture = ElementTree.parse(tmp_path / "board.svg").getroot()
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture.get("width") == "400"
    title = picture.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == "Othello: white to move"


def test_a_batch_plays_all_games_to_their_end(tmp_path: Path) -> None:
    lines = run("batch_playouts.py", tmp_path, "tic-tac-toe", "2000").splitlines()
    assert lines[0] == "2000 games, 9 actions, 9 of them legal at first"
    cross, nought, draws = (float(line.rpartition(" ")[2]) for line in lines[1:4])
    assert cross + nought + draws == pytest.approx(1, abs=0.002)
    assert cross == pytest.approx(737 / 1260, abs=0.035)
    assert draws == pytest.approx(8 / 63, abs=0.025)
    assert lines[4].endswith("longest 9")


def test_environments_play_games_of_two_players(tmp_path: Path) -> None:
    first, second = run("environments.py", tmp_path, "tic-tac-toe").splitlines()
    found = re.fullmatch(r"PettingZoo: (\d) actions, rewards (\{.*\})", first)
    assert found
    assert 5 <= int(found[1]) <= 9
    rewards = ast.literal_eval(found[2])
    assert set(rewards) == {"cross", "nought"}
    assert sum(rewards.values()) == 0
    reward = re.fullmatch(r"Gymnasium: 50 games, mean reward ([+-]\d\.\d\d)", second)
    assert reward
    assert float(reward[1]) > 0  # the first player wins 58 of 100 random games and loses 29


def cells() -> list[dict[str, Any]]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    found: list[dict[str, Any]] = notebook["cells"]
    return found


def test_the_notebook_has_the_form_of_nbformat_4() -> None:
    ids = [cell["id"] for cell in cells()]
    assert len(set(ids)) == len(ids)
    for cell in cells():
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
        assert isinstance(cell["source"], list)
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
        else:
            assert cell["cell_type"] == "markdown"
            assert set(cell) == {"cell_type", "id", "metadata", "source"}


def test_the_cells_of_the_notebook_run_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for cell in cells():
        if cell["cell_type"] == "code":
            code = compile("".join(cell["source"]), f"{NOTEBOOK.name} {cell['id']}", "exec")
            exec(code, names)  # noqa: S102 (our own notebook)
    assert names["counts"] == [4, 12, 56, 244, 1396]
    assert sum(names["played"].wins.values()) + names["played"].draws == 1000
    assert (names["solved"].value, names["solved"].score) == ("loss", -8)
    with names["mine"].start() as session:
        for move in ("a1", "a2", "b1", "b2", "c1"):
            session.push(move)
        assert session.outcome().winner == "nought"
    printed = capsys.readouterr().out
    assert "black may play c2 b3 e4 d5\n" in printed
    assert "`a1` is not legal for black" in printed
    assert "4 x 4: loss -8\n" in printed
    assert names["state"]._repr_svg_().startswith("<svg")
