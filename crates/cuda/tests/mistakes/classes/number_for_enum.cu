enum Colour { Red, Green };
__global__ void paint(int *out)
{
    Colour colour = 1;
    out[0] = colour;
}
// ANCHOR: errors
error: `int` cannot be converted to `Colour`
 --> number_for_enum.cu:4:21
  |
4 |     Colour colour = 1;
  |                     ^
  |
help: a number becomes a value of an `enum` by a cast alone: `static_cast<Colour>(…)`
