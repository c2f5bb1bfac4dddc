// Forces of all bodies on all bodies, one step: a thread a body, the others tile by tile through shared memory. A body is
// its place and, in w, its mass; SOFTENING keeps two in one place from infinity. For n a multiple of TILE = blockDim.x.

#define TILE 256
#define SOFTENING 0.01f

extern "C" __global__ void forces(const float4 *bodies, float4 *accelerations, int n) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(ax, ay, az, 0.0f);
}
