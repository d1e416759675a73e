"""Many games of one kind beside one another, in arrays of numpy."""

from rulesengine.batch.batch import Batch
from rulesengine.batch.observer import Observer

__all__ = ["Batch", "Observer"]
