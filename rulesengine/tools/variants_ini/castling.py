"""Castling of a variant: rights, groups and the field of positions."""

from collections.abc import Mapping

from rulesengine.support.frozen import record
from rulesengine.tools.variants_ini.cells import cell_name
from rulesengine.tools.variants_ini.draft import Draft, Value
from rulesengine.tools.variants_ini.kinds import Kind
from rulesengine.tools.variants_ini.position import InitialPosition
from rulesengine.tools.variants_ini.variant import SIDES, Variant

_WINGS = ("short", "long")
_LETTERS = "KQkq"


@record
class _Move:
    """A castling move of one player: columns of the pieces before and after it, and its row."""

    row: int
    king: int
    rook: int
    king_to: int
    rook_to: int


class Castling:
    """Castling, if the variant has it and the initial position has rights."""

    def __init__(self, variant: Variant, draft: Draft, position: InitialPosition) -> None:
        self._variant = variant
        self._draft = draft
        self._position = position
        self._rights: dict[str, str] = {}

    def add(self) -> None:
        """Add registers, attributes and groups."""
        variant = self._variant
        if not variant.is_true("castling") or not self._position.rights:
            variant.ignore("castling")
            return
        kings = [self._king(side) for side in (0, 1)]
        rooks = [variant.kinds_of("castlingRookPieces", side, "r") for side in SIDES]
        moves = {
            (side, wing): self._move(side, wing, kings[side], rooks[side])
            for side in (0, 1)
            for wing in (0, 1)
        }
        if not any(moves.values()):
            return
        kind = next(filter(None, kings))
        self._declare(moves)
        for wing in (0, 1):
            if any(moves[side, wing] for side in (0, 1)):
                self._add_group(wing, kind, moves)
        pieces = " or ".join(f"own {each.name}" for each in dict.fromkeys(rooks[0] + rooks[1]))
        self._draft.define["kept"] = (
            f"if any(own {kind.name} and home) then ({pieces}) and base else nowhere"
        )
        self._draft.effects.append("set rights to rights and (kept or as(opponent, kept))")

    # columns and rows

    def _king(self, side: int) -> Kind | None:
        variant = self._variant
        kings = variant.kinds_of("castlingKingPiece", SIDES[side], "k")
        return kings[0] if kings else None

    def _row(self, side: int) -> int:
        row = self._variant.row("castlingRank")
        return row if side == 0 else self._variant.rows - 1 - row

    def _columns_of(self, side: int, row: int, kinds: tuple[Kind, ...]) -> list[int]:
        letters = {k.letter.upper() if side == 0 else k.letter for k in kinds}
        symbols = [self._position.symbol(column, row) for column in range(self._variant.columns)]
        return [column for column, symbol in enumerate(symbols) if symbol in letters]

    def _move(
        self, side: int, wing: int, king: Kind | None, rooks: tuple[Kind, ...]
    ) -> _Move | None:
        """Return a castling move of the initial position; None if there is none."""
        variant, row = self._variant, self._row(side)
        letter = _LETTERS[2 * side + wing]
        at = self._columns_of(side, row, (king,)) if king else []
        if not at or letter not in self._position.rights:
            return None
        preferred = variant.column("castlingKingFile")
        home = preferred if preferred in at else at[0]
        sides = [
            c for c in self._columns_of(side, row, rooks) if (c > home) == (wing == 0) and c != home
        ]
        if not sides:
            return None
        named = variant.column(("castlingRookKingsideFile", "castlingRookQueensideFile")[wing])
        rook = named if named in sides else (max(sides) if wing == 0 else min(sides))
        to = variant.column(("castlingKingsideFile", "castlingQueensideFile")[wing])
        return _Move(row, home, rook, to, to - 1 if wing == 0 else to + 1)

    # sections

    def _declare(self, moves: Mapping[tuple[int, int], _Move | None]) -> None:
        draft = self._draft
        cells = {key: (m.row, m.rook) for key, m in moves.items() if m}
        is_free = self._variant.is_true("chess960")  # then rights are the letters of columns
        letters: dict[str, Value] = {}
        for (side, wing), (row, column) in cells.items():
            name, letter = cell_name((column, row)), _LETTERS[2 * side + wing]
            own = name[0].upper() if side == 0 else name[0]
            letters[name] = [own, letter] if is_free else letter
        draft.registers["rights"] = {
            "type": "cells",
            "start": " or ".join(letters),
            "compared": True,
        }
        draft.rights = {"cells": "rights", "letters": letters}
        base: tuple[list[str], list[str]] = ([], [])
        for (side, _), (row, column) in cells.items():
            base[side].append(cell_name((column, row)))
        homes = [
            next((m for (s, _), m in moves.items() if m and s == side), None) for side in (0, 1)
        ]
        texts = [cell_name((m.king, m.row)) if m else "nowhere" for m in homes]
        self._set("home", (texts[0], texts[1]))
        self._set("base", tuple(" or ".join(each) or "nowhere" for each in base))

    def _set(self, name: str, values: tuple[str, ...]) -> str:
        self._draft.attributes[name] = (values[0], values[1])
        return name

    def _add_group(
        self, wing: int, king: Kind, moves: Mapping[tuple[int, int], _Move | None]
    ) -> None:
        """Add the group of a wing, with an attribute for each of its cells."""
        name, both = _WINGS[wing], [moves[side, wing] for side in (0, 1)]
        other = next(filter(None, both))
        full = [m or other for m in both]

        def cells(role: str, texts: list[str]) -> str:
            values = tuple(t if m else "nowhere" for t, m in zip(texts, both, strict=True))
            return self._set(f"{name}_{role}", values)

        rook = cells("rook", [cell_name((m.rook, m.row)) for m in full])
        to = cells("king", [cell_name((m.king_to, m.row)) for m in full])
        free = cells("free", [_free(m) for m in full])
        when = f"any({rook} and rights) and none({free} and occupied)"
        if king.key == "king":
            safe = cells("safe", [_names(m.row, m.king, m.king_to) for m in full])
            when += f" and none({safe} and as(opponent, attacks))"
        elif self._variant.is_pseudo_royal(king):
            safe = cells("safe", [_passed(m) for m in full])
            when += self._pseudo_royal_passage(king, safe)
        rook_to = [cell_name((m.rook_to, m.row)) for m in full]
        target = rook_to[0] if rook_to[0] == rook_to[1] else f"first({cells('end', rook_to)})"
        group: dict[str, Value] = {
            "name": f"castling_{name}",
            "move": f"own {king.name} and home",
            "to": to,
            "when": when,
            "do": f"carry first({rook}) to {target}",
        }
        steps = {(m.king_to - m.king) ** 2 for m in full}
        if self._variant.is_true("chess960") or 1 in steps:
            first, second = (cell_name((m.rook, m.row)) for m in full)
            home = cell_name((full[0].king, full[0].row))
            text = f'if cell = {home} then "{first}" else "{second}"'
            self._draft.define[f"{name}_sign(cell)"] = text
            group["written"] = "{from}{" + f"{name}_sign(from)" + "}"
        self._draft.moves.append(group)

    def _pseudo_royal_passage(self, king: Kind, passed: str) -> str:
        """Return the condition that a pseudo-royal piece does not leave or pass attacked cells.

        Its target is no part of it, as a move into check is illegal. With explosions a cell next to
        such a piece of the opponent is safe.
        """
        if self._variant.is_true("blastOnCapture"):
            passed = f"({passed} minus neighbours(enemy {king.name}))"
        most = self._variant.number("extinctionPieceCount") + 1
        is_free = f"count(own {king.name}) > {most}"
        return f" and ({is_free} or none({passed} and as(opponent, attacks)))"


def _free(move: _Move) -> str:
    """Return the cells that are empty before a castling move."""
    span = [move.king, move.rook, move.king_to, move.rook_to]
    columns = [
        c
        for c in range(min(span), max(span) + 1)
        if c not in (move.king, move.rook) and _is_passed(move, c)
    ]
    return " or ".join(cell_name((c, move.row)) for c in columns) or "nowhere"


def _is_passed(move: _Move, column: int) -> bool:
    """True if king or rook passes or reaches a column."""
    spans = ((move.king, move.king_to), (move.rook, move.rook_to))
    return any(min(span) <= column <= max(span) for span in spans)


def _passed(move: _Move) -> str:
    """Return the cells of a castling piece before its target, the first one included."""
    step = 1 if move.king < move.king_to else -1
    return (
        " or ".join(cell_name((c, move.row)) for c in range(move.king, move.king_to, step))
        or "nowhere"
    )


def _names(row: int, start: int, end: int) -> str:
    return " or ".join(cell_name((c, row)) for c in range(min(start, end), max(start, end) + 1))
