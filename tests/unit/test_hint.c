/* Tests of common/judge/diagnosis/hint.c: what is said of a verdict, and that nothing is said of
 * the others.
 */
#include "unit.h"

#include "judge/diagnosis/hint.h"

static const char *said_of(enum verdict_kind kind, const char *detail) {
    static char text[512];
    struct verdict verdict = {.kind = kind};
    snprintf(verdict.detail, sizeof verdict.detail, "%s", detail);
    bool said = hint(&verdict, text, sizeof text);
    assert_int_equal(said, text[0] != '\0');
    assert_true(strlen(text) < sizeof text - 1); /* whole sentences */
    return text;
}

static void expect_hint(enum verdict_kind kind, const char *detail, const char *begins) {
    const char *text = said_of(kind, detail);
    if (strncmp(text, begins, strlen(begins)) != 0)
        fail_msg("'%s': expected '%s', got '%s'", detail, begins, text);
}

static void known_causes(void **state) {
    (void)state;
    expect_hint(VERDICT_BUILD_FAILED, "x.c:4: undefined reference to `opt_sum'",
                "The linker finds no opt_sum. A function of the contract");
    expect_hint(VERDICT_NO_DEVICE_CODE, "in a call: cudaErrorNoKernelImageForDevice",
                "No kernel ran");
    expect_hint(VERDICT_LAUNCH_FAILED,
                "in a call: launching the step's kernels: cudaErrorInvalidConfiguration (x)",
                "A launch did not start");
    expect_hint(
        VERDICT_LAUNCH_FAILED,
        "in a call: launching the step's kernels: cudaErrorInvalidValue (x): the launch "
        "asks for 0 blocks, of at most 2147483647",
        "A launch did not start, and the step did not check: put "
        "CUDA_CHECK(cudaGetLastError()) after it. The number of blocks, or of threads, is 0");
    expect_hint(VERDICT_LAUNCH_FAILED,
                "in a call: a.cu:39: cudaGetLastError(): cudaErrorInvalidValue (invalid argument)",
                "The launch before that line");
    expect_hint(
        VERDICT_LAUNCH_FAILED,
        "in a call: a.cu:39: cudaGetLastError(): cudaErrorInvalidValue (invalid argument): the "
        "launch asks for 0 blocks, of at most 2147483647",
        "The number of blocks, or of threads, is 0 there: nobody has set that variable");
    expect_hint(VERDICT_LAUNCH_FAILED,
                "in a call: a.cu:36: cudaMemsetAsync(a, 0, b): cudaErrorInvalidValue (x)",
                "The memory to set is not device memory, or has fewer bytes than that");
    expect_hint(VERDICT_LAUNCH_FAILED,
                "in a call: a.cu:80: cudaMemcpyAsync(a, b, c, d): cudaErrorInvalidValue (x)",
                "That copy is not possible: its direction has to fit both pointers");
    expect_hint(VERDICT_LAUNCH_FAILED,
                "in the set-up: a.cu:3: cudaMalloc(&a, b): cudaErrorMemoryAllocation (x)",
                "That is more memory");
    expect_hint(VERDICT_CRASHED,
                "in a call: running the step's kernels: cudaErrorIllegalAddress (x): exit status 1",
                "A kernel reads or writes outside");
    expect_hint(VERDICT_CRASHED, "the step's process ended: signal 11 (Segmentation fault)",
                "An address is invalid");
    expect_hint(VERDICT_TIMED_OUT, "no answer within 60 s while running the calls",
                "Something does not end, or does far too much");
}

static void nothing_is_said_without_a_cause(void **state) {
    (void)state;
    for (int kind = 0; kind < VERDICT_KINDS; kind++)
        if (kind != VERDICT_NO_DEVICE_CODE)
            assert_string_equal(said_of(kind, "call 7, bin 3: expected 4, got 5"), "");
    assert_string_equal(said_of(VERDICT_PASS, "signal 11"), "");
    assert_string_equal(said_of(VERDICT_HARNESS_ERROR, "cudaErrorMemoryAllocation"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_causes),
        cmocka_unit_test(nothing_is_said_without_a_cause),
    };

    return cmocka_run_group_tests_name("hint", tests, NULL, NULL);
}
