struct Body {
    float3 position;
    float mass;
};

__global__ void move(Body *bodies, float dt)
{
    Body b = bodies[threadIdx.x];
    b.velocity.x += dt;
    b.positon.x += dt;
    b.position += dt;
    bodies[threadIdx.x] = b;
}
