"""Solving and searching games of the rules language with hidden information."""

from pathlib import Path
from typing import Any

import pytest

import rulesengine
from rulesengine import Game, Stopped, UsageError
from rulesengine.contests import Turn
from rulesengine.engine.drivers.random import Generator
from rulesengine.engine.observation import InformationState
from rulesengine.job import Job
from rulesengine.play import GameRecord, rules_hash, write_record
from rulesengine.play.players import Seat, player_of
from rulesengine.search.imperfect_information.determinization import Determinizer
from rulesengine.search.imperfect_information.game_tree import GameTree
from tests.helpers.cli_calls import call
from tests.oracles.plain_hidden import PhantomTicTacToe

VALUE = -1 / 18  # Kuhn 1950
SPEC = "kuhn-poker"
HIDES = "needs perfect information, and Kuhn poker hides pieces"


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return rulesengine.load("kuhn-poker", engine="interpreter")


@pytest.fixture(scope="module")
def phantom() -> Game:
    return rulesengine.load("phantom-tic-tac-toe", engine="interpreter")


def knowledge(game: Game, moves: str, player: str) -> InformationState:
    return game.information_state(moves.split(), player)


def test_solve_bounds_the_value_of_kuhn(kuhn: Game) -> None:
    found = kuhn.solve().equilibrium
    assert found is not None
    assert found.at_least is not None
    assert found.at_most is not None
    assert found.at_least <= VALUE <= found.at_most <= found.at_least + 4 / 2000
    assert (found.player, found.histories, found.information_sets) == ("first", 58, 12)
    assert {move for row in found.strategies for move, _ in row.moves} == {"pass", "bet"}
    calls = {
        row.information.rpartition("sees\n")[2][:2]: dict(row.moves)["bet"]
        for row in found.strategies
        if "told first: bet" in row.information
    }
    # The second player folds the lowest card, and calls with the highest one.
    assert (calls["?J"], calls["?K"]) == pytest.approx((0, 1), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters", "sets", "value"),
    [
        # Values and information sets of OpenSpiel.
        ("liars-dice", {"sides": 2}, 32, 1 / 2),
        ("liars-dice", {"sides": 3}, 192, 1 / 9),
        ("leduc-poker", {}, 936, -0.0856),
        # OpenSpiel plays the last card itself: it has 162 of these sets.
        ("goofspiel", {"n": 4}, 738, 0),
    ],
)
def test_solve_bounds_the_values_of_openspiel(
    name: str, parameters: dict[str, Any], sets: int, value: float
) -> None:
    game = rulesengine.load(name, engine="interpreter", **parameters)
    found = game.solve().equilibrium
    assert found is not None
    assert found.at_least is not None
    assert found.at_most is not None
    assert found.at_least <= value <= found.at_most
    # An exploitability of 0.01 chips in Leduc poker, and less in the others.
    assert found.at_most - found.at_least <= 0.02
    assert found.information_sets == sets


def test_the_command_prints_the_bounds_and_the_strategies() -> None:
    plain = call("solve", SPEC)
    assert (plain.code, plain.err) == (0, "")
    first, *others = plain.out.splitlines()
    low, high = first.removeprefix("value: from ").removesuffix(" for first").split(" to ")
    assert float(low) <= VALUE <= float(high)
    assert others[0] == "information sets: 12"
    found = call("solve", SPEC, "--json", "--strategy").json()["equilibrium"]
    assert found["at_least"] <= VALUE <= found["at_most"]
    assert len(found["strategy"]) == 12
    assert all(sum(row["moves"].values()) == pytest.approx(1) for row in found["strategy"])


def test_a_small_budget_samples_and_says_that_there_is_no_bound() -> None:
    found = call("solve", SPEC, "--nodes", "100", "--seed", "3")
    assert found.code == 1
    assert found.out.splitlines()[0].endswith(" for first, no bound")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("solve", "--certificate", "proof"), "no proof of a game with hidden information"),
        (("solve", "--strategy"), "--strategy: needs --json"),
        (("solve", "--resume", "file"), "no solver of games with hidden information is resumed"),
        (("search",), "chance is to move: `--position` takes a game with the moves so far"),
    ],
)
def test_other_methods_are_refused_in_a_sentence(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    name, *options = words
    options = [str(tmp_path / word) if word in ("proof", "file") else word for word in options]
    found = call(name, SPEC, *options)
    assert found.code == 2
    assert message in found.err


def test_a_state_is_not_searched(kuhn: Game) -> None:
    state = kuhn.start().state
    instead = "use `solve`, or search an information state by `is-mcts`"
    with pytest.raises(UsageError, match=f"a search of states {HIDES}: {instead}"):
        kuhn.search(state, playouts=10)
    with pytest.raises(UsageError, match=HIDES):
        kuhn.searcher(playouts=10).search(state)
    with pytest.raises(UsageError, match="expected a state or an information state, found 'J'"):
        kuhn.search("J", playouts=10)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="solved from its initial state"):
        kuhn.solve(kuhn.apply(state, "jack"))


