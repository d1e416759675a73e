"""Analyses of a program and of its board that run before code generation."""
