"""Metrics of the course of games: lead changes, drama, uncertainty, decisions.

They follow C. Browne, Automatic Generation and Evaluation of Recombination Games (PhD thesis,
Queensland University of Technology, 2008), chapter on measures of quality. A tree search values the
positions instead of an evaluation function. `docs/study.md` has the formulas.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean

from rulesengine.contests.ply_metrics import CERTAIN
from rulesengine.contests.stats.intervals import Interval, mean_of
from rulesengine.support.frozen import record


@record
class Course:
    """The course of a two-player game: the value of each position for the first player, from -1 to
    1.

    `won` is 1 if the first player has won, -1 if the second has, 0 otherwise.
    """

    values: tuple[float, ...]
    won: int


@record
class Leads:
    """The means of the metrics over games; None if no game has a value."""

    changes: Interval | None
    drama: Interval | None
    uncertainty: Interval | None
    undecided_share: Interval | None


def course_of(judged: Sequence[int], won: int) -> Course:
    """Convert stored values to a course."""
    return Course(tuple(number / CERTAIN for number in judged), won)


def leads_of(courses: Sequence[Course]) -> Leads:
    """Compute the means over all courses with judged positions."""
    judged = [course for course in courses if course.values]
    decided = [course for course in judged if course.won]
    threshold = max((lost_lead(course) for course in judged), default=0.0)
    return Leads(
        mean_of([changes(course) for course in judged], 0),
        mean_of([drama(course) for course in decided], 0, 1),
        mean_of([uncertainty(course) for course in judged], 0, 1),
        mean_of([undecided_share(course, threshold) for course in decided], 0, 1),
    )


def changes(course: Course) -> int:
    """Count the changes of the leading player."""
    leaders = [value > 0 for value in course.values if value]
    return sum(one != other for one, other in pairwise(leaders))


def drama(course: Course) -> float:
    """Return the mean square root of the winner's deficit while behind; 0 if it never was."""
    behind = [-value * course.won for value in course.values if value * course.won < 0]
    return fmean(map(sqrt, behind)) if behind else 0.0


def uncertainty(course: Course) -> float:
    """Return the mean of 1 less the absolute lead."""
    return fmean(1 - abs(value) for value in course.values)


def lost_lead(course: Course) -> float:
    """Return the greatest lead of a player that did not win."""
    if course.won:
        return max((-value * course.won for value in course.values), default=0.0)
    return max(map(abs, course.values), default=0.0)


def undecided_share(course: Course, threshold: float) -> float:
    """Return the share of a game from the first position in which the winner's lead exceeded
    `threshold`.

    No game was lost from a greater lead. The share is 0 if there was no such lead.
    """
    plies = len(course.values)
    first = (i for i, value in enumerate(course.values) if value * course.won > threshold)
    return (plies - next(first, plies)) / plies
