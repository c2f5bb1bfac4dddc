// Take the bodies through constant memory in passes.
//
// All threads go through the same list in the same order. Constant memory then serves a
// whole warp at once, but here it has room for only 64 bodies. So the host makes
// several passes: in each it copies the next `count` bodies, starting with body
// `first`, to `pass_bodies`, and then launches the kernel. In the last pass `count` may
// be less than 64. At present, the kernel reads all n bodies from global memory in
// every pass.
//
// Change it so that a pass adds only the pull of its own bodies, and reads them from
// constant memory. After the last pass `acceleration` must hold the sum over all
// passes; it is not cleared before the first. In a pass, a warp may make at most seven
// requests to global memory.

#define PASS 64

__constant__ float4 pass_bodies[PASS];

__device__ void interact(float3 &a, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.25f); // ε² = 0.25
    float pull = other.w * inverse * inverse * inverse;          // the mass is in w
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n, int first,
                           int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = bodies[i];
    //<
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    if (first > 0) a = acceleration[i];
    for (int j = 0; j < count; j++) interact(a, me, pass_bodies[j]);
    //| skeleton
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) interact(a, me, bodies[j]);
    //| the last pass alone
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < count; j++) interact(a, me, pass_bodies[j]);
    //| always added
    float3 a = acceleration[i];
    for (int j = 0; j < count; j++) interact(a, me, pass_bodies[j]);
    //| 64 bodies in every pass
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    if (first > 0) a = acceleration[i];
    for (int j = 0; j < PASS; j++) interact(a, me, pass_bodies[j]);
    //>
    acceleration[i] = a;
}
