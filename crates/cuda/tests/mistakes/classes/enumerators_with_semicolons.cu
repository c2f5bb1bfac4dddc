enum Mode { ADD; SUBTRACT; };
__global__ void k(float *out, Mode mode)
{
    if (mode == SUBTRACT) out[0] = -out[0];
}
// ANCHOR: errors
error: commas stand between the names of an enumeration
 --> enumerators_with_semicolons.cu:1:16
  |
1 | enum Mode { ADD; SUBTRACT; };
  |                ^
  |
help: write `,` in place of `;`
