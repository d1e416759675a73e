"""`explain`: what a word of the language or a code of a finding means, with examples."""

from rulesengine.cli.arguments import Options
from rulesengine.cli.output import json_result, result
from rulesengine.errors import UsageError
from rulesengine.support.diagnostic import Diagnostic, render
from rulesengine.support.source import Source
from rulesengine.tools import lint
from rulesengine.tools.explain import Entry, explain


def explain_word(options: Options) -> int:
    """Print every meaning of a word; raises UsageError for an unknown one."""
    word = " ".join(options.word)
    entries, meant = explain(word)
    if not entries:
        hint = f"did you mean `{meant}`?" if meant else "words are those of docs/language.md"
        raise UsageError(f"no word or code `{word[:40]}`: {hint}")
    if options.json:
        json_result({"entries": [_to_json(entry) for entry in entries]})
    else:
        result("\n\n".join(_text(entry) for entry in entries))
    return 0


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
    """What `check` says of a spec with the mistake."""
    return "\n\n".join(render(finding) for finding in _found(code, spec)[:1])


def _found(code: str, spec: Source) -> list[Diagnostic]:
    return [finding for finding in lint.findings(spec) if finding.code == code]


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.splitlines()]
