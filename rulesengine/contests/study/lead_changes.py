"""Who led in games and how that changed: lead changes, drama, uncertainty, decisions.

The ideas are those of C. Browne, Automatic Generation and Evaluation of Recombination Games (PhD
thesis, Queensland University of Technology, 2008), chapter on measures of quality; a position is
judged by a tree search instead of an evaluation of its own. `docs/study.md` has the formulas.
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
    """A game of two: what the first player was judged to get, from -1 to 1, and who won.

    `won` is 1 for the first player, -1 for the second, 0 for neither.
    """

    judged: tuple[float, ...]
    won: int


@record
class Leads:
    """What the courses of games show, each a mean over games; None where no game tells it."""

    changes: Interval | None
    drama: Interval | None
    uncertainty: Interval | None
    left: Interval | None


def course_of(judged: Sequence[int], won: int) -> Course:
    """A course from what a file keeps."""
    return Course(tuple(number / CERTAIN for number in judged), won)


def leads_of(courses: Sequence[Course]) -> Leads:
    """What all courses with positions that were judged show together."""
    told = [course for course in courses if course.judged]
    decided = [course for course in told if course.won]
    threshold = max((lost_lead(course) for course in told), default=0.0)
    return Leads(
        mean_of([changes(course) for course in told]),
        mean_of([drama(course) for course in decided]),
        mean_of([uncertainty(course) for course in told]),
        mean_of([left(course, threshold) for course in decided]),
    )


def changes(course: Course) -> int:
    """How often the lead went from one player to the other."""
    leaders = [value > 0 for value in course.judged if value]
    return sum(one != other for one, other in pairwise(leaders))


def drama(course: Course) -> float:
    """How far the winner was behind, where he was: the mean of the square roots; 0 if never."""
    behind = [-value * course.won for value in course.judged if value * course.won < 0]
    return fmean(map(sqrt, behind)) if behind else 0.0


def uncertainty(course: Course) -> float:
    """How open the result was: 1 less the lead, whoever had it."""
    return fmean(1 - abs(value) for value in course.judged)


def lost_lead(course: Course) -> float:
    """The greatest lead of a player who did not win."""
    if course.won:
        return max((-value * course.won for value in course.judged), default=0.0)
    return max(map(abs, course.judged), default=0.0)


def left(course: Course, threshold: float) -> float:
    """The part of a game behind the first position in which the winner led by more than that.

    No game was ever lost from such a lead. It is 0 where the winner had no such lead.
    """
    plies = len(course.judged)
    first = (i for i, value in enumerate(course.judged) if value * course.won > threshold)
    return (plies - next(first, plies)) / plies
