enum Direction { North East South };

__global__ void k(int *out)
{
    out[0] = North;
    out[1] = East + South;
}
// ANCHOR: errors
error: expected `,` or `}` after this enumerator, found `East`
 --> enumerators_without_comma.cu:1:23
  |
1 | enum Direction { North East South };
  |                       ^ write `,` here

error: expected `,` or `}` after this enumerator, found `South`
 --> enumerators_without_comma.cu:1:28
  |
1 | enum Direction { North East South };
  |                            ^ write `,` here
