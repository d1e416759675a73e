"""The program form: typed operations over sets of cells, their text, their verifier."""
