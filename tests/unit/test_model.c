/* Tests of common/model/: readers that refuse, and a GPU whose figures are round. */
#include "unit.h"

#include <math.h>

#include "model/code.h"
#include "model/counts.h"
#include "model/gpu.h"
#include "model/predict.h"
#include "round_gpu.h"

static const char gpu_text[] = ROUND_GPU;

/* ---- readers ---------------------------------------------------------------------------- */

#define HEADER "histolab-counts 1\ngpu h200 132\ncall 1 1 4 4\n"
#define KERNEL HEADER "op 0 kernel 5 8 1 1 64 1 1 0 0 0 8 k\n"
#define SITE KERNEL "site 0 0 10 9 load global 4 1 32 4 1 1 0 1 1\n"

static void counts_refuse(void **state) {
    static const char *const refused[][2] = {
        {"", "empty"},
        {"histolab-counts 2\n", "at most 1"},
        {"something\n", "not a counts file"},
        {"histolab-counts 1\n", "which GPU"},
        {HEADER "frob 1\n", "unknown"},
        {HEADER "gpu h200 0\n", "multiprocessors"},
        {HEADER "op 1 memset 4\n", "operation 0 is expected"},
        {HEADER "op 0 memset -4\n", "whole number"},
        {HEADER "op 0 memset 4 5\n", "more fields"},
        {HEADER "op 0 memset 99999999999999999999999\n", "whole number"},
        {HEADER "op 0 kernel 5 0 1 1 64 1 1 0 0 0 8 k\n", "no GPU launches"},
        {HEADER "op 0 kernel 5 1 1 1 1024 2 1 0 0 0 8 k\n", "no GPU launches"},
        {HEADER "op 0 memset 4\nmemory 0 1 1\n", "is not a kernel"},
        {KERNEL "memory 1 1 1\n", "must follow"},
        {KERNEL "site 0 1 10 9 load global 4 1 32 4 1 1 0 1 1\n", "site 0 is expected"},
        {KERNEL "site 0 0 10 9 look global 4 1 32 4 1 1 0 1 1\n", "\"look\""},
        {KERNEL "site 0 0 10 9 load global 4 1 32 4 1 1 0 1\n", "whole number"},
        {SITE "b\n", "to no trace"},
        {SITE "trace 0 8 0\n", "no such warp"},
        {SITE "trace 0 0 2\n", "no such warp"},
        {SITE "trace 0 0 0\nmemory 0 1 1\n", "must end with a line"},
        {SITE "trace 0 0 0\n", "has no end"},
        {SITE "trace 0 0 0\nr 1 0 1 1 1\ne\n", "no site 1"},
        {SITE "trace 0 0 0\nr 0 0 1ffffffff 1 1\ne\n", "hexadecimal"},
        {SITE "trace 0 0 0\nr 0 0 1 1 33\ne\n", "multiplicity"},
        {SITE "trace 0 0 0\nr 0 0 1 1 1 12:0\ne\n", "sectors"},
        {SITE "trace 0 0 0\nr 0 0 1 1 1 12:ff\ne\n", "sectors"},
        {SITE "trace 0 0 0\nr 0 0 1 1 1 1234567890abcdef:f\ne\n", "sectors"},
        {SITE "trace 0 0 0\ns nan\ne\n", "weight"},
        {SITE "trace 0 0 0\ns 0\ne\n", "weight"},
    };
    struct counts counts;
    char error[256];

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        const char *text = refused[i][0];
        if (counts_parse(text, strlen(text), "x", &counts, error, sizeof error))
            fail_msg("not refused: %s", text);
        if (!strstr(error, refused[i][1]) || strncmp(error, "x:", 2) != 0)
            fail_msg("%s: the message is \"%s\"", text, error);
        assert_null(counts.ops);
    }
}

static void counts_are_read(void **state) {
    static const char text[] =
        SITE "memory 0 7 8\nhot 0 9 10 11\nsync 0 1 2 3\ntrace 0 4 1\ns 2.5\n"
             "r 0 3 ff00 2 4 1a:f 1b:8\ne\nop 1 memset 64\n";
    struct counts counts;
    char error[256];

    (void)state;
    assert_true(counts_parse(text, strlen(text), "x", &counts, error, sizeof error));
    assert_int_equal(counts.op_count, 2);
    const struct counts_op *op = &counts.ops[0];
    assert_string_equal(op->name, "k");
    assert_true(op->read_sectors == 7 && op->hot_requests == 10 && op->fences == 3);
    assert_true(op->warp_count == 1 && op->warps[0].block == 4 && op->warps[0].warp == 1);
    assert_true(counts.item_count == 2 && counts.items[0].weight == 2.5);
    const struct counts_item *item = &counts.items[1];
    assert_true(item->turn == 3 && item->mask == 0xff00 && item->line_count == 2);
    assert_true(counts.lines[1].address == 0x1b && counts.lines[1].sectors == 8);
    assert_int_equal(counts.ops[1].bytes, 64);
    counts_free(&counts);
}

static void gpu_needs_each_key(void **state) {
    struct gpu gpu;
    char error[256];

    (void)state;
    assert_true(gpu_parse(gpu_text, strlen(gpu_text), "x", &gpu, error, sizeof error));
    assert_true(gpu_at(&gpu.shared_atomic_bank, 16.5) == 33);
    assert_true(gpu_at(&gpu.shared_atomic_bank, 0) == 2);
    assert_true(gpu_at(&gpu.shared_atomic_bank, 99) == 64);
    static const char *const keys[] = {"dram_ns", "lock_ns", "launch_ns"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char less[sizeof gpu_text];
        const char *key = strstr(gpu_text, keys[i]);
        snprintf(less, sizeof less, "%.*s%s", (int)(key - gpu_text), gpu_text, strchr(key, '\n'));
        assert_false(gpu_parse(less, strlen(less), "x", &gpu, error, sizeof error));
        assert_non_null(strstr(error, keys[i]));
    }
    assert_false(gpu_parse("dram_ns x\n", 10, "x", &gpu, error, sizeof error));
}

static void code_refuses(void **state) {
    static const char *const refused[] = {"",
                                          "histolab-code 2 sm_90\n",
                                          "histolab-code 1 sm_90\nm 1 1 load global 4 2\n",
                                          "histolab-code 1 sm_90\nloop 1 2 1\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 1 k\nloop 2 1 1\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 1 k\nm 1\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 1 k\nw g\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 2 k\nr 1 1\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 2 k\nr 0 2\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 1 k\nw 1\nw 1\n",
                                          "histolab-code 1 sm_90\nkernel 1 1 1 1 k\nfrob\n"};
    struct code code;
    char error[256];

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        assert_false(code_parse(refused[i], strlen(refused[i]), "x", &code, error, sizeof error));
        assert_true(strncmp(error, "x:", 2) == 0);
    }
}

/* ---- predictions ------------------------------------------------------------------------ */

/* A counts file that is being written. */
struct writing {
    char *text;
    size_t size;
    FILE *file;
};

/* One kernel; site 0 loads global memory, 1 loads shared memory, 2 adds in it, 3 adds to global
 * memory. The input is large, and lies at line 0x4000. Without
 * rows nothing of it is left over from another call. */
static void begin(struct writing *writing, unsigned blocks, unsigned threads, int overlaps) {
    writing->file = open_memstream(&writing->text, &writing->size);
    fprintf(writing->file,
            "histolab-counts 1\ngpu round 4\ncall 0 1 1000000000 4\n"
            "op 0 kernel 5 %u 1 1 %u 1 1 0 0 %d %u k\n"
            "site 0 0 10 9 load global 4 1 32 99000000 1 1 0 1 1\n"
            "site 0 1 11 9 load shared 4 1 32 0 0 1 0 1 1\n"
            "site 0 2 12 9 atomic shared 4 1 32 0 0 1 0 1 1\n"
            "site 0 3 13 9 atomic global 4 1 32 4 1 1 0 1 1\n"
            "memory 0 0 0\n",
            blocks, threads, overlaps, blocks);
}

static void trace(struct writing *writing, unsigned block, unsigned warp) {
    fprintf(writing->file, "trace 0 %u %u\n", block, warp);
}

/* So many loads of 128 bytes, each of a line of its own. */
static void loads(struct writing *writing, unsigned count) {
    static unsigned line;
    for (unsigned i = 0; i < count; i++)
        fprintf(writing->file, "r 0 %u ffffffff 1 1 %x:f\n", i, 0x4000 + line++);
}

static void requests(struct writing *writing, int site, unsigned count, unsigned wavefronts) {
    for (unsigned i = 0; i < count; i++)
        fprintf(writing->file, "r %d %u ffffffff %u 1%s\n", site, i, wavefronts,
                site == 3 ? " 5:f" : "");
}

