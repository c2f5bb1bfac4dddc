// The case of those who left early.
//
// The kernel sums the pull of n bodies by tiles in shared memory. For 256 bodies its
// results are right. For other numbers of bodies they change from run to run.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

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
    int i = blockIdx.x * TILE + threadIdx.x;
    //<
    float4 me = bodies[min(i, n - 1)]; // cause
    //| skeleton
    if (i >= n) return;
    float4 me = bodies[i];
    //| the barrier is marked
    if (i >= n) return;
    float4 me = bodies[i];
    //| the store has no guard
    float4 me = bodies[min(i, n - 1)]; // cause
    //>
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        //<
        __syncthreads();
        //| the barrier is marked
        __syncthreads(); // cause
        //>
        //<
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
        //| without the tile
        for (int k = start; k < min(start + TILE, n); k++) interact(a, me, bodies[k]);
        //>
        __syncthreads();
    }
    //<
    if (i < n) acceleration[i] = a;
    //| skeleton
    acceleration[i] = a;
    //| the barrier is marked
    acceleration[i] = a;
    //| the store has no guard
    acceleration[i] = a;
    //>
}
