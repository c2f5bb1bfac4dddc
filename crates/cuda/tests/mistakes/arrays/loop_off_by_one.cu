__global__ void fill(int *out)
{
    int values[8];
    for (int i = 0; i <= 8; ++i)
        values[i] = i;
    out[threadIdx.x] = values[threadIdx.x];
}
// ANCHOR: warnings
warning[out-of-bounds]: `values` has 8 elements, and the loop goes beyond the last one
 --> loop_off_by_one.cu:5:16
  |
4 |     for (int i = 0; i <= 8; ++i)
  |                     ------ the loop goes on as long as this is true
5 |         values[i] = i;
  |                ^ the last index is 8
  |
help: the last element has the index 7: compare with `< 8`
