/* What whoever runs the code of cases.cu hears of the checked build. Each case has a process of its
 * own, which an access far from all memory ends. */
#define _DEFAULT_SOURCE
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_runtime_api.h"
#include "emulated.h"
#include "emulator.h"

enum { SET = 7, COUNT = 64, BYTES = COUNT * sizeof(unsigned) };

void read_beyond_own(unsigned *p);
void mirror_numbers(unsigned *p);
void exchange_values(unsigned *p, bool meet);
bool allocate_all(unsigned **all, size_t bytes);
void look_at(const unsigned *from, size_t i);
void copy_two(unsigned *to, const unsigned *from);
unsigned on_the_host(const unsigned *p);
unsigned before_it_is_there(void);
void add_twice(unsigned *to, unsigned amount);
void take_what_is_left(unsigned *to);
bool meets_nobody(void);
void set_all(unsigned *p, unsigned count, cudaStream_t stream); /* to SET */

static struct heard {
    unsigned hazards;
    struct hazard first;
    size_t number; /* that the case alone knows the meaning of */
    struct reads reads;
} * heard; /* the processes share it */
static unsigned *p, *q;
unsigned of_the_harness;
const unsigned constant = 1;

static void keep(const struct hazard *hazard) {
    if (!heard->hazards++)
        heard->first = *hazard;
}

static void add_up(const struct reached *part) { heard->number += part->accesses; }

static void beyond_own(void) {
    cudaMemset(p, 0, BYTES);
    read_beyond_own(p);
    read_beyond_own(p);
}

static void numbers(void) { mirror_numbers(p); }

static void a_tile_meets(void) { exchange_values(p, true); }

static void a_tile_does_not(void) { exchange_values(p, false); }

static void all_but_the_last(void) {
    set_all(p + COUNT - 1, 1, 0);
    look_at(p, 0);
}

static void far_from_the_input(void) {
    emulator_begin_call(p, BYTES, q, BYTES);
    look_at(p, (size_t)1 << 30);
}

static void too_far(void) { look_at(p, (size_t)1 << 33); }

static void the_harness(void) { on_the_host(&of_the_harness); }

static void a_constant(void) { on_the_host(&constant); }

static void not_waited_for(void) { before_it_is_there(); }

static void another_gpu(void) {
    int major = 0, minor = 0;
    emulator_emulate("compute_capability 7.5\n");
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    heard->number = major == 7 && minor == 5;
}

/* Neither zeros nor what a block before has left: a step that needs them is wrong here, too. */
static void what_is_left(void) {
    unsigned left = 0;
    take_what_is_left(p);
    cudaMemcpy(&left, p, sizeof left, cudaMemcpyDeviceToHost);
    heard->number = left == 0xa7a7a7a7;
}

static void a_grid_that_does_not_meet(void) { heard->number = meets_nobody(); }

static void fields_that_hold(void) {
    emulator_count_reads(&heard->reads, sizeof *p);
    emulator_begin_call(NULL, 0, q, BYTES);
    cudaMemset(p, 0, BYTES);
    add_twice(p, 0x10001);
    cudaDeviceSynchronize();
    emulator_end_call();
    heard->number = heard->reads.adder[0].amounts == 0x10001 && !heard->reads.adder[0].full_bits;
}

static void a_library(void) {
    const struct emulator_use use = {p, BYTES, 1, BYTES, 0};
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    set_all(p, COUNT, one);
    emulator_library_uses("a test", other, &use, 1, 0);
    set_all(q, COUNT, 0);
}

/* Two streams, and nothing waits. */
static void next_call(void) {
    cudaStream_t streams[2];
    for (int call = 0; call < 2; call++) {
        cudaStreamCreate(&streams[call]);
        emulator_begin_call(NULL, 0, q, BYTES);
        if (call == 0)
            set_all(p, COUNT, streams[call]);
        else
            cudaMemsetAsync(p, 0, BYTES, streams[call]);
    }
    set_all(q, COUNT, 0);
}

/* A kernel that copies a pair tells of its store before its load. */
static void two_calls(void) {
    emulator_count_reads(&heard->reads, sizeof *p);
    for (int call = 0; call < 2; call++) {
        cudaMemset(q, 0, BYTES);
        emulator_begin_call(NULL, 0, q, BYTES);
        set_all(p, COUNT, 0);
        copy_two(q, p);
        cudaDeviceSynchronize();
        emulator_end_call();
    }
    for (const struct thread_use *use = heard->reads.use; use < heard->reads.use + MOST_USES; use++)
        heard->number += use->pc && use->writes && use->bytes == 2 * sizeof *p && use->value == SET;
    heard->number += strcmp(heard->reads.array[1].name, "memory of cudaMalloc") == 0;
}

