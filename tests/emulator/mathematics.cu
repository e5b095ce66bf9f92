/* Mathematics beyond the C library's, against 40 digits by mpmath 1.3. */
#include "check.h"
#include <math.h>

__global__ void functions(double *out) {
    int n = 0;
    out[n++] = sinpi(0.25);
    out[n++] = sinpi(0.3);
    out[n++] = sinpi(1.7);
    out[n++] = sinpi(-2.6);
    out[n++] = sinpi(1234567.125);
    out[n++] = sinpi(1e-09);
    out[n++] = cospi(0.25);
    out[n++] = cospi(0.3);
    out[n++] = cospi(1.7);
    out[n++] = cospi(-2.6);
    out[n++] = cospi(1234567.125);
    out[n++] = cospi(0.5000001);
    out[n++] = normcdf(-3.0);
    out[n++] = normcdf(-0.5);
    out[n++] = normcdf(0.25);
    out[n++] = normcdf(4.0);
    out[n++] = rcbrt(3.0);
    out[n++] = rcbrt(-10.5);
    out[n++] = rcbrt(1e+30);
}

static const double wanted[] = {
    0.707106781186547524,   0.809016994374947404,   -0.809016994374947506,  -0.951056516295153486,
    -0.382683432365089772,  3.14159265358979343e-9, 0.707106781186547524,   0.587785252292473157,
    0.587785252292473016,   -0.309016994374947689,  -0.923879532511286756,  -3.1415926519361459e-7,
    0.00134989803163009453, 0.308537538725986896,   0.598706325682923724,   0.99996832875816688,
    0.693361274350634705,   -0.456671140396294223,  9.99999999999999993e-11};
enum { COUNT = sizeof wanted / sizeof *wanted };

static void values() {
    double *out;
    CALL(cudaMallocManaged(&out, sizeof wanted));
    functions<<<1, 1>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < COUNT; i++)
        if (!(fabs(out[i] - wanted[i]) <= 4e-15 * fabs(wanted[i]))) {
            printf("value %d: %.17g, wanted %.17g\n", i, out[i], wanted[i]);
            CHECK(!"a value is near");
        }
    CALL(cudaFree(out));
}

__global__ void edges(int *wrong) {
    float sine, cosine;
    sincospif(0.5f, &sine, &cosine);
    *wrong += sine != 1 || cosine != 0;
    *wrong += sinpi(1.0) != 0 || sinpi(-0.0) != 0 || !signbit(sinpi(-0.0)) || cospi(1.5) != 0;
    *wrong += normcdf(-INFINITY) != 0 || normcdf(INFINITY) != 1;
    *wrong += norm3d(2, 3, 6) != 7 || norm4d(1, 1, 1, 1) != 2;
    *wrong += rhypot(3.0, 4.0) != 0.2 || rnorm3df(2, 3, 6) != 1 / 7.0f;
    *wrong += fdividef(1, 4) != 0.25f || rsqrt(4.0f) != 0.5f || llmax(-1, 2) != 2;
}

__global__ void nearest(int *wrong) {
    volatile float one = 1.0f, three = 3.0f;
    *wrong += __fdiv_rn(one, three) != one / three || __fmaf_rn(one, three, one) != 4;
    *wrong += __dadd_rn(1.0, 1e-300) != 1 || __int2float_rn(16777217) != 16777216;
    *wrong += __double2float_rn(0.1) != 0.1f || __frsqrt_rn(4 * one) != 0.5f;
}

int main() {
    int *wrong;
    values();
    CALL(cudaMallocManaged(&wrong, sizeof *wrong));
    *wrong = 0;
    edges<<<1, 1>>>(wrong);
    CALL(cudaDeviceSynchronize());
    CHECK(*wrong == 0);
    nearest<<<1, 1>>>(wrong);
    CALL(cudaDeviceSynchronize());
    CHECK(*wrong == 0);
    CALL(cudaFree(wrong));
    return finish();
}
