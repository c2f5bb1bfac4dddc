// An instruction that PTX does not have.
__global__ void sum(unsigned *x)
{
    unsigned y = x[threadIdx.x];
    asm("addd.u32 %0, %0, 1;" : "+r"(y));
    x[threadIdx.x] = y;
}
// ANCHOR: errors
error: `addd` is not a PTX instruction
 --> assembly_opcode.cu:5:9
  |
5 |     asm("addd.u32 %0, %0, 1;" : "+r"(y));
  |         ^^^^^^^^^^^^^^^^^^^^^
  |
help: did you mean `add`?
