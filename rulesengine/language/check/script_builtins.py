"""The functions that only scripts have, one row each, as in `builtins`."""

from types import MappingProxyType

from rulesengine.language.check.builtin_row import word as _word

# Functions of scripts only; a definition of the same name takes precedence.
_SCRIPTED = (
    _word(
        "length(of: text or list)",
        "number",
        "how many characters a text has, or members a list",
        "length(word)",
    ),
    _word(
        "cell(name: text)",
        "cell",
        "the cell of that name; `no_cell` if there is none",
        'cell("{word}1") = no_cell',
        op="cell_called",
    ),
    _word(
        "number(label: text)",
        "number",
        "the number of a label of a row or column, in figures or letters: `7` is 7, `b` is 2,"
        " `aa` is 27; of another text it is an error",
        "number(word)",
        op="label_number",
    ),
    _word(
        "letter(number: number)",
        "text",
        "the number, from 1, in small letters as the label of a row or column",
        "letter(plies)",
        op="label",
    ),
    _word(
        "capitals(text: text)",
        "text",
        "the text with capitals in the place of small letters",
        "capitals(word)",
    ),
    _word(
        "small_letters(text: text)",
        "text",
        "the text with small letters in the place of capitals",
        "small_letters(word)",
    ),
    _word(
        "slice(of: text or list, from: number, to: number)",
        "text",
        "the characters of a text, or the members of a list, from one number to another, counted"
        " from 1; those that do not exist are left out",
        "slice(word, 1, 2)",
    ),
    _word(
        "strip(text: text)",
        "text",
        "the text without blanks at its beginning and its end",
        "strip(line)",
    ),
    _word(
        "split(text: text, by: text)",
        "texts",
        "the list of the parts of a text between all occurrences of another text; by an empty text,"
        " the list of its characters",
        'split(word, ",")',
    ),
    _word(
        "symbol(cell: cell)",
        "text",
        "the symbol of the cell's piece, the upper one of a stack, or that of an empty cell",
        "symbol(to)",
    ),
    _word(
        "symbols(cells: cells)",
        "text",
        "the symbols of the cells in reading order; `put TEXT on CELLS` reads them back",
        "symbols(rows(1))",
    ),
    _word(
        "piece_symbol(kind: kind, side: side)",
        "text",
        "the symbol of the side's pieces of the kind, of neutral pieces for `nobody`; the symbol of"
        " an empty cell for `no_kind`; if there are no such pieces it is an error",
        "piece_symbol(kind(to), owner(to))",
    ),
    _word(
        "symbol_kind(text: text)",
        "kind",
        "the kind of the pieces with that symbol; `no_kind` if there are none",
        "symbol_kind(word) = no_kind",
    ),
    _word(
        "symbol_owner(text: text)",
        "side",
        "the owner of the pieces with that symbol; `nobody` for neutral pieces and other texts",
        "symbol_owner(word)",
    ),
)

SCRIPTED = MappingProxyType({b.word: b for b in _SCRIPTED})
