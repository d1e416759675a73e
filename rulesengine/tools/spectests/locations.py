"""The source locations of a spec's tests, for messages."""

from collections.abc import Callable

from rulesengine.language import pipeline
from rulesengine.support.source import Source, Span


class TestLocations:
    """The locations of a spec's tests; the source is opened on first use."""

    def __init__(self, open_source: Callable[[], Source]) -> None:
        self._open = open_source
        self._spans: tuple[Span, ...] = ()

    def of(self, number: int) -> str:
        """Return the file and the line of a test, counted from 0."""
        self._spans = self._spans or pipeline.places_of_tests(self._open())
        span = self._spans[number]
        return f"{span.source.name}:{span.source.position(span.start)[0]}"
