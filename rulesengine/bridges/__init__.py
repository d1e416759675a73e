"""Public import paths of the adapters."""
