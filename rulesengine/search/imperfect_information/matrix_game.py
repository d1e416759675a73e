"""Exact values of matrix games: the simplex method with rational numbers and Bland's rule."""

from collections.abc import Sequence
from fractions import Fraction

from rulesengine.support.frozen import record

_ONE = Fraction(1)


@record
class MatrixSolution:
    """The value of a matrix game for the row player, and optimal strategies as probabilities."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve_matrix(payoffs: Sequence[Sequence[Fraction]]) -> MatrixSolution:
    """Return the value and optimal strategies of a matrix of payoffs of the row player.

    The matrix with positive entries A is the linear program: maximise the sum of y where A y is at
    most 1. Its value is the inverse of that sum. See G. B. Dantzig, A Proof of the Equivalence of
    the Programming Problem and the Game Problem, 1951.
    """
    shift = _ONE - min(min(row) for row in payoffs)
    rows, columns = len(payoffs), len(payoffs[0])
    table = [
        [*(entry + shift for entry in row), *(Fraction(i == k) for k in range(rows)), _ONE]
        for i, row in enumerate(payoffs)
    ]
    costs = [-_ONE] * columns + [Fraction(0)] * (rows + 1)
    basis = [columns + i for i in range(rows)]
    while (entering := next((j for j, cost in enumerate(costs[:-1]) if cost < 0), -1)) >= 0:
        leaving = _leaving(table, basis, entering)
        _pivot(table, costs, leaving, entering)
        basis[leaving] = entering
    total = costs[-1]
    shares = [Fraction(0)] * (columns + rows)
    for row, variable in zip(table, basis, strict=True):
        shares[variable] = row[-1] / total
    strategy = tuple(cost / total for cost in costs[columns:-1])
    return MatrixSolution(1 / total - shift, strategy, tuple(shares[:columns]))


def _leaving(table: list[list[Fraction]], basis: list[int], entering: int) -> int:
    """Return the row with the least ratio, and of equals that with the first variable."""
    ratios = (
        (row[-1] / row[entering], basis[number], number)
        for number, row in enumerate(table)
        if row[entering] > 0
    )
    return min(ratios)[2]


def _pivot(table: list[list[Fraction]], costs: list[Fraction], at: int, column: int) -> None:
    """Make a column a unit vector, with 1 in one row."""
    factor = table[at][column]
    table[at] = pivot = [entry / factor for entry in table[at]]
    for row in (*(row for number, row in enumerate(table) if number != at), costs):
        if factor := row[column]:
            row[:] = [entry - factor * one for entry, one in zip(row, pivot, strict=True)]
