// Of the library for the host, kernels see the types of its data.
#pragma once
#include <cufft.h>
