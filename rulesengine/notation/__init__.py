"""Conversion of states and moves to and from text."""
