// Of the library for the host, kernels see the types that its header brings along.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>
