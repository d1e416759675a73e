"""Sets of cells as nouns, with an indefinite and a definite form and claims about their cells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

# The beginning of a claim that is a sentence of its own.
_SUCH_THAT = "such that "
_WHOSE = "whose "
# A pronoun for one of the members.
_SINGULAR = re.compile(r"\b(it|its)\b")
# The beginning of a place relative to another one, without a preposition.
_STEPS = re.compile(r"(one|two|three|four|five|six|\d+) steps? ")
# Beginnings of words that are spelled with a vowel but spoken without one.
_LIKE_CONSONANTS = ("one", "eu", "uni", "use", "usu", "ewe")


@dataclass(frozen=True, slots=True)
class Claim:
    """A predicate of a cell, or its negation: `is empty`, `holds one of your discs`.

    `is_cell` is true if it states which cell it is; a piece is then on that cell.
    """

    verb: str
    rest: str
    denied: bool = False
    is_cell: bool = False

    @property
    def full(self) -> str:
        """Return the claim as the verb of a sentence: `does not hold one of your discs`."""
        if not self.denied:
            return f"{self.verb} {self.rest}"
        return f"is not {self.rest}" if self.verb == "is" else f"does not hold {self.rest}"

    @property
    def short(self) -> str:
        """Return the claim to follow a noun: `not holding one of your discs`."""
        if self.denied and (self.is_cell or self.rest.startswith("the new ")):
            return f"other than {self.rest}"
        if self.denied and _STEPS.match(self.rest):
            return f"other than those {self.rest}"
        text = self.rest if self.verb == "is" else f"holding {self.rest}"
        return f"not {text}" if self.denied else text

    def behind(self, pieces: bool) -> str:
        """Return the claim to follow a noun for pieces or for cells."""
        if self.is_cell and pieces and not self.rest.startswith(("the moved", "the new")):
            return f"not on {self.rest}" if self.denied else f"on {self.rest}"
        if self.verb == "holds" and pieces and not self.rest.startswith("one of "):
            return f"that is {'not ' if self.denied else ''}{self.rest}"
        return self.short.replace("holding a", "being a") if pieces else self.short

    def of(self, subject: str) -> str:
        """Return the claim for a subject: a piece is a king, a cell holds one."""
        if self.verb == "is" or not subject.startswith("the ") or "cell" in subject:
            return self.full
        return f"is {'not ' if self.denied else ''}{self.rest}"

    def deny(self) -> "Claim":
        return replace(self, denied=not self.denied)


ANYWHERE = Claim("is", "anywhere")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun for a set of cells or for the pieces on them.

    - `one` is a member (`an empty cell`), `all` all members (`the empty cells`), `no` none.
    - `claim` is true of the cells in the set.
    - `claims` narrow the noun further; `narrow` is the claim of the narrowed noun, if it has one.
    - `lone` is true for a set of at most one cell.
    - `pieces` is true if the noun denotes pieces, not cells.
    """

    one: str
    all: str
    no: str
    claim: Claim
    claims: tuple[Claim, ...] = ()
    lone: bool = False
    narrow: Claim | None = None
    pieces: bool = False

    @property
    def some(self) -> str:
        """Return one member with its claims: `an empty cell next to your discs`."""
        return self.one + self._behind()

    @property
    def every(self) -> str:
        phrase = self._behind()
        if f" {_SUCH_THAT}" in phrase and _SINGULAR.search(phrase):
            phrase = phrase.replace(f" {_SUCH_THAT}", f", each {_SUCH_THAT}", 1).replace(",,", ",")
        return self.all + phrase

    @property
    def none(self) -> str:
        return self.no + self._behind()

    @property
    def many(self) -> str:
        """Return the plural without an article: `empty cells next to your discs`."""
        owned = self.no.startswith("none of ")
        return self.every if self.lone or owned else self.every.removeprefix("the ")

    @property
    def one_bare(self) -> str:
        """Return the singular without an article: `empty cell next to your discs`."""
        word = self.one.removeprefix("an ").removeprefix("a ")
        return word + self._behind()

    @property
    def short(self) -> str:
        """Return the form that follows another noun."""
        return self.whole.short

    @property
    def whole(self) -> Claim:
        """Return the claim that is true of a cell of the narrowed set."""
        if self.narrow:
            return self.narrow
        if not self.claims:
            return self.claim
        if self.claim.verb == "holds":
            return Claim("holds", self.some)
        if self.claim == ANYWHERE and len(self.claims) == 1:
            return self.claims[0]
        return Claim("is", f"among {self.every}")

    def narrowed(self, *claims: Claim) -> "Noun":
        return replace(self, claims=(*self.claims, *claims), narrow=None)

    def _behind(self) -> str:
        if not self.claims:
            return ""
        if self.lone:
            return ", if it " + listed([c.full for c in self.claims])
        last = [c for c in self.claims if c.rest.startswith((_SUCH_THAT, _WHOSE))]
        first = [c for c in self.claims if c not in last]
        comma = "," if first and (", over " in self.one or self.one.endswith(")")) else ""
        text = f"{comma} {listed([c.behind(self.pieces) for c in first])}" if first else ""
        return text + "".join(f"{',' if first else ''} {_restriction_of(c)}" for c in last)


def _restriction_of(claim: Claim) -> str:
    """Return `such that it is empty`, or the excluded cells of a negated claim."""
    if claim.denied and claim.rest.startswith(_WHOSE):
        return f"except those {claim.rest}"
    return f"except where {claim.rest.removeprefix(_SUCH_THAT)}" if claim.denied else claim.rest


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Join parts: `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def plain(one: str, many: str, claim: Claim) -> Noun:
    """Return a noun with articles: `an empty cell`, `the empty cells`."""
    pieces = claim.verb == "holds"
    return Noun(a(one), f"the {many}", f"no {one}", claim, pieces=pieces)


def is_many(text: str) -> bool:
    """True if a phrase without claims is a plural, by its last word."""
    return (text.endswith(("s", "men")) and not text.endswith(("ss", "’s"))) or " and " in text


def a(word: str) -> str:
    """Add the article: `a man`, `an amazon`."""
    vowel = word[0] in "aeiou" and not word.startswith(_LIKE_CONSONANTS)
    return f"{'an' if vowel else 'a'} {word}"


def owned(many: str) -> Noun:
    """Return a noun with an owner: `one of your discs`, `your discs`."""
    one = f"one of {many}"
    return Noun(one, many, f"none of {many}", Claim("holds", one), pieces=True)


def lone(text: str) -> Noun:
    """Return a noun for at most one cell: `the cell directly north of the man`, `the new man`."""
    pieces = text.startswith("the ") and "cell" not in text
    claim = Claim("is", text, is_cell=not pieces)
    return Noun(text, text, f"no cell ({text})", claim, lone=True, pieces=pieces)


def plural(word: str) -> str:
    """Return the plural of an English word for a piece, or of such words joined by `or`."""
    if " of " in word:
        head, of, rest = word.partition(" of ")
        return plural(head) + of + rest
    if word.endswith("man"):
        return word[:-3] + "men"
    if word.endswith(("s", "x", "ch", "sh", "o")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
