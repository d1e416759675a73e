"""A section of a file of variants as the text of a spec. See decision 138."""

import re

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record
from rulesengine.support.source import Source
from rulesengine.tools.format import formatted
from rulesengine.tools.variants_ini.castling import Castling
from rulesengine.tools.variants_ini.cells import cells_text
from rulesengine.tools.variants_ini.draft import PLAYERS, Draft, Value, printed
from rulesengine.tools.variants_ini.drops import Drops
from rulesengine.tools.variants_ini.ends import Ends
from rulesengine.tools.variants_ini.groups import Groups
from rulesengine.tools.variants_ini.passing import Passing
from rulesengine.tools.variants_ini.position import InitialPosition, read_position
from rulesengine.tools.variants_ini.reaches import Reaches
from rulesengine.tools.variants_ini.sections import read_variant
from rulesengine.tools.variants_ini.variant import Variant

_SCHEMA = "# yaml-language-server: $schema=game.schema.json"


@record
class Conversion:
    """The result of a conversion.

    - `text` is the spec in the standard layout.
    - `omissions` are the keys and values without a counterpart in the spec.
    """

    text: str
    omissions: tuple[str, ...]


def convert(text: str, section: str, name: str) -> Conversion:
    """Return a spec for a section of a file of variants. Raises UsageError.

    `name` is that of the game.
    """
    variant, draft = Variant(read_variant(text, section)), Draft()
    position = read_position(variant)
    reaches = Reaches(variant, draft)
    passing = Passing(variant, draft, reaches)
    drops = Drops(variant, draft, reaches, position)
    reaches.define(f"{passing.directions} {drops.directions}")
    Groups(variant, draft, reaches).add()
    passing.add()
    Castling(variant, draft, position).add()
    Ends(variant, draft).add(reaches.attacks())
    drops.add(passing)
    omissions = (*draft.omissions, *position.omissions, *variant.unread())
    if not draft.captures and not draft.moves:
        raise UsageError(f"--from-ini: no piece of `{section[:40]}` moves on the board")
    _prune(draft)
    sections = _sections(variant, draft, position, name)
    sections["pieces"] = {**_pieces(variant, drops), "empty": "."}
    if omissions:
        rules = ", ".join(each.partition(" = ")[0] for each in omissions)
        sections = {
            "spec": sections["spec"],
            "name": name,
            "source": sections["source"],
            "about": f"Rules of the file that are missing here: {rules}.",
        } | sections
    spec = f"{_SCHEMA}\n{printed(sections)}"
    return Conversion(formatted(Source("new.yaml", spec)), omissions)


def _sections(
    variant: Variant, draft: Draft, position: InitialPosition, name: str
) -> dict[str, Value]:
    """Return the sections of the spec in order."""
    size = {"rows": str(variant.rows), "columns": str(variant.columns)}
    wide = ":2" if variant.rows > 9 else ""
    sections: dict[str, Value] = {
        "spec": "1",
        "name": name,
        "source": f"the variant {variant.name} of a file variants.ini",
        "board": {**size, "origin": "bottom-left"},
        "players": _players(draft),
        "pieces": "",
        "registers": draft.registers,
        "define": draft.define,
        "start": _start(variant, draft, position),
        "rules": _rules(draft),
        "notation": {"move": "{from}{to}", "capture": "{from}{to}"},
        "drawing": {
            "row": f"{{label{wide}}} {{cells}}",
            "bottom": f"{'   ' if wide else '  '}{{columns}}",
            "gap": " ",
        },
        "formats": {
            "fen": {
                **_letters(variant),
                "fields": [
                    "board",
                    *([{"pocket": "hand"}] if "hand" in draft.registers else []),
                    "side",
                    draft.rights,
                    draft.passed,
                    {"number": "quiet"},
                    "fullmove",
                ],
            },
            "uci": {"variant": variant.name},
        },
    }
    return {key: value for key, value in sections.items() if value}


def _pieces(variant: Variant, drops: Drops) -> dict[str, Value]:
    """Return the kinds with their symbols and values."""
    rows: dict[str, Value] = {}
    for kind in variant.kinds:
        row: dict[str, Value] = {"white": kind.letter.upper(), "black": kind.letter}
        if most := drops.limit(kind):
            row["at_most"] = str(most)
        if values := drops.values(kind):
            row["values"] = values
        rows[kind.name] = row
    return rows


def _letters(variant: Variant) -> dict[str, Value]:
    """Return the letters of promoted kinds in positions."""
    letters: dict[str, Value] = {k.name: k.fen.upper() for k in variant.kinds if k.fen}
    return {"letters": letters} if letters else {}


def _start(variant: Variant, draft: Draft, position: InitialPosition) -> Value:
    """Return the initial position: a drawing, or effects if there are pieces in hand."""
    if not draft.start:
        return "\n".join(position.rows)
    rows: list[Value] = []
    for kind in variant.kinds:
        for side, letter in zip(PLAYERS, (kind.letter.upper(), kind.letter), strict=True):
            cells = frozenset(
                (column, variant.rows - 1 - row)
                for row, symbols in enumerate(position.rows)
                for column, symbol in enumerate(symbols)
                if symbol == letter
            )
            if cells:
                text = cells_text(cells, variant.columns, variant.rows)
                rows.append(f"put {kind.name} of {side} on {text}")
    return [*rows, *draft.start]


def _players(draft: Draft) -> Value:
    if not draft.attributes:
        return list(PLAYERS)
    return {
        player: {name: values[number] for name, values in draft.attributes.items()}
        for number, player in enumerate(PLAYERS)
    }


def _rules(draft: Draft) -> Value:
    moves: list[Value] = [*draft.captures]
    if moves and draft.moves:
        moves.append("otherwise")
    rules: dict[str, Value] = {
        "moves": [*moves, *draft.moves],
        "do": draft.effects,
        "end": draft.ends,
    }
    if draft.forbid:
        rules["forbid"] = " or ".join(draft.forbid)
    return rules


def _prune(draft: Draft) -> None:
    """Remove attributes of players that no text uses."""
    parts = (draft.define, draft.captures, draft.moves, draft.effects, draft.ends, draft.forbid)
    words = set(re.findall(r"[a-z_0-9]+", repr(parts)))
    draft.attributes = {name: each for name, each in draft.attributes.items() if name in words}
