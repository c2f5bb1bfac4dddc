__global__ void choose(int *data, int mode)
{
    switch (mode) {
    case 0:
        int value = 3;
        data[threadIdx.x] = value;
        break;
    default:
        data[threadIdx.x] = value;
    }
}
// ANCHOR: warnings
warning[jump]: jump bypasses initialisation of `value`
 --> jump_past_declaration.cu:8:5
  |
5 |         int value = 3;
  |             ----- `value` is initialised here
...
8 |     default:
  |     ^^^^^^^^
  |
help: put the statements of the `case` that declares it in braces
