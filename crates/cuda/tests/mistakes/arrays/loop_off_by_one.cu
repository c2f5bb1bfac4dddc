__global__ void fill(int *out)
{
    int values[8];
    for (int i = 0; i <= 8; ++i)
        values[i] = i;
    out[threadIdx.x] = values[threadIdx.x];
}
// ANCHOR: warnings
warning[out-of-bounds]: the loop accesses `values` past its end: it has 8 elements
 --> loop_off_by_one.cu:5:16
  |
4 |     for (int i = 0; i <= 8; ++i)
  |                     ------ the loop continues while this is true
5 |         values[i] = i;
  |                ^ the last index is 8
  |
help: the last element has index 7: compare with `< 8`