/* Each load is used at once. */
static const char dependent[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                "m 2 10 load global 4 3\nloop 1 4 1\n"
                                "m 6 11 load shared 4 7\nloop 5 8 1\n"
                                "m 10 12 increment shared 4 -1\nloop 9 11 1\n"
                                "m 14 13 reduce global 4 -1\nloop 13 15 1\n";
/* Four of them start before the first is used. */
static const char unrolled[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 6\nm 3 10 load global 4 7\n"
                               "m 4 10 load global 4 8\nm 5 10 load global 4 9\nloop 1 10 1\n";

static struct predict predicted_on(const char *on, struct writing *writing, const char *code) {
    struct predict result;
    char error[256] = "";
    fclose(writing->file);
    FILE *counts = fmemopen(writing->text, writing->size, "r"),
         *gpu = fmemopen((void *)on, strlen(on), "r"),
         *code_file = code ? fmemopen((void *)code, strlen(code), "r") : NULL;
    if (!predict(counts, gpu, code_file, NULL, &result, error, sizeof error))
        fail_msg("no prediction: %s", error);
    fclose(counts);
    fclose(gpu);
    if (code_file)
        fclose(code_file);
    free(writing->text);
    return result;
}

static struct predict predicted(struct writing *writing, const char *code) {
    return predicted_on(gpu_text, writing, code);
}

static double microseconds(struct writing *writing, const char *code) {
    struct predict result = predicted(writing, code);
    double time = result.seconds * 1e6;
    assert_true(result.low < result.seconds && result.seconds < result.high);
    predict_free(&result);
    return time;
}

static void near(double value, double expected, double share) {
    if (value < expected * (1 - share) || value > expected * (1 + share))
        fail_msg("%g is not within %g %% of %g", value, 100 * share, expected);
}

/* The GPU's text with these lines, each in place of what it has for the key. */
static void with_rows(char *text, size_t size, const char *rows) {
    int used = snprintf(text, size, "%s", rows);
    for (const char *line = gpu_text, *next; *line; line = next) {
        size_t key = strcspn(line, " ") + 1;
        bool given = false;
        next = strchr(line, '\n') + 1;
        for (const char *row = rows; *row && !given; row = strchr(row, '\n') + 1)
            given = strncmp(row, line, key) == 0;
        if (!given)
            used += snprintf(text + used, size - (size_t)used, "%.*s", (int)(next - line), line);
    }
}

/* Microseconds beyond the launch, on the GPU with these rows besides. */
static double on(const char *rows, struct writing *writing, const char *code) {
    char text[sizeof gpu_text + 128];
    with_rows(text, sizeof text, rows);
    struct predict result = predicted_on(text, writing, code);
    double time = result.seconds * 1e6 - 1;
    predict_free(&result);
    return time;
}

static void dependent_loads_take_their_latency_each(void **state) {
    struct writing one, four;

    (void)state;
    begin(&one, 1, 32, 0);
    begin(&four, 1, 32, 0);
    trace(&one, 0, 0), loads(&one, 100), fputs("e\n", one.file);
    trace(&four, 0, 0), loads(&four, 100), fputs("e\n", four.file);
    near(microseconds(&one, dependent), 1 + 100 * 0.5, 0.05);
    near(microseconds(&four, unrolled), 1 + 100 * 0.5 / 4, 0.1);
}

/* Of 684 ns DRAM needs 164 to write what the warps store in a turn, and a load waits so much
 * longer.
 */
static void loads_wait_while_dram_writes(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 3\nm 4 14 store global 4 -1\nloop 1 6 1\n";
    double times[2];

    (void)state;
    for (unsigned stores = 0; stores < 2; stores++) {
        struct writing writing;
        begin(&writing, 4, 256, 0);
        fputs("site 0 4 14 9 store global 4 1 32 4 1 1 0 1 1\nmemory 0 200000 1000\n",
              writing.file);
        for (unsigned warp = 0; warp < 8; warp++) {
            trace(&writing, 0, warp);
            for (unsigned i = 0; i < 100; i++) {
                loads(&writing, 1);
                for (unsigned k = 0; stores && k < 2; k++)
                    fprintf(writing.file, "r 4 %u ffffffff 0 1 %x:f\n", i,
                            0x200000 + 1600 * i + 2 * warp + k);
            }
            fputs("e\n", writing.file);
        }
        times[stores] = on("dram_write_gbps 50\n", &writing, code);
    }
    near(times[0], 100 * 0.5, 0.05);
    near(times[1], 100 * 0.684, 0.05);
}

static void many_warps_reach_the_bandwidth(void **state) {
    struct writing writing;

    (void)state;
    begin(&writing, 8, 1024, 0);
    for (unsigned block = 0; block < 8; block += 4)
        for (unsigned warp = 0; warp < 32; warp++)
            trace(&writing, block, warp), loads(&writing, 200), fputs("e\n", writing.file);
    struct predict result = predicted(&writing, unrolled);
    near(result.seconds * 1e6, 1 + 8 * 32 * 200 * 128 / 200e3, 0.1);
    assert_string_equal(predict_unit_name(result.limit), "dram");
    predict_free(&result);
}

static void more_blocks_than_are_traced_take_as_long_each(void **state) {
    double times[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        begin(&writing, 4 * (i ? 400 : 40), 1024, 0);
        for (unsigned warp = 0; warp < 32; warp++)
            trace(&writing, 0, warp), loads(&writing, 20), fputs("e\n", writing.file);
        times[i] = microseconds(&writing, dependent);
    }
    near((times[1] - 1) / (times[0] - 1), 10, 0.1);
}

static void a_weight_stands_for_repetitions(void **state) {
    struct writing all, some;

    (void)state;
    begin(&all, 4, 64, 0);
    begin(&some, 4, 64, 0);
    for (unsigned warp = 0; warp < 2; warp++) {
        trace(&all, 0, warp), loads(&all, 1000), fputs("e\n", all.file);
        trace(&some, 0, warp), fputs("s 10\n", some.file);
        loads(&some, 100), fputs("e\n", some.file);
    }
    near(microseconds(&some, dependent), microseconds(&all, dependent), 0.05);
}

/* A warp's registers take 4 bytes for each lane in a cycle from the L1, 8 from one place of shared
 * memory, though each request is of one sector, or has one wavefront; and a load passes through the
 * L1 as often as its trace says. */
static void wide_loads_take_their_width(void) {
    static const char joined[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                 "m 2 10 load global 16 3\nloop 1 4 1\n"
                                 "m 6 11 load shared 16 7\nloop 5 8 1\n";
    struct writing writing;

    for (int i = 0; i < 3; i++) {
        begin(&writing, 1, 1024, 0);
        for (unsigned warp = 0; warp < 32; warp++) {
            trace(&writing, 0, warp);
            for (unsigned k = 0; k < 400; k++)
                fprintf(writing.file, "r %d %u ffffffff %d 1%s\n", i == 1, k, i == 2 ? 16 : 1,
                        i == 1 ? "" : " 4000:1");
            fputs("e\n", writing.file);
        }
        double cycles[] = {4, 2, 16};
        near(on("request_l1_cycles 4 4 16 16\n", &writing, joined), 0.1 * 32 * cycles[i], 0.15);
    }
}

static void conflicts_multiply(void **state) {
    double times[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct writing writing;
        begin(&writing, 4, 1024, 0);
        for (unsigned warp = 0; warp < 32; warp++) {
            trace(&writing, 0, warp);
            requests(&writing, i == 2 ? 2 : 1, 200, i ? 32 : 1);
            fputs("e\n", writing.file);
        }
        times[i] = microseconds(&writing, dependent) - 1;
    }
    near(times[1], 32 * 200 * 32e-3, 0.1);
    near(times[2], 32 * 200 * 64e-3, 0.1);
    assert_true(times[0] < times[1] / 5);
    wide_loads_take_their_width();
}

static void barriers_wait_for_the_last_warp(void **state) {
    struct writing writing;

    (void)state;
    begin(&writing, 1, 64, 0);
    trace(&writing, 0, 0), loads(&writing, 20), fputs("b\n", writing.file);
    requests(&writing, 1, 1, 1), fputs("e\n", writing.file);
    trace(&writing, 0, 1), fputs("b\n", writing.file);
    loads(&writing, 20), fputs("e\n", writing.file);
    near(microseconds(&writing, dependent), 1 + 40 * 0.5, 0.05);
    begin(&writing, 1, 64, 0);
    for (unsigned warp = 0; warp < 2; warp++) {
        trace(&writing, 0, warp);
        for (unsigned i = 0; i < 1000; i++)
            fputs("b\n", writing.file);
        fputs("e\n", writing.file);
    }
    near(microseconds(&writing, dependent), 1 + 1000 * 0.05, 0.15);
}

/* What the benchmark takes for 32 warps that come together is no wait of those that come when the
 * others have long been taken. */
static void a_barrier_takes_warps_as_they_come(void **state) {
    struct writing writing;

    (void)state;
    for (int together = 0; together < 2; together++) {
        begin(&writing, 1, 1024, 0);
        for (unsigned warp = 0; warp < 32; warp++) {
            trace(&writing, 0, warp);
            for (unsigned i = 0; i < 100; i++) {
                requests(&writing, 1, !together, 10); /* which the next one waits for */
                requests(&writing, 1, !together, 1);
                fputs("b\n", writing.file);
            }
            fputs("e\n", writing.file);
        }
        near(on("barrier_ns 32 50 1024 360\n", &writing, dependent),
             100 * (together ? 0.36 : 32 * 10e-3 + 0.08), 0.15);
    }
}

/* The trace of a kernel that only loads. */
static void begin_loads(FILE *file, unsigned op, unsigned sectors) {
    fprintf(file,
            "op %u kernel 5 4 1 1 32 1 1 0 0 0 4 k\n"
            "site %u 0 10 9 load global 4 1 32 4 1 1 0 1 1\nmemory %u %u 0\n"
            "trace %u 0 0\n",
            op, op, op, sectors, op);
}

static void read_hundred(FILE *file, unsigned first_line) {
    for (unsigned k = 0; k < 100; k++)
        fprintf(file, "r 0 %u ffffffff 1 1 %x:f\n", k, first_line + k);
}

/* Two kernels that read memory of their own, none of it input; or the first one reads, at its end,
 * what the second one needs. */
static void what_the_l2_cannot_hold_comes_from_dram_in_each_call(void **state) {
    static const struct {
        unsigned sectors[2], before; /* hundreds of other loads in the first one */
        double us[2];
    } cases[] = {{{1600, 1600}, 0, {30, 30}},  /* the L2 holds both */
                 {{31250, 1600}, 0, {50, 50}}, /* what goes through it takes the place of all */
                 {{1600, 31250}, 0, {50, 50}}, /* also of what is read first in the next call */
                 {{50000, 1600}, 3, {200, 30}}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\n", writing.file);
        for (unsigned op = 0; op < 2; op++) {
            begin_loads(writing.file, op, cases[i].sectors[op]);
            for (unsigned k = 0; op == 0 && k < cases[i].before; k++)
                read_hundred(writing.file, 0x30000 + 100 * k);
            read_hundred(writing.file, op == 0 && !cases[i].before ? 0x10000 : 0x20000);
            fputs("e\n", writing.file);
        }
        struct predict result = predicted(&writing, dependent);
        for (unsigned op = 0; op < 2; op++)
            near(result.ops[op].seconds * 1e6, 1 + cases[i].us[op], 0.06);
        predict_free(&result);
    }
}

/* Four multiprocessors read rows of their own twice. */
static void what_passes_between_two_reads_costs_the_second(void **state) {
    struct writing writing;

    (void)state;
    for (unsigned large = 0; large < 2; large++) {
        unsigned lines = large ? 2400 : 400;
        begin(&writing, 4, 32, 0);
        fprintf(writing.file, "memory 0 %u 0\n", 16 * lines);
        trace(&writing, 0, 0);
        for (unsigned k = 0; k < 2 * lines; k++)
            fprintf(writing.file, "r 0 %u ffffffff 1 1 %x:f\n", k, 0x4000 + k % lines);
        fputs("e\n", writing.file);
        near(on("l1_bytes 20000\n", &writing, dependent), lines * (large ? 1.03 : 0.75), 0.06);
    }
}

/* 4 MB, four times what the L2 holds, word by word. */
static struct predict gathered(const char *memory, const char *rows) {
    char text[sizeof gpu_text + 64];
    struct writing writing;
    unsigned lines = 0;

    with_rows(text, sizeof text, rows);
    begin(&writing, 8, 1024, 0);
    fputs(memory, writing.file);
    for (unsigned block = 0; block < 8; block += 4)
        for (unsigned warp = 0; warp < 32; warp++) {
            trace(&writing, block, warp);
            for (unsigned k = 0; k < 10; k++, lines++) {
                fprintf(writing.file, "r 0 %u ffffffff 1 1", k);
                for (unsigned lane = 0; lane < 32; lane++)
                    fprintf(writing.file, " %x:1", 0x800000 + 1024 * lane + lines);
                fputs("\n", writing.file);
            }
            fputs("e\n", writing.file);
        }
    return predicted_on(text, &writing, dependent);
}

/* It is slower than what DRAM fetches in order, and an eighth of what is written besides takes
 * places in the L2, and of what is read in order, three quarters here. */
static void gathers_are_slower_than_streams(void **state) {
    static const char rows[] = "gather_gops 2000000 4 2750000 1\n";
    const double streamed = 8 * 32 * 10 * 32 * 64 / 200e3, faster = 0.68 * 1.13;

    (void)state;
    struct predict result = gathered("memory 0 131072 0\n", "");
    near(result.seconds * 1e6, 1 + streamed / faster, 0.1);
    assert_int_equal(result.limit, PREDICT_L2); /* DRAM waits */
    near(result.shares[PREDICT_DRAM], 0.6, 0.1);
    predict_free(&result);
    struct predict reads = gathered("memory 0 62500 0\n", rows),
                   writes = gathered("memory 0 62500 187500\n", rows);
    struct predict both = gathered("site 0 4 14 0 load global 4 1 1500000 187500 1 1 0 1 1\n"
                                   "memory 0 250000 0\n",
                                   rows);
    near(writes.seconds / reads.seconds, 4, 0.1);
    near(both.seconds / writes.seconds, 1, 0.1);
    predict_free(&reads);
    predict_free(&writes);
    predict_free(&both);
}

/* The second kernel gathers what the first one has left in the L2, which takes the time of the
 * table's first row, if that is for so few bytes. A sweep would have lost most of it where it fills
 * four fifths of the L2. */
static void gathers_from_the_l2_have_their_rate(void **state) {
    static const char *const rows[] = {"gather_gops 4000000 .5\n", "gather_gops 400000 .5\n",
                                       "l2_bytes 500000\ngather_gops 400000 .5 800000 .01\n",
                                       "l2_bytes 500000\ngather_gops 200000 .5 400000 .01\n"};
    double times[COUNT(rows)];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[sizeof gpu_text + 64];
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\n", writing.file);
        for (unsigned op = 0; op < 2; op++) {
            begin_loads(writing.file, op, 3200);
            for (unsigned k = 0; k < 100; k++) {
                fprintf(writing.file, "r 0 %u ffffffff 1 1", k);
                for (unsigned lane = 0; lane < 32; lane++)
                    fprintf(writing.file, " %x:1", 0x10000 + 100 * lane + k);
                fputs("\n", writing.file);
            }
            fputs("e\n", writing.file);
        }
        with_rows(text, sizeof text, rows[i]);
        struct predict result = predicted_on(text, &writing, dependent);
        times[i] = result.ops[1].seconds * 1e6;
        predict_free(&result);
    }
    near(times[1] - times[0], 100 * 31 * (4 / .5 - .16) * 1e-3, 0.01);
    near(times[2], times[0], 0.01);
    assert_true(times[3] >
                10 * times[0]); /* lines of which it reads a quarter take all of their room */
    /* So has what is a small part of all that is read, if each lane has a line of its own. */
    struct predict part = gathered("memory 0 1100000 0\n", "gather_gops 400000 .1\nl1_bytes 8e6\n");
    near(part.seconds * 1e6, 8 * 32 * 10 * 32 / .1e3, 0.1);
    predict_free(&part);
}

/* What goes through DRAM and the L2 is limited by DRAM, though the L2 be as busy. */
static void dram_is_named_before_the_l2(void **state) {
    const char *l2 = strstr(gpu_text, "l2_gbps 800\n");
    char narrow[sizeof gpu_text];
    struct writing writing;

    (void)state;
    snprintf(narrow, sizeof narrow, "%.*sl2_gbps 190\n%s", (int)(l2 - gpu_text), gpu_text,
             strchr(l2, '\n') + 1);
    begin(&writing, 8, 1024, 0);
    for (unsigned block = 0; block < 8; block += 4)
        for (unsigned warp = 0; warp < 32; warp++)
            trace(&writing, block, warp), loads(&writing, 200), fputs("e\n", writing.file);
    struct predict result = predicted_on(narrow, &writing, unrolled);
    assert_true(result.shares[PREDICT_L2] > result.shares[PREDICT_DRAM]);
    assert_int_equal(result.limit, PREDICT_DRAM);
    predict_free(&result);
}

/* Words stored anywhere in four times what the L2 holds: nothing is busy meanwhile. */
static void stores_that_the_l2_cannot_hold_wait(void **state) {
    char slow[sizeof gpu_text + 64];
    struct writing writing;

    (void)state;
    with_rows(slow, sizeof slow, "scattered_store_gops 500000 20 4000000 .5\n");
    writing.file = open_memstream(&writing.text, &writing.size);
    fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\nop 0 kernel 5 4 1 1 1024 1 1 0 0 0 4 k\n"
          "site 0 0 10 9 store global 4 1 32 4 1 1 0 1 1\nmemory 0 0 131072\n",
          writing.file);
    for (unsigned warp = 0; warp < 32; warp++) {
        trace(&writing, 0, warp);
        for (unsigned k = 0; k < 10; k++) {
            fprintf(writing.file, "r 0 %u ffffffff 1 1", k);
            for (unsigned lane = 0; lane < 32; lane++)
                fprintf(writing.file, " %x:1", 0x800000 + 1024 * lane + 10 * warp + k);
            fputs("\n", writing.file);
        }
        fputs("e\n", writing.file);
    }
    struct predict result =
        predicted_on(slow, &writing,
                     "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 store global 4 -1\n"
                     "loop 1 4 1\n");
    near(result.seconds * 1e6, 1 + 4 * 32 * 10 * 32 / 500.0, 0.1);
    near(result.shares[PREDICT_L2], 0.5 / 20, 0.2);
    assert_int_equal(result.limit, PREDICT_LATENCY);
    predict_free(&result);
}

/* The L2 reads what a store leaves of a sector, to write it as a whole: here three quarters of
 * each. */
static void sectors_that_are_stored_in_part_are_read(void **state) {
    double us[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fprintf(writing.file,
                "histolab-counts 1\ngpu round 4\ncall 0 1 4 4\n"
                "op 0 kernel 5 4 1 1 32 1 1 0 0 0 4 k\n"
                "site 0 0 10 9 store global 8 312500 %u 10000000 312500 1 0 1 1\n"
                "memory 0 0 10000000\ntrace 0 0 0\nr 0 0 ffffffff 1 1 800000:f\ne\n",
                i ? 10000000 : 40000000);
        us[i] = microseconds(&writing, NULL);
    }
    near(us[1], 2 * us[0], 0.1);
}

/* A struct that the source copies as a whole, and nvcc byte by byte: the L1 has all but the first.
 */
static void narrow_instructions_share_a_wide_request(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 1 3\nm 4 10 load global 1 5\n"
                               "m 6 10 load global 1 7\nm 8 10 load global 1 9\nloop 1 10 1\n";
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 100), fputs("e\n", writing.file);
    near(microseconds(&writing, code), 1 + 100 * (0.5 + 3 * 0.033), 0.05);
}

