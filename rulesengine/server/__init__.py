"""Servers and exports: the web page, the language server, games as single files."""
