"""Rewrites the tables of the parsers; run as `python -m tests.helpers.grammar_tables`."""

from pathlib import Path

from rulesengine.language.syntax import parse, script
from rulesengine.language.syntax.parse import WholeWords
from rulesengine.language.syntax.parser_tables import build_parser, written

FOLDER = Path(__file__).parents[2] / "grammars"
# The grammars with tables, and where parsing begins.
PARSERS = {
    "expression": (parse.grammar, parse.STARTS),
    "script": (script.grammar, script.STARTS),
}


def main() -> None:
    for name, (grammar, starts) in PARSERS.items():
        text = written(build_parser(grammar(), starts, WholeWords()), grammar(), starts)
        (FOLDER / f"{name}.tables.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
