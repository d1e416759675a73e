"""Certificates: proofs that the rules alone verify; altered ones are rejected."""

import ast
import json
from functools import cache
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game, NotationError, State, UsageError
from rulesengine.certificates import (
    certificate_of,
    generation,
    read_certificate,
    verification,
    verify,
    write_certificate,
)
from rulesengine.certificates.terminal_values import Results
from rulesengine.errors import LimitError
from rulesengine.loading import load_source
from rulesengine.search.searches import Solved
from rulesengine.support.source import Source
from tests.engine.test_translate import later
from tests.helpers.cli_calls import call
from tests.helpers.lone_specs import pegs_of, sokoban_of
from tests.helpers.modules import PACKAGE

# Each player can always step to an adjacent cell, so no line of play has to end.
ENDLESS = """\
spec: 1
name: Endless
board: {rows: 2, columns: 2}
players: [left, right]
pieces: {stone: {left: x, right: o}, empty: "."}
start: |
  x.
  .o
rules:
  moves: {move: own, to: empty touching from}
  end: {when: not can_move(mover), result: mover loses}
"""
CASES = ("tic-tac-toe", "clobber", "othello", "dots-and-boxes", "endless")
# The gate alters every line of these: wins, points, draws.
FEW = ("clobber", "dots-and-boxes", "endless")


def case(name: str) -> tuple[Game, State]:
    """Return a game and a position of it that is soon decided."""
    load = rulesengine.load
    match name:
        case "tic-tac-toe":
            game, plies = load(name, engine="interpreter"), 5
        case "clobber":
            game, plies = load(name, rows=2, columns=3, engine="interpreter"), 0
        case "othello":
            game, plies = load(name, n=4, engine="interpreter"), 7
        case "dots-and-boxes":
            game, plies = load(name, rows=1, columns=2, engine="interpreter"), 4
        case _:
            game, plies = load_source(Source("endless.yaml", ENDLESS), engine="interpreter"), 0
    return game, later(game, plies)


@cache
def proof(name: str) -> tuple[Game, State, Solved, str]:
    """Return the same with its value, and the text of its certificate."""
    game, state = case(name)
    solved = game.solve(state)
    return game, state, solved, write_certificate(certificate_of(game, state, solved))


def refusal(game: Game, lines: list[dict[str, object]]) -> str:
    with pytest.raises(NotationError) as caught:
        verify(game, read_certificate("\n".join(map(json.dumps, lines))))
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_value_has_a_certificate_that_holds(name: str) -> None:
    game, _, solved, text = proof(name)
    certificate = read_certificate(text)
    verify(game, certificate)
    assert write_certificate(certificate) == text
    value = {"win": 1, "draw": 0, "loss": -1}[solved.value or ""]
    assert certificate.value == (value if solved.score is None else solved.score)
    assert any(claim.endless for claim in certificate.claims) == (name == "endless")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FEW else pytest.mark.deep) for name in CASES]
)
def test_a_changed_value_is_refused_at_its_line(name: str) -> None:
    game, _, _, text = proof(name)
    lines = list(map(json.loads, text.splitlines()))
    for number, line in enumerate(lines[1:], start=2):
        bound = next(key for key in ("at_least", "at_most") if key in line)
        for value in {-line[bound], line[bound] + 1} - {line[bound]}:
            changed = [*lines[: number - 1], {**line, bound: value}, *lines[number:]]
            assert refusal(game, changed).startswith(f"{number}: ")
    head = {**lines[0], "value": lines[0]["value"] + 1}
    assert refusal(game, [head, *lines[1:]]).startswith("1: ")


@pytest.mark.slow
def test_a_changed_move_is_refused_at_its_line() -> None:
    game, _, _, text = proof("clobber")
    lines = list(map(json.loads, text.splitlines()))
    places = [i for i, line in enumerate(lines) if "move" in line]
    assert len(places) > 3
    for i in places:
        at = game.state_from(lines[i]["position"])
        others = {str(move) for move in game.legal_moves(at)} - {lines[i]["move"]}
        unproved = [move for move in others if not claimed(game, at, move, lines)]
        for move in ("a9xa8", *unproved):
            changed = [*lines[:i], {**lines[i], "move": move}, *lines[i + 1 :]]
            assert refusal(game, changed).startswith(f"{i + 1}: ")


def claimed(game: Game, state: State, move: str, lines: list[dict[str, object]]) -> bool:
    """True if the certificate covers the position after a move, so that the move may be as good."""
    after = game.apply(state, move)
    return game.outcome(after) is not None or any(
        line.get("position") == str(after) for line in lines
    )


def test_a_missing_line_is_missed_where_it_is_needed() -> None:
    game, _, _, text = proof("tic-tac-toe")
    lines = list(map(json.loads, text.splitlines()))
    for i in range(1, len(lines)):
        found = int(refusal(game, [*lines[:i], *lines[i + 1 :]]).split(":")[0])
        assert found == 1 or found > i


def test_a_claim_depends_on_earlier_lines_alone() -> None:
    game, _, _, text = proof("tic-tac-toe")
    head, *lines = map(json.loads, text.splitlines())
    assert "which is later" in refusal(game, [head, *reversed(lines)])
    # A line with an endless draw may refer to any line; a win may not refer to an endless draw.
    game, _, _, text = proof("endless")
    head, *lines = map(json.loads, text.splitlines())
    verify(game, read_certificate("\n".join(map(json.dumps, [head, *reversed(lines)]))))
    place = next(i for i, line in enumerate(lines) if line.get("endless"))
    plain = {key: value for key, value in lines[place].items() if key != "endless"}
    changed = [head, *lines[:place], plain, *lines[place + 1 :]]
    assert refusal(game, changed).split(":")[0] == str(place + 2)


