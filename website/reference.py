"""Generated pages of the reference: words, messages and options, from the package's tables."""

import argparse
from collections.abc import Iterator
from itertools import groupby

from rulesengine.cli.arguments import command_parsers
from rulesengine.cli.commands import COMMANDS
from rulesengine.tools.explain import Entry, entries, mistakes, spec_with

_CODE = "code"


def words_page() -> str:
    """Return the page of all words of the language, by kind, with syntax and examples."""
    known = [entry for entry in entries() if entry.kind != _CODE]
    known.sort(key=lambda entry: (entry.kind, entry.word))
    parts = [
        "# Words of the language",
        "Reference: every word with its syntax, meaning and examples, as `rulesengine explain WORD`"
        " prints it. [The language](language.md) explains how they work together.",
    ]
    for kind, members in groupby(known, key=lambda entry: entry.kind):
        parts.append(f"## {kind[:1].upper()}{kind[1:]}")
        parts += map(_word, members)
    return "\n\n".join(parts) + "\n"


def _word(entry: Entry) -> str:
    since = f" Since version {entry.since} of the language." if entry.since > 1 else ""
    meaning = _sentence(entry.meaning).replace("](#", "](language.md#")
    parts = [f"### `{entry.word}`", f"{meaning}{since}"]
    lines = [entry.syntax] if entry.syntax and entry.syntax != entry.word else []
    if lines:
        parts.append(_block("text", "\n".join(lines)))
    if entry.examples:
        parts += ["Examples:", _block("rulesengine", "\n".join(entry.examples))]
    return "\n\n".join(parts)


def messages_page() -> str:
    """Return the page of all diagnostic codes, each with a spec that has the mistake."""
    parts = [
        "# Messages",
        "Reference: every error and warning of `rulesengine check`, with a spec that has it."
        " `rulesengine explain CODE` prints the same.",
    ]
    for mistake in sorted(mistakes(), key=lambda mistake: mistake.code):
        parts += [f"## {mistake.code}", mistake.meaning]
        parts.append(_block("rulesengine", spec_with(mistake.pieces[0]).text.rstrip()))
    return "\n\n".join(parts) + "\n"


def options_page() -> str:
    """Return the page of the options of all commands, as `--help` prints them."""
    parts = [
        "# Options of the commands",
        "Reference: `rulesengine COMMAND --help` for every command."
        " [The command line](commands.md) lists the commands by purpose.",
    ]
    parsers = command_parsers()
    for name, (_, summary) in COMMANDS.items():
        parts += [f"## {name}", _sentence(summary), _block("text", parsers[name].format_usage())]
        rows = list(_options(parsers[name]))
        parts.append("\n".join(["| argument | description |", "|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # argparse has no public list of them
        shown = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        if action.option_strings and action.metavar:
            shown += f" {action.metavar}"
        text = (action.help or "").replace("%%", "%").replace("|", "\\|")
        yield f"| `{shown.replace('|', chr(92) + '|')}` | {text} |"


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _sentence(text: str) -> str:
    """Return the text with a capital at the beginning and a full stop at the end."""
    shown = text[:1].upper() + text[1:] if text[:1].isalpha() else text
    return shown if shown.endswith((".", "?", "!")) else f"{shown}."
