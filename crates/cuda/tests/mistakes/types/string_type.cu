__global__ void k(float *a)
{
    string name = "k";
    a[0] = 1.0f;
}
// ANCHOR: errors
error: unknown type name `string`
 --> string_type.cu:3:5
  |
3 |     string name = "k";
  |     ^^^^^^
  |
help: host containers do not exist in kernels: pass a pointer and a length
