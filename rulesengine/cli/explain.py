"""`explain`: the meaning of a word of the language or of a code, with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesengine.cli.output import json_result, result
from rulesengine.cli.shared_options import Options, Parser, add_json
from rulesengine.errors import UsageError
from rulesengine.support.diagnostic import Diagnostic, render
from rulesengine.support.source import Source

if TYPE_CHECKING:
    from rulesengine.tools.explain import Entry


def add_options(command: Parser) -> None:
    """Add the options of the command."""
    add_json(command)
    command.add_argument("word", metavar="WORD", nargs="+", help="such as `slide` or `unknown-key`")


def execute(options: Options) -> int:
    """Print every meaning of a word. Raises UsageError for an unknown one."""
    from rulesengine.tools.explain import explain

    word = " ".join(options.word)
    entries, meant = explain(word)
    if not entries:
        hint = f"did you mean `{meant}`?" if meant else "words are those of docs/language.md"
        raise UsageError(f"no word or code `{word[:40]}`: {hint}")
    if options.json:
        json_result({"entries": [_to_json(entry) for entry in entries]})
    else:
        result("\n\n".join([*_heading(word, entries), *map(_text, entries)]))
    return 0


def _heading(word: str, entries: tuple[Entry, ...]) -> list[str]:
    """Return a line that names the explained words if the given one is not among them."""
    words = list(dict.fromkeys(entry.word for entry in entries))
    if any(word.rstrip(":") in (one, one.split()[0]) for one in words):
        return []
    return [f"`{word[:40]}`: see {', '.join(f'`{one}`' for one in words)}"]


def _to_json(entry: Entry) -> dict[str, object]:
    examples = [*entry.examples, *(spec.text for spec in entry.specs)]
    return {
        "word": entry.word,
        "kind": entry.kind,
        "syntax": entry.syntax,
        "meaning": entry.meaning,
        "examples": examples,
        "since": entry.since,
    }


def _text(entry: Entry) -> str:
    lines = [f"{entry.word}: {entry.kind}", f"  {entry.meaning}"]
    if entry.syntax != entry.word:
        lines.insert(1, f"  {entry.syntax}")
    for number, example in enumerate(entry.examples, start=1):
        lines += ["", f"  example {number}:", *_indented(example)]
    for number, spec in enumerate(entry.specs, start=len(entry.examples) + 1):
        lines += ["", f"  example {number}:", *_indented(_report(entry.word, spec))]
    return "\n".join(lines)


def _report(code: str, spec: Source) -> str:
    """Return the finding that `check` reports for a spec with the mistake."""
    return "\n\n".join(render(finding) for finding in _findings_of(code, spec)[:1])


def _findings_of(code: str, spec: Source) -> list[Diagnostic]:
    from rulesengine.tools import lint

    return [finding for finding in lint.findings(spec) if finding.code == code]


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.splitlines()]
