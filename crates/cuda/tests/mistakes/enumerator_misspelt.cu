enum class Mode { Add, Scale };

__global__ void k(float *x, Mode mode)
{
    if (mode == Mode::Scaled) x[0] = 1.0f;
    if (mode == Mode::Rotate) x[1] = 1.0f;
    if (mode == Mode.Add) x[2] = 1.0f;
}
