"""A server for editors: findings, words, names and tests of the spec that is being written."""
