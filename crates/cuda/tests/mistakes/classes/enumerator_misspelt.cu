enum class Mode { Add, Scale };

__global__ void k(float *x, Mode mode)
{
    if (mode == Mode::Scaled) x[0] = 1.0f;
    if (mode == Mode::Rotate) x[1] = 1.0f;
    if (mode == Mode.Add) x[2] = 1.0f;
}
// ANCHOR: errors
error: no member named `Scaled` in `Mode`
 --> enumerator_misspelt.cu:5:23
  |
5 |     if (mode == Mode::Scaled) x[0] = 1.0f;
  |                       ^^^^^^
  |
help: did you mean `Mode::Scale`?

error: no member named `Rotate` in `Mode`
 --> enumerator_misspelt.cu:6:23
  |
6 |     if (mode == Mode::Rotate) x[1] = 1.0f;
  |                       ^^^^^^
  |
help: `Mode` has `Add`, `Scale`

error: `Mode` is a type, not a value
 --> enumerator_misspelt.cu:7:17
  |
7 |     if (mode == Mode.Add) x[2] = 1.0f;
  |                 ^^^^
  |
help: members of a type are named with `::`: write `Mode::Add`
