"""Games exported as one HTML file that needs no server."""
