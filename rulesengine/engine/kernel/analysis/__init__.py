"""Facts of a program and of its board, found before code is made of them."""
