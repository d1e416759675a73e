"""Drivers that advance batches of concurrent games one step at a time, and their memory layout."""
