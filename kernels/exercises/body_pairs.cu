// Use each load twice.
//
// A block of 64 threads computes the accelerations of 128 bodies, 64 at a time. In each
// iteration of the inner loop a warp loads a body from shared memory and uses it for
// one interaction a thread. For the second 64 bodies, the block loads all tiles into
// shared memory again, and reads everything from there again.
//
// Change the kernel so that every load serves two interactions of a thread: the warps
// may make at most half as many loads from shared memory, and a block may load each
// tile only once.

#define TILE 64

__device__ void interact(float3 &a, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.25f); // ε² = 0.25
    float pull = other.w * inverse * inverse * inverse;          // the mass is in w
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    __shared__ float4 tile[TILE];
    //<
    int i = 2 * TILE * blockIdx.x + threadIdx.x, second = i + TILE;
    float4 me = bodies[min(i, n - 1)], you = bodies[min(second, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f), b = a;
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
            interact(a, me, other);
            interact(b, you, other);
        }
        __syncthreads();
    }
    if (i < n) acceleration[i] = a;
    if (second < n) acceleration[second] = b;
    //| skeleton
    for (int half = 0; half < 2; half++) {
        int i = (2 * blockIdx.x + half) * TILE + threadIdx.x;
        float4 me = bodies[min(i, n - 1)];
        float3 a = make_float3(0.0f, 0.0f, 0.0f);
        for (int start = 0; start < n; start += TILE) {
            int j = start + threadIdx.x;
            tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            __syncthreads();
            for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
            __syncthreads();
        }
        if (i < n) acceleration[i] = a;
    }
    //| two loops for each tile
    int i = 2 * TILE * blockIdx.x + threadIdx.x, second = i + TILE;
    float4 me = bodies[min(i, n - 1)], you = bodies[min(second, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f), b = a;
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
        for (int k = 0; k < TILE; k++) interact(b, you, tile[k]);
        __syncthreads();
    }
    if (i < n) acceleration[i] = a;
    if (second < n) acceleration[second] = b;
    //| one guard for both
    int i = 2 * TILE * blockIdx.x + threadIdx.x, second = i + TILE;
    float4 me = bodies[min(i, n - 1)], you = bodies[min(second, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f), b = a;
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            float4 other = tile[k];
            interact(a, me, other);
            interact(b, you, other);
        }
        __syncthreads();
    }
    if (i < n) {
        acceleration[i] = a;
        acceleration[second] = b;
    }
    //>
}
