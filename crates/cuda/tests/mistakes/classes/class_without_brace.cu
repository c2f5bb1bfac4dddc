struct Range
    int first;
    int last;
};

__global__ void length(Range *r, int *out)
{
    out[threadIdx.x] = r[threadIdx.x].last - r[threadIdx.x].first;
}
// ANCHOR: errors
error: expected `{`
 --> class_without_brace.cu:1:13
  |
1 | struct Range
  |             ^ write `{` here
