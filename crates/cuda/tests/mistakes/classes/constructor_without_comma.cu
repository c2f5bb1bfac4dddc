struct Range {
    int first, last;
    __device__ Range(int a, int b) : first(a) last(b) {}
};

__global__ void k(int *out)
{
    Range r(1, 5);
    out[0] = r.last - r.first;
}
// ANCHOR: errors
error: expected `,`
 --> constructor_without_comma.cu:3:46
  |
3 |     __device__ Range(int a, int b) : first(a) last(b) {}
  |                                              ^ write `,` here
