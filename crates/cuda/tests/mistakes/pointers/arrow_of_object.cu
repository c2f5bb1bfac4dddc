struct Body { float x, y; };
__global__ void move(Body *all, float dt)
{
    Body one = all[threadIdx.x];
    one->x += dt;
    all[threadIdx.x]->y = one.y;
}
// ANCHOR: errors
error: member reference type `Body` is not a pointer
 --> arrow_of_object.cu:5:5
  |
5 |     one->x += dt;
  |     ^^^
  |
help: write `.` instead of `->`

error: member reference type `Body` is not a pointer
 --> arrow_of_object.cu:6:5
  |
6 |     all[threadIdx.x]->y = one.y;
  |     ^^^^^^^^^^^^^^^^
  |
help: write `.` instead of `->`
