"""No game is named in the package: the names are those of `games/`, both files and `name:`.

A word of a name identifies a game anywhere, as `Gomoku` in `gomoku_board`. Numbers, words of one or
two letters and ordinary words do not. The names of notations, protocols and organisations do not
count either. A name without other words is searched for as a whole, `four
in a line`. A single ordinary word is searched for as a proper noun, `Go` within a sentence, or as a
loaded spec, `go.yaml`.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest

from tests.helpers.modules import MODULES, ROOT, assert_no_module, read

Words = tuple[str, ...]

ORDINARY = {
    "a word of the language": "line lines player rule",
    "a board or a variant that specs ask for": "dots hex holes misere pie torus",
    "what all of them are": "game",
    "a number that texts spell out": "two three four five six",
    "a theme of the page": "dark",
    "a piece that a ban protects": "royal",
    "the glue of English": "and for the with",
    "the language of our texts": "english",
    "what a statement does": "action",
    "a length without a range": "exact",
    "what an editor calls a column": "col",
    "white space": "space",
    "a shell": "fish",
    "somebody at the keyboard": "person",
    "what databases ask for": "isolation",
    "how moves and cells follow one another": "order chain",
    "what games of chance roll": "dice",
}
# Names of notations, protocols, programs and organisations.
PROPER = (
    "Universal Chess Interface",
    "Universal Shogi Interface",
    "Universal Chinese Chess Protocol",
    "Chess Engine Communication Protocol",
    "Go Text Protocol",
    "Portable Draughts Notation",
    "Othello Board Format",
    "French Othello Federation",
    "Fédération française d'Othello",
    "Leela Chess Zero",
    "GNU Go",
    '_IN_XBOARD = MappingProxyType({"chess": "normal"})',
    '"chess960"',  # keys of variants.ini
    '"connectN"',
    '"connectHorizontal"',
    '"connectVertical"',
    '"connectDiagonal"',
    '"connectPieceTypes"',
    '"connectValue"',
    '"shogiPawn"',
    '"shogiPawnDropMateIllegal"',
    "The Chess Variant Pages",
    "chess clock",
    "chess_clock",
    "ChessClock",
    "Chinese characters",
)
COMMON = frozenset(word for words in ORDINARY.values() for word in words.split())


@cache
def names() -> frozenset[Words]:
    """Return the names of the bundled games, by file and by `name:`, without additions.

    An addition is in parentheses or after a comma: `Four in a Line (BIO 2004)`.
    """
    found = set()
    for path in (ROOT / "games").glob("*.yaml"):
        name = re.search(r"^name: *([^(,\n]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert name, path
        found |= {words(path.stem), words(name[1])}
    return frozenset(found)


@cache
def words(text: str) -> Words:
    """Return the words of a text and the numbers in it: `men's` is one, `aBoard` and `a_board` are
    two.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    joined = re.sub(r"(?<=[a-z])['’](?=[a-z])", "", plain)
    return tuple(w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", joined))


def gives_away(word: str) -> bool:
    return word.isalpha() and len(word) > 2 and word not in COMMON


def named(text: str) -> Iterator[str]:
    """Yield the games that a text names, by the words that identify them."""
    for proper in PROPER:
        text = text.replace(proper, "")
    found = words(text)
    yield from sorted({word for name in names() for word in name if gives_away(word)} & {*found})
    for name in sorted(names()):
        if not any(map(gives_away, name)):
            yield from whole(name, text) if len(name) > 1 else alone(name[0], text)


def whole(name: Words, text: str) -> list[str]:
    phrase = " ".join(name)
    return [phrase] if f" {phrase} " in f" {' '.join(words(text))} " else []


def alone(name: str, text: str) -> list[str]:
    """Return the matches of an ordinary word as a name: with a capital, or as a loaded spec."""
    pattern = rf"""(?<=[a-z,;:] ){name.capitalize()}\b|(?<=load\(["']){name}\b|\b{name}(?=\.yaml)"""
    return re.findall(pattern, text)


@pytest.mark.slow
def test_no_game_is_named() -> None:
    assert_no_module(lambda module: named(read(module)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("othello", ["othello"]),
        ("class GomokuBoard", ["gomoku"]),
        ("play_reversi(n)", ["reversi"]),
        ("connect-four, connect6 and ConnectFive", ["connect"]),
        ("a four-in-a-line", ["four in a line"]),
        ("tic_tac_toe", ["tac", "tic", "toe"]),
        ("Lines of Action", ["lines of action"]),
        ("English draughts", ["draughts"]),
        ("nine men's morris", ["mens", "morris", "nine"]),
        ("hasami shogi", ["hasami", "shogi"]),
        ("mu torere", ["torere"]),
        ("as in Go, Hex or Col", ["Col", "Go", "Hex"]),
        ("load('go', n=9) or games/hex.yaml", ["go", "hex"]),
        ("amazons atari nogo notakto snort", ["amazons", "atari", "nogo", "notakto", "snort"]),
        ("a knightthrough", ["knightthrough"]),
        ("lines of the action: go to column `col`. Go on. A hex board, three in a line", []),
    ],
)
def test_the_search_for_names_itself(text: str, found: list[str]) -> None:
    assert list(named(text)) == found


def test_every_bundled_game_would_be_found() -> None:
    for name in sorted(names()):
        text = f"as in {' '.join(name).capitalize() if len(name) == 1 else ' '.join(name)}"
        assert list(named(text)), text


def test_ordinary_words_are_words_of_names_that_the_package_needs() -> None:
    used = {word for module in MODULES for word in words(read(module))}
    assert used & {word for name in names() for word in name} >= COMMON
