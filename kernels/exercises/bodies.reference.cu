__global__ void reference(const float4 *bodies, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = 0.0, y = 0.0, z = 0.0;
    for (int j = 0; j < n; j++) {
        double dx = (double)bodies[j].x - bodies[i].x, dy = (double)bodies[j].y - bodies[i].y;
        double dz = (double)bodies[j].z - bodies[i].z;
        double r2 = dx * dx + dy * dy + dz * dz + 0.25;
        double pull = bodies[j].w / (r2 * sqrt(r2));
        x += dx * pull;
        y += dy * pull;
        z += dz * pull;
    }
    expected[3 * i] = x;
    expected[3 * i + 1] = y;
    expected[3 * i + 2] = z;
}
