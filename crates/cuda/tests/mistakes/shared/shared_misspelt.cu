__global__ void scale(float *data)
{
    __share__ float tile[64];
    shared float other[64];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[threadIdx.x];
}
// ANCHOR: errors
error: unknown specifier `__share__`
 --> shared_misspelt.cu:3:5
  |
3 |     __share__ float tile[64];
  |     ^^^^^^^^^
  |
help: did you mean `__shared__`?

error: unknown specifier `shared`
 --> shared_misspelt.cu:4:5
  |
4 |     shared float other[64];
  |     ^^^^^^
  |
help: did you mean `__shared__`?
