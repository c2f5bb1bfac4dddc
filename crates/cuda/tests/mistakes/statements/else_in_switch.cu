__global__ void name(int *out, int n)
{
    switch (n) {
    case 0:
        out[0] = 1;
        break;
    else:
        out[0] = 2;
    }
}
// ANCHOR: errors
error: a `switch` has no `else`
 --> else_in_switch.cu:7:5
  |
7 |     else:
  |     ^^^^
  |
help: write `default:`