/* A warp that was not traced did ten times as much as the one of these that did most. */
static void the_heaviest_warp_bounds_the_time(void **state) {
    struct writing writing;

    (void)state;
    begin(&writing, 8, 32, 0);
    fputs("most 0 1000 0\n", writing.file);
    trace(&writing, 0, 0), loads(&writing, 10), fputs("e\n", writing.file);
    trace(&writing, 4, 0), loads(&writing, 100), fputs("e\n", writing.file);
    near(microseconds(&writing, dependent), 1 + 1000 * 0.5, 0.1);
}

/* Blocks that do twice as much as the one that was traced start no later for that: 32 of them on
 * each multiprocessor, one every 10 ns, and the last one takes 1.16 us instead of 0.58. */
static void blocks_that_do_more_start_no_later(void **state) {
    struct writing writing;

    (void)state;
    writing.file = open_memstream(&writing.text, &writing.size);
    fputs("histolab-counts 1\ngpu round 4\ncall 0 1 1000000000 4\n"
          "op 0 kernel 5 128 1 1 32 1 1 0 0 0 128 k\n"
          "site 0 0 10 9 load global 4 256 8192 1024 256 0 0 256 1\nmemory 0 0 0\n",
          writing.file);
    trace(&writing, 0, 0), loads(&writing, 1), fputs("e\n", writing.file);
    near(on("", &writing, dependent), 32 * 10e-3 + 2 * 0.58, 0.1);
}

/* Four words side by side, which nvcc stores at once: whole sectors, as fast as DRAM takes them. */
static void a_wide_store_stores_all_that_it_joins(void **state) {
    struct writing writing;

    (void)state;
    writing.file = open_memstream(&writing.text, &writing.size);
    fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\nop 0 kernel 5 4 1 1 1024 1 1 0 0 0 4 k\n"
          "site 0 0 10 0 store global 4 1 32 16 4 1 0 1 1\nmemory 0 0 131072\n",
          writing.file);
    for (unsigned warp = 0; warp < 32; warp++) {
        trace(&writing, 0, warp);
        for (unsigned k = 0; k < 400; k++)
            fprintf(writing.file, "r 0 %u ffffffff 0 1 %x:f %x:f %x:f %x:f\n", k,
                    0x800000 + warp * 4, 0x800001 + warp * 4, 0x800002 + warp * 4,
                    0x800003 + warp * 4);
        fputs("e\n", writing.file);
    }
    near(on("store_sector_gops 4 1 16 4\ndram_write_gbps 256\n", &writing,
            "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 store global 16 -1\nloop 1 4 1\n"),
         4 * 32 * 100 * 16 / 8e3, 0.1);
}

/* Words of structs of 2 words leave together, those of 8 do not, and of 6 half of the others. */
static void stores_that_fill_up_sectors_leave_together(void **state) {
    static const struct { unsigned words, lines; } cases[] = {{2, 2}, {8, 8}, {6, 6}};
    double times[COUNT(cases)];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\n"
              "op 0 kernel 5 4 1 1 1024 1 1 0 0 0 4 k\n"
              "site 0 0 10 0 store global 4 1 32 8 2 1 0 1 1\nmemory 0 0 131072\n",
              writing.file);
        for (unsigned warp = 0; warp < 32; warp++) {
            trace(&writing, 0, warp);
            for (unsigned k = 0; k < 400; k++) {
                fprintf(writing.file, "r 0 %u ffffffff 0 1", k);
                for (unsigned line = 0; line < cases[i].lines; line++)
                    fprintf(writing.file, " %x:f",
                            0x800000 + (warp * 400 + k / cases[i].words) * 8 + line);
                fputs("\n", writing.file);
            }
            fputs("e\n", writing.file);
        }
        times[i] = on("store_sector_gops 4 1 16 1\n", &writing,
                      "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 store global 4 -1\n"
                      "loop 1 4 1\n");
    }
    near(times[0], 4 * 32 * 200 * 8 / 1e3, 0.1);
    near(times[1], 4 * 32 * 400 * 32 / 1e3, 0.1);
    near(times[2], 4 * 32 * (67 + 333 / 2.) * 24 / 1e3, 0.1);
}

static void one_address_is_a_chain(void **state) {
    struct writing writing;

    (void)state;
    begin(&writing, 4, 32, 0);
    trace(&writing, 0, 0), requests(&writing, 3, 10, 1), fputs("e\n", writing.file);
    fputs("hot 0 32000 1000 32000\n", writing.file);
    struct predict result = predicted(&writing, dependent);
    near(result.seconds * 1e6, 1 + 1000 * 10e-3, 0.1);
    assert_string_equal(predict_unit_name(result.limit), "one-address");
    predict_free(&result);
}

/* One multiprocessor takes 4 lanes or 32 sectors each ns; the L2, 4 of one stretch, and of one
 * address 3.2, of doubles half as many. */
static void atomics_cost_by_lanes_and_by_what_they_send(void **state) {
    static const char doubles[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                  "m 14 13 reduce-f64 global 4 -1\nloop 13 15 1\n";

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        static const char *const hot[] = {"", "hot 0 1000 1000 100000\n", "hot 0 100000 1000 0\n"};
        fputs(hot[i], writing.file);
        trace(&writing, 0, 0);
        for (unsigned turn = 0; turn < 1000; turn++)
            fprintf(writing.file, "r 3 %u ffff 1 1 5:f\n", turn);
        fputs("e\n", writing.file);
        struct predict result = predicted(&writing, i == 2 ? doubles : dependent);
        const double *shares = result.ops[0].shares;
        double us[] = {shares[PREDICT_GLOBAL_ATOMICS], shares[PREDICT_ONE_ADDRESS],
                       shares[PREDICT_ONE_ADDRESS]};
        static const double expected[] = {1000 * 16 / 4e3, 100000 / 3.2e3, 100000 / 1.6e3};
        near(us[i] * result.ops[0].seconds * 1e6, expected[i], 0.01);
        predict_free(&result);
    }
}

