__global__ void reference(const float *spheres, float *expected, int width, int height, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    float nearest = 0.0f;
    for (const float *s = spheres; s < spheres + 4 * count; s += 4) {
        float dx = i % width - s[0], dy = i / width - s[1];
        float inside = s[3] * s[3] - dx * dx - dy * dy;
        if (inside > 0.0f) nearest = fmaxf(nearest, s[2] + sqrtf(inside));
    }
    expected[i] = nearest;
}
