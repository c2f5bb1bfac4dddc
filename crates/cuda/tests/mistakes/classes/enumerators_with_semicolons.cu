enum Mode { ADD; SUBTRACT; };
__global__ void k(float *out, Mode mode)
{
    if (mode == SUBTRACT) out[0] = -out[0];
}
// ANCHOR: errors
error: enumerators are separated by commas
 --> enumerators_with_semicolons.cu:1:16
  |
1 | enum Mode { ADD; SUBTRACT; };
  |                ^
  |
help: write `,` instead of `;`
