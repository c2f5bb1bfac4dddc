__global__ void apply(float *data)
{
    float 2nd = data[1];
    float my-value = data[2];
    data[0] = 2nd;
}
// ANCHOR: errors
error: invalid suffix `nd` in `2nd`
 --> name_with_digit.cu:3:11
  |
3 |     float 2nd = data[1];
  |           ^^^
  |
help: names begin with a letter or `_`, and a product is written with `*`

error: a name must be one word of letters, digits and `_`
 --> name_with_digit.cu:4:11
  |
4 |     float my-value = data[2];
  |           ^^^^^^^^
  |
help: write `my_value`
