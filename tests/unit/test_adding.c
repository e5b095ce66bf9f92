/* Tests of common/judge/diagnosis/adding.c on the saturating histogram: where pixels and counts
 * have gone, by what threads have used one after the other. */
#include "unit.h"

#include "judge/diagnosis/adding.h"
#include "judge/diagnosis/totals.h"
#include "judge/diagnosis/trace.h"
#include "lab.h"

enum { SIZE = 8 * HISTO_BINS, THREADS = 64, INPUT = OF_INPUT, PARTIAL, COUNTS, OUTPUT };

static struct reads *reads;
static uint32_t image[SIZE];
static uint8_t expected_output[HISTO_BINS], got[HISTO_BINS];

static void array(unsigned number, const char *name, uint32_t bytes) {
    reads->array[number].bytes = bytes;
    snprintf(reads->array[number].name, sizeof reads->array[number].name, "%s", name);
}

static int begin(void **state) {
    (void)state;
    reads = calloc(1, reads_bytes(0));
    reads->counted = 1;
    array(PARTIAL, "partial", HISTO_BINS * 4);
    array(COUNTS, "counts", HISTO_BINS * 4);
    array(OUTPUT, "the output", HISTO_BINS);
    memset(expected_output, 8, sizeof expected_output);
    memset(got, 0, sizeof got);
    for (size_t i = 0; i < SIZE; i++)
        image[i] = (uint32_t)(i * 7 % HISTO_BINS);
    return 0;
}

static int end(void **state) {
    (void)state;
    free(reads);
    return 0;
}

static void use(size_t thread, unsigned which, size_t at, unsigned bytes, unsigned writes) {
    reads->use[reads->uses++] = (struct thread_use){.thread = (uint32_t)thread,
                                                    .pc = 1,
                                                    .at = (uint32_t)at,
                                                    .array = (uint8_t)which,
                                                    .bytes = (uint8_t)bytes,
                                                    .writes = (uint8_t)writes};
}

static size_t (*place_of_bin)(size_t bin, size_t thread);

static void add(size_t thread, size_t i) {
    use(thread, PARTIAL, 4 * place_of_bin(image[i], thread), 4, true);
}

/* Each thread reads `unroll` pixels, in one load or several, and then adds them. Threads mix. */
static void count(size_t (*place)(size_t bin, size_t thread), size_t unroll, bool wide) {
    place_of_bin = place;
    for (size_t i = 0; i < SIZE; i += THREADS * unroll) {
        for (size_t k = 0; k < unroll; k += wide ? unroll : 1)
            for (size_t t = 0; t < THREADS; t++)
                use(t, INPUT, 4 * (i + t * unroll + k), wide ? 4 * (unsigned)unroll : 4, false);
        for (size_t k = 0; k < unroll; k++)
            for (size_t t = 0; t < THREADS; t++)
                add(t, i + t * unroll + k);
    }
}

/* A thread for each bin takes it from one array to another. */
static void take(unsigned from, size_t shift, unsigned to, unsigned bytes) {
    for (size_t t = 0; t < HISTO_BINS; t++) {
        use(t, from, 4 * ((t + shift) % HISTO_BINS), 4, false);
        use(t, to, bytes * t, bytes, true);
    }
}

