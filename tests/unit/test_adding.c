/* Tests of common/judge/diagnosis/adding.c on the saturating histogram: where pixels and counts
 * have gone, by what threads have used one after the other. */
#include "unit.h"

#include "judge/diagnosis/facts.h"
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

static struct wrong_call wrong_call(void) {
    struct wrong_call of = {.reads = reads,
                            .problem = &problem,
                            .program = "",
                            .window = (const char *)image,
                            .shape = {8, SIZE / 8},
                            .expected = expected_output,
                            .got = got};
    reads_clean(reads);
    noted_measure(&of);
    return of;
}

static void expect_adding(enum adding adding, const char *expected) {
    char text[300];
    const struct wrong_call of = wrong_call();
    enum adding found = adding_describe(&of, TEXT(text));
    assert_string_equal(text, expected);
    assert_int_equal(found, adding);
}

static size_t own(size_t bin, size_t thread) { return bin + 0 * thread; }
static size_t one_up(size_t bin, size_t thread) { return (bin + 1 + 0 * thread) % HISTO_BINS; }
static size_t half(size_t bin, size_t thread) { return (bin + 0 * thread) / 2; }
static size_t few_up(size_t bin, size_t thread) {
    static size_t turn;
    return (bin + (turn++ % 200 == 9) + 0 * thread) % HISTO_BINS;
}
static size_t anywhere(size_t bin, size_t thread) {
    static size_t turn;
    return (turn++ / 11 * 37 + bin + thread) % HISTO_BINS;
}
static size_t own_copy(size_t bin, size_t thread) { return thread % 8 * HISTO_BINS + bin; }
static size_t lane_copy(size_t bin, size_t thread) { return bin * 8 + thread % 8; }
static size_t lane_copy_up(size_t bin, size_t thread) {
    return (bin + 1) % HISTO_BINS * 8 + thread % 8;
}

static void several_pixels_a_turn(void **state) {
    for (int wide = 0; wide < 2; wide++) {
        end(state);
        begin(state);
        count(own, 4, wide);
        expect_adding(ADDING_RIGHT, "; what is added goes to its own bin");
    }
}

