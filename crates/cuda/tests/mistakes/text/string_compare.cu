__global__ void choose(float *data, const char *mode)
{
    if (mode == "twice")
        data[threadIdx.x] *= 2.0f;
}
// ANCHOR: warnings
warning[text-comparison]: this compares addresses, not the characters of the strings
 --> string_compare.cu:3:9
  |
3 |     if (mode == "twice")
  |         ^^^^^^^^^^^^^^^
  |
help: pass a number or an `enum` instead, or compare character by character
