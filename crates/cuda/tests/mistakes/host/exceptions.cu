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
// ANCHOR: errors
error: exceptions are not supported by this compiler
 --> exceptions.cu:3:5
  |
3 |     try {
  |     ^^^^^
  |
help: return an error code, or stop the kernel with `__trap()`
