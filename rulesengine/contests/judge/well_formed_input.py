"""Well-formed input for a script: complete, in its layout, and without a word that it refuses.

See `generated_input` for the choice of values. A candidate that the script refuses after all, or
that becomes too long, is an `UnsuitableCandidate`.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

from rulesengine.contests.judge.generated_input import InputGenerator
from rulesengine.contests.judge.input_layout import LayoutWriter
from rulesengine.contests.judge.read_analysis import ends, is_refused, refuses
from rulesengine.language.ir.rules import Parameter, Statement
from rulesengine.script.runtime import ScriptState
from rulesengine.script.tokens import EndOfInput, number
from rulesengine.state import Outcome, State
from rulesengine.support.limits import INTEGER_MAX, INTEGER_MIN

_LENGTHS = (6, 25, 60, 120)  # words after which the input is brought to its end
_HURRY = 1000.0  # the weight of values that end the script, from then on
_SKIPPED = (0.02, 0.1, 0.5)  # shares of values that select no legal move, where scripts permit it
_AT_RANDOM = 0.5  # share of numbers that a search draws uniformly
_BOARDS = 40  # attempts to draw a board with one outcome
_WORDS = ("some", "text", "of", "a", "line")
_FILLINGS = ("start", "played", "played", "played", "any", "few", "many", "one")


class UnsuitableCandidate(Exception):
    """A candidate that cannot become well-formed input."""


class WellFormedInput(InputGenerator):
    """A word source for a stage that generates well-formed input.

    `rounds` are the sites at which a round of an endless loop begins: only there may the input of
    such a script end. A search for rare ends plays many games on small boards.
    """

    def __init__(
        self, stage: ScriptState, chance: Random, rounds: frozenset[int], *, is_search: bool
    ) -> None:
        super().__init__(stage, chance)
        self._is_search = is_search
        self._most = chance.choice(_LENGTHS)
        self._wrong = 0.0
        self._skipped = chance.choice(_SKIPPED)
        self._filling = chance.choice(_FILLINGS)
        self._written = LayoutWriter()
        self._rounds = rounds
        self._words = 0
        self._due = 0
        self._reading: Statement | None = None

    @property
    def text(self) -> str:
        """Return the input so far, with the end of its last line."""
        return self._written.finish()

    def layout(self, kind: str) -> None:
        self._written.layout(kind)

    def word(self) -> str:
        """Return the next word. Raises UnsuitableCandidate."""
        return self._write(self._word(), is_first=self._is_first())

    def line(self) -> str:
        """Return the next line. Raises UnsuitableCandidate."""
        at = self._stage.at
        of_command = at is not None and at.name == "command_of_line"
        return self._write(self._word() if of_command else self._line(), is_first=True)

    def row(self) -> str:
        """Return the next line of a board. Raises UnsuitableCandidate."""
        row = self._word()
        at = self._stage.at
        if not row and at and at.name == "read_whole_board":
            self._written.layout("layout_blank")
            return row
        return self._write(row, is_first=True)

    def ends_line(self) -> bool:
        """True if a list ends here, at random."""
        over = self._chance.random() < 0.3
        self._due = 0 if over else 1
        return over

    def begin(self, statement: Statement) -> None:
        """Note that the script executes a statement. Raises EndOfInput where an input may end."""
        if statement.site in self._rounds and self._words >= self._most:
            raise EndOfInput

    @property
    def _is_late(self) -> bool:
        return self._words >= self._most

    def _write(self, text: str, *, is_first: bool) -> str:
        self._words += 1
        if self._words > 4 * self._most + 100:
            raise UnsuitableCandidate
        self._written.word(text, is_first=is_first)
        return text

    def _is_first(self) -> bool:
        """True if the next word is the first one of its statement."""
        at, words = self._stage.at, 1
        assert at is not None
        if at is self._reading and self._due:
            self._due -= 1
            return False
        match at.name:
            case "read_number" | "read_word" | "read_cell":
                words = len(at.words)
            case "read_some_numbers" | "read_some_words":
                words = self._stage.value(at.operands[0])
        self._reading, self._due = at, words - 1
        return True

    def _line(self) -> str:
        return " ".join(self._chance.choices(_WORDS, k=self._chance.randint(1, 5)))

    def _word(self) -> str:
        """Return the next word; a text that the script compares with has its own probability."""
        at = self._stage.at
        if at and at.name == "read_word":
            pairs = [(name, text) for name in at.words for text in self._reads.texts.get(name, ())]
            ending = self._reads.ending
            weights = [self._ending_weight() if pair in ending else 1.0 for pair in pairs]
            texts = [text for _, text in pairs]
            text = (
                self._draw_text((at.site, "text"), ["", *texts], [1.0, *weights]) if texts else ""
            )
            if text:
                return text
        return super()._word()

    def _other_word(self, at: Statement) -> str:
        return self._chance.choice(self._cells)

    def _planned_for(self, names: tuple[str, ...]) -> str:
        """Return a name's value for a legal move, or an empty text. Raises UnsuitableCandidate."""
        due = [name for name in names if name in self._reads.plays]
        if not due:
            return ""
        needed = all(map(is_refused, self._reads.plays[due[0]]))
        if not needed and not self._plan and self._chance.random() < self._skipped:
            return ""
        planned = super()._planned_for(names)
        if needed and not planned:
            raise UnsuitableCandidate
        return planned

    def _number(self, at: Statement) -> str:
        low, high = self._bounds(at)
        least = low if low > INTEGER_MIN else min(0, high)
        most = high if high < INTEGER_MAX else max(least, 9)
        at_random = self._chance.randint(least, min(most, least + 9))
        if self._is_search and self._chance.random() < _AT_RANDOM:
            return str(at_random)
        numbers = {least, least + 1, at_random, most}
        for name in at.words:
            numbers |= {*self._reads.constants.get(name, ())}
        allowed = sorted(each for each in numbers if low <= each <= high)
        if not allowed:
            raise UnsuitableCandidate
        return self._draw_text(
            (at.site, "number"), list(map(str, allowed)), self._ending(at, allowed)
        )

    def _ending_weight(self) -> float:
        return _HURRY if self._is_late else self._patience

    def _value_of(self, parameter: Parameter) -> str:
        """Return a valid value of a parameter."""
        if parameter.choices:
            return str(self._chance.choice(parameter.choices))
        low, high, step = parameter.low, parameter.high, parameter.step or 1
        count = (high - low) // step
        at_random = self._chance.randint(0, count)
        steps = [0, 0, 0, min(1, count)]
        if not self._is_search:  # large boards are slow
            steps += [min(2, count), at_random, count]
        return str(low + step * self._chance.choice(steps))

    def _command(self, at: Statement) -> str:
        plans, weights = list[dict[str, str]](), list[float]()
        for case in at.body:
            plan, plays = self._plan_of(case)
            plans.append(plan)
            needed = bool(plays) and all(map(is_refused, plays))
            if not case.words or refuses(case.body) or (needed and not plan):
                weights.append(0.0)
            else:
                weights.append(self._ending_weight() if ends(case.body) else 1.0)
        if not any(weights):
            raise UnsuitableCandidate
        numbers = [str(i) for i, weight in enumerate(weights) if weight]
        drawn = int(self._draw_text(at.site, numbers, list(filter(None, weights))))
        return self._filled(at.body[drawn], plans[drawn])

    def _board(self, at: Statement) -> list[str]:
        """Return a board with the same outcome for every last mover.

        Raises UnsuitableCandidate.
        """
        if at.name == "read_whole_board":
            return super()._board(at)
        for _ in range(_BOARDS):
            rows = super()._board(at)
            winners = {outcome.winner for outcome in self._outcomes(rows, at) if outcome}
            if len(winners - {None}) < 2:
                return rows
        raise UnsuitableCandidate

    def _outcomes(self, rows: list[str], at: Statement) -> Iterator[Outcome | None]:
        """Yield the outcome of a board with each player to move; none for too many pieces."""
        stage, known = self._stage, self._accepted_symbols(at.words)
        state, region = stage.game.initial_state(), at.operands[0]
        inside = -1 if region is None else int(stage.value(region))
        planes = [mask & ~inside for mask in state.planes]
        cells = (cell for line in state.form.lines for cell in line if inside >> cell & 1)
        for cell, symbol in zip(cells, "".join(rows), strict=True):
            if known[symbol] >= 0:
                planes[known[symbol]] |= 1 << cell
        for side in range(len(stage.game.players)):
            seated = State(tuple(planes), side, state.registers, (), state.form)
            yield stage.game.outcome(seated)

    def _limited(self, known: dict[str, int], state: State, symbols: list[str]) -> list[str]:
        """Replace the pieces beyond the limit of their kind, at random places."""
        limits = dict(enumerate(state.form.limits))
        places = [*range(len(symbols))]
        self._chance.shuffle(places)
        count: Counter[str] = Counter()
        free = [symbol for symbol, plane in known.items() if limits.get(plane, 99) >= len(symbols)]
        for place in places:
            symbol = symbols[place]
            count[symbol] += 1
            if count[symbol] > limits.get(known[symbol], len(symbols)):
                symbols[place] = self._chance.choice(free or [*known])
        return symbols

    def _field(self, kind: str) -> str:
        word = super()._field(kind)
        return word if kind in ("letter", "digit") or number(word) is not None else "x"
