"""A variant with typed values: board, kinds of piece, cells; it records which keys were read."""

import re
from string import ascii_lowercase

from rulesengine.errors import UsageError
from rulesengine.tools.variants_ini.betza import read_betza
from rulesengine.tools.variants_ini.cells import CellSet, read_cells
from rulesengine.tools.variants_ini.kinds import Kind, letters_on_board, with_pawns, with_pieces
from rulesengine.tools.variants_ini.sections import VariantKeys, is_piece

SIDES = ("White", "Black")
PAWN, SOLDIER = "pawn", "soldier"
_NO_RULE = frozenset(
    "variantTemplate pieceToCharTable pocketSize pieceValueMg pieceValueEg nnueAlias".split()
)
_MOST_ROWS = 99
_OFF = ("", "-", "false", "none", "0")


class Variant:
    """The values of a variant. All readers raise UsageError for a value that is not valid."""

    def __init__(self, keys: VariantKeys) -> None:
        self._keys = keys
        self._used: set[str] = set()
        self.name = keys.name
        self.rows = self.row("maxRank") + 1
        self.columns = self._column(self.text("maxFile")) + 1
        self.kinds = self._read_kinds()
        self._risen: dict[str, str] = {}
        self._promoted_results: dict[str, Kind] = {}
        self._add_promoted()

    # values

    def text(self, key: str) -> str:
        """Return the value of a key or its default."""
        self._used.add(key)
        return self._keys.get(key)

    def is_true(self, key: str) -> bool:
        """True if the value of a key is `true`."""
        return self.text(key) == "true"

    def number(self, key: str) -> int:
        """Return the value of a key as a number; 0 for none."""
        text = self.text(key)
        return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0

    def side_text(self, key: str, side: str) -> str:
        """Return the value of a key for a side."""
        self._used |= {key, key + side}
        return self._keys.side(key, side)

    def cells(self, key: str, side: str) -> CellSet:
        """Return the cells of a key for a side."""
        return read_cells(self.side_text(key, side), self.columns, self.rows)

    def column(self, key: str) -> int:
        """Return the number of a column from 0; -1 for none."""
        text = self.text(key)
        return self._column(text) if text else -1

    def row(self, key: str) -> int:
        """Return the number of a row from 0."""
        number = self.number(key)
        if not 0 < number <= _MOST_ROWS:
            text = self.text(key)[:20]
            raise UsageError(f"--from-ini: {key}: expected a row from 1, found `{text}`")
        return number - 1

    def kinds_of(self, key: str, side: str, default: str = "") -> tuple[Kind, ...]:
        """Return the kinds of a key for a side; `*` means all."""
        text = self.side_text(key, side) or default
        if "*" in text:
            return self.kinds
        return tuple(kind for kind in self.kinds if kind.is_listed(text.lower()))

    def pawns(self, key: str, side: str) -> tuple[Kind, ...]:
        """Return the kinds of a key that means the pawns by default."""
        default = self.text("pawnTypes") or "".join(
            kind.letter for kind in self.kinds if kind.key == PAWN
        )
        return self.kinds_of(key, side, default)

    def kind(self, key: str) -> Kind | None:
        """Return the kind of a key such as `king`; None if the variant has none."""
        return next((kind for kind in self.kinds if kind.key == key), None)

    def is_pseudo_royal(self, kind: Kind) -> bool:
        """True if the last pieces of a kind may not be left attacked."""
        listed = self.kinds_of("extinctionPieceTypes", "")
        return self.is_true("extinctionPseudoRoyal") and kind in listed

    def named(self, name: str) -> Kind | None:
        """Return the kind of a name in the spec; None if the variant has none."""
        return next((kind for kind in self.kinds if kind.name == name), None)

    @property
    def movers(self) -> tuple[Kind, ...]:
        """Return the kinds with moves of their own: others move like one of them."""
        return tuple(kind for kind in self.kinds if not kind.like)

    def own(self, kind: Kind) -> str:
        """Return the player's pieces that move like a kind."""
        alike = (each for each in self.kinds if kind.name in (each.name, each.like))
        return " or ".join(f"own {each.name}" for each in alike)

    def risen(self, kind: Kind) -> Kind | None:
        """Return the kind to which pieces of a kind are promoted; None if they are not."""
        return self.named(self._risen.get(kind.name, ""))

    def promotion_results(self, side: str) -> tuple[Kind, ...]:
        """Return the kinds to which pawns of a side are promoted."""
        kinds = self.kinds_of("promotionPieceTypes", side, "nbrq")
        return tuple(self._promoted_results.get(kind.name, kind) for kind in kinds)

    @property
    def all_cells(self) -> CellSet:
        """Return the cells of the board."""
        return frozenset((c, r) for c in range(self.columns) for r in range(self.rows))

    @property
    def demotes_captured(self) -> bool:
        """True if promoted pieces come to hand in their unpromoted form."""
        return self.is_true("capturesToHand") and not self.is_true("dropLoop")

    def pairs(self, key: str) -> dict[str, str]:
        """Return the pairs `LETTER:VALUE` of a key."""
        return dict(re.findall(r"(\w)\s*:\s*(\w+)", self.text(key).lower()))

    def ignore(self, prefix: str) -> None:
        """Count the keys that begin with a text as read, as they have no effect."""
        self._used |= {key for key in self._keys.keys if key.startswith(prefix)}

    # keys that the spec does not express

    def unread(self) -> list[str]:
        """Return the keys with values that no part of the spec has read."""
        keys = []
        for key, value in self._keys.keys.items():
            is_known = key in self._used or key in _NO_RULE or is_piece(key, self._keys.pieces)
            if not is_known and value not in _OFF and value != self._keys.defaults.get(key):
                keys.append(f"{key} = {value}")
        return keys

    # pieces

    def _read_kinds(self) -> tuple[Kind, ...]:
        pieces = self._keys.pieces
        kinds = []
        for key, value in self._keys.keys.items():
            if not is_piece(key, pieces) or not value[:1].isalpha():
                continue
            _, colon, names = value.partition(":")
            betza = names if colon else pieces.get(key, "")
            try:
                movements = read_betza(betza.strip())
            except UsageError as error:
                raise UsageError(f"--from-ini: {key} = {value}: {error}") from None
            letter = value[0].lower()
            name = f"piece_{letter}" if key not in pieces else _snake(key)
            kinds.append(Kind(key, name, letter, movements, sign=letter))
        if not kinds:
            raise UsageError(f"--from-ini: `{self.name}` has no pieces")
        return tuple(kinds)

    def _add_promoted(self) -> None:
        """Add the kinds of promoted pieces that are no other kind of the variant."""
        on_board = letters_on_board(self.text("startFen"))
        pairs = self.pairs("promotedPieceType")
        self.kinds, self._risen = with_pieces(self.kinds, pairs, on_board)
        pawns = [kind for side in SIDES for kind in self.pawns("promotionPawnTypes", side)]
        if self.demotes_captured and pawns:
            results = {k.name: k for s in SIDES for k in self.promotion_results(s)}
            self.kinds, self._promoted_results = with_pawns(self.kinds, results, pawns[0])

    def _column(self, text: str) -> int:
        is_number = re.fullmatch(r"[0-9]{1,2}", text)
        number = int(text) - 1 if is_number else ascii_lowercase.find(text[:1].lower())
        if not 0 <= number < len(ascii_lowercase):
            raise UsageError(f"--from-ini: expected a column, found `{text[:20]}`")
        return number


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: "_" + match[0], key).lower()