/* Atomics in 8000 lines, a word of each, and loads of what the L2 holds, which take as long: one
 * after the other. */
static void the_l2_does_atomics_and_loads_in_turn(void **state) {
    enum { LOADS = 24, TURNS = 10 };
    char code[1024] = "histolab-code 1 sm_90\nkernel 32 0 0 40 k\n", slow[sizeof gpu_text + 9];
    struct writing writing;
    unsigned line = 0;

    (void)state;
    for (unsigned k = 0; k < LOADS; k++)
        sprintf(strchr(code, '\0'), "m %u 10 load global 4 30\n", 2 + k);
    strcat(code, "m 32 13 reduce global 4 -1\nloop 1 34 1\n");
    writing.file = open_memstream(&writing.text, &writing.size);
    fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\nop 0 kernel 5 4 1 1 1024 1 1 0 0 0 4 k\n"
          "site 0 0 10 9 load global 4 1 32 4 1 1 0 1 1\n"
          "site 0 1 13 9 atomic global 4 320 10240 10240 10240 1 0 1 1\nmemory 0 8000 8000\n",
          writing.file);
    for (unsigned warp = 0; warp < 32; warp++) {
        trace(&writing, 0, warp);
        for (unsigned turn = 0; turn < TURNS; turn++) {
            for (unsigned k = 0; k < LOADS; k++)
                fprintf(writing.file, "r 0 %u ffffffff 1 1 %x:f\n", turn, 0x10000 + line++ % 2000);
            fprintf(writing.file, "r 1 %u ffffffff 1 1", turn);
            for (unsigned lane = 0; lane < 32; lane++)
                fprintf(writing.file, " %x:1", 0x20000 + 64 * lane + warp);
            fputs("\n", writing.file);
        }
        fputs("e\n", writing.file);
    }
    with_rows(slow, sizeof slow, "global_atomic 65536 64 256000 8\n");
    struct predict result = predicted_on(slow, &writing, code);
    const double warps = 4 * 32 * TURNS;
    near(result.seconds * 1e6, 1 + warps * (LOADS * 128 / 800e3 + 32 / 8e3), 0.05);
    assert_int_equal(result.limit, PREDICT_GLOBAL_ATOMICS);
    predict_free(&result);
}

/* Eight warps take it, by an exchange or by a ticket that they wait for; who waits asks in vain, as
 * often as it happens. */
static void a_lock_is_held_as_often_as_it_is_given_back(void **state) {
    double times[3];

    (void)state;
    for (unsigned i = 0; i < COUNT(times); i++) {
        const char *code = i == 2 ? "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                    "m 2 13 atomic global 4 3\nm 6 14 reduce global 4 -1\n"
                                    "loop 1 3 1\n"
                                  : "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                    "m 2 13 atomic-swap global 4 3\n"
                                    "m 6 14 atomic-swap global 4 -1\n";
        struct writing writing;
        begin(&writing, 1, 32, 0);
        fputs("site 0 4 14 0 atomic global 4 8 8 8 8 8 0 8 1\n", writing.file);
        fputs(i == 1 ? "hot 0 100 100 100\n" : "hot 0 16 16 16\n", writing.file);
        trace(&writing, 0, 0);
        fputs("r 3 0 1 1 1 5:1\nf\nf\n", writing.file);
        fputs("r 4 0 1 1 1 5:1\ne\n", writing.file);
        times[i] = microseconds(&writing, code);
    }
    assert_true(times[0] > 1 + 8 * 0.4);
    near(times[1], times[0], 0.1);
    near(times[2], times[0], 0.1);
}

/* What is done while a lock is held takes as long again for each holder: two more fences and an
 * atomic; but holders that store nothing go together, where one in four stores, and four locks are
 * held at the same time. */
static void what_a_lock_guards_takes_turns(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 13 atomic-swap global 4 3\nm 6 14 atomic-swap global 4 -1\n"
                               "m 8 15 store global 4 -1\n";
    static const char *const guarded[] = {"", "f\nf\nr 3 0 1 0 1 9:1\n", "r 5 0 1 0 1 7:1\n", ""};
    double times[COUNT(guarded)];

    (void)state;
    for (size_t i = 0; i < COUNT(guarded); i++) {
        struct writing writing;
        begin(&writing, 1, 128, 0);
        fputs("site 0 4 14 0 atomic global 4 400 400 8 8 8 0 8 1\n"
              "site 0 5 15 0 store global 4 8 8 8 8 8 0 8 1\nhot 0 800 800 800\n",
              writing.file);
        for (unsigned warp = 0; warp < 4; warp++) {
            trace(&writing, 0, warp);
            fprintf(writing.file, "r 3 0 1 0 1 %u:1\nf\nf\n%sr 4 0 1 0 1 %u:1\ne\n",
                    i == 3 ? 5 + warp : 5, i == 2 && warp ? "" : guarded[i], i == 3 ? 5 + warp : 5);
        }
        times[i] = on("fence_ns 300\nglobal_atomic_ns 1000\nlock_ns 1 2000\n", &writing, code);
    }
    near(times[1] - times[0], 400 * (2 * .3 + 1), 0.02);
    near((times[2] - 1) / (times[0] - 1), 0.5, 0.02);
    near((times[3] - 1) / (times[0] - 1), 0.25, 0.02);
}

/* Eight blocks, of which each waits for a part of the one before, does its own and says so, four
 * times: the last one begins when seven parts are done. A word at which all meet is no such chain.
 */
static void blocks_that_hand_on_run_in_a_row(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 13 atomic global 4 3\nm 4 10 load global 4 5\n"
                               "m 6 14 reduce global 4 -1\nloop 1 3 1\nloop 0 7 1\n";
    enum { BLOCKS = 8, PARTS = 4, LOADS = 50 };
    double times[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        begin(&writing, BLOCKS, 32, 0);
        fprintf(writing.file, "site 0 4 14 9 atomic global 4 %d %d 32 32 8 0 8 1\nhot 0 %d 8 8\n",
                BLOCKS * PARTS, BLOCKS * PARTS, i ? BLOCKS * PARTS * 2 : 2 * PARTS);
        for (unsigned block = 0; block < BLOCKS; block += 4) {
            trace(&writing, block, 0);
            for (unsigned part = 0; part < PARTS; part++) {
                fputs(block ? "r 3 0 1 1 1 5:1\nf\n" : "", writing.file);
                loads(&writing, LOADS);
                fputs("f\nr 4 0 1 1 1 9:1\n", writing.file);
            }
            fputs("e\n", writing.file);
        }
        times[i] = microseconds(&writing, code);
    }
    near((times[0] - 1) / (times[1] - 1), 1 + (BLOCKS - 1.) / PARTS, 0.05);
}

/* Eight warps swap one word, and one of them succeeds in the time of a try, with a fence and a load
 * between two. Where nothing is compared, what comes again is no failure; nor is it at other words,
 * nor where the loop has another atomic. */
static void a_swap_that_others_come_before_is_tried_again(void **state) {
    static const char *const kinds[] = {"compare global 4 5\n", "swap global 4 5\n",
                                        "compare global 4 5\n",
                                        "compare global 4 5\nm 5 20 reduce global 4 -1\n"};
    double times[COUNT(kinds)];

    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        char code[256];
        struct writing writing;
        snprintf(code, sizeof code,
                 "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 load global 4 3\n"
                 "m 4 13 atomic-%sloop 1 6 1\n",
                 kinds[i]);
        begin(&writing, 1, 256, 0);
        fputs("site 0 4 13 9 atomic global 4 24 24 24 24 24 0 24 1\nhot 0 24 24 24\n",
              writing.file);
        trace(&writing, 0, 0);
        for (unsigned turn = 0; turn < 3; turn++)
            fprintf(writing.file, "r 0 %u 1 1 1 8:1\nf\nr 4 %u 1 1 1 %u:1\n", turn, turn,
                    i == 2 ? 5 + turn : 5);
        fputs("e\n", writing.file);
        times[i] = on("fence_ns 300\nglobal_atomic_ns 1000\n", &writing, code);
    }
    near(times[0], 8 * (1 + 0.3 + 0.2), 0.05);
    assert_true(times[1] < times[0] / 2 && times[2] < times[0] / 2 && times[3] < times[0] / 2);
}

/* An atomic that is a loop takes its 128 wavefronts, which are more than one request can have. */
static void atomics_in_a_loop_take_all_of_its_wavefronts(void **state) {
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), requests(&writing, 2, 100, 128), fputs("e\n", writing.file);
    near(microseconds(&writing, dependent), 1 + 100 * 4 * 64e-3, 0.1);
}

/* Stores of local memory go through to the L2, to which a multiprocessor moves 200 bytes in a ns;
 * so do loads of more than the L1 holds, and to DRAM, from which it gets 50, those of more than the
 * L2 holds. Loads that are used together are waited for once. Lanes at words of their own store 32
 * sectors each. */
static void local_memory_takes_what_holds_it(void) {
    static const struct {
        const char *letters;
        unsigned bytes; /* of a thread */
        unsigned warps;
        unsigned use[4], local;
    } cases[] = {{"llll", 64, 32, {9, 9, 9, 9}, 0},  {"ssss", 64, 32, {9, 9, 9, 9}, 0},
                 {"llll", 256, 32, {9, 9, 9, 9}, 0}, {"llll", 2000, 32, {9, 9, 9, 9}, 0},
                 {"llll", 64, 1, {9, 9, 9, 9}, 0},   {"llll", 64, 1, {6, 7, 8, 9}, 0},
                 {"ssss", 64, 32, {9, 9, 9, 9}, 1}};
    double times[COUNT(cases)];

    for (unsigned i = 0; i < COUNT(cases); i++) {
        char code[400];
        struct writing writing;
        int length = snprintf(
            code, sizeof code,
            "histolab-code 1 sm_90\nkernel 32 0 %u 20 k\nm 2 10 load global 4 3\nloop 5 9 1\n"
            "p .....%s...........\nn 10 5 20 5 11 10\n",
            cases[i].bytes, cases[i].letters);
        for (unsigned k = 0; cases[i].letters[k] == 'l'; k++)
            length += snprintf(code + length, sizeof code - (size_t)length,
                               "m %u 20 load local 4 %u\n", 5 + k, cases[i].use[k]);
        begin(&writing, 1, cases[i].warps * 32, 0);
        if (cases[i].local)
            fputs("site 0 4 20 20 store local 4 1 32 32 32 0 0 1 1\n", writing.file);
        for (unsigned warp = 0; warp < cases[i].warps; warp++)
            trace(&writing, 0, warp), fputs("l 20 21 1000\ne\n", writing.file);
        times[i] = microseconds(&writing, code);
    }
    assert_true(times[0] < 0.9 * times[1] && times[0] < 0.9 * times[2]);
    near(times[1], 32 * 4 * 256 / 200., 0.05);
    near(times[3], 32 * 4 * 128 / 50., 0.05);
    near(times[5] - times[4], 3 * 30, 0.05);
    near(times[6], 8 * times[1], 0.05);
}

/* The loop at line 20 has 5 instructions for two turns; one follows another after 3 ns, or by what
 * the code says, and 5 ns more for the branch back. Three may be those of a function that it calls.
 */
