__global__ void reference(const float *spheres, const int *paint, int *expected, int width, int height, int count)
{
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    if (pixel >= width * height) return;
    float nearest = -1e30f;
    int colour = 0;
    for (int i = 0; i < count; i++) {
        const float *s = spheres + 4 * i;
        float dx = pixel % width - s[0], dy = pixel / width - s[1];
        float inside = s[3] * s[3] - dx * dx - dy * dy;
        if (inside > 0.0f && s[2] + sqrtf(inside) > nearest) {
            nearest = s[2] + sqrtf(inside);
            colour = paint[i];
        }
    }
    expected[pixel] = colour;
}
