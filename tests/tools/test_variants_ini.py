"""Files of variants as specs: sections, parents, keys that are not expressed, errors."""

from functools import cache
from pathlib import Path

import pytest

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.loading import load_source
from rulesengine.support.source import Source
from rulesengine.tools.format import formatted
from rulesengine.tools.variants_ini import convert
from rulesengine.tools.variants_ini.cells import cells_text, read_cells
from tests.helpers.cli_calls import call

CHESS = "[plain:chess]\n"
SMALL = """
# a small board
[small:chess]
maxRank = 5
maxFile = e
startFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1
doubleStep = false
castling = false
promotionRegionWhite = *5
promotionRegionBlack = *1
"""


@cache
def converted(text: str, section: str) -> Game:
    """Return the game of a section that is expressed without a rest."""
    found = convert(text, section, "A variant")
    assert found.omissions == ()
    source = Source("variant.yaml", found.text)
    assert formatted(source) == found.text
    return load_source(source, engine="interpreter")


def test_chess_has_the_published_counts_and_positions() -> None:
    """Compare with the Chess Programming Wiki, "Perft Results", and with known openings."""
    game = converted(CHESS, "plain")
    assert [game.perft(depth) for depth in (1, 2)] == [20, 400]
    state = game.initial_state()
    for text in ("e2e4", "g8f6", "e4e5", "d7d5"):
        state = game.apply(state, text)
    fen = "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
    assert game.export(state, "fen", fullmove=3) == fen
    taken = game.apply(state, "e5d6")
    assert game.export(taken, "fen", fullmove=3).split()[0] == (
        "rnbqkb1r/ppp1pppp/3P1n2/8/8/8/PPPP1PPP/RNBQKBNR"
    )


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # Positions 3 and 4 of the Chess Programming Wiki, and castling that a check prevents.
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48),
    ],
)
def test_positions_have_the_published_counts(fen: str, moves: int) -> None:
    game = converted(CHESS, "plain")
    assert len(game.legal_moves(game.state_from(fen))) == moves


def test_section_may_derive_from_another_one_and_replace_a_piece() -> None:
    text = SMALL + "[tiny:small]\nknight = -\ncentaur = n\n"
    game = converted(text, "tiny")
    assert "centaur" in game.program.form.kinds
    assert "knight" not in game.program.form.kinds
    assert len(game.program.form.cells) == 25


def test_compulsory_captures_come_first() -> None:
    game = converted(CHESS + "mustCapture = true\n", "plain")
    state = game.state_from("rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2")
    assert list(map(str, game.legal_moves(state))) == ["d4e5"]


def test_explosion_removes_neighbours_but_no_pawns() -> None:
    text = CHESS + "king = -\ncommoner = k\nblastOnCapture = true\ncastlingKingPiece = k\n"
    game = converted(text, "plain")
    state = game.state_from("k6n/6pp/8/8/8/8/8/K6R w - - 0 1")
    after = game.export(game.apply(state, "h1h7"), "fen").split()[0]
    assert after == "k7/6p1/8/8/8/8/8/K7"


def test_goal_and_missing_pieces_end_the_game() -> None:
    game = converted(CHESS + "flagPiece = k\nflagRegion = d4 e4 d5 e5\n", "plain")
    state = game.state_from("7k/8/8/8/8/4K3/8/8 w - - 0 1")
    outcome = game.outcome(game.apply(state, "e3e4"))
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("white", "the goal is reached")


def test_captured_pieces_are_dropped_and_promoted_ones_return_as_pawns() -> None:
    game = converted(CHESS + "pieceDrops = true\ncapturesToHand = true\n", "plain")
    state = game.state_from("r3k3/1P6/8/8/8/8/8/4K3[] w - - 0 1")
    for text in ("b7b8q", "a8b8"):
        state = game.apply(state, text)
    assert game.export(state, "fen", fullmove=2).split()[0] == "1r2k3/8/8/8/8/8/8/4K3[p]"
    state = game.apply(state, "e1e2")
    drops = {str(move) for move in game.legal_moves(state) if "@" in str(move)}
    assert "P@a7" in drops
    assert not any(drop[3] in "18" for drop in drops)


def test_pieces_are_promoted_in_a_zone_and_keep_their_kind_in_hand() -> None:
    text = (
        "[small]\nshogiPawn = p\ngold = g\nking = k\nmaxRank = 4\nmaxFile = c\n"
        "startFen = 2k/P2/3/K2[-] w 0 1\npromotionRegionWhite = *4\npromotionRegionBlack = *1\n"
        "promotedPieceType = p:g\ncastling = false\ndoubleStep = false\nimmobilityIllegal = true\n"
        "pieceDrops = true\ncapturesToHand = true\ndropNoDoubled = p\n"
    )
    game = converted(text, "small")
    state = game.initial_state()
    assert {str(m) for m in game.legal_moves(state)} == {"a3a4+", "a1a2", "a1b1", "a1b2"}
    state = game.apply(state, "a3a4+")
    assert game.export(state, "fen").split()[0] == "+P1k/3/3/K2[]"
    taken = game.apply(game.state_from("+Pk1/3/3/K2[] b - - 0 1"), "b4a4")
    assert game.export(taken, "fen").split()[0] == "k2/3/3/K2[p]"


