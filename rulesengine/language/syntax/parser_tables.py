"""The parsers of the bundled grammars, loaded from precomputed LALR tables.

Building the tables takes longer than everything else that is done with a spec. Tables are valid for
exactly one grammar and one version of Lark; otherwise they are rebuilt in memory. `python -m
tests.helpers.grammar_tables` writes them.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

from rulesengine.support.cache import digest
from rulesengine.support.resources import read_text


def parser(name: str, grammar: str, start: Sequence[str], words: PostLex) -> Lark:
    """Return the parser of a grammar, from `grammars/NAME.tables.json` if that is valid."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        tables = json.loads(read_text(f"grammars/{name}.tables.json"))
        if tables["of"] == _made_of(grammar, start):
            return Lark.load(_loadable(tables, words))
    return build_parser(grammar, start, words)


def build_parser(grammar: str, start: Sequence[str], words: PostLex) -> Lark:
    """Build the parser of a grammar from its text."""
    return Lark(grammar, parser="lalr", start=[*start], lexer="contextual", postlex=words)


def written(build_parser: Lark, grammar: str, start: Sequence[str]) -> str:
    """Serialise the tables of a parser."""
    data, memo = build_parser.memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    tables = {"of": _made_of(grammar, start), "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":")) + "\n"


def _made_of(grammar: str, start: Sequence[str]) -> str:
    return digest(lark.__version__.encode(), grammar.encode(), *map(str.encode, start)).hex()


def _loadable(stored: dict[str, Any], words: PostLex) -> dict[str, Any]:
    """Convert tables from JSON for Lark: keys that are numbers were written as texts."""
    data, memo = stored["data"], stored["memo"]
    data["options"]["postlex"] = words
    tables = data["parser"]["parser"]
    tables["tokens"] = _by_number(tables["tokens"])
    states = _by_number(tables["states"])
    tables["states"] = {state: _by_number(row) for state, row in states.items()}
    return {"data": data, "memo": _by_number(memo)}


def _by_number(table: Mapping[str, Any]) -> dict[int, Any]:
    return {int(number): value for number, value in table.items()}
