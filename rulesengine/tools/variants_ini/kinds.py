"""The kinds of piece of a variant, those of promoted pieces included.

A promoted piece is a kind of its own if it is another piece in hand: `+P` or `Q~` in positions.
See decision 149.
"""

import re
from collections.abc import Iterable, Mapping

from rulesengine.support.frozen import record, replace
from rulesengine.tools.variants_ini.betza import Movement

# The letters of kinds on the board of the spec: a promoted kind has one that is free.
_LETTERS = "abcdefghijklmnopqrstuvwxyz" + "αβγδεζηθικλμνξοπρστυφχψω"
_PIECE = re.compile(r"(\+?)([A-Za-z])(~?)")

Kinds = tuple["Kind", ...]


@record
class Kind:
    """A kind of piece.

    - `key` is the key of the file, `name` the name in the spec, `letter` a small letter.
    - `movements` are its moves.
    - `fen` are its letters in positions, empty for `letter`.
    - `base` is the name of its kind in hand, empty for its own.
    - `like` is the name of the kind with its moves, empty for its own.
    - `sign` is its small letter in moves.
    """

    key: str
    name: str
    letter: str
    movements: tuple[Movement, ...]
    fen: str = ""
    base: str = ""
    like: str = ""
    sign: str = ""

    def is_listed(self, letters: str) -> bool:
        """True if the kind is one of some letters of the file, which mean no promoted kinds."""
        return not self.base and self.letter in letters


def letters_on_board(position: str) -> set[str]:
    """Return the small letters of the pieces of a position that are not promoted."""
    board = position.split("[")[0].split(" ")[0]
    return {letter.lower() for plus, letter, tilde in _PIECE.findall(board) if not plus + tilde}


def with_pieces(
    kinds: Kinds, pairs: Mapping[str, str], on_board: set[str]
) -> tuple[Kinds, dict[str, str]]:
    """Add the kinds of pieces promoted by pairs of letters; return also the names by kinds.

    A kind that occurs only as the promoted form of another one is that form.
    """
    extended, risen = list(kinds), dict[str, str]()
    for letter, target in pairs.items():
        base = next((k for k in kinds if k.letter == letter), None)
        like = next((k for k in kinds if k.letter == target), None)
        if base is None or like is None:
            continue
        is_form = target not in on_board and [*pairs.values()].count(target) == 1
        if is_form and target not in pairs:
            form = replace(like, fen=f"+{letter}", base=base.name)
            extended[extended.index(like)] = form
        else:
            form = _form(extended, like, base, f"+{letter}", f"promoted_{base.name}")
            extended.append(form)
        risen[base.name] = form.name
    return tuple(extended), risen


def with_pawns(
    kinds: Kinds, results: Mapping[str, Kind], pawn: Kind
) -> tuple[Kinds, dict[str, Kind]]:
    """Add the kinds of promoted pawns for some results; return also these kinds by results."""
    extended, forms = list(kinds), dict[str, Kind]()
    for name, like in results.items():
        forms[name] = _form(extended, like, pawn, f"{like.letter}~", f"promoted_{name}")
        extended.append(forms[name])
    return tuple(extended), forms


def _form(kinds: Iterable[Kind], like: Kind, base: Kind, fen: str, name: str) -> Kind:
    """Return a kind that moves like one and is another one in hand."""
    used = {kind.letter for kind in kinds}
    letter = next(each for each in _LETTERS if each not in used)
    return Kind(like.key, name, letter, like.movements, fen, base.name, like.name, like.letter)
