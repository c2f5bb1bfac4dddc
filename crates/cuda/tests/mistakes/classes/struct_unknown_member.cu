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
// ANCHOR: errors
error: no member named `velocity` in `Body`
 --> struct_unknown_member.cu:9:7
  |
9 |     b.velocity.x += dt;
  |       ^^^^^^^^
  |
help: it has `position`, `mass`

error: no member named `positon` in `Body`
  --> struct_unknown_member.cu:10:7
   |
10 |     b.positon.x += dt;
   |       ^^^^^^^
   |
help: did you mean `position`?

error: invalid left operand of `+=`: `float3`
  --> struct_unknown_member.cu:11:16
   |
11 |     b.position += dt;
   |                ^^
   |
help: apply it to the members (`.x`, `.y` …), or define the operator for the type
