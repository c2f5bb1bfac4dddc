__global__ void divide(int *data)
{
    try {
        if (data[1] == 0)
            throw 1;
        data[0] /= data[1];
    } catch (int error) {
        data[0] = error;
    }
}
