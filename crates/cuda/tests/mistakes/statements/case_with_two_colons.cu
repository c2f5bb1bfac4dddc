__global__ void pick(int *out, int n)
{
    switch (n) {
    case 0::
        out[0] = 1;
        break;
    default::
        out[0] = 2;
    }
}
// ANCHOR: errors
error: a `case` label ends with a single `:`
 --> case_with_two_colons.cu:4:11
  |
4 |     case 0::
  |           ^^
  |
help: write `:`

error: a `case` label ends with a single `:`
 --> case_with_two_colons.cu:7:12
  |
7 |     default::
  |            ^^
  |
help: write `:`
