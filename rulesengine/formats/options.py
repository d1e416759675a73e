"""Access to the section `formats` of a spec."""

from typing import Any

from rulesengine.language.ir.program import Program

Words = tuple[str, ...]


def is_declared(program: Program, name: str) -> bool:
    """True if the spec has a section for a format."""
    return any(row.name == name for row in program.rules.formats)


def option(program: Program, name: str, key: str, default: Any) -> Any:
    """Return the value of a key of a format, or the default."""
    for row in program.rules.formats:
        if row.name == name:
            return next((value for own, value in row.options if own == key), default)
    return default


def letters_by_plane(program: Program, name: str) -> dict[int, Words]:
    """Return the letters that a format declares for planes of the state.

    Letters for all players of a kind are capital for the first player and small for the second one.
    """
    letters: dict[int, Words] = {}
    sides, kinds = len(program.form.players), program.form.kinds
    for kind, by_player in option(program, name, "letters", ()):
        first = kinds.index(kind) * (sides + 1)
        for player, words in by_player:
            if player:
                letters[first + program.form.players.index(player)] = words
                continue
            letters[first] = tuple(map(str.upper, words)) if sides == 2 else words
            letters[first + 1] = tuple(map(str.lower, words))
    return letters
