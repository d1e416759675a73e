"""Random games on NVIDIA GPUs: PTX, the driver, runs of lanes. Experimental."""
