"""The web server of `serve`: static files and an API with worker processes."""
