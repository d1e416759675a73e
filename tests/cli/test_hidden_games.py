"""Commands and calls with a game that hides something: each refuses, masks, or has a reason.

A new command, method or attribute fails here until a table below has it.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import rulesengine
from rulesengine import Game, Move, State, UsageError
from rulesengine.cli.commands import COMMANDS
from tests.helpers.cli_calls import call

SPEC = """
spec: 1
name: Two cards
board: {rows: 1, columns: 2}
players: {first: {hand: a1}, second: {hand: b1}}
pieces:
  low: {neutral: L, values: {rank: 1}}
  high: {neutral: H, values: {rank: 2}}
  empty: "."
rules:
  sees: {cells: hand}
  moves: [{pass: true, written: stay}, {pass: true, written: go}]
  chance:
    when: any(empty)
    branches: {place: choice, choice: [low, high], to: first(empty), written: "{choice}"}
  end: {when: plies = 2, payoffs: rank of kind(hand), reason: two moves}
strategies:
  bold: [most rank of kind(hand)]
"""
ERROR = "needs perfect information, and Two cards hides pieces"

# Commands that refuse the game, with their arguments; FILE is a saved game, OUT a path to write.
REFUSED = {
    "why": ["SPEC", "stay", "--position", "FILE"],
    "export": ["SPEC", "-o", "OUT"],
    "engine": ["SPEC"],
    "learn": ["SPEC", "--out", "OUT", "--games", "2"],
    "annotate": ["FILE", "--spec", "SPEC"],
    "puzzles": ["SPEC"],
    "selfplay": ["SPEC", "--out", "OUT", "--games", "2"],
}
# Commands that show a person or a program what this player sees, or search what it knows.
MASKED = {"play", "match", "tournament", "search", "serve"}
# Commands with another use of the position.
OPEN = {
    "list": "names of games",
    "solve": "the value of the whole game",
    "replay": "a saved game has all moves",
    "convert": "a saved game has all moves",
    "run": "the script decides what it prints; the standard one prints no board",
    "judge": "the script decides what a program is sent",
    "draw": "a position that the user gives",
    "rules": "rules, no position",
    "trace": "effects of a move, for authors",
    "show": "stages of a spec, for authors",
    "new": "a new spec",
    "explain": "words of the language",
    "fmt": "a spec as text",
    "watch": "tests of a spec",
    "schema": "the schema of specs",
    "lsp": "specs as text",
    "check": "findings of a spec",
    "test": "tests of a spec",
    "coverage": "clauses of a spec",
    "mutate": "clauses of a spec",
    "perft": "a count of histories",
    "count": "a count of positions",
    "playout": "totals of random games",
    "bench": "times of engines",
    "study": "numbers from random games; its players refuse to search",
    "diff": "numbers from random games",
    "doctor": "this machine",
    "cache": "this machine",
    "completion": "a shell",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hidden")
    spec = folder / "cards.yaml"
    spec.write_text(SPEC, encoding="utf-8")
    script = f"save {folder / 'saved.rec'}\nquit\n"
    call("play", str(spec), "--seed", "1", stdin=script.encode())
    return folder


@pytest.fixture(scope="module")
def game() -> Game:
    return rulesengine.loads(SPEC, engine="interpreter")


@pytest.fixture(scope="module")
def state(game: Game) -> State:
    session = game.start()
    for text in ("low", "high"):
        session.push(text)
    return session.state


def test_every_command_is_in_one_of_the_tables() -> None:
    assert sorted([*REFUSED, *MASKED, *OPEN]) == sorted(COMMANDS)


@pytest.mark.parametrize("command", sorted(REFUSED))
def test_a_command_that_reads_the_whole_position_refuses_the_game(
    command: str, folder: Path
) -> None:
    places = {"SPEC": "cards.yaml", "FILE": "saved.rec", "OUT": "out"}
    words = [str(folder / places[w]) if w in places else w for w in REFUSED[command]]
    result = call(command, *words)
    assert (result.code, result.out) == (2, "")
    assert ERROR in " ".join(result.err.split())


def test_a_terminal_shows_the_cards_of_the_person_alone(folder: Path) -> None:
    words = (str(folder / "cards.yaml"), "--player", "second=random", "--seed", "3")
    outputs = set()
    for seed in range(8):
        words = (*words[:-1], str(seed))
        shown = call("play", *words, stdin=b"?\nhint\nstay\n").out
        assert "second: " not in shown
        assert "chance: " not in shown
        outputs.add(shown.partition("first: ")[0].replace("H", "X").replace("L", "X"))
    # Whatever the cards are, only the own one of the two letters differs.
    assert len(outputs) == 1


def test_two_people_do_not_see_the_cards_of_each_other(folder: Path) -> None:
    shown = call("play", str(folder / "cards.yaml"), "--seed", "1", stdin=b"stay\n\nstay\n").out
    before, _, after = shown.partition("second is to move; press Enter at the keyboard: ")
    assert "b1" not in before
    assert "\n" * 40 in after
    assert after.count("?") >= 1


def test_players_and_programs_that_read_the_position_are_refused(folder: Path) -> None:
    for player in ("mcts:playouts=5", "learned:nodes=5", "cmd:true", "uci:true"):
        result = call("match", str(folder / "cards.yaml"), "--player", player, "--player", "random")
        assert result.code == 2
        assert ERROR in " ".join(result.err.split())
    words = ("--player", "bold", "--player", "random", "--games", "4")
    assert call("match", str(folder / "cards.yaml"), *words).code == 0


# Calls of a game that refuse; the others have a reason, or show what a player sees.
CALLS: dict[str, Callable[[Game, State], object]] = {
    "search": lambda game, state: game.search(state, plies=2),
    "searcher": lambda game, state: game.searcher(plies=2).search(state),
    "prover": lambda game, state: game.prover(state),
    "trial": lambda game, state: game.trial(),
    "learn": lambda game, state: game.learn("unused", games=1),
    "learn_moves": lambda game, state: game.learn_moves("unused", games=1),
}
SEEN = {"observation", "information_state", "legal_moves", "legal_mask", "find", "move", "choose"}
SEEN |= {"why_not", "reason", "is_hidden"}
# The whole state: values for referees, authors and solvers.
WHOLE = {"apply", "initial_state", "state_from", "position_from", "start", "outcome", "claimable"}
WHOLE |= {"weights", "scores", "points", "record", "trace", "svg", "export", "formats"}
WHOLE |= {"position", "format_position", "format_record", "move_record"}
WHOLE |= {
    "solve",
    "move_text",
    "move_of",
    "read_games",
    "without_claims",
    "actions",
    "batch",
}
# Counts, names, rules, engines, and files of searches that cannot be made.
OTHER = {"perft", "divide", "count", "playouts", "name", "players", "parameters", "strategies"}
OTHER |= {"bind", "with_program", "show", "show_kernel", "engines", "engine_problems", "expect"}
OTHER |= {"kernel_kinds", "recall", "compiled_part", "script_kernels", "learnable", "learned_in"}
OTHER |= {"bundled_learning", "kept_trial", "search_method", "method_choice", "win_chance"}
OTHER |= {"level", "evaluation_choice", "finish_compiling"}


def test_every_public_name_of_a_game_is_in_one_of_the_tables() -> None:
    names = {name for name in dir(Game) if not name.startswith("_")}
    assert sorted([*CALLS, *SEEN, *WHOLE, *OTHER]) == sorted(names)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_call_that_reads_the_whole_state_refuses_the_game(
    name: str, game: Game, state: State
) -> None:
    with pytest.raises(UsageError, match=ERROR):
        CALLS[name](game, state)


def test_a_player_in_python_sees_its_own_card_alone(game: Game) -> None:
    from rulesengine.contests import PlayerView, match

    boards: dict[str, set[tuple[bool, bool]]] = {}

    def player(view: PlayerView) -> Move:
        board = str(view.observation).splitlines()[0]
        boards.setdefault(view.player, set()).add((board[0] == "?", board[1] == "?"))
        return view.legal_moves[0]

    match(game, [player, "random"], 8, opening=0)
    assert boards == {"first": {(False, True)}, "second": {(True, False)}}


def test_the_standard_script_prints_no_board(folder: Path) -> None:
    result = call("run", str(folder / "cards.yaml"), stdin=b"low high stay go\n")
    assert result.out == "second wins: two moves\n"


def test_a_saved_game_is_replayed_as_a_player_has_noticed_it(folder: Path) -> None:
    saved = str(folder / "saved.rec")
    shown = call("replay", saved, "--as", "second")
    assert shown.out.splitlines()[:3] == ["sees", "?.", "mover: chance"]
    assert call("replay", saved, "--as", "second", "--json").json()["events"] == (
        shown.out.rstrip("\n").replace("\nsees", "\0sees").split("\0")
    )
    assert call("replay", saved, "--as", "third").err.startswith("rulesengine: no player `third`")
