"""Long files in PGN: a kernel reads plain games, with the results of the rules in full."""

import random

import pytest

import rulesengine
from rulesengine.engine.kernel.selection import Engine
from rulesengine.formats.pgn import quick
from rulesengine.formats.pgn.chunks import chunks
from rulesengine.formats.values import RecordedGame
from rulesengine.game import Game

HEAD = '[Event "Sample"]\n[Result "{}"]\n\n'
KNIGHTS = "1. Nf3 Nf6 2. Ng1 Ng8 "
# Each with its result: castling on both wings, en passant, promotion, mate, a third repetition.
GAMES = [
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Be7 5. Re1 O-O", "*"),
    ("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 0-0-0 O-O-O", "1/2-1/2"),
    ("1. e4 a6 2. e5 d5 3. exd6 Nf6 4. dxc7 Nc6 5. cxd8=N Kxd8", "0-1"),
    ("1. f3 e5 2. g4 Qh4#", "0-1"),
    ("1. f3 e5 2. g4 Qh4#", "1-0"),
    (KNIGHTS * 2 + "5. e4 e5", "*"),
    (KNIGHTS * 4, "1/2-1/2"),
    (KNIGHTS * 4 + "9. e4", "*"),
    ("1. e4 e5 2. Ke3 Nc6", "*"),
    ("1. Nf3 a6 2. Nd4 a5 3. Nc3 a4 4. Nb5", "*"),
    ("1. Nf3 a6 2. Nd4 a5 3. Nc3 a4 4. Ndb5 a3 5. Nxa3", "*"),
    ("1. e4 {king's pawn} e5 (1... c5) 2. d4", "*"),
    ("1.e4 e5 2.d4", "*"),
    ("", "1-0"),
]


def text_of(games: list[tuple[str, str]]) -> str:
    """Return games as text."""
    return "\n".join(f"{HEAD.format(result)}{moves} {result}\n" for moves, result in games)


def read(text: str, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> list[RecordedGame]:
    """Return the games of a text that counts as long."""
    monkeypatch.setattr(quick, "_LONG", 0)
    return list(rulesengine.load("chess", engine=engine).read_games(text))


def in_full(text: str) -> list[RecordedGame]:
    """Return the games of a text by the rules in full."""
    return list(rulesengine.load("chess", engine="interpreter").read_games(text))


def random_text(game: Game, count: int, seed: int) -> str:
    """Return random games as text."""
    chosen, games = random.Random(seed), list[tuple[str, str]]()
    for _ in range(count):
        state, words = game.initial_state(), list[str]()
        for ply in range(60):
            moves = game.legal_moves(state)
            if not moves:
                break
            move = moves[chosen.randrange(len(moves))]
            words += [f"{ply // 2 + 1}."] if ply % 2 == 0 else []
            words.append(game.move_text(move, state))
            state = game.apply(state, move)
        games.append((" ".join(words), "*"))
    return text_of(games)


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
@pytest.mark.parametrize("engine", [pytest.param("native", marks=pytest.mark.deep), "python"])
def test_long_file_is_read_as_by_the_rules_in_full(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = in_full(text_of(GAMES))
    assert read(text_of(GAMES), engine, monkeypatch) == expected
    assert [len(game.problems) for game in expected] == [0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0]


@pytest.mark.deep
@pytest.mark.usefixtures("in_haste")
def test_random_games_are_read_as_by_the_rules_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    text = random_text(rulesengine.load("chess", engine="native"), 4, 3)
    assert read(text, "native", monkeypatch) == in_full(text)


@pytest.mark.slow
@pytest.mark.usefixtures("in_haste")
def test_plain_games_are_read_by_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool] = []
    plain = quick.QuickReader.game

    def counted(self: quick.QuickReader, number: int, chunk: object) -> RecordedGame | None:
        game = plain(self, number, chunk)  # type: ignore[arg-type]
        found.append(game is not None)
        return game

    monkeypatch.setattr(quick.QuickReader, "game", counted)
    read(text_of(GAMES), "native", monkeypatch)
    assert found == [*[True] * 4, False, True, *[False] * 4, True, False, False, True]


def test_headers_inside_comments_divide_no_games() -> None:
    text = (
        HEAD.format("*") + '1. e4 {\n[Event "no game"]\n} e5 *\n' + HEAD.format("*") + "1. d4 *\n"
    )
    assert [chunk.text.count("Event") for chunk in chunks(text)] == [3]


@pytest.mark.slow
def test_xiangqi_and_short_files_are_read_without_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulesengine.load("xiangqi", engine="interpreter")
    monkeypatch.setattr(quick, "_LONG", 0)
    (found,) = game.read_games("1. h3e3 h10g8 *")
    assert len(found.moves) == 2
