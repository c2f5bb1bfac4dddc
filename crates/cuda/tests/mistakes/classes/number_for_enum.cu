enum Colour { Red, Green };
__global__ void paint(int *out)
{
    Colour colour = 1;
    out[0] = colour;
}
// ANCHOR: errors
error: cannot convert `int` to `Colour`
 --> number_for_enum.cu:4:21
  |
4 |     Colour colour = 1;
  |                     ^
  |
help: a number converts to an `enum` only by a cast: `static_cast<Colour>(…)`
