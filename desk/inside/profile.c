#include "profile.h"

#include <math.h>
#include <string.h>

#include "lib/counters.h"

void print_wrapped(const char *first, const char *text, size_t indent) {
    const char *lines = wrapped(text, repeated(" ", indent), 80 - indent);
    printf("%s%s\n", first, *lines ? lines + indent : "");
}

void print_fact(const char *title, const char *value, const char *meaning) {
    print_wrapped(say(*meaning ? "  %-18s %-16s " : "  %-18s %s", title, value), meaning, 38);
}

/* "264 blocks", from "(264, 1, 1)": ones at the end tell nothing. */
static const char *extent(const char *text, const char *what) {
    text = replaced(replaced(replaced(text, " ", ""), "(", ""), ")", "");
    text = without(text, "(,1){1,2}$");
    return say("%s %s%s", replaced(text, ",", " x "), what, same(text, "1") ? "" : "s");
}

static bool is_small(const struct figures *f) { return f->waves < 0.5; }

static void explain_time_and_memory(const struct figures *f) {
    double share = f->dram_percent, hit = f->l2_hit_percent;
    const char *meaning =
        share >= 85   ? "this is the roof: only fewer bytes can be faster"
        : share >= 60 ? "near the roof: what is left is starting, ending and waiting"
        : is_small(f) ? "too few blocks to fill the GPU: what counts is how long each takes"
                      : "far from the roof: warps wait for something else, see the last line";
    if (!isnan(f->time_ns))
        print_fact("time", say("%.1f us", f->time_ns / 1e3), "");
    if (f->predicted)
        print_fact("predicted", say("%s; not measured", f->predicted), "");
    if (!isnan(share))
        print_fact("DRAM bandwidth", say("%.0f %% of peak", share),
                   say("%.1f MB moved; %s", known(f->dram_bytes) / 1e6, meaning));
    if (hit <= 100) /* of a very short kernel the two counts do not belong together */
        print_fact("L2 hit rate", say("%.0f %%", hit),
                   hit < 30 ? "low is right for an input that is read once"
                            : "read or counted in L2 before: scratch memory, atomics, or data read "
                              "twice");
    if (!isnan(f->read_bytes))
        print_fact("memory", say("%s read", bytes_in_words(f->read_bytes)),
                   say("%s written, each byte counted once: the least that has to move",
                       bytes_in_words(f->written_bytes)));
}

static void explain_occupancy(const struct figures *f) {
    double active = f->active_percent, most = f->possible_percent;
    const char *could = where_known(most, say(" (%.0f %% would fit at once)", most));
    if (!isnan(active))
        print_fact("occupancy", say("%.0f %%", active),
                   say("of the warps that a multiprocessor can hold%s; %s", could,
                       active < 40 ? "too few to hide waits: use more threads, or more loads a "
                                     "thread"
                                   : "enough"));
    else if (!isnan(most))
        print_fact("occupancy", say("%.0f %%", most),
                   say("of the warps that a multiprocessor can hold fit at once; %s",
                       most < 40     ? "too few to hide waits: use more threads a block, or more "
                                       "blocks"
                       : is_small(f) ? "enough, but there are too few blocks to fill the GPU"
                                     : "enough"));
}

/* What a mean number of sectors a request tells where nobody knows how wide the accesses are. */
static const char *sectors_in_words(double each, const char *what) {
    return each > 20   ? "uncoalesced: each lane of a warp touches a sector (32 bytes) of its own; "
                         "neighbouring lanes should touch neighbouring addresses"
           : each > 17 ? "partly uncoalesced"
           : each > 14 ? "ideal for 16 bytes a thread; for 4 bytes a thread, four times too many"
           : each > 9  ? "between: strided, or a mix of widths"
           : each > 7  ? "ideal for 8 bytes a thread; for 4 bytes a thread, twice too many"
           : each > 4.5 ? "a little more than 4: rows that start between sectors, or a mix"
           : each > 3.5 ? "ideal for 4 bytes a thread; for 1 byte a thread, four times too many"
           : each > 0.9 && each < 1.1
               ? "ideal for 1 byte a thread; else few lanes, or all at one address"
               : say("few lanes take part, or narrow %ss", what);
}

static void explain_sectors(const char *what, double requests, double sectors) {
    double each = known(sectors) / requests;
    if (requests > 0)
        print_fact(say("sectors a %s", what), say("%.1f", each),
                   say("%s (%s requests)", sectors_in_words(each, what), many(requests)));
}

static void explain_atomics(const struct figures *f) {
    double requests = known(f->red_requests) + known(f->atom_requests);
    double sectors = known(f->red_sectors) + known(f->atom_sectors);
    if (requests != 0)
        print_fact("global atomics", many(requests),
                   say("warps' instructions, %.1f sectors each; %s", sectors / requests,
                       requests > 1e5 ? "this many are slow: count in shared memory first"
                                      : "few enough"));
}

