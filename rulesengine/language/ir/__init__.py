"""The intermediate representation: typed operations over sets of cells, their text and verifier."""
