/* cuFFT: lengths of all kinds against the sum that defines a transform, real ones, dimensions,
 * layouts, errors. */
#include "check.h"

#include <cufft.h>
#include <math.h>
#include <complex>
#include <vector>

#define FFT(call) CHECK((call) == CUFFT_SUCCESS)
typedef std::complex<double> number;
typedef std::vector<number> numbers;

static numbers some(size_t n) {
    numbers x(n);
    for (size_t i = 0; i < n; i++)
        x[i] = number((double)(i * 7919 % 101) / 50 - 1, (double)(i * 104729 % 97) / 48 - 1);
    return x;
}

static numbers by_definition(const numbers &x, int sign) {
    size_t n = x.size();
    numbers y(n);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++)
            y[k] += x[j] * std::polar(1.0, sign * 2 * M_PI * (double)(j * k % n) / (double)n);
    return y;
}

static double distance(const numbers &a, const numbers &b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); i++)
        most = fmax(most, std::abs(a[i] - b[i]));
    return most;
}

template <typename T> static T *on_device(const void *from, size_t count) {
    T *p;
    CALL(cudaMalloc((void **)&p, count * sizeof *p));
    CALL(cudaMemcpy(p, from, count * sizeof *p, cudaMemcpyHostToDevice));
    return p;
}

template <typename T> static std::vector<T> taken(T *p, size_t count) {
    std::vector<T> to(count);
    CALL(cudaMemcpy(to.data(), p, count * sizeof *p, cudaMemcpyDeviceToHost));
    CALL(cudaFree(p));
    return to;
}

static numbers taken_numbers(void *p, size_t count) {
    std::vector<number> to = taken((number *)p, count);
    return to;
}

static void of_length(int n) {
    numbers x = some(n);
    cufftHandle plan;
    cufftDoubleComplex *d = on_device<cufftDoubleComplex>(x.data(), n);
    FFT(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1));
    FFT(cufftExecZ2Z(plan, d, d, CUFFT_FORWARD));
    CHECK(distance(taken_numbers(d, n), by_definition(x, -1)) < 1e-9);
    d = on_device<cufftDoubleComplex>(x.data(), n);
    FFT(cufftExecZ2Z(plan, d, d, CUFFT_INVERSE));
    CHECK(distance(taken_numbers(d, n), by_definition(x, 1)) < 1e-9);
    FFT(cufftDestroy(plan));
}

/* Real numbers there and back, beside and in place; float. */
static void real(int n) {
    std::vector<float> x(n), padded(2 * (n / 2 + 1));
    numbers wide(n);
    for (int i = 0; i < n; i++)
        wide[i] = padded[i] = x[i] = (float)(i * 37 % 11) - 5;
    numbers want = by_definition(wide, -1);
    cufftHandle there, back;
    float *d = on_device<float>(x.data(), n),
          *in_place = on_device<float>(padded.data(), padded.size());
    cufftComplex *half = on_device<cufftComplex>(padded.data(), n / 2 + 1);
    FFT(cufftPlan1d(&there, n, CUFFT_R2C, 1));
    FFT(cufftPlan1d(&back, n, CUFFT_C2R, 1));
    FFT(cufftExecR2C(there, d, half));
    FFT(cufftExecR2C(there, in_place, (cufftComplex *)in_place));
    FFT(cufftExecC2R(back, half, d));
    FFT(cufftExecC2R(back, (cufftComplex *)in_place, in_place));
    std::vector<cufftComplex> spectrum = taken(half, n / 2 + 1);
    std::vector<float> beside = taken(d, n), within = taken(in_place, padded.size());
    for (int i = 0; i < n; i++)
        CHECK(fabs(beside[i] / n - x[i]) < 1e-4 && fabs(within[i] / n - x[i]) < 1e-4);
    for (int k = 0; k <= n / 2; k++)
        CHECK(fabs(spectrum[k].x - want[k].real()) < 1e-3 &&
              fabs(spectrum[k].y - want[k].imag()) < 1e-3);
    FFT(cufftDestroy(there));
    FFT(cufftDestroy(back));
}

