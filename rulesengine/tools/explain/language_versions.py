"""The first version of the language that has each word.

For keys the schema has this as `$comment`. A spec declares its version in `spec:`; a new word needs
a new version once a version without it has been published.
"""

from collections.abc import Iterator
from types import MappingProxyType

from rulesengine.tools.explain.tables import EFFECTS

# Words except effects, by version, then by the kind that `explain` prints.
_WORDS = MappingProxyType(
    {
        1: MappingProxyType(
            {
                "name": (
                    "empty, occupied, own, enemy, neutral, unknown, all, nowhere, true, false, "
                    "player, opponent, nobody, no_cell, no_kind, mover, label, winner, won, lost, "
                    "drawn, over, score, plies, board_repeats, position_repeats, position_age, "
                    "placed, moved, flipped, removed, captured"
                ),
                "function": (
                    "count, any, none, first, last, shift, neighbours, slide, run, line, "
                    "fill, rows, columns, cell_at, row, column, screen_row, screen_column, "
                    "row_label, column_label, "
                    "owner, kind, height, opposite, turned, further, place_on, next, "
                    "can_move, can_act, abs, smaller, greater"
                ),
                "function of scripts": (
                    "length, cell, number, letter, capitals, small_letters, slice, strip, split, "
                    "symbol, symbols, piece_symbol, symbol_kind, symbol_owner"
                ),
                "form": (
                    "where, any, every, none, count, sum, least, most, union, reach, cell, as, "
                    "after, before, below, along, groups, replies"
                ),
                "expression": (
                    "numbers, along, kinds, players, it, from, to, where, touching, between, of, "
                    "and, or, not, minus, in, if, then, else, at least, at most, exactly, =, !=, "
                    "<, <=, >, >=, +, -, *, /, %, [ ]"
                ),
                "result": ("wins, loses, draw, highest score wins, lowest score wins"),
                "key of a strategy": ("most, least, prefer, lowest, highest, leftmost, rightmost"),
                "word of moves": (
                    "otherwise, direction, choice, tile, form, covered, one of each result"
                ),
                "statement": (
                    'if, else if, else, repeat, command, ", print, prompt, print board, print '
                    "moves, print each, read number, read word, read line, read cell, read "
                    "board, read board by symbols, read mover, read parameter, accept "
                    "numbers, accept all words, play move, play move where, choose, play move "
                    "by, play all moves by, play moves by, play pass, play chance, solve winner, "
                    "take back, take back all moves, replay, replay all moves, "
                    "let, at end, stop, leave, next, forfeit, fail, "
                    "repeat from, repeat in, read numbers, read words, read cells, "
                    "set, start anew, read board to blank line, command line, prompt moves, "
                    "prompt each, block, do, layout lines, layout line, layout blank line"
                ),
            }
        ),
    }
)


def since(kind: str, word: str) -> int:
    """Return the first version that has a word. Raises KeyError for an unknown word."""
    for version, *named in _rows():
        if named == [kind, word]:
            return version
    raise KeyError(word)


def known_words() -> frozenset[tuple[str, str]]:
    """Return every pair of kind and word."""
    return frozenset((kind, word) for _, kind, word in _rows())


def _rows() -> Iterator[tuple[int, str, str]]:
    """Yield version, kind and word."""
    yield from ((effect.since, "effect", word) for word, effect in EFFECTS.items())
    for version, kinds in _WORDS.items():
        for kind, words in kinds.items():
            yield from ((version, kind, word) for word in words.split(", "))
