"""The back end `python`: kernel code as plain Python on integers, without dependencies."""
