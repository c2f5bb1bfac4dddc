__global__ void reference(const float4 *bodies, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = 0.0, y = 0.0, z = 0.0;
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        double dx = (double)bodies[j].x - bodies[i].x;
        double dy = (double)bodies[j].y - bodies[i].y;
        double dz = (double)bodies[j].z - bodies[i].z;
        double squared = dx * dx + dy * dy + dz * dz;
        double pull = bodies[j].w / (squared * sqrt(squared));
        x += dx * pull;
        y += dy * pull;
        z += dz * pull;
    }
    expected[3 * i] = x;
    expected[3 * i + 1] = y;
    expected[3 * i + 2] = z;
}
