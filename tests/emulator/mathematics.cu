/* Mathematics beyond the C library's, against 40 digits by mpmath 1.3, and directions of rounding.
 */
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
    out[n++] = erfcx(-3.5);
    out[n++] = erfcx(-0.25);
    out[n++] = erfcx(0.1);
    out[n++] = erfcx(1.5);
    out[n++] = erfcx(9.75);
    out[n++] = erfcx(10.5);
    out[n++] = erfcx(26.5);
    out[n++] = erfcx(100000.0);
    out[n++] = erfinv(1e-12);
    out[n++] = erfinv(-0.25);
    out[n++] = erfinv(0.499);
    out[n++] = erfinv(0.5);
    out[n++] = erfinv(0.9);
    out[n++] = erfinv(-0.999);
    out[n++] = erfinv(0.99999999);
    out[n++] = erfcinv(0.001);
    out[n++] = erfcinv(0.25);
    out[n++] = erfcinv(0.9999);
    out[n++] = erfcinv(1.5);
    out[n++] = erfcinv(1.99);
    out[n++] = erfcinv(1e-30);
    out[n++] = normcdf(-20.5);
    out[n++] = normcdf(-3.0);
    out[n++] = normcdf(-0.5);
    out[n++] = normcdf(0.25);
    out[n++] = normcdf(4.0);
    out[n++] = normcdfinv(1e-20);
    out[n++] = normcdfinv(0.01);
    out[n++] = normcdfinv(0.3);
    out[n++] = normcdfinv(0.75);
    out[n++] = normcdfinv(0.999);
    out[n++] = rcbrt(3.0);
    out[n++] = rcbrt(-10.5);
    out[n++] = rcbrt(1e+30);
    out[n++] = cyl_bessel_i0(0.5);
    out[n++] = cyl_bessel_i0(12.25);
    out[n++] = cyl_bessel_i0(29.5);
    out[n++] = cyl_bessel_i0(31.0);
    out[n++] = cyl_bessel_i0(300.0);
    out[n++] = cyl_bessel_i1(0.5);
    out[n++] = cyl_bessel_i1(-12.25);
    out[n++] = cyl_bessel_i1(29.5);
    out[n++] = cyl_bessel_i1(31.0);
    out[n++] = cyl_bessel_i1(300.0);
}

static const double wanted[] = {
    0.707106781186547524,    0.809016994374947404,    -0.809016994374947506,
    -0.951056516295153486,   -0.382683432365089772,   3.14159265358979343e-9,
    0.707106781186547524,    0.587785252292473157,    0.587785252292473016,
    -0.309016994374947689,   -0.923879532511286756,   -3.1415926519361459e-7,
    417962.422445770314,     1.35864237010472212,     0.896456979969126637,
    0.321585416454317502,    0.0575659233648154665,   0.0534918997465641167,
    0.021275046685371106,    5.64189583519546808e-6,  8.86226925452757996e-13,
    -0.225312055012178105,   0.475824280883092349,    0.476936276204469873,
    1.16308715367667416,     -2.32675376551352449,    4.05223724326876336,
    2.32675376551352467,     0.813419847597618542,    0.0000886226927772797088,
    -0.476936276204469873,   -1.82138636771844946,    8.1486162231698646,
    1.07646732587909603e-93, 0.00134989803163009453,  0.308537538725986896,
    0.598706325682923724,    0.99996832875816688,     -9.26234008979840758,
    -2.32634787404084109,    -0.524400512708040816,   0.674489750196081743,
    3.09023230616781328,     0.693361274350634705,    -0.456671140396294223,
    9.99999999999999993e-11, 1.06348337074132352,     24075.7400390168292,
    478144163888.039804,     2089962966491.9038,      4.47584736793505212e+128,
    0.257894305390896316,    -23071.1104311788168,    469968885416.277301,
    2055972795294.56473,     4.46838138503695441e+128};
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
    double p[3] = {2, 3, 6};
    float f[2] = {3, 4}, sine, cosine;
    sincospif(0.5f, &sine, &cosine);
    *wrong += sine != 1 || cosine != 0;
    *wrong += sinpi(1.0) != 0 || sinpi(-0.0) != 0 || !signbit(sinpi(-0.0)) || cospi(1.5) != 0;
    *wrong += erfinv(1.0) != INFINITY || erfinv(-1.0) != -INFINITY || !isnan(erfinv(1.5));
    *wrong += erfcinv(0.0) != INFINITY || erfcinv(2.0) != -INFINITY || erfinv(0.0) != 0;
    *wrong += normcdf(-INFINITY) != 0 || normcdf(INFINITY) != 1 || erfcx(-30.0) != INFINITY;
    *wrong += norm(3, p) != 7 || norm3d(2, 3, 6) != 7 || norm4d(1, 1, 1, 1) != 2;
    *wrong += normf(2, f) != 5 || rhypot(3.0, 4.0) != 0.2 || rnorm3df(2, 3, 6) != 1 / 7.0f;
    *wrong += fdividef(1, 4) != 0.25f || rsqrt(4.0f) != 0.5f || llmax(-1, 2) != 2;
}

__global__ void directions(int *wrong) {
    volatile float third = 1.0f, three = 3.0f, tiny = 1e-30f;
    volatile double one = 1.0, small = 1e-300;
    *wrong += !(__fdiv_rd(third, three) < __fdiv_ru(third, three));
    *wrong += __fdiv_rz(third, three) != __fdiv_rd(third, three);
    *wrong += __fdiv_rz(-third, three) != __fdiv_ru(-third, three);
    *wrong += __fadd_ru(third, tiny) != nextafterf(1, 2) || __fadd_rd(third, tiny) != 1;
    *wrong += __fsub_rz(third, tiny) != nextafterf(1, 0) || __fsub_ru(third, tiny) != 1;
    *wrong += __dadd_ru(one, small) != nextafter(1.0, 2.0) || __dadd_rz(one, small) != 1;
    *wrong += __fmaf_ru(third, third, tiny) != nextafterf(1, 2);
    *wrong += __fma_rz(one, one, -small) != nextafter(1.0, 0.0);
    *wrong += !(__dsqrt_rd(2 * one) < __dsqrt_ru(2 * one));
    *wrong += !(__frcp_rd(three) < __frcp_ru(three)) || __drcp_rn(4 * one) != 0.25;
    *wrong +=
        __fmul_ru(third + tiny, 3) != 3 || !(__dmul_ru(0.1 * one, 3) > __dmul_rd(0.1 * one, 3));
    *wrong += __int2float_rd(16777217) != 16777216 || __int2float_ru(16777217) != 16777218;
    *wrong += __ull2double_ru(0xffffffffffffffffull) != 18446744073709551616.0;
    *wrong += __double2float_rz(0.1) >= __double2float_ru(0.1);
    *wrong += __frsqrt_rn(4 * third) != 0.5f;
}

int main() {
    int *wrong;
    values();
    CALL(cudaMallocManaged(&wrong, sizeof *wrong));
    *wrong = 0;
    edges<<<1, 1>>>(wrong);
    CALL(cudaDeviceSynchronize());
    CHECK(*wrong == 0);
    directions<<<1, 1>>>(wrong);
    CALL(cudaDeviceSynchronize());
    CHECK(*wrong == 0);
    CALL(cudaFree(wrong));
    return finish();
}
