__global__ void start(float *data)
{
    int values[2] = {1, 2, 3};
    int number = "one";
    unsigned char small{300};
    data[0] = values[0] + number + small;
}
