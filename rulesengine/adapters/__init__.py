"""Games as other projects' programs take them, each behind an extra of its own."""
