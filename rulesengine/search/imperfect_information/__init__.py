"""Solving and search of games with hidden information: regret minimisation and tree search."""