/* What has the name of the variable that it was allocated into, and what has none. */
static void into_variables(void) {
    static const char *const names[] = {
        "s->totals", "state.rows[last-1]",   "s->rows[last]",       "counts",
        "counts",    "memory of cudaMalloc", "memory of cudaMalloc"};
    enum { ALL = sizeof names / sizeof *names };
    unsigned *all[ALL];
    heard->number = allocate_all(all, BYTES);
    emulator_count_reads(&heard->reads, sizeof *p);
    emulator_begin_call(NULL, 0, q, BYTES);
    for (int i = 0; i < ALL; i++)
        set_all(all[i], COUNT, 0);
    cudaDeviceSynchronize();
    emulator_end_call();
    for (int i = 0; i < ALL; i++)
        heard->number += heard->reads.array[i + 1].allocated &&
                         strcmp(heard->reads.array[i + 1].name, names[i]) == 0;
}

static void all_accesses(void) { emulator_tell_reached(add_up); }

static size_t allocated(void) {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void freed_again(void) {
    size_t before = 0;
    for (int i = 0; i < 20; i++) {
        unsigned *memory;
        before = i == 10 ? allocated() : before;
        cudaMalloc((void **)&memory, BYTES);
        set_all(memory, COUNT, 0);
        cudaFree(memory);
    }
    heard->number = allocated() - before < 10 * 1024;
}

static const struct {
    void (*run)(void);
    const char *array, *note; /* of the first hazard */
    unsigned hazards, block, thread;
    size_t least; /* that the case numbers */
} cases[] = {
#ifdef __clang__ /* which has nobody told of that */
    {beyond_own, "", "", 0, 0, 0, 0},
#else
    {beyond_own, "an array of the thread's own", "it lies beyond the array's end", 1, 1, 3, 0},
#endif
    {numbers, "", "", 0, 0, 0, 0},
    {a_tile_meets, "", "", 0, 0, 0, 0},
    {a_tile_does_not, "values", "", 1, 0, 35, 0},
    {all_but_the_last, "memory of cudaMalloc", "elements 0 to 62 of 64", 1, 0, 0, 0},
    {far_from_the_input, "the input", "the input has 64 elements", 1, 0, 0, 0},
    {too_far, "", "the address is far from all memory", 1, 0, 0, 0},
    {the_harness, "of_the_harness", "of_the_harness belongs to the harness", 1, 0, 0, 0},
    {a_constant, "", "", 0, 0, 0, 0},
    {a_library, "memory of cudaMalloc", "they are on two streams", 1, 0, 0, 0},
    {next_call, "memory of cudaMalloc", "they are on two streams, the second in an earlier call", 1,
     0, 0, 0},
    {two_calls, "", "", 0, 0, 0, 2},
    {into_variables, "", "", 0, 0, 0, 8},
    {all_accesses, "", "", 0, 0, 0, 2 * REACHED_ACCESSES},
    {freed_again, "", "", 0, 0, 0, 1},
    {not_waited_for, "p", "the host has not waited for this work", 1, 0, 0, 0},
    {another_gpu, "", "", 0, 0, 0, 1},
    {fields_that_hold, "", "", 0, 0, 0, 1},
    {a_grid_that_does_not_meet, "", "", 0, 0, 0, 1},
    {what_is_left, "dynamic shared memory", "", 1, 0, 0, 1},
};

int main(void) {
    int wrong = 0;
    heard = mmap(NULL, sizeof *heard, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(heard, 0, offsetof(struct heard, reads));
        pid_t child = fork();
        if (!child) {
            emulator_on_hazard(keep);
            cudaMalloc((void **)&p, BYTES);
            cudaMalloc((void **)&q, BYTES);
            cases[i].run();
            cudaDeviceSynchronize();
            _exit(0);
        }
        waitpid(child, NULL, 0);
        const struct hazard *first = &heard->first;
        const char *note = cases[i].note;
        if (heard->hazards == cases[i].hazards && strcmp(first->array, cases[i].array) == 0 &&
            strncmp(first->note, note, strlen(note)) == 0 &&
            first->place[0].block[0] == cases[i].block &&
            first->place[0].thread[0] == cases[i].thread && heard->number >= cases[i].least)
            continue;
        wrong = 1;
        printf("case %zu: %u hazards, '%s', '%s', block %u, thread %u, number %zu\n", i,
               heard->hazards, first->array, first->note, first->place[0].block[0],
               first->place[0].thread[0], heard->number);
    }
    return wrong;
}
