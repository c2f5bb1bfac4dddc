// Put each table where it belongs.
//
// A picture is brightened: a table of 256 entries, the curve, gives a new value for
// each pixel, and a polynomial with eight weights is evaluated at that value. The curve
// is in constant memory, although each lane reads a different entry; the weights are in
// global memory, although all lanes read the same one.
//
// Both tables are given twice: as pointers, `curve` and `weight`, and as the constants
// `curve_c` and `weight_c`. Read each from the right one. No read of constant memory
// may be replayed, and a warp may make at most three requests to global memory: two are
// enough, for its pixels and for their entries of the curve.

__constant__ float curve_c[256];
__constant__ float weight_c[8];

__global__ void brighten(const unsigned char *picture, const float *__restrict__ curve,
                         const float *__restrict__ weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    //<
    float value = curve[picture[i]];
    //| skeleton
    float value = curve_c[picture[i]];
    //| the weights alone
    float value = curve_c[picture[i]];
    //>
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) {
        //<
        sum = sum * value + weight_c[k];
        //| skeleton
        sum = sum * value + weight[k];
        //| the curve alone
        sum = sum * value + weight[k];
        //>
    }
    out[i] = sum;
}