static void expect_adding(enum adding adding, const char *expected) {
    char text[300];
    const struct counted_call of = {(const char *)image, {8, SIZE / 8}, expected_output, got};
    enum adding found = adding_describe(reads, &problem, &of, "", text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(found, adding);
}

static size_t own(size_t bin, size_t thread) { return bin + 0 * thread; }
static size_t one_up(size_t bin, size_t thread) { return (bin + 1 + 0 * thread) % HISTO_BINS; }
static size_t two_down(size_t bin, size_t thread) { return (bin - 2 + 0 * thread) % HISTO_BINS; }
static size_t low_byte(size_t bin, size_t thread) { return (bin + 0 * thread) & 255; }
static size_t half(size_t bin, size_t thread) { return (bin + 0 * thread) / 2; }
static size_t four_times(size_t bin, size_t thread) { return (bin * 4 + 0 * thread) % HISTO_BINS; }
static size_t reverse(size_t bin, size_t thread) { return HISTO_BINS - 1 - bin + 0 * thread; }
static size_t columns(size_t bin, size_t thread) { return bin % 4 * 256 + bin / 4 + 0 * thread; }
static size_t swapped(size_t bin, size_t thread) { return (bin ^ 3) + 0 * thread; }
static size_t at_most_200(size_t bin, size_t thread) { return bin + 0 * thread < 200 ? bin : 200; }
static size_t odd_ones_up(size_t bin, size_t thread) {
    return (bin + bin % 2 + 0 * thread) % HISTO_BINS;
}
static size_t few_up(size_t bin, size_t thread) {
    static size_t turn;
    return (bin + (turn++ % 200 == 9) + 0 * thread) % HISTO_BINS;
}
static size_t to_5(size_t bin, size_t thread) { return 5 + 0 * (bin + thread); }
static size_t anywhere(size_t bin, size_t thread) {
    static size_t turn;
    return (turn++ / 11 * 37 + bin + thread) % HISTO_BINS;
}
static size_t own_copy(size_t bin, size_t thread) { return thread % 8 * HISTO_BINS + bin; }
static size_t lane_copy(size_t bin, size_t thread) { return bin * 8 + thread % 8; }
static size_t lane_copy_up(size_t bin, size_t thread) {
    return (bin + 1) % HISTO_BINS * 8 + thread % 8;
}

static void pixels_that_go_astray(void **state) {
    static const struct {
        size_t (*place)(size_t bin, size_t thread);
        const char *text;
    } cases[] = {
        {one_up, "Every pixel goes 1 bin too high: pixel 0, of bin 0, to bin 1 of partial."},
        {two_down, "Every pixel goes 2 bins too low: pixel 0, of bin 0, to bin 1022 of partial."},
        {low_byte,
         "Every pixel goes where the lowest 8 bits of its bin's number say, as if no more were kept: pixel 768, "
         "of bin 256, to bin 0 of partial."},
        {half, "Every pixel goes to its bin's number divided by 2: pixel 439, of bin 1, to bin "
               "0 of partial."},
        {four_times, "Every pixel goes to its bin's number times 4: pixel 439, of bin 1, to bin "
                     "4 of partial."},
        {reverse, "Every pixel goes to the bins in reverse order: pixel 0, of bin 0, to bin "
                  "1023 of partial."},
        {columns, "Every pixel goes where it would be if a table of 4 x 256 bins were read by "
                  "columns: pixel 439, of bin 1, to bin 256 of partial."},
        {swapped,
         "Every pixel goes to its bin's number ^ 3: pixel 0, of bin 0, to bin 3 of partial."},
        {at_most_200, "Every pixel goes at most to bin 200, whatever its bin: pixel 175, of bin "
                      "201, to bin 200 of partial."},
        {odd_ones_up, "Not every pixel goes to its own bin: pixel 439, of bin 1, to bin 2 of "
                      "partial."},
        {to_5, "Every pixel goes to bin 5, whatever its bin: pixel 0, of bin 0, to bin 5 of "
               "partial."},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        end(state);
        begin(state);
        count(cases[i].place, 1, false);
        expect_adding(ADDING_ASTRAY, cases[i].text);
    }
}

static void several_pixels_a_turn(void **state) {
    (void)state;
    count(one_up, 4, false);
    expect_adding(ADDING_ASTRAY,
                  "Every pixel goes 1 bin too high: pixel 0, of bin 0, to bin 1 of partial.");
    end(state);
    begin(state);
    count(one_up, 4, true);
    expect_adding(ADDING_ASTRAY,
                  "Every pixel goes 1 bin too high: pixel 0, of bin 0, to bin 1 of partial.");
}

static void copies_of_the_bins(void **state) {
    array(PARTIAL, "partial", 8 * HISTO_BINS * 4);
    count(own_copy, 1, false);
    expect_adding(ADDING_RIGHT, " and goes to its own bin");
    end(state);
    begin(state);
    array(PARTIAL, "partial", 8 * HISTO_BINS * 4);
    count(lane_copy, 1, false);
    expect_adding(ADDING_RIGHT, " and goes to its own bin");
    end(state);
    begin(state);
    array(PARTIAL, "partial", 8 * HISTO_BINS * 4);
    count(lane_copy_up, 1, false);
    expect_adding(ADDING_ASTRAY,
                  "Every pixel goes 1 bin too high: pixel 0, of bin 0, to bin 1 of partial.");
    end(state);
    begin(state);
    array(PARTIAL, "partial", (2 * HISTO_BINS + 1) * 4); /* there may be a member before the bins */
    count(one_up, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
}

/* Too few to name, and enough to be the mistake: that all go to their bins is not said. */
static void a_few_odd_ones_are_no_rule(void **state) {
    (void)state;
    count(few_up, 1, false);
    expect_adding(ADDING_RIGHT, "");
}

static void counts_that_go_astray(void **state) {
    count(own, 1, false);
    take(PARTIAL, 1, COUNTS, 4);
    expect_adding(ADDING_ASTRAY,
                  "Every count goes 1 bin too low: bin 0 of partial to bin 1023 of counts.");
    end(state);
    begin(state);
    count(own, 1, false);
    take(PARTIAL, 0, COUNTS, 4);
    take(COUNTS, HISTO_BINS - 1, OUTPUT, 1);
    expect_adding(ADDING_ASTRAY, "Every count goes 1 bin too high: bin 0 of counts to bin "
                                 "1 of the output.");
    end(state);
    begin(state);
    count(own, 1, false);
    take(PARTIAL, 0, COUNTS, 4);
    take(COUNTS, 0, OUTPUT, 1);
    expect_adding(ADDING_RIGHT, " and goes to its own bin");
}

/* A thread looks before it adds, and does not add where the count is full. */
static void looks_are_no_other_use(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        size_t at = 4 * one_up(image[i], 0);
        use(0, INPUT, 4 * i, 4, false);
        use(0, PARTIAL, at, 4, false);
        if (i % 3)
            use(0, PARTIAL, at, 4, true);
    }
    expect_adding(ADDING_ASTRAY,
                  "Every pixel goes 1 bin too high: pixel 1024, of bin 0, to bin 1 of partial.");
}

/* And what a thread has looked at, it does not take elsewhere. */
static void looks_are_no_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        use(i % HISTO_BINS, INPUT, 4 * i, 4, false);
        use(i % HISTO_BINS, PARTIAL, 4 * image[i], 4, false);
        if (i % 3)
            use(i % HISTO_BINS, PARTIAL, 4 * image[i], 4, true);
    }
    take(PARTIAL, 1, COUNTS, 4);
    expect_adding(ADDING_ASTRAY,
                  "Every count goes 1 bin too low: bin 0 of partial to bin 1023 of counts.");
}

