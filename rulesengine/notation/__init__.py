"""States and moves as text: notation, drawing, reading."""
