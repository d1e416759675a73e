"""The TextMate grammar of specs: `python -m tests.helpers.textmate` writes it for VS Code."""

import json
import sys
from pathlib import Path

from rulesengine.tools.explain.word_classes import (
    EXPRESSION_KEYS,
    PROSE_KEYS,
    WordClass,
    word_classes,
)

GRAMMAR = Path(__file__).parents[2] / "editors/vscode/syntaxes/rulesengine.tmLanguage.json"
_SCOPES = {
    WordClass.FUNCTION: "support.function",
    WordClass.NAME: "support.constant",
    WordClass.DIRECTION: "constant.language",
    WordClass.KEYWORD: "keyword.control",
}
_PROSE = "|".join(sorted(PROSE_KEYS))
_EXPRESSIONS = "|".join(sorted(EXPRESSION_KEYS))
_KEY = r"([A-Za-z0-9_.-]+(?:\([^()]*\))?)(:)(?=\s|$)"
_LEAD = r"^(\s*)(?:(-)\s+)?"


def main() -> int:
    GRAMMAR.parent.mkdir(parents=True, exist_ok=True)
    GRAMMAR.write_text(grammar(), encoding="utf-8")
    return 0


def grammar() -> str:
    """Return the grammar as JSON."""
    table = {
        "name": "rulesengine spec",
        "scopeName": "source.rulesengine",
        "patterns": [{"include": "#script"}, {"include": "#text"}, {"include": "#prose"}, *_body()],
        "repository": {
            "script": _block(r"(io)(:)\s+(\|)[-+]?", None, _body(is_script=True)),
            "text": _block(rf"{_KEY}\s+(\|)[-+]?", "string.unquoted.block.rulesengine", []),
            "prose": {
                "patterns": [
                    _block(rf"({_PROSE})(:)\s+(>)[-+]?", "string.unquoted.block.rulesengine", []),
                    {
                        "match": rf"{_LEAD}({_PROSE})(:)\s+(?![>|\"'#{{\[])(.*?)\s*(?=\s#|$)",
                        "captures": {**_key_captures(), "5": _named("string.unquoted")},
                    },
                    {
                        "match": rf"(?<=[{{,\s])({_PROSE})(:)\s+([^\s{{}}\[\],\"'#][^{{}}\[\],]*)",
                        "captures": {**_pair(), "3": _named("string.unquoted")},
                    },
                ]
            },
            "comment": {
                "match": r"(?:^|(?<=\s))#.*$",
                "name": "comment.line.number-sign.rulesengine",
            },
            "key": {
                "match": _KEY,
                "captures": _pair(),
            },
            "quoted": {"patterns": [_quoted('"'), _quoted("'")]},
            "string": {"patterns": _strings()},
            "expression": {"patterns": _words()},
        },
    }
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _body(*, is_script: bool = False) -> list[dict[str, object]]:
    parts = ["comment", *([] if is_script else ["quoted"]), "string"]
    parts += [*([] if is_script else ["key"]), "expression"]
    return [{"include": f"#{part}"} for part in parts]


def _block(head: str, name: str | None, patterns: list[dict[str, object]]) -> dict[str, object]:
    """Return the rule of a block scalar: the lines that are indented further than its key."""
    rule: dict[str, object] = {
        "begin": rf"{_LEAD}{head}\s*(?:#.*)?$",
        "while": r"^(?=\1\s+\S|\s*$)",
        "beginCaptures": _key_captures(),
        "patterns": patterns,
    }
    return rule if name is None else {**rule, "contentName": name}


def _key_captures() -> dict[str, object]:
    return {
        "2": _named("punctuation.definition.block"),
        "3": _named("entity.name.tag"),
        "4": _named("punctuation.separator"),
    }


def _pair() -> dict[str, object]:
    return {"1": _named("entity.name.tag"), "2": _named("punctuation.separator")}


def _quoted(quote: str) -> dict[str, object]:
    """Return the rule of a key with a quoted expression."""
    mark = _named("punctuation.definition.string")
    return {
        "begin": rf"(?<![A-Za-z0-9_.-])({_EXPRESSIONS})(:)\s+({quote})",
        "end": f"{quote}|$",
        "beginCaptures": {**_pair(), "3": mark},
        "endCaptures": {"0": mark},
        "patterns": [{"include": "#expression"}],
    }


def _strings() -> list[dict[str, object]]:
    inserted = {
        "begin": r"\{",
        "end": r"\}",
        "name": "meta.interpolation.rulesengine",
        "patterns": [{"include": "#expression"}],
    }
    escape = {"match": r"\\.", "name": "constant.character.escape.rulesengine"}
    return [
        {
            "begin": '"',
            "end": '"|$',
            "name": "string.quoted.double.rulesengine",
            "patterns": [escape, inserted],
        },
        {"begin": "'", "end": "'|$", "name": "string.quoted.single.rulesengine"},
    ]


def _words() -> list[dict[str, object]]:
    classes = word_classes()
    rules: list[dict[str, object]] = []
    for kind, scope in _SCOPES.items():
        words = "|".join(sorted(word for word, given in classes.items() if given is kind))
        rules.append({"match": rf"\b(?:{words})\b", "name": f"{scope}.rulesengine"})
    rules.append({"match": r"\b\d+\b", "name": "constant.numeric.rulesengine"})
    rules.append({"match": r"<=|>=|!=|[-+*/%<>=]", "name": "keyword.operator.rulesengine"})
    return rules


def _named(scope: str) -> dict[str, str]:
    return {"name": f"{scope}.rulesengine"}


if __name__ == "__main__":
    sys.exit(main())
