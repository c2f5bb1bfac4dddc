// Compute four columns a thread.
//
// Each thread computes four neighbouring elements of a row of C = A * B. At present, it
// loads the four elements of a row of B one by one. The rows of all matrices are
// `stride` floats apart, a multiple of 16 bytes that leaves room after each row:
// reading a few floats past the end of a row of B does no harm.
//
// In every iteration of the loop, a warp may make two requests, one for A and one for
// B. C may have any number of columns, and the floats after its rows must not change.

__global__ void product(const float *a, const float *b, float *c,
                        int rows, int inner, int columns, int stride)
{
    int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    float sum[4] = {};
    for (int k = 0; k < inner; k++) {
        float x = a[row * stride + k];
        //<
        float4 y = *(const float4 *)(b + k * stride + column);
        sum[0] += x * y.x;
        sum[1] += x * y.y;
        sum[2] += x * y.z;
        sum[3] += x * y.w;
        //| skeleton
        for (int j = 0; j < 4; j++) sum[j] += x * b[k * stride + column + j];
        //| four by four
        float4 y = *(const float4 *)(b + k * stride + column / 4);
        sum[0] += x * y.x;
        sum[1] += x * y.y;
        sum[2] += x * y.z;
        sum[3] += x * y.w;
        //>
    }
    //<
    for (int j = 0; j < 4 && column + j < columns; j++) {
        c[row * stride + column + j] = sum[j];
    }
    //| the store too
    float4 all = make_float4(sum[0], sum[1], sum[2], sum[3]);
    *(float4 *)(c + row * stride + column) = all;
    //| two left over
    if (column + 3 < columns) {
        float4 all = make_float4(sum[0], sum[1], sum[2], sum[3]);
        *(float4 *)(c + row * stride + column) = all;
    } else {
        *(float2 *)(c + row * stride + column) = make_float2(sum[0], sum[1]);
    }
    //>
}
