__global__ void k(float *out)
{
    float my sum = 0.0f;
    sum += out[0];
    out[0] = sum;
}
// ANCHOR: errors
error: a name must be one word of letters, digits and `_`
 --> name_of_two_words.cu:3:11
  |
3 |     float my sum = 0.0f;
  |           ^^^^^^
  |
help: write `my_sum`, or `,` between two names
