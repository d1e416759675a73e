"""The variants of a spec in a study: all combinations of parameter values and transforms."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from rulesengine.engine.kernel.selection import Engine
from rulesengine.errors import RulesError, SpecError, UsageError
from rulesengine.game import Game
from rulesengine.loading import bind, load, read_transform
from rulesengine.support.frozen import record

MAX_VARIANTS = 1000
PLAIN = "as it is"
_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
_SHOWN = 40


@record
class Variant:
    """A spec with parameter values, `NAME=VALUE`, and transforms in the syntax of `--with`."""

    spec: str
    values: tuple[str, ...] = ()
    transforms: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Return a label that distinguishes this variant from the others."""
        return ", ".join((*self.values, *self.transforms)) or PLAIN

    def game(self, engine: Engine = "auto") -> Game:
        """Load the game. Raises UsageError, SpecError and NotationError."""
        transforms = [read_transform(text) for text in self.transforms]
        game = load(self.spec, engine=engine, transforms=transforms)
        return bind(game, dict(text.split("=", 1) for text in self.values))


def grid(spec: str, values: Sequence[str] = (), transforms: Sequence[str] = ()) -> list[Variant]:
    """Return all combinations; the first axis varies slowest. Raises UsageError if there is none.

    A text of `values` is `NAME=VALUE`, `NAME=LOW..HIGH` or `NAME=VALUE,VALUE,…`. A transform
    without a value is used both with and without it; one with several values is used with each of
    them.
    """
    axes = [_values("--set", text) for text in values]
    if len({axis[0].partition("=")[0] for axis in axes}) < len(axes):
        raise UsageError("--set: a parameter is given twice")
    switches = [_switch(text) for text in transforms]
    count = 1
    for axis in (*axes, *switches):
        count *= len(axis)
    if count > MAX_VARIANTS:
        raise UsageError(f"a study has at most {MAX_VARIANTS} variants, found {count}")
    return [
        Variant(spec, chosen[: len(axes)], tuple(filter(None, chosen[len(axes) :])))
        for chosen in product(*axes, *switches)
    ]


def why_refused(error: RulesError) -> str:
    """Return the reason of an error in one line."""
    if isinstance(error, SpecError):
        first = error.diagnostics[0]
        return f"{first.message}: {first.help}" if first.help else first.message
    return " ".join(str(error).split())


def _switch(text: str) -> tuple[str, ...]:
    """Return a transform and its absence, or a transform with each of several values."""
    if "=" not in text or text.startswith("start="):
        read_transform(text)
        return "", text
    names = _values("--with", text)
    return names if len(names) > 1 else ("", *names)


def _values(option: str, text: str) -> tuple[str, ...]:
    """Return `NAME=VALUE` for each value of a text. Raises UsageError."""
    name, equals, values = text.partition("=")
    if not (name and equals and values):
        raise UsageError(f"{option}: expected NAME=VALUE, found `{text[:_SHOWN]}`")
    texts = tuple(f"{name}={value}" for value in _listed(values))
    if not texts:
        raise UsageError(f"{option}: `{text[:_SHOWN]}` has no value: write the lower one first")
    if len(set(texts)) < len(texts):
        raise UsageError(f"{option}: `{text[:_SHOWN]}` has a value twice")
    return texts


def _listed(text: str) -> Iterator[str]:
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            yield part
            continue
        low, high = int(match[1]), int(match[2])
        if high - low >= MAX_VARIANTS:
            raise UsageError(f"a study has at most {MAX_VARIANTS} variants, found {high - low + 1}")
        yield from map(str, range(low, high + 1))