static void loops_without_requests_take_their_turns(void **state) {
    static const struct {
        const char *lines, *stalls;
        double ns;
    } cases[] = {{"20 5", "", 3}, {"20 2 30 3", "", 3}, {"20 5", "w 11111eaaaa1111111111\n", 11.8}};
    double times[2];

    (void)state;
    for (unsigned k = 0; k < COUNT(cases); k++) {
        char code[240];
        snprintf(code, sizeof code,
                 "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 load global 4 3\nloop 5 9 2\n"
                 "p ....................\n%sn 10 5 %s 11 10\n",
                 cases[k].stalls, cases[k].lines);
        for (unsigned i = 0; i < 2; i++) {
            struct writing writing;
            begin(&writing, 1, 32, 0);
            trace(&writing, 0, 0), loads(&writing, 1);
            fprintf(writing.file, "l 20 21 %u\ne\n", i ? 11000 : 1000);
            times[i] = microseconds(&writing, code);
        }
        near(times[1] - times[0], 10000 * 2.5 * cases[k].ns * 1e-3, 0.01);
    }
    local_memory_takes_what_holds_it();
}

/* Microseconds of 1000 turns of a machine code's loop, 128 instructions, into which nvcc has
 * inlined a function with a loop that it has unrolled: of so many visits and turns in each. */
static double inlined(unsigned visits, unsigned turns, unsigned around) {
    char letters[141] = "", code[300];
    double times[2];
    memset(letters, '.', sizeof letters - 1);
    snprintf(code, sizeof code,
             "histolab-code 1 sm_90\nkernel 32 0 0 140 k\nm 2 10 load global 4 3\n"
             "loop 5 134 1\np %s\nn 10 5 7 128 42 2 11 5\n",
             letters);
    for (unsigned i = 0; i < 2; i++) {
        unsigned count = i ? 1100 : 100;
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0), loads(&writing, 1);
        for (unsigned visit = 0; visit < count * visits; visit++)
            fprintf(writing.file, "l 6 8 %u\n", turns);
        fprintf(writing.file, "l 42 42 %u\ne\n", count * around);
        times[i] = microseconds(&writing, code);
    }
    return times[1] - times[0];
}

/* nvcc asks once before a loop, and at the end of each turn: seven turns of 20 instructions, once
 * 40 to go around. */
static void a_loop_asks_before_its_first_turn(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 60 k\n"
                               "m 12 10 load global 4 13\nm 22 10 load global 4 23\n"
                               "loop 15 34 1\nloop 1 54 1\n";
    enum { VISITS = 100, TURNS = 8 };
    double times[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (unsigned visit = 0; visit < (1 + i) * VISITS; visit++)
            for (unsigned turn = 0; turn < TURNS; turn++)
                fprintf(writing.file, "r 0 %u ffffffff 1 1 4000:f\n", turn);
        fputs("e\n", writing.file);
        times[i] = microseconds(&writing, code);
    }
    near(times[1] - times[0], VISITS * (((TURNS - 1) * 20 + 34) * 3e-3 + TURNS * .03), 0.02);
}

/* An inner loop that nvcc has unrolled is part of a turn of the outer one: 10 instructions. So is
 * one of a function that is called there, also in some visits, or in few of the turns. */
static void an_unrolled_loop_is_part_of_the_one_around_it(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 3\nloop 5 14 1\n"
                               "p ....................\nn 10 5 20 6 22 4 11 5\n";
    double times[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0), loads(&writing, 1);
        fprintf(writing.file, "l 22 23 8\nl 20 24 %u\ne\n", i ? 11000 : 1000);
        times[i] = microseconds(&writing, code);
    }
    near(times[1] - times[0], 10000 * 10 * 3e-3, 0.01);
    near(inlined(1, 64, 1), 1000 * 128 * 3e-3, 0.1);
    near(inlined(4, 16, 1), 1000 * 128 * 3e-3, 0.1);
    near(inlined(1, 4, 64), 1000 * 128 * 3e-3, 0.1);
}

/* What 1000 turns more take in which a loop without requests comes, an item; `known`: they are
 * those of a loop that makes none either. */
static double of_1000_turns(const char *code, const char *item, bool known) {
    double times[2];

    for (unsigned i = 0; i < 2; i++) {
        const unsigned turns = i ? 1100 : 100;
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0), loads(&writing, 1);
        for (unsigned turn = 0; turn < turns; turn++)
            fputs(item, writing.file);
        if (known)
            fprintf(writing.file, "l 20 24 %u\n", turns);
        fputs("e\n", writing.file);
        times[i] = microseconds(&writing, code);
    }
    return times[1] - times[0];
}

/* So is it where the outer one is known by a request alone that is made once, before its turns. */
static void an_unrolled_loop_is_part_of_one_that_asks_before(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 3\nloop 6 15 1\n"
                               "p ....................\nn 10 6 22 9 9 5\n";

    (void)state;
    near(of_1000_turns(code, "l 22 23 4\n", false), 1000 * 10 * 3e-3, 0.01);
}

/* A loop with one of its own takes 7 instructions a turn, also where it is most of the machine code
 * of the loop around it, whose 3 come once for 8 turns. */
static void a_loop_of_its_own_goes_before_the_one_around_it(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 3\nloop 6 12 1\nloop 5 14 1\n"
                               "p ....................\nn 10 5 20 1 22 7 24 2 11 5\n";

    (void)state;
    near(of_1000_turns(code, "l 22 23 8\n", true), 1000 * (8 * 7 + 3) * 3e-3, 0.01);
}

/* One that nvcc has unrolled does not part the requests around it: four of them still start
 * together. */
static void an_unrolled_loop_parts_no_requests(void **state) {
    struct writing writing;
    char code[sizeof unrolled + 40];

    (void)state;
    snprintf(code, sizeof code, "%sn 10 20\n", unrolled);
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    for (unsigned turn = 0; turn < 100; turn++)
        loads(&writing, 1), fputs("l 20 21 4\n", writing.file);
    fputs("e\n", writing.file);
    near(microseconds(&writing, code), 1 + 100 * 0.5 / 4, 0.1);
}

/* Code in front of a warp's operation, before any request, is issued once: 1000 instructions. */
static void code_before_an_operation_is_issued_once(void **state) {
    char letters[1001] = "", code[1200];
    struct writing writing;

    (void)state;
    memset(letters, '.', 1000);
    snprintf(
        code, sizeof code,
        "histolab-code 1 sm_90\nkernel 32 0 0 1004 k\nm 1002 13 reduce global 4 -1\np %sw.m.\n",
        letters);
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    fputs("w\n", writing.file), requests(&writing, 3, 1, 1), fputs("e\n", writing.file);
    near(on("", &writing, code), 1000 * 3e-3, 0.1);
}

/* Between the shuffles of a warp and its last loads lies code of loops that it did not enter. */
static void an_operation_is_reached_past_loops(void **state) {
    char letters[1001] = "", code[1300];
    struct writing writing;

    (void)state;
    memset(letters, '.', 1000);
    letters[4] = letters[910] = 'b';
    letters[950] = 'w';
    snprintf(code, sizeof code,
             "histolab-code 1 sm_90\nkernel 32 0 0 1000 k\nm 2 10 load global 4 3\nloop 1 4 1\n"
             "m 12 10 load global 4 900\nm 13 10 load global 4 901\nloop 11 910 2\np %s\n",
             letters);
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 1);
    fputs("w\ne\n", writing.file);
    near(on("", &writing, code), 0.5 + 50 * 3e-3, 0.15);
}

/* Machine code of 330 instructions in three parts that end with a barrier each, its memory
 * instructions, and other letters: each with its position, and a blank behind it. A barrier of one
 * warp takes 0.05 us. */
static void with_barriers(struct writing *writing, char *code, size_t size, const char *memory,
                          const char *rest) {
    char letters[331];
    memset(letters, '.', sizeof letters - 1);
    letters[330] = '\0';
    letters[109] = letters[219] = letters[329] = 'B';
    for (const char *at = rest; *at; at += strcspn(at, " ") + 1)
        letters[atoi(at + 1)] = *at;
    snprintf(code, size, "histolab-code 1 sm_90\nkernel 32 0 0 330 k\n%sp %s\n", memory, letters);
    begin(writing, 1, 32, 0);
    trace(writing, 0, 0);
}

/* nvcc makes one load of those on both sides of a branch, and requests between two barriers are
 * made by the code between them: it is not left for the load behind the next barrier. */
static void requests_stay_between_their_barriers(void **state) {
    char code[700];
    struct writing writing;

    (void)state;
    with_barriers(&writing, code, sizeof code,
                  "m 100 10 load global 4 101\nm 210 10 load global 4 211\n"
                  "m 320 10 load global 4 321\n",
                  "m100 m210 m320 ");
    for (unsigned turn = 0; turn < 3; turn++)
        fprintf(writing.file, "r 0 %u ffff 1 1 %x:f\nr 0 %u ffff0000 1 1 %x:f\nb\n", turn,
                0x4000 + turn, turn, 0x5000 + turn);
    fputs("e\n", writing.file);
    near(on("", &writing, code), 3 * 0.5 + 330 * 3e-3 + 3 * 0.05, 0.1);
}

/* nvcc has moved the load up across two barriers: what it takes passes while others run. */
static void loads_move_up_across_barriers(void **state) {
    char code[700];
    struct writing writing;

    (void)state;
    with_barriers(&writing, code, sizeof code, "m 2 10 load global 4 328\n", "m2 ");
    fputs("b\nb\n", writing.file), loads(&writing, 1), fputs("b\ne\n", writing.file);
    near(on("", &writing, code), 330 * 3e-3 + 3 * 0.05, 0.1);
}

/* nvcc has put a barrier before the shuffle that the source has before it. */
static void a_barrier_comes_before_an_operation(void **state) {
    char code[700];
    struct writing writing;

    (void)state;
    with_barriers(&writing, code, sizeof code, "m 212 10 load global 4 213\n", "w112 m212 ");
    fputs("w\nb\n", writing.file), loads(&writing, 1), fputs("b\nb\ne\n", writing.file);
    near(on("", &writing, code), 0.5 + 330 * 3e-3 + 3 * 0.05, 0.1);
}

/* A warp that has nothing to do in the turns of a loop waits at its barrier in each. */
static void an_idle_warp_goes_around_with_the_barriers(void **state) {
    char code[700];
    struct writing writing;

    (void)state;
    with_barriers(&writing, code, sizeof code, "m 50 10 load global 4 51\nloop 0 110 1\n",
                  "m50 .219 .329 ");
    fputs("b\nb\nb\nb\nb\nb\nb\nb\ne\n", writing.file);
    near(on("", &writing, code), 8 * (110 * 3e-3 + 0.05), 0.1);
}

/* A loop that nvcc has unrolled loads for four turns before their shuffles. */
static void loads_of_turns_with_shuffles_start_together(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 6\nm 3 10 load global 4 8\n"
                               "m 4 10 load global 4 10\nm 5 10 load global 4 12\n"
                               "loop 1 14 1\np ..mmmmw.w.w.w.......\n";
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    for (unsigned turn = 0; turn < 100; turn++)
        fprintf(writing.file, "r 0 %u ffffffff 1 1 %x:f\nw\n", turn, 0x4000 + turn);
    fputs("e\n", writing.file);
    near(on("", &writing, code), 25 * (0.5 + 14 * 3e-3) + 100 * 0.024, 0.1);
}

