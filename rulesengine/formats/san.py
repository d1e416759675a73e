"""Moves in standard algebraic notation, derived from the declarations of a spec.

See decision 109. A move has the letter of its piece, `x` for a capture, the target, `=` and the
letter of a promotion, then `+` for check or `#` for a win. If another such piece can reach the
target, the column, the row or the name of the origin follows the letter of the piece. Source: the
PGN standard of 1994, section 8.2.3.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from rulesengine.board.geometry import bits
from rulesengine.engine.interpreter.reasons import Attempt, AttemptedStep
from rulesengine.engine.interpreter.step_fields import Fields
from rulesengine.errors import NotationError
from rulesengine.formats.options import letters_by_plane, option
from rulesengine.formats.protocol import FormatGame
from rulesengine.language.ir.roles import constant
from rulesengine.language.ir.rules import Template
from rulesengine.notation.move_text import Writer
from rulesengine.state import Move, State, Step
from rulesengine.support.frozen import record

_SUFFIX = re.compile(r"(?:\s*e\.p\.)?[+#!?]*$")
_CELL = re.compile(r"([A-Za-z]+)([0-9]+)")


@record
class SanParts:
    """The parts of a text: kinds, a mask of origins, the target and the kind of a promotion.

    `promotion` is -1 without one.
    """

    kinds: frozenset[int]
    origins: int
    target: int
    promotion: int


class San:
    """Moves of one game in standard algebraic notation."""

    def __init__(self, game: FormatGame) -> None:
        self._game = game.without_claims
        self._program = program = game.program
        self._sides = len(program.form.players)
        letters = letters_by_plane(program, "fen") | letters_by_plane(program, "san")
        symbols = program.form.symbols
        kinds = range(len(program.form.kinds))
        planes = [kind * (self._sides + 1) for kind in kinds]
        self._letters = [letters.get(plane, (symbols[plane],)) for plane in planes]
        self._also = dict(option(program, "san", "also", ()))
        self._check = option(program, "san", "check", None)
        self._special = dict(self._templates())
        self._writer = Writer(program, Fields(program).value)
        self._parsed: dict[str, SanParts | None] = {}

    # reading

    def find(self, text: str, state: State) -> Move | None:
        """Return the legal move of a text; None if there is none.

        Marks of capture and check may be missing. Raises NotationError for an ambiguous text.
        """
        candidates = self.matching(text, state)
        if len(candidates) > 1:
            texts = ", ".join(self.write(move, state) for move in candidates)
            raise NotationError(f"`{text[:40]}` is ambiguous: {texts}")
        return candidates[0] if candidates else None

    def matching(self, text: str, state: State) -> list[Move]:
        """Return the legal moves that a text may mean."""
        plain = _SUFFIX.sub("", text)
        plain = self._also.get(plain, plain)
        if plain not in self._parsed:
            self._parsed[plain] = self._parse(plain)
        parts = self._parsed[plain]
        moves = self._game.legal_moves(state)
        if parts is None:
            special = (move for move in moves if move.steps[0].group in self._special)
            return [move for move in special if self._special_text(move.steps[0]) == plain]
        return [move for move in moves if self._is_meant(move, parts, state)]

    def attempt(self, text: str, state: State) -> Attempt | None:
        """Return the steps that a text means, legal or not; None if it means none."""
        plain = _SUFFIX.sub("", text)
        plain = self._also.get(plain, plain)
        parts, is_legal = self._parse(plain), bool(self.matching(text, state))
        if parts is None:
            steps = tuple(dict.fromkeys(self._special_attempts(plain, state)))
            return Attempt(is_legal, (), steps, "piece", plain) if steps else None
        if not parts.kinds:
            return None
        origins = [
            cell
            for kind in sorted(parts.kinds)
            for cell in bits(state.planes[kind * (self._sides + 1) + state.side] & parts.origins)
        ]
        steps = tuple(AttemptedStep("move", origin, parts.target) for origin in origins)
        piece = self._program.form.kinds[min(parts.kinds)]
        target = self._program.topology.names[parts.target]
        return Attempt(is_legal, (), steps, piece, target)

    def _special_attempts(self, plain: str, state: State) -> Iterator[AttemptedStep]:
        """Yield the steps of the special groups with a text, without regard to conditions."""
        evaluate = self._game.machine.evaluate
        for number in self._special:
            group = self._program.rules.groups[number]
            at = {"player": state.side}
            for origin in bits(evaluate(group.origin, state, at) if group.origin else 0):
                at["from"] = origin
                for direction in bits(evaluate(group.along, state, at)) if group.along else (-1,):
                    at["direction"] = direction
                    for target in bits(evaluate(group.target, state, at) if group.target else 0):
                        step = Step(group.kind, origin, target, -1, number, direction)
                        if self._special_text(step) == plain:
                            yield AttemptedStep(group.kind, origin, target, number)

    @property
    def special_mask(self) -> int:
        """Return a mask of the groups with a text of their own."""
        return sum(1 << number for number in self._special)

    def parts(self, text: str) -> SanParts | None:
        """Return the parts of a text without mark of check; None for one of a special group.

        Raises NotationError for any other text.
        """
        plain = _SUFFIX.sub("", text)
        plain = self._also.get(plain, plain)
        if plain not in self._parsed:
            self._parsed[plain] = self._parse(plain)
        parts = self._parsed[plain]
        if parts is None and not self._special:
            raise NotationError(f"`{text[:40]}` is no move")
        return parts

    def _parse(self, text: str) -> SanParts | None:
        """Return the parts of a text; None if it is not of the usual form."""
        match = self._form.fullmatch(text)
        if match is None:
            return None
        letter, column, row, target, promotion = match.group("kind", "column", "row", "to", "new")
        names = self._program.topology.names
        origins = sum(
            1 << cell
            for cell, name in enumerate(self._labels)
            if column in (None, name[0]) and row in (None, name[1])
        )
        kinds = frozenset(k for k, words in enumerate(self._letters) if (letter or "") in words)
        new = next((k for k in self._chosen_kinds if promotion in self._letters[k]), -1)
        return SanParts(kinds, origins, names.index(target), new)

    def _is_meant(self, move: Move, parts: SanParts, state: State) -> bool:
        step = move.steps[0]
        if len(move.steps) > 1 or step.target != parts.target or step.origin < 0:
            return False
        if not parts.origins >> step.origin & 1 or step.group in self._special:
            return False
        return self._promotion(step) == parts.promotion and (
            self._kind(state, step.origin) in parts.kinds
        )

    # writing

    def write(self, move: Move, state: State) -> str:
        """Return a legal move as text."""
        step = move.steps[0]
        if step.group in self._special:
            return self._special_text(step) + self._suffix(move, state)
        if len(move.steps) > 1 or step.origin < 0 or step.target < 0:
            return str(move)
        kind = self._kind(state, step.origin)
        letter = self._letters[kind][0]
        takes = bool(self._game.move_record(state, move).captured)
        origin = self._origin(move, state, kind, is_shown=takes and not letter)
        target = self._program.topology.names[step.target]
        new = self._promotion(step)
        promotion = "=" + self._letters[new][0] if new >= 0 else ""
        return letter + origin + "x" * takes + target + promotion + self._suffix(move, state)

    def _origin(self, move: Move, state: State, kind: int, *, is_shown: bool) -> str:
        """Return the part of the origin that distinguishes a move; `is_shown` shows its column."""
        step = move.steps[0]
        labels, own = self._labels, self._labels[step.origin]
        others = [
            labels[other.steps[0].origin]
            for other in self._game.legal_moves(state)
            if other.steps[0].target == step.target
            and other.steps[0].origin not in (-1, step.origin)
            and other.steps[0].group not in self._special
            and self._letters[self._kind(state, other.steps[0].origin)] == self._letters[kind]
        ]
        if not others and not is_shown:
            return ""
        if own[0] not in [other[0] for other in others]:
            return own[0]
        if own[1] not in [other[1] for other in others]:
            return own[1]
        return self._program.topology.names[step.origin]

    def _suffix(self, move: Move, state: State) -> str:
        """Return `#` after a move that wins with check, `+` after one that gives check, else ""."""
        if self._check is None:
            return ""
        after = self._game.apply(state, move, check=False)
        if not self._game.machine.evaluate(self._check, after, {"player": after.side}):
            return ""
        outcome = self._game.outcome(after)
        return "#" if outcome is not None and outcome.winner == state.mover else "+"

    # helpers

    def _templates(self) -> Iterator[tuple[int, Template]]:
        """Yield the groups with a text of their own."""
        declared = dict(option(self._program, "san", "special", ()))
        for number, group in enumerate(self._program.rules.groups):
            if group.name in declared:
                yield number, declared[group.name]

    def _special_text(self, step: Step) -> str:
        parts = self._special[step.group].parts
        return "".join(p if isinstance(p, str) else self._writer.field(p, step) for p in parts)

    def _promotion(self, step: Step) -> int:
        """Return the kind that a step chooses; -1 if it chooses none."""
        choice = self._program.rules.groups[step.group].choice
        return step.choice if choice and choice[0].type == "kind" else -1

    @cached_property
    def _chosen_kinds(self) -> tuple[int, ...]:
        """Return the kinds among which moves of pieces choose, in order; all kinds without any."""
        groups = self._program.rules.groups
        values = (op for group in groups if group.kind == "move" for op in group.choice)
        numbers = {constant(op) for op in values if op.type == "kind"}
        kinds = range(len(self._letters))
        return tuple(kind for kind in kinds if not numbers or kind in numbers)

    def _kind(self, state: State, cell: int) -> int:
        """Return the kind of the piece on a cell; -1 if it is empty."""
        for plane, mask in enumerate(state.planes):
            if mask >> cell & 1:
                return plane // (self._sides + 1)
        return -1

    @cached_property
    def _labels(self) -> tuple[tuple[str, str], ...]:
        """Return the column and the row in the name of each cell; empty in other names."""
        matches = [_CELL.fullmatch(name) for name in self._program.topology.names]
        return tuple((m[1], m[2]) if m else ("", "") for m in matches)

    @cached_property
    def _form(self) -> re.Pattern[str]:
        """Return the pattern of moves without a text of their own."""
        names = self._program.topology.names
        letters = _either(word for words in self._letters for word in words if word)
        columns, rows = (_either(label[i] for label in self._labels if label[i]) for i in (0, 1))
        return re.compile(
            f"(?P<kind>{letters})?(?P<column>{columns})?(?P<row>{rows})?[x:-]?"
            f"(?P<to>{_either(names)})(?:[=/(]?(?P<new>{letters})\\)?)?"
        )


def _either(words: "Iterator[str] | tuple[str, ...]") -> str:
    """Return the pattern of one of some words, the longest first."""
    unique = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, unique)) or "(?!)"
