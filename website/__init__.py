"""The documentation site: stages the pages of docs/, generates the others, and runs Sphinx."""
