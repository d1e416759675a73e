"""The rules of a game as a page: sections of sentences and a picture of the initial position."""

import re
from collections.abc import Collection
from typing import Literal

from rulesengine.language.ir.ops import Op
from rulesengine.language.ir.roles import has_role
from rulesengine.language.ir.rules import CHOSEN, Rules, is_always_together, recalled
from rulesengine.prose import board, chances, ends
from rulesengine.prose.definitions import definition_sentences, mentioned, named_definitions
from rulesengine.prose.described_game import DescribedGame
from rulesengine.prose.effects import Describer
from rulesengine.prose.groups import Groups
from rulesengine.prose.html import html_page
from rulesengine.prose.layout import filled
from rulesengine.prose.markdown import escape_markdown
from rulesengine.prose.notation import notation_sentences
from rulesengine.prose.preparation import prepared
from rulesengine.prose.section import Section
from rulesengine.prose.visibility import visibility_sentences

Format = Literal["text", "markdown", "html"]


def describer_of(game: DescribedGame) -> Describer:
    """Return the describer of a game for the values of its parameters."""
    rules = prepared(game.rules, game.program)
    return Describer(rules, game.program, named_definitions(rules, game.program))


def sections(game: DescribedGame) -> tuple[Section, ...]:
    """Return the non-empty sections of a game's rules."""
    describer = describer_of(game)
    rules = describer.rules
    phrases = ends.end_sentences(rules, describer)
    is_dealt = game.machine.is_chance(game.initial_state())
    all_sections = (
        Section("About", (describer.remarks.comment("about", ""),)),
        Section("Players", (" ".join(board.player_sentences(rules, chance_first=is_dealt)),)),
        Section("Pieces", (tuple(board.piece_sentences(rules)),)),
        Section("Board", (" ".join(board.board_sentences(rules, game.program, describer)),)),
        Section("Tracks", ()),
        Section("Memory", ()),
        Section("Terms", ()),
        Section("Hidden information", (" ".join(visibility_sentences(rules, describer)),)),
        Section("Moves", _moves(rules, describer)),
        Section("Score", tuple(ends.score_sentences(rules, describer))),
        Section("End", (*ends.end_heading(rules, phrases), tuple(phrases))),
        Section("Notation", tuple(notation_sentences(game))),
        *_strategies(rules, describer),
    )
    explained: dict[str, dict[str, str]] = {
        "Tracks": dict(board.track_sentences(rules)),
        "Memory": dict(board.register_sentences(rules, describer)),
        "Terms": dict(definition_sentences(describer)),
    }
    used = mentioned({k: v for texts in explained.values() for k, v in texts.items()}, all_sections)
    all_sections = tuple(
        Section(s.heading, (tuple(v for k, v in explained[s.heading].items() if k in used),))
        if s.heading in explained
        else s
        for s in all_sections
    )
    return tuple(_tidy(section) for section in all_sections if any(section.parts))


def unused_rules(game: DescribedGame, groups: Collection[int], last: Collection[int]) -> list[str]:
    """Describe the rules of moves and ends that are not among the used ones, given by numbers.

    The number of an end is its index in the program, which may have further ends before it.
    """
    describer = describer_of(game)
    renderer, played = Groups(describer), game.program.rules.groups
    # A choice of a round is a move of the group that it is for.
    used = {played[number].name.removeprefix(CHOSEN) for number in groups}
    names = [
        " ".join(renderer.sentences(group))
        for group in describer.rules.groups
        if group.name not in used
    ]
    own = describer.rules.ends
    before = len(game.program.rules.ends) - len(own)
    unused = [end for number, end in enumerate(own, start=before) if number not in last]
    return [_unclosed(text) for text in (*names, *ends.each_end(unused, describer))]


def _tidy(section: Section) -> Section:
    """Remove commas at the end of a phrase before another punctuation mark."""
    parts = tuple(
        _unclosed(part) if isinstance(part, str) else tuple(map(_unclosed, part))
        for part in section.parts
    )
    return Section(section.heading, parts)


def _unclosed(text: str) -> str:
    return re.sub(",(?=[,.;:])", "", text)


def _moves(rules: Rules, describer: Describer) -> tuple[str | tuple[str, ...], ...]:
    groups = Groups(describer)
    parts: list[str | tuple[str, ...]] = list(ends.turn_sentences(rules, describer))
    for number, tier in enumerate(rules.tiers):
        lead = "You make one of these moves:" if len(tier) > 1 else ""
        if number:
            lead = "If you have none of these moves:"
        items = tuple(" ".join(groups.sentences(group)) for group in tier)
        parts += [lead, items] if lead else items
    own = [effect for effect in rules.effects if not _recalls(effect)]
    if own:
        scope = {"from": "the cell that it left", "to": "the cell of the move"}
        phrase = describer.remarks.own("rules", "do")
        if not phrase:
            time = "round" if is_always_together(rules) else "move"
            phrase = f"After every {time}: {describer.effects(own, scope)}. "
            phrase += describer.remarks.comment("rules", "do")
        parts.append(phrase.strip())
    parts += ends.keep_sentences(rules, describer)
    return (*parts, *chances.chance_parts(rules, describer))


def _strategies(rules: Rules, describer: Describer) -> list[Section]:
    return [
        Section(f"Strategy {s.name}", (tuple(ends.strategy_sentences(s, describer)),))
        for s in rules.strategies
        if s.name != rules.playouts
    ]


def rules_page(game: DescribedGame, form: Format = "text", picture: str = "") -> str:
    """Return the rules of a game in English.

    `picture` is the initial board: lines of characters for text, an SVG or a link for Markdown, an
    SVG for HTML.
    """
    if form == "html":
        return html_page(_heading(game), sections(game), picture)
    write = _markdown if form == "markdown" else _text
    blocks = [_title(game, form)]
    for section in sections(game):
        blocks += write(section)
        if section.heading == "Board" and picture:
            blocks += [picture]
    return "\n\n".join(blocks) + "\n"


def _heading(game: DescribedGame) -> str:
    """Return the name of the game and the values of its parameters."""
    flags = {p.name for p in game.rules.parameters if p.type == "flag"}
    values = ", ".join(
        f"{k} = {('no', 'yes')[bool(v)] if k in flags else v}" for k, v in game.parameters.items()
    )
    return f"{game.name}, {values}" if values else game.name


def _title(game: DescribedGame, form: Format) -> str:
    title = _heading(game)
    if form == "markdown":
        return f"# {escape_markdown(title)}"
    return f"{title}\n{'=' * len(title)}"


def _markdown(section: Section) -> list[str]:
    lines = [f"## {escape_markdown(section.heading)}"]
    for part in section.parts:
        if isinstance(part, str):
            lines.append(escape_markdown(part))
        else:
            lines.append("\n".join(f"- {escape_markdown(item)}" for item in part))
    return [line for line in lines if line]


def _text(section: Section) -> list[str]:
    lines = [section.heading]
    for part in section.parts:
        if isinstance(part, str):
            lines.append(filled(part, "  ") if part else "")
        else:
            lines.append("\n".join(filled(item, "  - ") for item in part))
    return ["\n".join(line for line in lines if line)]


def _recalls(effect: Op) -> bool:
    """True if an effect only stores data of the last move for an end."""
    name = effect.value[0] if isinstance(effect.value, tuple) else ""
    return has_role(effect, "assignment") and bool(recalled(name))
