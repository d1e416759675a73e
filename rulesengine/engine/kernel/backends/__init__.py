"""Back ends, which compile and run kernel code: protocol, registry, implementations."""
