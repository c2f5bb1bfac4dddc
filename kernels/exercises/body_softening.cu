// Soften the pull.
//
// Every body attracts every other one: body j, at distance r, accelerates body i by
// mass / r² towards itself. The kernel adds up the pull of all bodies on body i,
// including that of body i itself. Some bodies are at the same place, too. Wherever the
// distance is 0, the pull is not a number.
//
// Compute the chapter's formula: with the softening, r² + ε² takes the place of r², and
// bodies at distance 0 pull with no force. `softening_squared` is ε².

__global__ void accelerate(const float4 *bodies, float3 *acceleration,
                           float softening_squared, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = bodies[i]; // x, y, z, and the mass in w
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        float4 other = bodies[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        //<
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening_squared);
        float pull = other.w * inverse * inverse * inverse; // mass / r³
        //| skeleton
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz);
        float pull = other.w * inverse * inverse * inverse; // mass / r³
        //| without itself alone
        if (j == i) continue;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz);
        float pull = other.w * inverse * inverse * inverse; // mass / r³
        //| added to the root
        float r = sqrtf(dx * dx + dy * dy + dz * dz) + softening_squared;
        float pull = other.w / (r * r * r); // mass / r³
        //| the softening squared
        float added = softening_squared * softening_squared;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + added);
        float pull = other.w * inverse * inverse * inverse; // mass / r³
        //>
        a.x += dx * pull; // of length mass / r², since (dx, dy, dz) is r long
        a.y += dy * pull;
        a.z += dz * pull;
    }
    acceleration[i] = a;
}
