"""Games of tables: moves of men along tracks by dice, as other programs write them."""
