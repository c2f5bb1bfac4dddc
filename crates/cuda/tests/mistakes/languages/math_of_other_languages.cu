__global__ void roots(float *a)
{
    int i = threadIdx.x;
    a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
    a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
}
// ANCHOR: errors
error: use of undeclared identifier `Math`
 --> math_of_other_languages.cu:4:12
  |
4 |     a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
  |            ^^^^
  |
help: mathematical functions need no prefix: `sqrtf(x)`, `sinf(x)`, `max(a, b)`

error: use of undeclared class or namespace `math`
 --> math_of_other_languages.cu:4:30
  |
4 |     a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
  |                              ^^^^^^^^^
  |
help: mathematical functions need no prefix: `sqrtf(x)`, `sinf(x)`, `max(a, b)`

error: `float` is not a class, so it has no member `sqrt`
 --> math_of_other_languages.cu:4:53
  |
4 |     a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
  |                                                     ^^^^

error: use of undeclared identifier `sqr`
 --> math_of_other_languages.cu:5:12
  |
5 |     a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
  |            ^^^
  |
help: write `x * x`; the square root is `sqrtf`

error: use of undeclared identifier `ln`
 --> math_of_other_languages.cu:5:24
  |
5 |     a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
  |                        ^^
  |
help: the natural logarithm of a `float` is `logf`, of a `double` `log`

error: use of undeclared identifier `PI`
 --> math_of_other_languages.cu:5:42
  |
5 |     a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
  |                                          ^^
  |
help: the constant is `M_PI`, a `double`: write `(float)M_PI` where everything else is `float`