/* `share`: of the wavefronts of shared memory, those that conflicts added. */
static const char *conflicts_in_words(double share) {
    return share < 0.1   ? "lanes seldom meet"
           : share < 0.5 ? "lanes of a warp meet now and then in one of the 32 banks"
                         : "lanes mostly wait for each other: copies of the counters, or fewer "
                           "adds, help";
}

static void explain_shared(const struct figures *f) {
    double atomics = f->shared_atomics; /* those of dot_alu and dot_cas are among them */
    double share = known(f->conflicts) / f->wavefronts;
    const char *each =
        where_known(f->shared_atomic_wavefronts,
                    say(", %.1f wavefronts each", f->shared_atomic_wavefronts / atomics));
    if (atomics > 0)
        print_fact(
            "shared atomics", many(atomics),
            say("warps' instructions%s%s", each,
                f->shared_swaps > 0 ? "; some are compare-and-swap loops, which repeat" : ""));
    if (f->wavefronts > 0)
        print_fact("bank conflicts", say("%.0f %%", 100 * share),
                   say("of %s wavefronts of shared memory; %s", many(f->wavefronts),
                       conflicts_in_words(share)));
}

static void explain_local_and_barriers(const struct figures *f) {
    double requests = known(f->local_loads) + known(f->local_stores);
    if (requests > 0)
        print_fact("spills", many(requests),
                   "reads and writes of local memory: registers that did not fit, or arrays with "
                   "computed indices");
    if (f->barriers_a_warp > 0)
        print_fact("barriers", say("%.3g a warp", f->barriers_a_warp),
                   "at each, a warp waits for the slowest warp of its block");
}

/* ---- why warps were not running --------------------------------------------------------------- */

static const struct wait {
    const char *reason, *what, *advice;
} waits[] = {
    {"long_scoreboard", "global memory",
     "more loads in flight at once (unrolled, wider), or more warps"},
    {"short_scoreboard", "shared memory",
     "answers of shared memory; fewer or merged accesses, fewer conflicts"},
    {"mio_throttle", "the shared queue",
     "too many shared-memory instructions at once; fewer, wider or merged ones"},
    {"lg_throttle", "the global queue",
     "too many global instructions at once; fewer and wider ones, or shared memory"},
    {"barrier", "a barrier", "__syncthreads, for the slowest warp of the block"},
    {"membar", "a fence", "__threadfence, until all see what was written"},
    {"drain", "stores", "until what was written has left, at the end of a block"},
    {"not_selected", "their turn",
     "other warps are ready too: instructions are the limit, not memory"},
    {"math_pipe_throttle", "the arithmetic", "the limit is arithmetic"},
    {"no_instruction", "instructions",
     "code that is not in the instruction cache, or a very short kernel"},
    {"imc_miss", "constants", "kernel arguments on their way: a very short kernel"},
    {"branch_resolving", "branches", NULL},
    {"wait", "fixed latency", "the instruction before; usual where memory is not the limit"},
};

static struct wait wait_for(const struct stall *stall) {
    struct wait wait = {.what = replaced(stall->reason, "_", " ")};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (strcmp(waits[i].reason, stall->reason) == 0)
            wait = waits[i];
    if (!wait.advice)
        wait.advice = "see Nsight Compute's guide under warp stall reasons";
    return wait;
}

/* The reason with the largest share of their time. */
static void explain_waits(const struct figures *f) {
    struct stall most = {"", 0}, second = {"", 0};
    double total = 0;
    for (size_t i = 0; i < f->stalls; i++) {
        const struct stall *stall = &f->stall[i];
        total += stall->share;
        if (strcmp(stall->reason, "selected") == 0)
            continue;
        if (stall->share > most.share) {
            second = most;
            most = *stall;
        } else if (stall->share > second.share)
            second = *stall;
    }
    const char *then =
        second.share / total < 0.2
            ? ""
            : say("; then %s (%.0f %%)", wait_for(&second).what, 100 * second.share / total);
    if (total > 0)
        print_fact("warps wait for", wait_for(&most).what,
                   say("%.0f %% of their time: %s%s", 100 * most.share / total,
                       wait_for(&most).advice, then));
}

void explain(const struct figures *f) {
    const char *registers =
        where_known(f->registers, say("%.15g registers a thread, ", f->registers));
    print_wrapped("",
                  say("%.*s: %s of %s, %s%.0f bytes of shared memory a block",
                      (int)strcspn(f->kernel, "("), f->kernel, extent(f->grid, "block"),
                      extent(f->block, "thread"), registers,
                      known(f->static_shared) + known(f->dynamic_shared)),
                  0);
    explain_time_and_memory(f);
    explain_occupancy(f);
    explain_sectors("load", f->load_requests, f->load_sectors);
    explain_sectors("store", f->store_requests, f->store_sectors);
    explain_atomics(f);
    explain_shared(f);
    explain_local_and_barriers(f);
    explain_waits(f);
}
