__global__ void bits(unsigned long long *out)
{
    out[threadIdx.x] = 1 << 40;
    out[threadIdx.x] |= 1u << 32;
    out[threadIdx.x] |= 1 << -1;
}
// ANCHOR: warnings
warning[shift]: `1` has 32 bits: it cannot be shifted by 40
 --> shift_too_wide.cu:3:29
  |
3 |     out[threadIdx.x] = 1 << 40;
  |                             ^^
  |
help: write `1ull` (or a cast to `unsigned long long`) for 64 bits

warning[shift]: `1u` has 32 bits: it cannot be shifted by 32
 --> shift_too_wide.cu:4:31
  |
4 |     out[threadIdx.x] |= 1u << 32;
  |                               ^^
  |
help: write `1ull` (or a cast to `unsigned long long`) for 64 bits

warning[shift]: `1` has 32 bits: it cannot be shifted by -1
 --> shift_too_wide.cu:5:30
  |
5 |     out[threadIdx.x] |= 1 << -1;
  |                              ^^
  |
help: the result is undefined