static void nothing_is_said_where_bins_do_not_agree(void **state) {
    count(anywhere, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
    end(state);
    begin(state);
    expect_adding(ADDING_UNKNOWN, "");
    array(PARTIAL, "partial", HISTO_BINS); /* four counts in a word */
    count(half, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
}

/* The first column of 8 rows. */
static void what_is_read_and_not_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        use(i % THREADS, INPUT, 4 * i, 4, false);
        if (i % (SIZE / 8))
            use(i % THREADS, PARTIAL, 4 * image[i], 4, true);
    }
    take(PARTIAL, 0, COUNTS, 4);
    expect_adding(ADDING_SOME, "Column 0 of every row is read, and then not counted.");
}

/* Four counts in a word, or an order that what reads the array knows. */
static void where_outputs_are_right_nothing_went_astray(void **state) {
    (void)state;
    memset(got, 8, sizeof got);
    got[9] = 7;
    count(reverse, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
}

/* The step looks at another bin than it adds to. */
static void only_writes_go_somewhere(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        use(0, INPUT, 4 * i, 4, false);
        use(0, PARTIAL, 4 * (image[i] ^ 1), 4, false);
        use(0, PARTIAL, 4 * image[i], 4, true);
    }
    expect_adding(ADDING_RIGHT, " and goes to its own bin");
}

