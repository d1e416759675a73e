"""Games beside one another, a step of a move at a time: drivers, and the layout of their memory."""