/* A plane wave has one frequency; in three dimensions, complex and real. */
static void dimensions() {
    const int nx = 4, ny = 6, nz = 5, total = nx * ny * nz;
    numbers x(total), half(nx * ny * (nz / 2 + 1));
    std::vector<double> wave(total);
    for (int i = 0; i < total; i++) {
        double turn = (double)(i / (ny * nz)) / nx + 2.0 * (i / nz % ny) / ny + 1.0 * (i % nz) / nz;
        x[i] = std::polar(1.0, 2 * M_PI * turn);
        wave[i] = cos(2 * M_PI * turn);
    }
    cufftHandle plan, real_plan, back;
    cufftDoubleComplex *d = on_device<cufftDoubleComplex>(x.data(), total);
    cufftDoubleComplex *h = on_device<cufftDoubleComplex>(half.data(), half.size());
    double *w = on_device<double>(wave.data(), total);
    FFT(cufftPlan3d(&plan, nx, ny, nz, CUFFT_Z2Z));
    FFT(cufftPlan3d(&real_plan, nx, ny, nz, CUFFT_D2Z));
    FFT(cufftPlan3d(&back, nx, ny, nz, CUFFT_Z2D));
    FFT(cufftExecZ2Z(plan, d, d, CUFFT_FORWARD));
    FFT(cufftExecD2Z(real_plan, w, h));
    FFT(cufftExecZ2D(back, h, w));
    numbers got = taken_numbers(d, total), want(total);
    want[(1 * ny + 2) * nz + 1] = total;
    CHECK(distance(got, want) < 1e-9);
    half = taken_numbers(h, half.size());
    CHECK(std::abs(half[(1 * ny + 2) * (nz / 2 + 1) + 1] - total / 2.0) < 1e-9);
    std::vector<double> again = taken(w, total);
    for (int i = 0; i < total; i++)
        CHECK(fabs(again[i] / total - wave[i]) < 1e-9);
    FFT(cufftDestroy(plan));
    FFT(cufftDestroy(real_plan));
    FFT(cufftDestroy(back));
}

/* Three transforms of columns that lie interleaved. */
static void interleaved() {
    const int batch = 3;
    int n = 8;
    numbers x = some(n * batch);
    cufftDoubleComplex *d = on_device<cufftDoubleComplex>(x.data(), x.size());
    cufftHandle plan;
    FFT(cufftPlanMany(&plan, 1, &n, &n, batch, 1, &n, 1, n, CUFFT_Z2Z, batch));
    cufftDoubleComplex *out = on_device<cufftDoubleComplex>(x.data(), x.size());
    FFT(cufftExecZ2Z(plan, d, out, CUFFT_FORWARD));
    numbers got = taken_numbers(out, x.size());
    for (int b = 0; b < batch; b++) {
        numbers column(n), row(got.begin() + b * n, got.begin() + (b + 1) * n);
        for (int i = 0; i < n; i++)
            column[i] = x[i * batch + b];
        CHECK(distance(row, by_definition(column, -1)) < 1e-9);
    }
    FFT(cufftDestroy(plan));
    CALL(cudaFree(d));
}

static void errors() {
    cufftHandle plan;
    CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    CHECK(cufftDestroy(12345) == CUFFT_INVALID_PLAN);
    CHECK(cufftPlan1d(&plan, 8, (cufftType)1, 1) == CUFFT_INVALID_TYPE);
}

int main() {
    static const int lengths[] = {1, 2, 3, 8, 30, 61, 67, 128, 134, 210, 251};
    for (int n : lengths)
        of_length(n);
    real(16);
    real(15);
    dimensions();
    interleaved();
    errors();
    return finish();
}
