"""Code for WebAssembly: the printing of machine code, and a linker for what comes of it."""
