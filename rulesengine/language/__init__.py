"""The front end: a spec becomes a document, checked rules, and a program for one board."""
