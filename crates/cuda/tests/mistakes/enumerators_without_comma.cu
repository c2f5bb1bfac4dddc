enum Direction { North East South };

__global__ void k(int *out)
{
    out[0] = North;
    out[1] = East + South;
}
