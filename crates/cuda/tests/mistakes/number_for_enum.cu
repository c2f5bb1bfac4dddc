enum Colour { Red, Green };
__global__ void paint(int *out)
{
    Colour colour = 1;
    out[0] = colour;
}
