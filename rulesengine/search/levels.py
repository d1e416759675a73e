"""Levels of play: budgets of a move with noise, calibrated for bundled games.

See decisions 076 and 156.
"""

from math import pow

from rulesengine.engine.drivers.search.result import DUCT, INFORMED, TREES, Budget
from rulesengine.errors import UsageError
from rulesengine.language.ir.program import Program
from rulesengine.search.method_choice import key_of
from rulesengine.support.frozen import record
from rulesengine.support.resources import read_text
from rulesengine.support.validate import check_number

LEVELS = 8
_FILE = "games/levels.txt"
_LOWEST, _HIGHEST = 50, 109_350  # playouts of the lowest level and of the highest one
_MOST_NODES = 12_150  # nodes of the highest level
_MOST_CELLS = 4_000_000  # playouts of the highest level times cells: a playout fills most cells
_MOST_SAMPLED = 10_935  # determinizations of the highest level, which are played one by one
_VISITS, _POSITIONS = 1, 8  # minimum of playouts and of nodes for each move of the initial position
_MIXED = 3  # alpha-beta draws its count, this part of it, or so many times it
_GOLDEN = 2_654_435_769  # 2**32 divided by the golden ratio: its multiples are evenly distributed
_NOISE = (7.0, 4.5, 3.0, 2.1, 1.5, 0.9, 0.3, 0.0)  # of games without a calibration


@record
class Level:
    """The budget of a level of play: counts of playouts or nodes per move, and the noise.

    A level plays the same on every machine. It uses one of its counts, which the seed of the move
    selects. In some games one more ply helps far more at some depths than at others; a mixture of
    depths gives levels between them. Noise and evaluation are those of `Budget`.
    """

    method: str
    counts: tuple[int, ...]
    noise: float = 0.0
    evaluation: str = ""

    def budget(self, number: int) -> Budget:
        """Return the budget of a move, selected by a number such as its seed."""
        number = check_number("number of a move", number)
        count = self.counts[(number * _GOLDEN % 2**32 >> 16) * len(self.counts) >> 16]
        is_tree = self.method in (*TREES, *INFORMED)
        return Budget(
            nodes=None if is_tree else count,
            playouts=count if is_tree else None,
            method=self.method,
            noise=self.noise,
            evaluation=self.evaluation,
        )


def check_level(level: int) -> int:
    """Return the number of a level. Raises UsageError."""
    if not 1 <= check_number("level", level) <= LEVELS:
        raise UsageError(f"levels go from 1 to {LEVELS}, found {level}")
    return level


def read_level(text: str) -> int | None:
    """Parse a text such as `level=3` to its number; return None for other texts."""
    word, _, number = text.partition("=")
    return int(number) if word == "level" and number.isdecimal() else None


def levels_of(program: Program, method: str, moves: int, evaluation: str = "") -> tuple[Level, ...]:
    """Return the levels of a program that is played by a method, with an evaluation.

    `moves` is the number of moves of the initial position. A bundled calibration applies if it was
    made for this program and method.
    """
    row = calibration_of(program)
    if row is None or row[0] != method:
        row = method, usual_pairs(program, method, moves)
    return tuple(level_with(method, count, noise, moves, evaluation) for count, noise in row[1])


def level_with(method: str, count: int, noise: float, moves: int, evaluation: str = "") -> Level:
    """Return a level with a count and noise."""
    if method in (*TREES, *INFORMED):
        return Level(method, (count,), noise, evaluation)
    least = _least_nodes(moves)
    counts = (count // _MIXED, count, count * _MIXED)
    return Level(method, tuple(max(least, number) for number in counts), noise, evaluation)


def full_strength(program: Program, method: str, moves: int) -> Level:
    """Return the budget of the strongest player of an exported page, which has no noise."""
    count = usual_pairs(program, method, moves)[-1][0]
    return Level(method, (count if method in (*TREES, *INFORMED) else count * _MIXED,))


def calibration_of(program: Program) -> tuple[str, tuple[tuple[int, float], ...]] | None:
    """Return the method of a calibrated program, and the count and noise of each level."""
    key = key_of(program)
    for line in read_text(_FILE).splitlines():
        parts = line.split(" | ")
        if len(parts) == 4 and parts[1] == key:
            pairs = (pair.split() for pair in parts[3].split(", "))
            return parts[2], tuple((int(count), float(noise)) for count, noise in pairs)
    return None


def row_of(name: str, program: Program, method: str, pairs: list[tuple[int, float]]) -> str:
    """Return the line of a calibration in the bundled file."""
    texts = ", ".join(f"{count} {noise:g}" for count, noise in pairs)
    return f"{name} | {key_of(program)} | {method} | {texts}\n"


def usual_pairs(program: Program, method: str, moves: int) -> tuple[tuple[int, float], ...]:
    """Return the usual count and noise of each level.

    The counts are a geometric sequence. There is no noise with one player, nor in decoupled UCT,
    which draws its move.
    """
    cells = program.topology.cells
    if method in (*TREES, *INFORMED):
        highest = _MOST_SAMPLED if method in INFORMED else min(_HIGHEST, _MOST_CELLS // cells)
        lowest = min(max(_LOWEST, _VISITS * moves), highest)
    else:
        highest = _MOST_NODES
        lowest = min(_least_nodes(moves), highest)
    parts = [place / (LEVELS - 1) for place in range(LEVELS)]
    counts = [round(lowest * pow(highest / lowest, part)) for part in parts]
    has_noise = len(program.rules.players) > 1 and method != DUCT
    noise = _NOISE if has_noise else (0.0,) * LEVELS
    return tuple(zip(counts, noise, strict=True))


def _least_nodes(moves: int) -> int:
    """Return the nodes of an iteration of one ply, with room for replies that are followed."""
    return max(_LOWEST, _POSITIONS * moves)
