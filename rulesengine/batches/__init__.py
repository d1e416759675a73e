"""Many games of one kind beside one another, in arrays of numpy."""

from rulesengine.batches.batch import Batch
from rulesengine.batches.observer import Observer

__all__ = ["Batch", "Observer"]
