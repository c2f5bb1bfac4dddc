struct Body { float x, y; };
__global__ void move(Body *all, float dt)
{
    Body one = all[threadIdx.x];
    one->x += dt;
    all[threadIdx.x]->y = one.y;
}