/* What 1000 shuffles take in a loop of 10 instructions with two of them. */
static double of_1000_shuffles(const char *letters) {
    char code[300];
    struct writing writing;

    snprintf(code, sizeof code,
             "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 load global 4 3\nloop 5 14 1\n"
             "p %s\nn 10 4 30 16\n",
             letters);
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 1);
    for (unsigned k = 0; k < 1000; k++)
        fputs("w\n", writing.file);
    fputs("l 25 31 500\ne\n", writing.file);
    return on("", &writing, code) - 0.5;
}

/* A loop of shuffles without requests runs as often as they say, not as often as one within it that
 * has been unrolled; of two side by side one is waited for. */
static void loops_of_shuffles_run_as_often_as_these(void **state) {
    (void)state;
    near(of_1000_shuffles("..m....w...w........"), 1000 * 0.024 + 500 * 10 * 3e-3, 0.05);
    near(of_1000_shuffles("..m....ww..........."), 500 * 0.024 + 500 * 10 * 3e-3, 0.05);
}

/* Branches over what hardly ever runs are no ways out of a loop that was unrolled. */
static void branches_over_cold_code_are_no_ways_out(void **state) {
    static const char *const letters[] = {"...b-.b-.b-.b-......", "....-..-..-..-......"};
    double times[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        char code[200];
        snprintf(code, sizeof code,
                 "histolab-code 1 sm_90\nkernel 32 0 0 20 k\nm 2 10 load global 4 18\n"
                 "m 17 13 reduce global 4 -1\nloop 1 19 1\np %s\nn 10 3 20 12 13 5\n",
                 letters[i]);
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (unsigned turn = 0; turn < 100; turn++)
            loads(&writing, 1), fputs("l 20 21 600\n", writing.file), requests(&writing, 3, 1, 1);
        fputs("e\n", writing.file);
        times[i] = microseconds(&writing, code);
    }
    near(times[0], times[1], 0.01);
}

/* A loop of four turns that nvcc has unrolled, with two branches in each: four turns, not eight. */
static void branches_within_turns_are_no_ways_out(void **state) {
    double times[2];

    (void)state;
    for (unsigned branches = 0; branches < 2; branches++) {
        char letters[401], code[600];
        struct writing writing;
        memset(letters, '.', 400);
        letters[400] = '\0';
        for (unsigned turn = 0; turn < 4; turn++)
            letters[10 + 90 * turn] = letters[50 + 90 * turn * branches] = 'b';
        snprintf(code, sizeof code,
                 "histolab-code 1 sm_90\nkernel 32 0 0 400 k\nm 2 10 load global 4 398\np %s\n"
                 "n 10 3 20 396 13 1\n",
                 letters);
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        loads(&writing, 1), fputs("l 20 21 4\ne\n", writing.file);
        times[branches] = microseconds(&writing, code);
    }
    near(times[0], times[1], 0.01);
}

/* Code without a loop has the turns of both visits of a warp, one after the other. */
static void unrolled_visits_follow_each_other(void **state) {
    char letters[401], code[600];
    struct writing writing;

    (void)state;
    memset(letters, '.', 400);
    letters[400] = '\0';
    for (unsigned branch = 0; branch < 16; branch++)
        letters[10 + 24 * branch] = 'b';
    snprintf(code, sizeof code,
             "histolab-code 1 sm_90\nkernel 32 0 0 400 k\nm 2 10 load global 4 398\np %s\n"
             "n 10 3 20 396 13 1\n",
             letters);
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    loads(&writing, 1), fputs("l 20 21 4\nl 20 21 4\ne\n", writing.file);
    near(on("", &writing, code), 0.5 + 400 * 3e-3, 0.1);
}

/* Kernels of one block of four multiprocessors' run beside each other, where no stream orders them;
 * what takes the whole GPU does not. */
static void operations_on_streams_of_their_own_share_the_gpu(void **state) {
    static const char *const orders[] = {"", "after 1 0\n"};
    double times[2][2];

    (void)state;
    for (unsigned wide = 0; wide < 2; wide++)
        for (unsigned apart = 0; apart < 2; apart++) {
            struct writing writing;
            begin(&writing, wide ? 8 : 1, 1024, 0);
            trace(&writing, 0, 0), loads(&writing, 200), fputs("e\n", writing.file);
            fprintf(writing.file, "op 1 kernel 6 %u 1 1 1024 1 1 0 0 0 1 k\n%s", wide ? 8 : 1,
                    orders[apart]);
            fputs("site 1 0 10 9 load global 4 1 32 99000000 1 1 0 1 1\ntrace 1 0 0\n",
                  writing.file);
            loads(&writing, 200), fputs("e\n", writing.file);
            times[wide][apart] = microseconds(&writing, dependent);
        }
    near(times[0][1], times[0][0] / 2, 0.05);
    assert_true(times[1][1] > 0.8 * times[1][0]);
}

/* 2 cycles for each value that is compared, 4 for each mask, and 2 for each word of a table. */
static void groups_of_lanes_take_their_passes(void **state) {
    static const char *const passes[] = {"passes 0 40000 20000 9 512\n",
                                         "passes 0 9 9 80000 512\n"};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct writing writing;
        begin(&writing, 4, 32, 0);
        fputs(passes[i], writing.file);
        trace(&writing, 0, 0), loads(&writing, 1), fputs("e\n", writing.file);
        struct predict result = predicted(&writing, dependent);
        near(result.seconds * 1e6, 1 + 160000 / 4 * 1e-3, 0.01);
        assert_string_equal(predict_unit_name(result.limit), "issue");
        predict_free(&result);
    }
}

static void more_bytes_take_more_time(void **state) {
    double before = 0;

    (void)state;
    for (unsigned count = 1; count < 1000; count *= 3) {
        struct writing writing;
        begin(&writing, 4, 64, 0);
        for (unsigned warp = 0; warp < 2; warp++)
            trace(&writing, 0, warp), loads(&writing, count), fputs("e\n", writing.file);
        double time = microseconds(&writing, unrolled);
        assert_true(time > before);
        before = time;
    }
}

/* The second kernel runs while the first one does, where it may. */
static void overlapping_calls_share_the_time(void **state) {
    double times[2];

    (void)state;
    for (int overlaps = 0; overlaps < 2; overlaps++) {
        struct writing writing;
        begin(&writing, 4, 32, overlaps);
        trace(&writing, 0, 0), fputs("t\n", writing.file);
        loads(&writing, 40), fputs("d\ne\n", writing.file);
        times[overlaps] = microseconds(&writing, dependent);
    }
    near(times[0], 1 + 40 * 0.5, 0.1);
    assert_true(times[1] < times[0] / 3 && times[1] >= 0.5);
}

/* Of a grid on half of the multiprocessors two calls run at a time, unless each waits for the one
 * before it before it does anything. */
static void small_grids_overlap_on_multiprocessors_of_their_own(void **state) {
    static const char *const begins[] = {"t\n", "t\nd\n"};

    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        double times[2];
        for (unsigned half = 0; half < 2; half++) {
            struct writing writing;
            begin(&writing, half ? 2 : 4, 32, 1);
            trace(&writing, 0, 0), fputs(begins[waits], writing.file);
            requests(&writing, 1, 400, 32), fputs(waits ? "e\n" : "d\ne\n", writing.file);
            times[half] = microseconds(&writing, dependent);
        }
        assert_true(times[0] > 12.8);
        near(times[1] / times[0], waits ? 1 : 0.5, 0.05);
    }
}

/* How often the loop that accesses nothing turns is in no trace. */
static const char with_a_loop_unseen[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                         "m 2 10 load global 4 6\nm 3 10 load global 4 7\n"
                                         "m 4 10 load global 4 8\nm 5 10 load global 4 9\n"
                                         "loop 1 10 1\nloop 12 14 1\n";
/* A swap is tried until it succeeds, and each time what it takes is searched. */
static const char with_a_search[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                                    "m 2 10 load global 4 6\nm 3 10 load global 4 7\n"
                                    "m 4 10 load global 4 8\nm 5 10 load global 4 9\n"
                                    "m 12 13 atomic-swap global 4 13\n"
                                    "loop 1 10 1\nloop 0 14 1\n";

static void the_interval_is_wider_for_what_is_not_known(void **state) {
    static const char *const codes[] = {NULL, unrolled, with_a_loop_unseen, with_a_search};
    double width[COUNT(codes)];

    (void)state;
    for (size_t i = 0; i < COUNT(codes); i++) {
        bool with = codes[i] != NULL;
        struct writing writing;
        begin(&writing, 4, 32, 0);
        trace(&writing, 0, 0), loads(&writing, 400), fputs("e\n", writing.file);
        struct predict result = predicted(&writing, codes[i]);
        assert_true(result.with_code == with && result.ops[0].registers == (with ? 32 : -1));
        width[i] = result.high / result.low;
        predict_free(&result);
    }
    assert_true(width[0] > width[1] * 1.2);
    assert_true(width[2] > width[1] * 1.5 && width[3] > width[1] * 5);
}

/* 1000 turns of a loop with 100 instructions of one unit, in each of 32 warps. */
static void narrow_units_make_instructions_wait(void **state) {
    static const struct {
        char unit;
        double cycles; /* of a multiprocessor, for each instruction of a warp */
    } units[] = {{'.', 0.25}, {'a', 0.5}, {'i', 0.5}, {'w', 1}, {'q', 2},
                 {'b', 1},    {'d', 0.5}, {'c', 3},   {'l', 1}};

    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct writing writing;
        char letters[102] = "", code[300];
        memset(letters, units[i].unit, 100);
        snprintf(code, sizeof code,
                 "histolab-code 1 sm_90\nkernel 32 0 0 101 k\nm 100 13 reduce global 4 -1\n"
                 "loop 0 100 1\np %sm\n",
                 letters);
        begin(&writing, 1, 1024, 0);
        for (unsigned warp = 0; warp < 32; warp++) {
            trace(&writing, 0, warp);
            for (unsigned turn = 0; turn < 20; turn++)
                fprintf(writing.file, "r 3 %u 1 1 1 5:1\n", turn);
            fputs("e\n", writing.file);
        }
        near(on("constant_cycles 64 3\n", &writing, code), 32 * 20 * 100 * units[i].cycles * 1e-3,
             0.15);
    }
}

/* A hundred shuffles, and a load of shared memory that takes as long by the same path. */
static void shuffles_take_the_path_of_shared_memory(void **state) {
    struct writing writing;
    char letters[102] = "", code[300];

    (void)state;
    memset(letters, 'w', 100);
    snprintf(code, sizeof code,
             "histolab-code 1 sm_90\nkernel 32 0 0 101 k\nm 100 11 load shared 4 -1\n"
             "loop 0 100 1\np %sm\n",
             letters);
    begin(&writing, 4, 1024, 0);
    for (unsigned warp = 0; warp < 32; warp++)
        trace(&writing, 0, warp), requests(&writing, 1, 20, 100), fputs("e\n", writing.file);
    struct predict result = predicted(&writing, code);
    near(result.seconds * 1e6 - 1, 32 * 20 * 200 * 1e-3, 0.15);
    assert_int_equal(result.limit, PREDICT_SHARED);
    predict_free(&result);
}

/* A hundred instructions, and a load of shared memory that takes as long. */
static void what_warps_need_in_turn_holds_them_up(void **state) {
    struct writing writing;
    char letters[102] = "", code[300];

    (void)state;
    memset(letters, '.', 100);
    snprintf(code, sizeof code,
             "histolab-code 1 sm_90\nkernel 32 0 0 101 k\nm 100 11 load shared 4 -1\n"
             "loop 0 100 1\np %sm\n",
             letters);
    begin(&writing, 1, 1024, 0);
    for (unsigned warp = 0; warp < 32; warp++) {
        trace(&writing, 0, warp);
        for (unsigned turn = 0; turn < 20; turn++)
            fprintf(writing.file, "r 1 %u ffffffff 25 1\n", turn);
        fputs("e\n", writing.file);
    }
    near(microseconds(&writing, code) - 1, 32 * 20 * 25e-3 * sqrt(2), 0.05);
}

/* Of the kernels of one template, the one that has the site's instructions. */
static void a_template_finds_its_machine_code(void **state) {
    static const char two[] = "histolab-code 1 sm_90\nkernel 20 0 0 20 k<char>\n"
                              "m 2 10 load global 1 3\nloop 1 4 1\n"
                              "kernel 24 0 0 20 k<int>\nm 2 10 load global 4 3\nloop 1 4 1\n";
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 100), fputs("e\n", writing.file);
    struct predict result = predicted(&writing, two);
    assert_int_equal(result.ops[0].registers, 24);
    near(result.seconds * 1e6, 1 + 100 * 0.5, 0.05);
    predict_free(&result);
}

