"""Statistics of contests: Elo ratings, SPRT, confidence intervals, crosstables."""
