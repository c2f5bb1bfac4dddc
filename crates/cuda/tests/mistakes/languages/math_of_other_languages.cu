__global__ void roots(float *a)
{
    int i = threadIdx.x;
    a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
    a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
}
// ANCHOR: errors
error: nothing is called `Math`
 --> math_of_other_languages.cu:4:12
  |
4 |     a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
  |            ^^^^
  |
help: mathematical functions stand alone: `sqrtf(x)`, `sinf(x)`, `max(a, b)`

error: there is no class or namespace `math`
 --> math_of_other_languages.cu:4:30
  |
4 |     a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
  |                              ^^^^^^^^^
  |
help: mathematical functions stand alone: `sqrtf(x)`, `sinf(x)`, `max(a, b)`

error: `float` has no parts, so no `sqrt`
 --> math_of_other_languages.cu:4:53
  |
4 |     a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
  |                                                     ^^^^

error: nothing is called `sqr`
 --> math_of_other_languages.cu:5:12
  |
5 |     a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
  |            ^^^
  |
help: write `x * x`; the square root is `sqrtf`

error: nothing is called `ln`
 --> math_of_other_languages.cu:5:24
  |
5 |     a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
  |                        ^^
  |
help: the natural logarithm of a `float` is `logf`, of a `double` `log`

error: nothing is called `PI`
 --> math_of_other_languages.cu:5:42
  |
5 |     a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
  |                                          ^^
  |
help: the number is `M_PI`, a `double`: `(float)M_PI` where all else is `float`
