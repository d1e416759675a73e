"""Operations, effects, steps, moves and outcomes as kernel code, by functions of a context."""
