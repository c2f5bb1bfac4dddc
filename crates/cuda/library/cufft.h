// Of the library for the host, kernels see the types of its data.
#pragma once
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
