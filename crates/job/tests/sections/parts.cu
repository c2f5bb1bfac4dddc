// Kernels whose arguments and names are of every kind that a job file writes. nvcc -ptx -arch=sm_75 parts.cu
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct View {
    float *data;
    int count;
    double weight;
};

namespace parts {

__constant__ float offset;
__device__ int steps;

// Adds a factor times the input and the offset to the output.
template <typename T>
__global__ void scale(T *out, const T *in, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] += factor * in[i] + T(offset);
    }
    if (i == 0) {
        steps += 1;
    }
}

template __global__ void scale<float>(float *, const float *, float, int);
template __global__ void scale<double>(double *, const double *, double, int);

// Multiplies what a view shows by its weight, and adds an optional term.
__global__ void weigh(View view, const float *term) {
    int i = threadIdx.x;
    if (i < view.count) {
        view.data[i] = float(view.data[i] * view.weight) + (term ? term[i] : 0.0f);
    }
}

// Adds a vector to each of them.
__global__ void shift(float4 *out, float4 by) {
    float4 v = out[threadIdx.x];
    out[threadIdx.x] = make_float4(v.x + by.x, v.y + by.y, v.z + by.z, v.w + by.w);
}

__global__ void twice(__half2 *h, __nv_bfloat16 *b, __half more) {
    int i = threadIdx.x;
    h[i] = __hadd2(__hadd2(h[i], h[i]), __half2half2(more));
    b[i] = __float2bfloat16(2.0f * __bfloat162float(b[i]));
}

}  // namespace parts
