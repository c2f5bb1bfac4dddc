struct Range
    int first;
    int last;
};

__global__ void length(Range *r, int *out)
{
    out[threadIdx.x] = r[threadIdx.x].last - r[threadIdx.x].first;
}
