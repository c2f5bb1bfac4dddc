// The case of the lost numbers.
//
// Every body attracts every other one, but not itself. There is no softening, and no
// two bodies are at the same place. Still, not one acceleration comes out.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = bodies[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        float4 other = bodies[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float squared = dx * dx + dy * dy + dz * dz;
        //<
        float inverse = i != j ? rsqrtf(squared) : 0.0f; // cause
        //| skeleton
        float inverse = rsqrtf(squared) * (i != j);
        //| the sum is marked
        float inverse = rsqrtf(squared) * (i != j);
        //| softened
        float inverse = rsqrtf(squared + 0.01f) * (i != j); // cause
        //>
        float pull = other.w * inverse * inverse * inverse;
        //<
        a.x += dx * pull;
        //| the sum is marked
        a.x += dx * pull; // cause
        //>
        a.y += dy * pull;
        a.z += dz * pull;
    }
    acceleration[i] = a;
}
