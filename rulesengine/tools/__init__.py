"""Tools for authors of specs: lint, format, explain, tests, coverage, mutation, doctor."""