static void copies_of_the_bins(void **state) {
    array(PARTIAL, "partial", 8 * HISTO_BINS * 4);
    count(own_copy, 1, false);
    expect_adding(ADDING_RIGHT, "; what is added goes to its own bin");
    end(state);
    begin(state);
    array(PARTIAL, "partial", 8 * HISTO_BINS * 4);
    count(lane_copy, 1, false);
    expect_adding(ADDING_RIGHT, "; what is added goes to its own bin");
    end(state);
    begin(state);
    array(PARTIAL, "partial", 8 * HISTO_BINS * 4);
    count(lane_copy_up, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
}

static void nothing_is_said_where_bins_do_not_agree(void **state) {
    count(anywhere, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
    end(state);
    begin(state);
    expect_adding(ADDING_UNKNOWN, "");
    count(one_up, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
    end(state);
    begin(state);
    array(PARTIAL, "partial", HISTO_BINS); /* four counts in a word */
    count(half, 1, false);
    expect_adding(ADDING_UNKNOWN, "");
}

static void a_few_in_another_bin(void **state) {
    (void)state;
    count(few_up, 1, false);
    expect_adding(ADDING_STRAY, "Pixel 1409, which is of bin 647, goes to bin 648 of partial; 40 "
                                "more go to another bin than their own.");
}

/* The first column of 8 rows. */
static void what_is_read_and_not_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        use(i % THREADS, INPUT, 4 * i, 4, false);
        if (i % (SIZE / 8))
            use(i % THREADS, PARTIAL, 4 * image[i], 4, true);
    }
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
    expect_adding(ADDING_RIGHT, "; what is added goes to its own bin");
}

static void what_the_step_wrote_is_not_trusted(void **state) {
    (void)state;
    memset(reads->use, 0xff, sizeof reads->use);
    memset(reads->array, 0xff, sizeof reads->array);
    reads->uses = UINT64_MAX;
    expect_adding(ADDING_UNKNOWN, "");
    reads->uses = UINT64_MAX;
    for (size_t i = 0; i < MOST_USES; i++)
        reads->use[i].thread = 0, reads->use[i].array = i % (USED_ARRAYS + 1);
    expect_adding(ADDING_UNKNOWN, "");
    reads->uses = UINT64_MAX;
    for (size_t i = 0; i < MOST_USES; i++)
        reads->use[i] =
            (struct thread_use){0, 1, (uint32_t)(i * 2654435761u), 9, i % 3, 255, 0, i % 3, 0};
    expect_adding(ADDING_UNKNOWN, "");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

static void expect_trace(const char *expected) {
    char text[300];
    const struct wrong_call of = wrong_call();
    assert_int_equal(trace_describe(&of, TEXT(text)), *expected != 0);
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
    expect_trace("The kernel adds 1 to element 0 of counts in 1 addition, after reading a pixel "
                 "of bin 21.");
}

/* Of three pixels of a bin that two blocks have read, the second one adds one of its two. */
static void what_a_block_has_read_and_not_added(void **state) {
    (void)state;
    array(INPUT, "the input", sizeof image);
    reads->array[PARTIAL].of_block = 1;
    for (size_t i = 0; i < 3; i++)
        use(i ? OF_BLOCK : 0, INPUT, 4 * i * HISTO_BINS, 4, false);
    use(OF_BLOCK, PARTIAL, 0, 4, USE_ADDS);
    last_use(0, 1);
    for (size_t t = 0; t < HISTO_BINS; t++) {
        use(OF_BLOCK + t, PARTIAL, 4 * t, 4, false);
        last_use(0, !t);
        use(OF_BLOCK + t, OUTPUT, t, 1, true);
        last_use(0, !t);
    }
    got[0] = 1;
    expect_trace("The kernel adds 1 to element 0 of partial in 1 addition by block 1. Its block "
                 "has read 2 pixels of bin 0.");
    reads->array[PARTIAL].of_block = 0;
    expect_trace("The kernel adds 1 to element 0 of partial in 1 addition. The kernels have read "
                 "3 pixels of bin 0.");
}

/* Blocks that give back what is more than the limit. */
static void what_is_taken_from_a_count(void **state) {
    (void)state;
    for (unsigned block = 0; block < 2; block++) {
        use(block * OF_BLOCK, COUNTS, 0, 4, USE_ADDS);
        last_use(0, 9);
    }
    use(0, COUNTS, 0, 4, USE_ADDS);
    last_use(0, 0u - 10);
    for (size_t t = 0; t < HISTO_BINS; t++) {
        use(t, COUNTS, 4 * t, 4, false);
        last_use(1, t ? 0 : 8);
        use(t, OUTPUT, t, 1, true);
        last_use(1, t ? 0 : 8);
    }
    memcpy(got, expected_output, sizeof got);
    expected_output[0] = 9;
    expect_trace("The kernel adds 8 to element 0 of counts in 3 additions.");
    use(0, COUNTS, 0, 4, USE_ADDS);
    last_use(2, 5); /* too late to be in what was read */
    expect_trace("The kernel adds 8 to element 0 of counts in 3 additions.");
}

static void what_a_thread_reads_and_leaves_out(void **state) {
    char text[300];
    const struct wrong_call of = wrong_call();
    (void)state;
    memcpy(got, expected_output, sizeof got);
    got[21]--;
    reads->adder[0] =
        (struct adder){.pc = 1, .array = PARTIAL, .bytes = 4, .elsewhere = 1, .total = SIZE - 1};
    reads->adder[1] = (struct adder){.pc = 2, .array = COUNTS, .bytes = 4, .total = 2 * SIZE};
    for (size_t i = 0; i < SIZE; i++) {
        use(i % THREADS, INPUT, 4 * i, 4, false);
        use(i % THREADS, PARTIAL, 4 * image[i], 4, USE_ADDS);
        last_use(0, i != SIZE - HISTO_BINS + 3);
    }
    totals_describe(&of, TEXT(text));
    assert_string_equal(
        text,
        "Thread 3 of block 0 reads 8 pixels of bin 21 (the last is number 7171), and adds 7 to it.");
    image[7171] = 0;
    totals_describe(&of, TEXT(text));
    assert_string_equal(text, "");
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
    const struct wrong_call of = wrong_call();
    (void)state;
    reads->adder[0] = (struct adder){.pc = 1, .array = PARTIAL, .bytes = 4, .amounts = 0x10001};
    assert_false(totals_overflow(&of, TEXT(text)));
    reads->adder[1] = (struct adder){.pc = 2,
                                     .array = COUNTS,
                                     .bytes = 4,
                                     .amounts = 0x01010101,
                                     .full_bits = 8,
                                     .full_number = 1,
                                     .full_at = 16};
    assert_true(totals_overflow(&of, TEXT(text)));
    assert_string_equal(text,
                        "A field of 8 bits overflows: of the 4 that share element 4 of counts, "
                        "that of bits 8 to 15 passes 255, and carries 1 into the next one.");
    reads->adder[1].full_number = 3;
    assert_true(totals_overflow(&of, TEXT(text)));
    assert_non_null(
        strstr(text, "that of bits 24 to 31 passes 255, and what is above that is lost."));
    reads->adder[1].amounts |= 0x80; /* a count like any other */
    assert_false(totals_overflow(&of, TEXT(text)));
    assert_int_equal(reads_field_bits(0x00ff00ff00ff00ff, 8), 16);
    assert_int_equal(reads_field_bits(0x100000001, 8), 32);
    assert_int_equal(reads_field_bits(0x3ff, 4), 0);
    assert_int_equal(reads_field_bits(0x01010101, 255), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(several_pixels_a_turn),
        CASE(copies_of_the_bins),
        CASE(nothing_is_said_where_bins_do_not_agree),
        CASE(a_few_in_another_bin),
        CASE(what_is_read_and_not_counted),
        CASE(only_writes_go_somewhere),
        CASE(what_the_step_wrote_is_not_trusted),
        CASE(from_a_wrong_bin_back),
        CASE(to_a_bin_of_no_pixel_that_was_read),
        CASE(what_a_block_has_read_and_not_added),
        CASE(what_is_taken_from_a_count),
        CASE(what_a_thread_reads_and_leaves_out),
        CASE(of_a_word_the_sum_is_not_a_bins),
        CASE(a_field_that_overflows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
