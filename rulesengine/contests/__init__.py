"""Players, programs and people meet, and are judged."""