/* Code behind a branch that no request came from is not issued; it would be 900 instructions. */
static void code_that_is_jumped_over_is_free(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 1000 k\n"
                               "m 2 10 load global 4 3\nm 10 12 increment shared 4 -1\n"
                               "m 910 12 increment shared 4 -1\nm 912 13 reduce global 4 -1\n"
                               "loop 1 914 1\n";
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    for (unsigned turn = 0; turn < 100; turn++) {
        loads(&writing, 1);
        requests(&writing, 3, 1, 1);
    }
    fputs("e\n", writing.file);
    near(microseconds(&writing, code), 1 + 100 * 0.55, 0.1);
}

/* So is, after the last request, a loop that a turn of the one around it did not enter, or such
 * code. */
static void the_end_of_a_turn_that_asked_for_nothing_is_free(void **state) {
    static const char head[] =
        "histolab-code 1 sm_90\nkernel 32 0 0 1000 k\nm 2 10 load global 4 3\n"
        "m 10 12 increment shared 4 -1\n",
                      *const ends[] = {"loop 8 900 1\nloop 1 914 1\n",
                                       "m 900 12 increment shared 4 -1\nloop 1 914 1\n"};

    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++) {
        char code[300];
        struct writing writing;
        snprintf(code, sizeof code, "%s%s", head, ends[i]);
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0), loads(&writing, 100), fputs("e\n", writing.file);
        near(microseconds(&writing, code), 1 + 100 * 0.55, 0.1);
    }
}

/* Where the loop's turns begin again, the warp has gone through the one around it, 100
 * instructions, of which none makes a request. */
static void a_loop_that_begins_again_has_gone_around(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 200 k\n"
                               "m 2 10 load global 4 3\nloop 1 4 1\nloop 1 104 1\n";
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    for (unsigned turn = 0; turn < 100; turn++)
        loads(&writing, 2);
    fputs("e\n", writing.file);
    near(microseconds(&writing, code), 1 + 100 * (2 * 0.5 + 100 * 3e-3), 0.05);
}

/* ---- what only some GPU files and traces have --------------------------------------------- */

static void a_warp_waits_for_fences_grids_and_operations(void **state) {
    static const struct {
        const char *event, *rows;
        double ns;
    } cases[] = {{"f", "fence_ns 300\n", 300},
                 {"g", "grid_barrier_ns 1 900\n", 900},
                 {"w", "warp_operation_cycles 100\n", 100}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (int k = 0; k < 100; k++)
            fprintf(writing.file, "%s\n", cases[i].event);
        fputs("e\n", writing.file);
        near(on(cases[i].rows, &writing, dependent), 100 * cases[i].ns * 1e-3, 0.1);
    }
}

/* The L1 has a line that was read, but after a fence, and after an atomic there. */
static void a_line_is_read_again_from_the_l1_or_the_l2(void **state) {
    static const struct {
        const char *between, *load;
        double ns;
    } cases[] = {{"", "load", 45},
                 {"f\n", "load", 215},
                 {"r 3 0 ffffffff 1 1 4000:f\n", "load", 215},
                 {"", "load-l2", 215}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct writing writing;
        char code[sizeof dependent + 8];
        const char *load = strstr(dependent, "load");
        snprintf(code, sizeof code, "%.*s%s%s", (int)(load - dependent), dependent, cases[i].load,
                 load + 4);
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (int k = 0; k < 100; k++)
            fprintf(writing.file, "r 0 %d ffffffff 1 1 4000:f\n%s", k, cases[i].between);
        fputs("e\n", writing.file);
        near(on("fence_ns 1\n", &writing, code), 100 * cases[i].ns * 1e-3, 0.15);
    }
}

static void the_slowest_of_many_places_is_waited_for(void **state) {
    static const char rows[] = "dram_lines_ns 1 500 32 1500\nl2_lines_ns 1 200 32 900\n";
    double times[2];

    (void)state;
    for (int again = 0; again < 2; again++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (int k = 0; k < 40; k++) {
            fprintf(writing.file, "r 0 %d ffffffff 1 1", k);
            for (int lane = 0; lane < 32; lane++)
                fprintf(writing.file, " %x:1", 0x4000 + 2 * lane + 64 * (again ? k % 2 : k));
            fputs(again ? "\nf\n" : "\n", writing.file);
        }
        fputs("e\n", writing.file);
        times[again] = on(rows, &writing, dependent);
    }
    near(times[0], 40 * 1.5, 0.1);
    near(times[1], 40 * 0.9, 0.1);
    struct writing writing;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    for (int k = 0; k < 160; k++)
        fprintf(writing.file, "r 0 %d ffffffff 1 1 %x:f\n", k, 0x4000 + 64 * k);
    fputs("e\n", writing.file);
    near(on("dram_lines_ns 1 500 4 1500\n", &writing, unrolled), 40 * 1.5, 0.1);
}

/* A loop's first turn that stands before it does not run again, nor do the hundred instructions
 * there. */
static void a_turn_before_a_loop_runs_once(void) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 120 k\n"
                               "m 102 10 load global 4 103\nm 112 10 load global 4 113\n"
                               "loop 111 114 1\n";
    struct writing writing;

    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 100), fputs("e\n", writing.file);
    near(on("", &writing, code), 100 * (0.5 + 4 * 3e-3) + 100 * 3e-3, 0.02);
}

/* What each turn reads nvcc has read once, before the loop whose other loads it holds. */
static void nor_do_those_before_the_loop(void) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 3\nm 12 11 load shared 4 13\nloop 11 14 1\n";
    struct writing writing;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0);
    for (unsigned turn = 0; turn < 100; turn++)
        fprintf(writing.file, "r 0 %u ffffffff 1 1 4000:f\nr 1 %u ffffffff 1 1\n", turn, turn);
    fputs("e\n", writing.file);
    near(on("", &writing, code), 0.5 + 100 * (0.02 + 4 * 3e-3), 0.1);
}

/* What no loop repeats the compiler has read once. */
static void an_instruction_outside_of_loops_runs_once(void **state) {
    char code[600] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n";
    struct writing writing;

    (void)state;
    for (int k = 0; k < 8; k++)
        sprintf(strchr(code, '\0'), "m %d 10 load global 4 %d\n", 2 * k, 2 * k + 1);
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 100), fputs("e\n", writing.file);
    near(on("", &writing, code), 8 * 0.5, 0.1);
    a_turn_before_a_loop_runs_once();
    nor_do_those_before_the_loop();
}

/* The source asks twice in a turn of 600 instructions; nvcc has one load for both, or two. */
static void what_a_turn_has_just_read_it_reads_once(void **state) {
    static const char *const codes[] = {"histolab-code 1 sm_90\nkernel 32 0 0 620 k\n"
                                        "m 2 10 load global 4 3\nloop 1 600 1\n",
                                        "histolab-code 1 sm_90\nkernel 32 0 0 620 k\n"
                                        "m 2 10 load global 4 3\nm 4 10 load global 4 5\n"
                                        "loop 1 600 1\n"};
    double us[COUNT(codes)];

    (void)state;
    for (size_t i = 0; i < COUNT(codes); i++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (unsigned turn = 0; turn < 100; turn++)
            for (unsigned k = 0; k < 2; k++)
                fprintf(writing.file, "r 0 %u %s 1 1 %x:f\n", turn, k ? "ffff" : "ffffffff",
                        0x8000 + turn);
        fputs("e\n", writing.file);
        us[i] = microseconds(&writing, codes[i]);
    }
    near(us[0], us[1], 0.1);
}

/* Nvcc has no load where the source reads of shared memory what the thread has put there. */
static void what_nvcc_keeps_is_not_read(void **state) {
    struct writing writing;
    double us[2];

    (void)state;
    for (unsigned i = 0; i < COUNT(us); i++) {
        begin(&writing, 1, 32, 0);
        fprintf(writing.file, "site 0 4 40 9 load shared 4 %u 1 0 0 1 0 1 1\n", i ? 1000 : 0);
        trace(&writing, 0, 0);
        loads(&writing, 1);
        for (unsigned turn = 0; i && turn < 1000; turn++)
            fprintf(writing.file, "r 4 %u ffffffff 1 1\n", turn);
        fputs("e\n", writing.file);
        us[i] = microseconds(&writing, dependent);
    }
    near(us[1], us[0], 0.01);
}

/* The source asks for the next word and for one that stays, in each of eight turns; nvcc has a load
 * a turn, and the other one before the loop, or both in the loop. */
static void what_stays_it_reads_once(void **state) {
    static const char *const codes[] = {
        "histolab-code 1 sm_90\nkernel 32 0 0 620 k\nm 2 10 load global 4 3\n"
        "m 4 10 load global 4 5\nm 6 10 load global 4 7\nm 8 10 load global 4 9\nloop 1 600 4\n",
        "histolab-code 1 sm_90\nkernel 32 0 0 320 k\n"
        "m 2 10 load global 4 3\nm 4 10 load global 4 5\nm 6 10 load global 4 7\n"
        "m 8 10 load global 4 9\nloop 1 300 2\n"};
    double us[COUNT(codes)];

    (void)state;
    for (size_t i = 0; i < COUNT(codes); i++) {
        struct writing writing;
        begin(&writing, 1, 32, 0);
        trace(&writing, 0, 0);
        for (unsigned turn = 0; turn < 400; turn++)
            fprintf(writing.file, "r 0 %u ffffffff 1 1 %x:1\nr 0 %u ffffffff 1 1 1:f\n", turn,
                    0x8000 + turn / 8, turn);
        fputs("e\n", writing.file);
        us[i] = microseconds(&writing, codes[i]);
    }
    near(us[0], us[1], 0.1);
}

/* The emulator's first block has taken all work from a counter; on a GPU eight share it. */
static void work_from_a_counter_is_shared(void **state) {
    struct writing writing;

    (void)state;
    writing.file = open_memstream(&writing.text, &writing.size);
    fputs(
        "histolab-counts 1\ngpu round 4\ncall 0 1 1000000000 4\n"
        "op 0 kernel 5 8 1 1 32 1 1 0 0 0 8 k\nsite 0 0 10 9 load global 4 100 3200 400 100 1 0 1 1\n"
        "site 0 1 13 9 atomic global 4 100 3200 400 100 1 0 1 1\nmemory 0 0 0\ntrace 0 0 0\n",
        writing.file);
    for (int k = 0; k < 100; k++)
        loads(&writing, 1), fputs("r 1 0 ffffffff 1 1 5:f\n", writing.file);
    fputs("e\n", writing.file);
    near(on("", &writing, dependent), 100 * 0.5 / 8, 0.15);
}

