"""All positions that can be reached, ply by ply: counted, measured, or solved backwards."""
