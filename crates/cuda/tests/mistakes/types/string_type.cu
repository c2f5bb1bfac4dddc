__global__ void k(float *a)
{
    string name = "k";
    a[0] = 1.0f;
}
// ANCHOR: errors
error: there is no type `string`
 --> string_type.cu:3:5
  |
3 |     string name = "k";
  |     ^^^^^^
  |
help: the host's containers do not exist in kernels: pass a pointer and a length