/* One block on each multiprocessor, of which the first does more than the last. */
static void of_few_blocks_the_longest_decides(void **state) {
    struct writing writing;

    (void)state;
    begin(&writing, 4, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 100), fputs("e\n", writing.file);
    trace(&writing, 3, 0), loads(&writing, 1), fputs("e\n", writing.file);
    near(microseconds(&writing, dependent), 1 + 100 * 0.5, 0.1);
}

/* The first of 64 blocks pushes to a queue, which is no counter of work: the others have not asked.
 */
static void pushes_to_a_queue_are_not_shared(void **state) {
    struct writing writing;

    (void)state;
    writing.file = open_memstream(&writing.text, &writing.size);
    fputs("histolab-counts 1\ngpu round 4\ncall 0 1 1000000000 4\n"
          "op 0 kernel 5 64 1 1 32 1 1 0 0 0 64 k\n"
          "site 0 0 10 9 load global 4 69 99 9900 1 1 0 1 1\n"
          "site 0 1 13 9 atomic global 4 6 192 6 6 1 0 1 1\nmemory 0 0 0\ntrace 0 0 0\n",
          writing.file);
    for (int k = 0; k < 6; k++)
        loads(&writing, 1), fputs("r 1 0 ffffffff 1 1 5:f\n", writing.file);
    fputs("e\n", writing.file);
    assert_true(on("", &writing, dependent) > 6 * 0.5);
}

/* Blocks of 100 and of 50 loads were traced, and all have 60; but where most have none, the longest
 * decides. */
static void traced_blocks_stand_for_what_all_do(void **state) {
    enum { BLOCKS = 1024 };
    static const double of_block[] = {75, 60, 0.125};
    double us[COUNT(of_block)];

    (void)state;
    for (size_t i = 0; i < COUNT(of_block); i++) {
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fprintf(writing.file,
                "histolab-counts 1\ngpu round 4\ncall 0 1 1000000000 4\n"
                "op 0 kernel 5 %d 1 1 1024 1 1 0 0 0 %d k\n"
                "site 0 0 10 9 load global 4 %.0f 99 99000000 1 1 0 1 1\nmemory 0 0 0\n",
                BLOCKS, BLOCKS, of_block[i] * BLOCKS);
        for (unsigned block = 0; block < 2; block++) {
            trace(&writing, 4 * block, 0);
            loads(&writing, 100 - 50 * block);
            fputs("e\n", writing.file);
        }
        us[i] = on("", &writing, dependent);
    }
    near(us[1] / us[0], 60 / 75.0, 0.001);
    near(us[2] / us[0], 1, 0.001);
}

/* So do their turns of loops without requests: ten in each that was traced, and forty in others. */
static void traced_blocks_stand_for_the_turns_of_all(void **state) {
    static const char code[] = "histolab-code 1 sm_90\nkernel 32 0 0 20 k\n"
                               "m 2 10 load global 4 3\nloop 5 14 1\n"
                               "p ....................\nn 10 5 20 10 11 5\n";
    enum { BLOCKS = 1024 };
    double us[2];

    (void)state;
    for (unsigned i = 0; i < COUNT(us); i++) {
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fprintf(writing.file,
                "histolab-counts 1\ngpu round 4\ncall 0 1 1000000000 4\n"
                "op 0 kernel 5 %d 1 1 32 1 1 0 0 0 %d k\n"
                "site 0 0 10 0 load global 4 %d 99 99000000 1 1 0 1 1\nmemory 0 0 0\n"
                "most 0 41 %d\n",
                BLOCKS, BLOCKS, BLOCKS, (i ? 40 : 10) * BLOCKS);
        trace(&writing, 0, 0), loads(&writing, 1);
        fputs("l 20 21 10\ne\n", writing.file);
        us[i] = on("", &writing, code);
    }
    near(us[1] / us[0], (1 + 40) / 11.0, 0.2);
}

/* A memset and a kernel of a block on each multiprocessor, which are launched one after the other.
 */
static void launches_of_two_kinds_cost_a_change(void **state) {
    static const struct {
        const char *rows;
        double us;
    } cases[] = {{"memset_ns 700\nchange_ns 300\n", 1 + .7 + 2 * .3},
                 {"memset_ns 700\nlaunch_wide_ns 3010\n", 3 + .7},
                 {"memset_ns 700\nhost_launch_ns 5000\n", 2 * 5}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char rows[128];
        struct writing writing;
        writing.file = open_memstream(&writing.text, &writing.size);
        fputs("histolab-counts 1\ngpu round 4\ncall 0 1 4 4\nop 0 memset 4\n"
              "op 1 kernel 5 4 1 1 32 1 1 0 0 0 4 k\ntrace 1 0 0\ne\n",
              writing.file);
        snprintf(rows, sizeof rows, "%s%s", cases[i].rows, i == 1 ? "" : "launch_wide_ns 1010\n");
        near(1 + on(rows, &writing, NULL), cases[i].us, 0.05);
    }
}

/* A kernel of 2 us, which the host launches every 5. */
static void the_host_limits_short_kernels(void **state) {
    char text[sizeof gpu_text + 128];
    struct writing writing;

    (void)state;
    begin(&writing, 1, 32, 0);
    trace(&writing, 0, 0), loads(&writing, 4), fputs("e\n", writing.file);
    with_rows(text, sizeof text, "host_launch_ns 5000\n");
    struct predict result = predicted_on(text, &writing, dependent);
    near(result.seconds * 1e6, 5, 0.01);
    assert_int_equal(result.limit, PREDICT_LAUNCHES);
    near(result.shares[PREDICT_LAUNCHES], 1, 0);
    predict_free(&result);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_refuse),
    cmocka_unit_test(counts_are_read),
    cmocka_unit_test(gpu_needs_each_key),
    cmocka_unit_test(code_refuses),
    cmocka_unit_test(dependent_loads_take_their_latency_each),
    cmocka_unit_test(loads_wait_while_dram_writes),
    cmocka_unit_test(many_warps_reach_the_bandwidth),
    cmocka_unit_test(more_blocks_than_are_traced_take_as_long_each),
    cmocka_unit_test(a_weight_stands_for_repetitions),
    cmocka_unit_test(conflicts_multiply),
    cmocka_unit_test(barriers_wait_for_the_last_warp),
    cmocka_unit_test(a_barrier_takes_warps_as_they_come),
    cmocka_unit_test(what_the_l2_cannot_hold_comes_from_dram_in_each_call),
    cmocka_unit_test(what_passes_between_two_reads_costs_the_second),
    cmocka_unit_test(gathers_are_slower_than_streams),
    cmocka_unit_test(gathers_from_the_l2_have_their_rate),
    cmocka_unit_test(dram_is_named_before_the_l2),
    cmocka_unit_test(stores_that_the_l2_cannot_hold_wait),
    cmocka_unit_test(sectors_that_are_stored_in_part_are_read),
    cmocka_unit_test(a_wide_store_stores_all_that_it_joins),
    cmocka_unit_test(narrow_instructions_share_a_wide_request),
    cmocka_unit_test(the_heaviest_warp_bounds_the_time),
    cmocka_unit_test(blocks_that_do_more_start_no_later),
    cmocka_unit_test(stores_that_fill_up_sectors_leave_together),
    cmocka_unit_test(one_address_is_a_chain),
    cmocka_unit_test(atomics_cost_by_lanes_and_by_what_they_send),
    cmocka_unit_test(the_l2_does_atomics_and_loads_in_turn),
    cmocka_unit_test(a_lock_is_held_as_often_as_it_is_given_back),
    cmocka_unit_test(what_a_lock_guards_takes_turns),
    cmocka_unit_test(blocks_that_hand_on_run_in_a_row),
    cmocka_unit_test(a_swap_that_others_come_before_is_tried_again),
    cmocka_unit_test(atomics_in_a_loop_take_all_of_its_wavefronts),
    cmocka_unit_test(loops_without_requests_take_their_turns),
    cmocka_unit_test(a_loop_asks_before_its_first_turn),
    cmocka_unit_test(an_unrolled_loop_is_part_of_the_one_around_it),
    cmocka_unit_test(an_unrolled_loop_is_part_of_one_that_asks_before),
    cmocka_unit_test(a_loop_of_its_own_goes_before_the_one_around_it),
    cmocka_unit_test(an_unrolled_loop_parts_no_requests),
    cmocka_unit_test(code_before_an_operation_is_issued_once),
    cmocka_unit_test(an_operation_is_reached_past_loops),
    cmocka_unit_test(requests_stay_between_their_barriers),
    cmocka_unit_test(loads_move_up_across_barriers),
    cmocka_unit_test(a_barrier_comes_before_an_operation),
    cmocka_unit_test(an_idle_warp_goes_around_with_the_barriers),
    cmocka_unit_test(loads_of_turns_with_shuffles_start_together),
    cmocka_unit_test(loops_of_shuffles_run_as_often_as_these),
    cmocka_unit_test(branches_over_cold_code_are_no_ways_out),
    cmocka_unit_test(branches_within_turns_are_no_ways_out),
    cmocka_unit_test(unrolled_visits_follow_each_other),
    cmocka_unit_test(operations_on_streams_of_their_own_share_the_gpu),
    cmocka_unit_test(groups_of_lanes_take_their_passes),
    cmocka_unit_test(more_bytes_take_more_time),
    cmocka_unit_test(overlapping_calls_share_the_time),
    cmocka_unit_test(small_grids_overlap_on_multiprocessors_of_their_own),
    cmocka_unit_test(the_interval_is_wider_for_what_is_not_known),
    cmocka_unit_test(narrow_units_make_instructions_wait),
    cmocka_unit_test(shuffles_take_the_path_of_shared_memory),
    cmocka_unit_test(what_warps_need_in_turn_holds_them_up),
    cmocka_unit_test(a_template_finds_its_machine_code),
    cmocka_unit_test(code_that_is_jumped_over_is_free),
    cmocka_unit_test(the_end_of_a_turn_that_asked_for_nothing_is_free),
    cmocka_unit_test(a_warp_waits_for_fences_grids_and_operations),
    cmocka_unit_test(a_line_is_read_again_from_the_l1_or_the_l2),
    cmocka_unit_test(the_slowest_of_many_places_is_waited_for),
    cmocka_unit_test(an_instruction_outside_of_loops_runs_once),
    cmocka_unit_test(a_loop_that_begins_again_has_gone_around),
    cmocka_unit_test(what_a_turn_has_just_read_it_reads_once),
    cmocka_unit_test(what_stays_it_reads_once),
    cmocka_unit_test(what_nvcc_keeps_is_not_read),
    cmocka_unit_test(work_from_a_counter_is_shared),
    cmocka_unit_test(of_few_blocks_the_longest_decides),
    cmocka_unit_test(pushes_to_a_queue_are_not_shared),
    cmocka_unit_test(traced_blocks_stand_for_what_all_do),
    cmocka_unit_test(traced_blocks_stand_for_the_turns_of_all),
    cmocka_unit_test(launches_of_two_kinds_cost_a_change),
    cmocka_unit_test(the_host_limits_short_kernels),
};

int main(void) { return cmocka_run_group_tests_name("model", tests, NULL, NULL); }