static void what_the_step_wrote_is_not_trusted(void **state) {
    (void)state;
    memset(reads->use, 0xff, sizeof reads->use);
    memset(reads->array, 0xff, sizeof reads->array);
    reads->uses = UINT64_MAX;
    expect_adding(ADDING_UNKNOWN, "");
    for (size_t i = 0; i < MOST_USES; i++)
        reads->use[i].thread = 0, reads->use[i].array = i % (USED_ARRAYS + 1);
    expect_adding(ADDING_UNKNOWN, "");
    for (size_t i = 0; i < MOST_USES; i++)
        reads->use[i] =
            (struct thread_use){0, 1, (uint32_t)(i * 2654435761u), 9, i % 3, 255, 0, i % 3};
    expect_adding(ADDING_UNKNOWN, "");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

static void expect_trace(const char *expected) {
    char text[300];
    const struct counted_call of = {(const char *)image, {8, SIZE / 8}, expected_output, got};
    assert_int_equal(trace_describe(reads, &problem, &of, "", text, sizeof text), *expected != 0);
    assert_string_equal(text, expected);
}

static void last_use(unsigned launch, unsigned value) {
    reads->use[reads->uses - 1].launch = (uint8_t)launch;
    reads->use[reads->uses - 1].value = value;
}

static void from_a_wrong_bin_back(void **state) {
    (void)state;
    for (size_t t = 0; t < HISTO_BINS; t++) {
        use(t, COUNTS, 4 * t, 4, false);
        last_use(2, 3);
        use(t, OUTPUT, t, 1, true);
        last_use(2, 0);
    }
    expect_trace("The kernel stores 0 in bin 0 of the output, after reading 3 in element 0 of "
                 "counts. No kernel of this call has written that.");
    use(0, COUNTS, 0, 4, USE_ADDS);
    last_use(3, 5);
    expect_trace("The kernel stores 0 in bin 0 of the output, after reading 3 in element 0 of "
                 "counts. The kernel writes to that only later.");
    reads->use[reads->uses - 1].launch = 1;
    struct thread_use early = reads->use[reads->uses - 1];
    memmove(reads->use + 1, reads->use, (reads->uses - 1) * sizeof *reads->use);
    reads->use[0] = early;
    expect_trace("The kernel stores 0 in bin 0 of the output, after reading 3 in element 0 of "
                 "counts. The kernel adds 5 to element 0 in 1 addition.");
    got[0] = 3;
    reads->use[2].value = 3;
    expect_trace("The kernel adds 5 to element 0 of counts in 1 addition.");
    for (size_t u = 0; u < reads->uses; u++)
        if (reads->use[u].array == OUTPUT && reads->use[u].at >= 256)
            reads->use[u].pc = 0;
    expect_trace("The last 768 bins are written by no kernel.");
    memcpy(got, expected_output, sizeof got);
    expect_trace("");
}

static void to_a_bin_of_no_pixel_that_was_read(void **state) {
    (void)state;
    array(INPUT, "the input", sizeof image);
    use(0, INPUT, 4 * 3, 4, false);
    use(0, COUNTS, 0, 4, USE_ADDS);
    last_use(0, 1);
    for (size_t t = 0; t < HISTO_BINS; t++) {
        use(t, COUNTS, 4 * t, 4, false);
        last_use(1, !t);
        use(t, OUTPUT, t, 1, true);
        last_use(1, !t);
    }
    got[0] = 1;
    expect_trace("The kernel adds 1 to element 0 of counts in 1 addition, after reading pixels of "
                 "bins 21.");
}

/* Bytes of the output are counted in by additions to words. */
static void of_a_word_the_sum_is_not_a_bins(void **state) {
    (void)state;
    use(0, OUTPUT, 0, 4, USE_ADDS);
    last_use(0, 1 << 8);
    use(0, OUTPUT, 0, 4, USE_ADDS);
    last_use(0, 3 << 8);
    for (size_t bin = 4; bin < HISTO_BINS; bin++)
        use(0, OUTPUT, bin, 1, true);
    memset(got, 8, sizeof got);
    got[1] = 4;
    expect_trace("The kernel adds 1024 to the word that holds bin 1 of the output in 2 additions.");
}

static void a_field_that_overflows(void **state) {
    char text[200];
    (void)state;
    reads->adder[0] = (struct adder){.pc = 1, .array = PARTIAL, .bytes = 4, .amounts = 0x10001};
    assert_false(totals_overflow(reads, "", text, sizeof text));
    reads->adder[1] = (struct adder){.pc = 2,
                                     .array = COUNTS,
                                     .bytes = 4,
                                     .amounts = 0x01010101,
                                     .full_bits = 8,
                                     .full_number = 1,
                                     .full_at = 16};
    assert_true(totals_overflow(reads, "", text, sizeof text));
    assert_string_equal(text,
                        "A field of 8 bits overflows: of the 4 that share element 4 of counts, "
                        "number 1 passes 255, and carries 1 into the next one.");
    reads->adder[1].full_number = 3;
    assert_true(totals_overflow(reads, "", text, sizeof text));
    assert_non_null(strstr(text, "number 3 passes 255, and what is above that is lost."));
    reads->adder[1].amounts |= 0x80; /* a count like any other */
    assert_false(totals_overflow(reads, "", text, sizeof text));
    assert_int_equal(reads_field_bits(0x00ff00ff00ff00ff, 8), 16);
    assert_int_equal(reads_field_bits(0x100000001, 8), 32);
    assert_int_equal(reads_field_bits(0x3ff, 4), 0);
    assert_int_equal(reads_field_bits(0x01010101, 255), 0);
}

static void the_last_result_goes_nowhere(void **state) {
    char text[300] = "";
    (void)state;
    array(PARTIAL, "memory of cudaMalloc", 16);
    use(0, PARTIAL, 12, 4, USE_WRITES);
    last_use(0, 5);
    use((size_t)OF_HOST, OUTPUT, 0, 4, USE_WRITES);
    assert_true(totals_never_read(reads, "", text, sizeof text));
    assert_string_equal(text, "The kernel is the last to store a result, in element 3 of memory of "
                              "cudaMalloc, and nobody reads it.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(pixels_that_go_astray),        CASE(several_pixels_a_turn),
        CASE(copies_of_the_bins),           CASE(a_few_odd_ones_are_no_rule),
        CASE(counts_that_go_astray),        CASE(looks_are_no_other_use),
        CASE(looks_are_no_counts),          CASE(nothing_is_said_where_bins_do_not_agree),
        CASE(what_is_read_and_not_counted), CASE(where_outputs_are_right_nothing_went_astray),
        CASE(only_writes_go_somewhere),     CASE(what_the_step_wrote_is_not_trusted),
        CASE(from_a_wrong_bin_back),        CASE(to_a_bin_of_no_pixel_that_was_read),
        CASE(the_last_result_goes_nowhere), CASE(of_a_word_the_sum_is_not_a_bins),
        CASE(a_field_that_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