def test_a_certificate_of_another_game_is_refused() -> None:
    game, _, _, text = proof("tic-tac-toe")
    certificate = read_certificate(text)
    with pytest.raises(NotationError, match="1: of other rules than those of Clobber"):
        verify(rulesengine.load("clobber"), certificate)
    with pytest.raises(NotationError, match="1: of a game with other parameters"):
        verify(game.bind(m=4), certificate)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "1: this is no line"),
        ("[" * 100_000, "1: this is no line"),
        ("[]", "1: expected the fields certificate"),
        ('{"certificate": 1}', "1: expected the fields certificate"),
    ],
)
def test_malformed_certificate_is_rejected(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        read_certificate(line)


def test_a_line_has_the_fields_that_it_should() -> None:
    head, first, *_ = proof("clobber")[3].splitlines()
    for wrong in (
        {**json.loads(first), "more": 1},
        {"position": 1, "at_most": 0},
        {"position": "", "at_most": True},
        {"position": "", "at_most": 10**30},
        {"position": "", "at_most": 0.5},
    ):
        with pytest.raises(NotationError, match=r"^2: "):
            read_certificate(f"{head}\n{json.dumps(wrong)}")


@pytest.mark.slow
def test_too_many_positions_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    game, state, solved, _ = proof("clobber")
    few = len(certificate_of(game, state, solved).claims)
    monkeypatch.setattr(generation, "MOST_POSITIONS", few)
    certificate = certificate_of(game, state, solved)
    monkeypatch.setattr(generation, "MOST_POSITIONS", few - 1)
    with pytest.raises(LimitError, match="the proof is about more than"):
        certificate_of(game, state, solved)
    monkeypatch.setattr(verification, "MOST_POSITIONS", few - 1)
    with pytest.raises(NotationError, match=f"{few + 1}: more than"):
        verify(game, read_certificate(write_certificate(certificate)))


def test_games_of_chance_or_of_three_have_none() -> None:
    for name in ("three-player-tic-tac-toe", "pig"):
        with pytest.raises(UsageError, match="of games for one or two players without chance"):
            Results(rulesengine.load(name))


def test_verifier_imports_no_search() -> None:
    for name in ("certificate_text", "verification", "terminal_values"):
        tree = ast.parse((PACKAGE / "certificates" / f"{name}.py").read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        searching = ("rulesengine.search", "rulesengine.engine.drivers.search")
        found = {module for module in modules if module and module.startswith(searching)}
        assert found <= {"rulesengine.search.enumeration.retrograde"}


def test_the_command_writes_and_verifies(tmp_path: Path) -> None:
    file, position = tmp_path / "proof.txt", tmp_path / "position.txt"
    state = proof("tic-tac-toe")[1]
    position.write_text(str(state), encoding="utf-8")
    words = ("solve", "tic-tac-toe")
    done = call(*words, "--position", str(position), "--certificate", str(file))
    assert done.code == 0
    value = done.out.splitlines()[0].removeprefix("value: ")
    lines = file.read_text(encoding="utf-8").splitlines()
    done = call(*words, "--verify", str(file))
    assert (done.code, done.out) == (0, f"verified: {value}\nclaims: {len(lines) - 1}\n")
    assert call(*words, "--verify", str(file), "--json").json()["verified"] == value
    file.write_text("\n".join([*lines[:2], lines[2].replace("x", "o", 1), *lines[3:]]))
    done = call(*words, "--verify", str(file))
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"rulesengine: {file}:")
    done = call("solve", "clobber", "--verify", str(file))
    assert "of other rules than those of Clobber" in done.err
    assert "no such file" in call(*words, "--verify", str(tmp_path / "none")).err


def test_no_certificate_is_written_for_an_unsolved_position(tmp_path: Path) -> None:
    file = tmp_path / "proof.txt"
    done = call("solve", "breakthrough", "--nodes", "50", "--certificate", str(file))
    assert done.code == 1
    assert "no certificate is written" in done.err
    assert not file.exists()


def test_a_greatest_payoff_of_one_player_has_a_certificate() -> None:
    game = pegs_of(("....", "....", "....", "...."), "b2")
    certificate = certificate_of(game, game.initial_state(), game.solve())
    assert (certificate.value, certificate.points) == (13, True)
    lines = write_certificate(certificate).splitlines()
    verify(game, read_certificate("\n".join(lines)))
    for number in (1, len(lines) - 1):
        claim = json.loads(lines[number])
        bound = "at_most" if "at_most" in claim else "at_least"
        changed = json.dumps({**claim, bound: claim[bound] + 1})
        text = "\n".join([*lines[:number], changed, *lines[number + 1 :]])
        with pytest.raises(NotationError, match=f"^{number + 1}: its moves are worth"):
            verify(game, read_certificate(text))
    head = lines[0].replace('"value": 13', '"value": 14')
    with pytest.raises(NotationError, match="at least 14"):
        verify(game, read_certificate("\n".join([head, *lines[1:]])))


def test_a_win_of_one_player_is_certified_by_its_line() -> None:
    game = sokoban_of(("#######", "#@ $. #", "#  $. #", "#     #", "#######"))
    certificate = certificate_of(game, game.initial_state(), game.solve())
    assert (certificate.value, len(certificate.claims)) == (1, 5)
    verify(game, read_certificate(write_certificate(certificate)))


def test_a_puzzle_without_a_solution_has_no_certificate() -> None:
    game = sokoban_of(("#####", "#$ .#", "#  @#", "#####"))
    with pytest.raises(UsageError, match="that is not won"):
        certificate_of(game, game.initial_state(), game.solve())
