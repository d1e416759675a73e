"""The playground: the page of `serve` as static files, with the package in the browser."""
