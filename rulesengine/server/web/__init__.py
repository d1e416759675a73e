"""The page of `serve`: a server of files and requests, and processes apart that answer these."""
