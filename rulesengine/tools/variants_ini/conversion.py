"""A section of a file of variants as the text of a spec. See decision 138."""

import re

from rulesengine.errors import UsageError
from rulesengine.support.frozen import record
from rulesengine.support.source import Source
from rulesengine.tools.format import formatted
from rulesengine.tools.variants_ini.castling import Castling
from rulesengine.tools.variants_ini.draft import PLAYERS, Draft, Value, printed
from rulesengine.tools.variants_ini.ends import Ends
from rulesengine.tools.variants_ini.groups import Groups
from rulesengine.tools.variants_ini.position import InitialPosition, read_position
from rulesengine.tools.variants_ini.sections import read_variant
from rulesengine.tools.variants_ini.variant import Variant

_SCHEMA = "# yaml-language-server: $schema=game.schema.json"


@record
class Conversion:
    """The result of a conversion.

    - `text` is the spec in the standard layout.
    - `omissions` are the keys and values that the spec does not express.
    """

    text: str
    omissions: tuple[str, ...]


def convert(text: str, section: str, name: str) -> Conversion:
    """Return a spec for a section of a file of variants. Raises UsageError.

    `name` is that of the game.
    """
    variant, draft = Variant(read_variant(text, section)), Draft()
    position = read_position(variant)
    groups = Groups(variant, draft)
    groups.add()
    Castling(variant, draft, position).add()
    Ends(variant, draft).add(groups.attacks())
    omissions = (*draft.omissions, *position.omissions, *variant.unread())
    if not draft.captures and not draft.moves:
        raise UsageError(f"--from-ini: no piece of `{section[:40]}` moves on the board")
    _prune(draft)
    sections = _sections(variant, draft, position, name)
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
    letters = {k.name: {"white": k.letter.upper(), "black": k.letter} for k in variant.kinds}
    size = {"rows": str(variant.rows), "columns": str(variant.columns)}
    wide = ":2" if variant.rows > 9 else ""
    sections: dict[str, Value] = {
        "spec": "1",
        "name": name,
        "source": f"the variant {variant.name} of a file variants.ini",
        "board": {**size, "origin": "bottom-left"},
        "players": _players(draft),
        "pieces": {**letters, "empty": "."},
        "registers": draft.registers,
        "define": draft.define,
        "start": "\n".join(position.rows),
        "rules": _rules(draft),
        "notation": {"move": "{from}{to}", "capture": "{from}{to}"},
        "drawing": {
            "row": f"{{label{wide}}} {{cells}}",
            "bottom": f"{'   ' if wide else '  '}{{columns}}",
            "gap": " ",
        },
        "formats": {
            "fen": {
                "fields": [
                    "board",
                    "side",
                    draft.rights,
                    draft.passed,
                    {"number": "quiet"},
                    "fullmove",
                ]
            },
            "uci": {"variant": variant.name},
        },
    }
    return {key: value for key, value in sections.items() if value}


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
