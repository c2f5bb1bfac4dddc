enum class C { Red, Green };
__global__ void k(float *out, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    C c = Red;
    out[i] = c == C::Green;
}
// ANCHOR: errors
error: use of undeclared identifier `Red`
 --> enumerator_without_class.cu:5:11
  |
5 |     C c = Red;
  |           ^^^
  |
help: it belongs to an `enum class`: write `C::Red`