def test_a_pawn_of_shogi_is_not_dropped_with_mate() -> None:
    text = (
        "[small]\nshogiPawn = p\ngold = g\nking = k\nmaxRank = 4\nmaxFile = c\n"
        "startFen = k2/3/1G1/2K[P] w 0 1\ncastling = false\ndoubleStep = false\n"
        "pieceDrops = true\nshogiPawnDropMateIllegal = true\n"
    )
    game = converted(text, "small")
    assert "P@a3" in {str(move) for move in game.legal_moves(game.initial_state())}
    mated = game.state_from("k2/2G/1G1/2K[P] w - - 0 1")
    assert "P@a3" not in {str(move) for move in game.legal_moves(mated)}


def test_compulsory_drops_precede_other_moves() -> None:
    keys = "pieceDrops = true\nmustDrop = true\nking = -\ncommoner = k\ndropRegionWhite = *1\n"
    start = "startFen = 8/8/8/8/8/8/8/4K3[N] w - - 0 1\n"
    game = converted(CHESS + keys + start, "plain")
    assert {str(move)[:2] for move in game.legal_moves(game.initial_state())} == {"N@"}
    assert len(game.legal_moves(game.initial_state())) == 7


def test_keys_that_are_not_expressed_are_listed_with_their_values() -> None:
    found = convert(CHESS + "gating = true\nwallingRule = arrow\npocketSize = 5\n", "plain", "A")
    assert found.omissions == ("gating = true", "wallingRule = arrow")
    assert "Rules of the file that are missing here: gating, wallingRule." in found.text


def test_keys_without_an_effect_are_not_listed() -> None:
    keys = "pieceValueMg = p:150\nvariantTemplate = fairy\npieceDrops = false\nnFoldRule = 3\n"
    assert convert(CHESS + keys, "plain", "A").omissions == ()


@pytest.mark.parametrize(
    ("text", "section", "message"),
    [
        ("", "plain", "no section `plain`: there is none"),
        (CHESS, "other", "no section `other`: there is plain"),
        ("[a:b]\n", "a", "`b` is not in the file"),
        ("[a:b]\n[b:a]\n", "a", "derives from itself"),
        ("[a]\n", "a", "has no pieces"),
        ("pawn = p\n", "a", "line 1: expected"),
        ("[a:chess]\nnonsense\n", "a", "line 2: expected"),
        ("[a:chess]\ncustomPiece1 = x:yN\n", "a", "no modifier `y`"),
        ("[a:chess]\nmaxFile = 5\n", "a", "startFen is no board of 5x8"),
        ("[a:chess]\nflagRegion = here\n", "a", "expected cells such as `d4`"),
        ("[a:chess]\nmaxFile = ?\n", "a", "expected a column"),
        ("[a:chess]\nmaxFile = \u00b2\n", "a", "expected a column"),
        ("[a:chess]\nmaxRank = ten\n", "a", "maxRank: expected a row from 1, found `ten`"),
        ("[a:chess]\ncastlingRank = 0\n", "a", "castlingRank: expected a row from 1, found `0`"),
        ("[a:chess]\ncheckmateValue = lost\n", "a", "checkmateValue: expected win, loss, draw"),
        ("[a:chess]\nstalemateValue = lost\n", "a", "stalemateValue: expected win, loss, draw"),
        ("[a:chess]\nconnectN = 4\nconnectValue = x\n", "a", "connectValue: expected win"),
        ("[a:chess]\ncustomPiece1 = x:W\u00b2\n", "a", "no modifier"),
        (f"[a:chess]\nstartFen = {'9' * 5000} w - -\n", "a", "startFen is no board of 8x8"),
    ],
)
def test_wrong_file_is_refused_with_the_reason(text: str, section: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        convert(text, section, "A variant")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("*1 *2", "rows(1 to 2)"),
        ("d4 e4 d5 e5", "columns(4 to 5) and rows(4 to 5)"),
        ("a1 h8", "a1 or h8"),
        ("*1 *8", "rows(1) or rows(8)"),
        ("a*", "columns(1) and rows(1 to 8)"),
        ("-", "nowhere"),
        ("*1 *2 *3 *4 *5 *6 *7 *8", "all"),
    ],
)
def test_cells_are_rows_columns_or_names(text: str, expression: str) -> None:
    assert cells_text(read_cells(text, 8, 8), 8, 8) == expression


def test_command_writes_a_spec_and_lists_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("variants.ini").write_text(SMALL + "gating = true\n", encoding="utf-8")
    ran = call("new", "my-game", "--from-ini", "variants.ini", "small")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "not expressed: gating = true"
    assert call("check", "./my-game.yaml").code == 0
    assert call("fmt", "--check", "./my-game.yaml").code == 0
    both = call("new", "other", "--from", "chess", "--from-ini", "variants.ini", "small")
    assert both.code == 2
    assert "found both" in both.err
