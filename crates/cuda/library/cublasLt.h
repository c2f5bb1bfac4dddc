// Of the library for the host, kernels see the types that its header brings along.
#pragma once
#include <cublas_v2.h>
