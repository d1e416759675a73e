"""A language server for specs: diagnostics, hover texts, completions, symbols and tests."""
