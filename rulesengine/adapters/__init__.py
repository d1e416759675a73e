"""Adapters: games as environments of other projects (Gymnasium, PettingZoo, OpenSpiel)."""
