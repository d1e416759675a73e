"""Batches: many games of one kind played at once, as NumPy arrays."""

from rulesengine.batch.batch import Batch
from rulesengine.batch.observer import Observer
from rulesengine.batch.player_observer import PlayerObserver

__all__ = ["Batch", "Observer", "PlayerObserver"]
