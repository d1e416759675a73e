"""The list of bundled specs with titles, summaries, players and parameters, cached between runs."""

from collections.abc import Sequence
from typing import Any

from rulesengine.errors import UsageError
from rulesengine.game import Game
from rulesengine.language import rules_cache
from rulesengine.language.ir.ops import walk
from rulesengine.language.ir.roles import has_role
from rulesengine.loading import load
from rulesengine.support.catalogue import CatalogueEntry, fold, read_catalogue
from rulesengine.support.files import read_source
from rulesengine.support.frozen import record
from rulesengine.support.resources import bundled_file, bundled_names, catalogue_text
from rulesengine.support.validate import check_number

_LEAST_PREFIX = 3  # the letters of a word that select the longer words


@record
class BundledSpec:
    """A bundled spec: `load(name)` is its game, `title` the name of the game.

    - `parameters`: each parameter as a JSON table; `described` has them in words.
    - `players`: the possible numbers of players.
    - `entry`: the row of the catalogue.
    """

    name: str
    title: str
    parameters: dict[str, dict[str, object]]
    described: tuple[str, ...]
    players: tuple[int, ...]
    entry: CatalogueEntry

    @property
    def summary(self) -> str:
        """Return the summary of the catalogue, or the title."""
        return self.entry.summary or self.title

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the tags of the catalogue, such as `capture`."""
        return self.entry.tags

    @property
    def aliases(self) -> tuple[str, ...]:
        """Return other names, which `load` accepts unless several games have them."""
        return self.entry.aliases

    def matches(self, words: Sequence[str]) -> bool:
        """True if each word is a word of the name, title, summary, tags or aliases.

        Three letters or more also match the beginning of a word.
        """
        entry = self.entry
        texts = (self.name, self.title, entry.summary, *entry.tags, *entry.aliases)
        phrases = {*map(fold, texts)}
        parts = {fold(part) for text in texts for part in text.replace("-", " ").split()}
        return all(_is_among(fold(word), phrases | parts) for word in words)


def games(*words: str, players: int | None = None) -> tuple[BundledSpec, ...]:
    """Return the bundled specs by name, or those that match each word, as `list` filters them.

    A spec with these words as its name, title or alias comes first. `players` selects the games for
    that number of players.
    """
    if invalid := [word for word in words if not isinstance(word, str)]:
        raise UsageError(f"expected words, found {invalid[0]!r:.40}")
    if players is not None:
        check_number("number of players", players)
    matching = [one for one in bundled_specs() if one.matches(words)]
    wanted = fold(" ".join(words))
    matching.sort(key=lambda one: wanted not in map(fold, (one.name, one.title, *one.aliases)))
    return tuple(one for one in matching if players is None or players in one.players)


def bundled_specs() -> tuple[BundledSpec, ...]:
    """Return all bundled specs by name; they are parsed only if a cached text has changed."""
    names = bundled_names()
    texts = rules_cache.DerivedValue(
        "bundled", tuple(read_source(bundled_file(name)) for name in names)
    )
    rows = texts.recall()
    if rows is None:
        rows = list(map(_row, names))
        texts.store(rows)
    entries = {entry.name: entry for entry in read_catalogue(catalogue_text())}
    return tuple(
        BundledSpec(
            name, title, shown, tuple(words), tuple(players),
            entries.get(name, CatalogueEntry(name, "", (), ())),
        )
        for name, title, shown, words, players in rows
    )  # fmt: skip


def numbers_of_players(game: Game) -> list[int]:
    """Return the numbers of players, by the values of parameters that select who plays."""
    conditions = [player.plays for player in game.rules.players if player.plays]
    read = {
        str(op.value) for plays in conditions for op in walk(plays) if has_role(op, "parameter")
    }
    numbers = {len(game.players)}
    for one in game.rules.parameters:
        if one.name in read:
            values = one.choices or range(one.low, one.high + 1, one.step)
            numbers |= {len(game.bind(**{one.name: value}).players) for value in values}
    return sorted(numbers)


def _row(name: str) -> list[Any]:
    from rulesengine.tools import inspect  # imported here: it imports all modules that read specs

    game = load(name)
    parameters = game.rules.parameters
    shown = {one.name: inspect.to_json(one) for one in parameters}
    described = [inspect.describe(one) for one in parameters]
    return [name, game.name, shown, described, numbers_of_players(game)]


def _is_among(word: str, words: set[str]) -> bool:
    longer = len(word) >= _LEAST_PREFIX and any(one.startswith(word) for one in words)
    return word in words or longer
