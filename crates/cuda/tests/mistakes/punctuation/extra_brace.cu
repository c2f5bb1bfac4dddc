__global__ void apply(float *data, int n)
{
    if (threadIdx.x < n) {
        data[threadIdx.x] = 1.0f;
    }
    }
    data[0] = 0.0f;
}
// ANCHOR: errors
error: unmatched closing `}`
 --> extra_brace.cu:6:5
  |
6 |     }
  |     ^
  |
help: remove the `}`, or write the `{` that it should match