@pytest.mark.parametrize(
    ("moves", "player", "best", "value"),
    [
        # The highest card calls a bet, the lowest one folds.
        ("jack king bet", "second", "bet", 2000),
        ("queen jack bet", "second", "pass", -1000),
        ("king queen pass bet", "first", "bet", 2000),
    ],
)
def test_an_information_state_is_searched(
    kuhn: Game, moves: str, player: str, best: str, value: int
) -> None:
    found = kuhn.search(knowledge(kuhn, moves, player), playouts=200)
    assert (str(found.move), found.value, found.unit) == (best, value, "mean")
    assert found.nodes == 200


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"nodes": 9}, "is-mcts counts determinizations by `playouts`, not nodes"),
        ({"plies": 9}, "is-mcts counts determinizations by `playouts`, not plies"),
        ({"playouts": 9, "method": "mcts"}, "`mcts` needs perfect information"),
        ({"nodes": 9, "method": "alpha-beta"}, "`alpha-beta` needs perfect information"),
        ({"playouts": 9, "evaluation": "fitted"}, "a search by random games has no `evaluation`"),
    ],
)
def test_limits_of_other_methods_are_refused(kuhn: Game, how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        kuhn.search(knowledge(kuhn, "jack king", "first"), **how)


def test_information_states_of_other_starts_and_games_are_refused(kuhn: Game) -> None:
    later = kuhn.information_state(["pass"], "second", kuhn.state_from("JK\nmover: first"))
    other = rulesengine.load("phantom-tic-tac-toe", engine="interpreter")
    with pytest.raises(UsageError, match="searched from the initial state of its game"):
        kuhn.search(later, playouts=9)
    with pytest.raises(UsageError, match="cross"):
        kuhn.search(other.information_state([], "cross"), playouts=9)


def test_a_spectator_has_no_move(kuhn: Game) -> None:
    with pytest.raises(UsageError, match="a spectator has no move to search for"):
        kuhn.search(kuhn.information_state(["jack", "king"], None), playouts=9)


def test_a_player_that_is_not_to_move_has_no_move(kuhn: Game) -> None:
    for moves, player in (("jack king", "second"), ("jack king bet", "first")):
        with pytest.raises(UsageError, match="is not to move: search that of the player to move"):
            kuhn.search(knowledge(kuhn, moves, player), playouts=9)


@pytest.mark.slow
def test_engines_find_the_same_values(kuhn: Game) -> None:
    compiled = rulesengine.load(SPEC, engine="python")
    found = []
    for game in (kuhn, compiled):
        result = game.search(knowledge(game, "queen jack pass", "second"), playouts=200, seed=3)
        found.append([(str(move), value) for move, value in result.moves])
    assert found[0] == found[1]


def test_a_search_depends_on_the_information_state_alone(kuhn: Game) -> None:
    results = [
        kuhn.search(knowledge(kuhn, moves, "second"), playouts=100, seed=5).moves
        for moves in ("jack queen pass", "king queen pass")
    ]
    assert [(str(m), v) for m, v in results[0]] == [(str(m), v) for m, v in results[1]]


def test_the_command_searches_what_the_mover_of_a_record_knows(tmp_path: Path) -> None:
    game = rulesengine.load(SPEC, engine="interpreter")
    record = tmp_path / "game.txt"
    moves = ("jack", "king", "bet")
    record.write_text(write_record(GameRecord(game.name, rules_hash(game), moves, None)))
    found = call("search", SPEC, "--playouts", "200", "--position", str(record))
    assert found.out.splitlines()[:2] == ["move: bet", "value: about 2 points"]
    record.write_text("JK\nmover: first\n")
    refused = call("search", SPEC, "--playouts", "9", "--position", str(record))
    assert (refused.code, "a position does not hold what" in refused.err) == (2, True)


def test_determinizations_are_those_of_plain_python(phantom: Game) -> None:
    """Equal positions with equal weights along a game, for both players."""
    plain, tree = PhantomTicTacToe(), GameTree(phantom)
    random, ours, theirs = Generator(2, 0), tree.root(), plain.root()
    seers = [(Determinizer(tree, p), Determinizer(plain, p)) for p in (0, 1)]
    for _ in range(6):
        mover = theirs.mover
        found = seers[mover][0].determinizations(tree.information(ours, mover), Job())
        wanted = seers[mover][1].determinizations(plain.information(theirs, mover), Job())
        mine = weights(found.totals, [h.state.planes[:2] for h in found.histories])
        assert mine == pytest.approx(weights(wanted.totals, [h.marks for h in wanted.histories]))
        number = random.below(len(plain.moves(theirs)))
        text = plain.moves(theirs)[number]
        names = [str(move) for move in tree.moves(ours)]
        ours = tree.child(ours, names.index(name_of(int(text))))
        theirs = plain.child(theirs, number)
    assert theirs.met != (0, 0)


def name_of(cell: int) -> str:
    """Return the name of a cell of plain Python, which counts rows from the top."""
    return f"{'abc'[cell % 3]}{3 - cell // 3}"


def weights(totals: tuple[float, ...], positions: list[tuple[int, ...]]) -> dict[Any, float]:
    """Return the weight of each position of both players."""
    found: dict[Any, float] = {}
    for position, before, after in zip(positions, (0.0, *totals), totals, strict=False):
        found[position] = found.get(position, 0.0) + after - before
    return found


def test_a_line_has_a_key_for_each_event(kuhn: Game) -> None:
    line = kuhn.start()
    keys = [line.information_state("first").key]
    for move in ("jack", "king", "pass"):
        line.push(move)
        keys.append(line.information_state("first").key)
    known = line.information_state("first")
    # An own move is an event, and so is the observation after it.
    assert len(known.line) == len(known.events) == len(keys) + 1
    assert [key for key in known.line if key in keys] == keys


@pytest.mark.parametrize("text", ["is-mcts:playouts=20", "search:level=1", "search:playouts=20"])
def test_a_player_chooses_by_its_information_state(kuhn: Game, text: str) -> None:
    player, chosen = player_of(kuhn, text), dict[bytes, str]()
    for number in range(30):
        random, line, name = Generator(0, number), kuhn.start(), kuhn.players[number % 2]
        player.begin(Seat(kuhn, name, line.state, 1))
        while legal := line.legal:
            is_own = not kuhn.weights(line.state) and line.mover == name
            if is_own:
                move = str(player.choose(Turn(line.state, line.moves, random)))
                known = line.information_state(name).key
                assert chosen.setdefault(known, move) == move
            line.push(move if is_own else legal[random.below(len(legal))])
    assert len(chosen) > 6


def test_a_player_follows_moves_that_were_taken_back(kuhn: Game) -> None:
    player, line = player_of(kuhn, "is-mcts:playouts=100"), kuhn.start()
    player.begin(Seat(kuhn, "second", line.state, 0))
    chosen = []
    for first, second, action in (("jack", "king", "bet"), ("king", "jack", "bet")):
        line = kuhn.start()
        for move in (first, second, action):
            line.push(move)
        chosen.append(str(player.choose(Turn(line.state, line.moves, Generator(0, 0)))))
    assert chosen == ["bet", "pass"]


def test_a_player_refuses_a_position_without_its_moves(kuhn: Game) -> None:
    player, state = player_of(kuhn, "is-mcts:playouts=9"), kuhn.state_from("JK\nmover: first")
    with pytest.raises(UsageError, match="begins at the initial state"):
        player.begin(Seat(kuhn, "first", state, 0))
    player.begin(Seat(kuhn, "first", kuhn.initial_state(), 0))
    with pytest.raises(UsageError, match="begins at the initial state"):
        player.choose(Turn(state, (), Generator(0, 0)))


def test_a_search_by_time_has_a_move_and_can_be_stopped(kuhn: Game) -> None:
    known = knowledge(kuhn, "jack king bet", "second")
    result = kuhn.search(known, seconds=0.01)
    assert str(result.move) in ("bet", "pass")
    job = Job()
    job.stop()
    with pytest.raises(Stopped):
        kuhn.search(known, playouts=10**6, job=job)


def test_a_tournament_takes_the_player(tmp_path: Path) -> None:
    out = str(tmp_path / "games.db")
    held = call("tournament", SPEC, "--player", "a=is-mcts:playouts=50", "--player", "b=random",
                "--games", "4", "--out", out, "--json")  # fmt: skip
    assert (held.code, held.err) == (0, "")


def test_other_players_are_refused(kuhn: Game) -> None:
    for text in ("mcts:playouts=5", "learned:nodes=5"):
        with pytest.raises(UsageError, match=HIDES):
            player_of(kuhn, text)
    with pytest.raises(UsageError, match="counts determinizations by `playouts`, not nodes"):
        player_of(kuhn, "search:nodes=5")
    with pytest.raises(UsageError, match="a search by random games has no `evaluation`"):
        player_of(kuhn, "search:level=1,evaluation=fitted")
