"""The back end `cuda`: kernels on NVIDIA GPUs through the driver API of CUDA."""
