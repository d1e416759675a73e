"""WebAssembly: LLVM compiles the native back end's assembly, and a linker makes a module of it."""
