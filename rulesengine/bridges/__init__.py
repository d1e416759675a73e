"""Games as the environments and games of other libraries, each behind an extra."""
