"""Many games of one kind beside one another, in arrays of numpy."""

from rulesengine.batches.batch import Batch

__all__ = ["Batch"]
