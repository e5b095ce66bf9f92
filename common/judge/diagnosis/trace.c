#include "facts.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/findings/places.h"
#include "judge/text.h"
#include "look.h"
#include "reading.h"

/* What one thread has read since its last write. */
enum { SHOWN = 4, LOOKED_AT = 64, FEW = 16 };

struct trace {
    const struct wrong_call *call;
    struct sentence text;
    size_t wrong; /* output */
};

/* An element of an array, as a use of it sees it. */
struct spot {
    unsigned array;
    uint32_t at, block, value;
    uint8_t bytes, launch;
    size_t before; /* uses */
};

static bool covers(const struct trace *trace, const struct thread_use *use,
                   const struct spot *spot) {
    bool shared = trace->call->reads->array[spot->array].of_block;
    return use->array == spot->array && use->at < spot->at + spot->bytes &&
           spot->at < (size_t)use->at + use->bytes &&
           (!shared || use->thread / OF_BLOCK == spot->block);
}

/* Uses of OS threads that run at the same time mix a little, those of launches never. */
static bool is_later(const struct thread_use *use, const struct spot *spot) {
    return (int8_t)(use->launch - spot->launch) > 0;
}

/* The first and the last use that write it before it is read, and the first after that; NULL: there
 * is none. */
struct writers {
    const struct thread_use *first, *last, *later;
    size_t additions;     /* since the last plain write */
    uint32_t sum;         /* where some take from it, what is left */
    uint64_t adders[FEW]; /* the first places that differ */
    size_t places;
    bool stores; /* there is a plain write */
    bool more;   /* the launch adds later: what other OS threads added may stand there, too */
};

static void add_addition(struct writers *writers, const struct thread_use *use) {
    writers->additions++;
    writers->sum += use->value;
    writers->places = places_add(writers->adders, writers->places, FEW, use->pc);
}

/* Whether they are of several lines; unrolled code has several places for a line. */
static bool are_elsewhere(const struct trace *trace, const struct writers *writers) {
    unsigned lines[FEW];
    return places_lines(trace->call->program, writers->adders, writers->places, lines) > 1;
}

static struct writers find_writers(const struct trace *trace, const struct spot *spot) {
    struct writers found = {0};
    for (size_t u = 0; u < trace->call->reads->uses; u++) {
        const struct thread_use *use = &trace->call->reads->use[u];
        if (!use->writes || !covers(trace, use, spot))
            continue;
        if (u >= spot->before || is_later(use, spot)) {
            found.later = found.later ? found.later : use;
            found.more |= use->writes == USE_ADDS && !is_later(use, spot);
            continue;
        }
        found.first = found.first ? found.first : use;
        found.stores |= use->writes != USE_ADDS;
        if (use->writes != USE_ADDS)
            found.additions = found.sum = found.places = 0;
        else
            add_addition(&found, use);
        found.last = use;
    }
    return found;
}

/* ---- what its thread has read ----------------------------------------------------------- */

struct sources {
    const struct thread_use *of[LOOKED_AT]; /* of one array, the last first */
    size_t count;
};

static bool has(const struct sources *sources, const struct thread_use *use) {
    for (size_t s = 0; s < sources->count; s++)
        if (sources->of[s]->at == use->at)
            return true;
    return false;
}

/* The reads of that thread before its write, of the array that it has read last, back to its write
 * before to one of the two, or its addition to any; of the input only where there is no other. Who
 * adds may have looked at other counts, and who takes words of counts leaves zeros. */
static struct sources find_sources(const struct trace *trace, const struct thread_use *write) {
    struct sources other = {.count = 0}, input = {.count = 0};
    for (const struct thread_use *use = write; use-- > trace->call->reads->use;) {
        const bool own = use->array == write->array;
        if (use->thread != write->thread || use->launch != write->launch)
            continue;
        const bool taken = use->bytes == sizeof(uint64_t) && !use->value && !use->high;
        const bool again = other.count && use->array == other.of[0]->array && !taken;
        if (use->writes && (own || use->writes == USE_ADDS || again))
            break;
        struct sources *to = use->array == OF_INPUT ? &input : &other;
        const struct wrong_call *call = trace->call;
        if (call->problem->counting && call->reads->array[use->array].bytes <= use->bytes)
            continue; /* a flag or a ticket */
        if (use->writes || (own && (write->writes == USE_ADDS || use->at == write->at)) ||
            (to->count && to->of[0]->array != use->array) || to->count == LOOKED_AT || has(to, use))
            continue;
        to->of[to->count++] = use;
    }
    return other.count ? other : input;
}

/* Counts in decimal, words that hold several in hexadecimal. */
static void say_value(const struct trace *trace, uint32_t bits) {
    const float value = noted_float(bits);
    if (trace->call->problem->summing && isnormal(value))
        text_add(trace->text, "%g", (double)value);
    else
        text_add(trace->text, bits >> 24 ? "0x%08x" : "%u", bits);
}

static void say_array(const struct trace *trace, unsigned array) {
    text_add(trace->text, " of %.*s", USED_NAME, trace->call->reads->array[array].name);
}

/* The sentence before has named the array. */
static bool ends_with(const struct trace *trace, unsigned array) {
    char name[USED_NAME + 4];
    const int length =
        snprintf(name, sizeof name, " %.*s.", USED_NAME, trace->call->reads->array[array].name);
    const size_t end = strlen(trace->text.at);
    return end >= (size_t)length && strcmp(trace->text.at + end - length, name) == 0;
}

/* Of several additions it is one whose thread has read that. */
static void say_after(const struct trace *trace, size_t additions) {
    text_add(trace->text, additions > 1 ? ", one of them after" : ", after");
}

/* The bins of the elements that it has read of the input. */
static void say_elements(const struct trace *trace, const struct sources *sources,
                         size_t additions) {
    const struct wrong_call *call = trace->call;
    const size_t bytes = call->problem->element_bytes;
    say_after(trace, additions);
    size_t bins[SHOWN], said = 0;
    for (size_t s = sources->count; s-- > 0 && said < SHOWN;)
        for (size_t i = sources->of[s]->at / bytes;
             i * bytes < (size_t)sources->of[s]->at + sources->of[s]->bytes && said < SHOWN; i++) {
            if (noted_has_bin(call, i))
                bins[said++] = noted_bin_of(call, i);
        }
    text_add(trace->text, said == 1 ? " reading a %s of bin" : " reading %ss of %s",
             call->problem->element, said ? "bins" : "no bin");
    for (size_t i = 0; i < said; i++)
        text_add(trace->text, i ? ", %zu" : " %zu", bins[i]);
}

/* Zeros have added nothing, where others have. */
static struct sources drop_zeros(const struct sources *sources) {
    struct sources left = {.count = 0};
    for (size_t s = 0; s < sources->count; s++)
        if (sources->of[s]->value || sources->of[s]->bytes > sizeof sources->of[s]->value)
            left.of[left.count++] = sources->of[s];
    return left.count ? left : *sources;
}

/* What is stored as it was read is not said again. */
static void say_sources(const struct trace *trace, const struct sources *all, uint32_t stored,
                        size_t additions) {
    const struct sources used = drop_zeros(all), *sources = &used;
    size_t first = sources->count > SHOWN ? sources->count - SHOWN : 0;
    say_after(trace, additions);
    text_add(trace->text, " reading");
    const bool whole = sources->of[0]->bytes <= sizeof sources->of[0]->value &&
                       (sources->count > 1 || sources->of[0]->value != stored);
    const bool said =
        whole || (trace->call->problem->counting && sources->of[0]->bytes == sizeof(uint64_t) &&
                  trace->call->width[sources->of[0]->array] == sizeof(uint64_t));
    for (size_t s = sources->count; said && s-- > first;) {
        text_add(trace->text, s + 1 < sources->count ? ", " : " ");
        if (whole)
            say_value(trace, sources->of[s]->value);
        else
            text_add(trace->text, "0x%08x%08x", sources->of[s]->high, sources->of[s]->value);
    }
    text_add(trace->text, "%s element%s", said ? " in" : "", sources->count > 1 ? "s" : "");
    for (size_t s = sources->count; s-- > first;)
        text_add(trace->text, "%s%u", s + 1 < sources->count ? ", " : " ",
                 sources->of[s]->at / sources->of[s]->bytes);
    if (first)
        text_add(trace->text, " and %s%zu more", all->count == LOOKED_AT ? "at least " : "", first);
    say_array(trace, sources->of[0]->array);
}

/* ---- from a write to those before it ---------------------------------------------------- */

/* Whether a thread has read an element of that bin before it added there. */
static bool has_read(const struct trace *trace, const struct sources *sources, size_t bin) {
    size_t s = 0;
    while (s < sources->count && !noted_reads(trace->call, sources->of[s], bin))
        s++;
    return s < sources->count;
}

/* The element with the largest value, */
static const struct thread_use *largest(const struct sources *sources) {
    const struct thread_use *most = sources->of[sources->count - 1];
    for (size_t s = sources->count; s-- > 0;)
        if (sources->of[s]->value > most->value)
            most = sources->of[s];
    return most;
}

/* or the one with the number of the output, where there is one for each, and something in it. */
static const struct thread_use *choose_source(const struct trace *trace,
                                              const struct sources *sources) {
    const struct counting *counting = trace->call->problem->counting;
    const size_t width = trace->call->width[sources->of[0]->array];
    for (size_t s = 0; counting && s < sources->count; s++)
        if (sources->of[s]->value && trace->call->places[sources->of[s]->array] == counting->bins &&
            trace->wrong * width - sources->of[s]->at < sources->of[s]->bytes)
            return sources->of[s];
    return largest(sources);
}

/* Of those that add to it, one whose thread has read no element of its bin; else, of the last, the
 * one whose thread has read the largest count. */
static const struct thread_use *choose_adder(const struct trace *trace, const struct spot *spot,
                                             const struct thread_use *last) {
    enum { TRIES = 64 };
    const struct wrong_call *call = trace->call;
    const struct counting *counting = call->problem->counting;
    bool one = counting && call->places[spot->array] == counting->bins;
    size_t tries = 0;
    uint32_t most = 0;
    for (size_t u = 0; one && u < call->reads->uses && u < spot->before; u++) {
        const struct thread_use *use = &call->reads->use[u];
        if (use->writes != USE_ADDS || use->value != 1 || !covers(trace, use, spot) ||
            is_later(use, spot))
            continue;
        struct sources sources = find_sources(trace, use);
        if (sources.count && sources.of[0]->array == OF_INPUT &&
            !has_read(trace, &sources, noted_bin(call, use, BY_COPY)))
            return use;
    }
    for (size_t u = spot->before; u-- > 0 && tries < TRIES;) {
        const struct thread_use *use = &call->reads->use[u];
        if (use->writes != USE_ADDS || !covers(trace, use, spot) || is_later(use, spot))
            continue;
        struct sources sources = find_sources(trace, use);
        tries++;
        if (sources.count && sources.of[0]->array != OF_INPUT && largest(&sources)->value > most) {
            most = largest(&sources)->value;
            last = use;
        }
    }
    return last;
}

static void say_nobody(const struct trace *trace, const struct writers *writers) {
    if (!writers->later) {
        text_add(trace->text, " No kernel of this call has written that.");
        return;
    }
    text_add(trace->text, " ");
    noted_say_line(writers->later, trace->call->program, trace->text);
    text_add(trace->text, " writes to that only later.");
}

/* Elements of a bin that were read, by all, or by the block of an addition. */
static size_t count_read(const struct trace *trace, const struct thread_use *add, size_t bin,
                         bool own) {
    const struct wrong_call *call = trace->call;
    size_t count = 0;
    for (const struct thread_use *use = call->reads->use; use < noted_end(call->reads); use++)
        if (!own ||
            (use->thread / OF_BLOCK == add->thread / OF_BLOCK && use->launch == add->launch))
            count += noted_reads(call, use, bin);
    return count;
}

/* Where fewer were added; or, of what nothing was said before (`first`), where a block has added
 * all of its own, and the count is too low. */
static void say_left_out(const struct trace *trace, const struct thread_use *add, uint32_t sum,
                         bool first) {
    const struct wrong_call *call = trace->call;
    const struct counting *counting = call->problem->counting;
    const size_t bin = noted_bin(call, add, BY_COPY);
    bool own = call->reads->array[add->array].of_block;
    size_t read = count_read(trace, add, bin, own);
    if (first && own && sum >= read && bin == trace->wrong &&
        count_in(counting, call->got, bin) < count_in(counting, call->expected, bin)) {
        own = false;
        read = count_read(trace, add, bin, own);
    }
    if (sum < read && sum < counting->most)
        text_add(trace->text, " %s read %zu %ss of bin %zu.",
                 own ? "Its block has" : "The kernels have", read, call->problem->element, bin);
}

/* False: what its thread has read is known to be right, or nothing is known of it. */
static bool say_rest(const struct trace *trace, const struct spot *spot,
                     const struct thread_use *use, const struct writers *writers,
                     struct spot *next) {
    const struct counting *counting = trace->call->problem->counting;
    const size_t additions = writers->additions && writers->more ? 1 : writers->additions;
    struct sources sources = find_sources(trace, use);
    bool elements = sources.count && sources.of[0]->array == OF_INPUT;
    if (sources.count && !elements) {
        say_sources(trace, &sources, spot->value, additions);
        const struct thread_use *from = choose_source(trace, &sources);
        *next = (struct spot){from->array,
                              from->at,
                              from->thread / OF_BLOCK,
                              from->value,
                              from->bytes,
                              from->launch,
                              (size_t)(from - trace->call->reads->use)};
    } else if (elements && counting && use->writes == USE_ADDS && use->value == 1 &&
               trace->call->places[spot->array] == counting->bins &&
               !has_read(trace, &sources, noted_bin(trace->call, use, BY_COPY))) {
        say_elements(trace, &sources, additions);
    }
    text_add(trace->text, ".");
    return sources.count && !elements;
}

/* More is there than was added. */
static bool say_begin(const struct trace *trace, const struct spot *spot,
                      const struct writers *writers, bool output) {
    if (!writers->additions || writers->stores || writers->more || spot->value <= writers->sum)
        return false;
    if (output || trace->call->reads->array[spot->array].of_block)
        return false;
    trace->text.at[0] = '\0';
    text_add(trace->text, "Element %u", spot->at / spot->bytes);
    say_array(trace, spot->array);
    text_add(trace->text, " is not 0 when the first kernel of the call begins.");
    return true;
}

/* A store that loses what others have stored since its thread looked: where elements are not
 * negative, no count or sum becomes less. */
struct loss {
    const struct thread_use *store, *before, *read; /* read: by its thread */
    double lost;
    size_t others; /* stores since then */
};

static bool has_negative(const struct wrong_call *call) {
    const float *numbers = (const void *)call->window;
    size_t i = call->problem->summing ? 0 : noted_size(call);
    while (i < noted_size(call) && numbers[i] >= 0)
        i++;
    return i < noted_size(call);
}

/* Of a thread. An atomic operation reads, too, before its store: then what counts is the look
 * before that. */
struct looks {
    const struct thread_use *at[2]; /* the last first */
    size_t stores[2];               /* of all threads, up to then */
};

/* The largest. Uses of OS threads that run at the same time mix a little. */
static struct loss find_loss(const struct trace *trace, const struct spot *spot) {
    enum { THREADS = 1 << 16 };
    struct loss most = {0};
    struct looks *looks = allocate(THREADS * sizeof *looks);
    const struct thread_use *last = NULL;
    const struct problem *problem = trace->call->problem;
    const size_t end = has_negative(trace->call) ? 0 : spot->before;
    size_t stores = 0;
    memset(looks, 0, THREADS * sizeof *looks);
    for (size_t u = 0; u < end; u++) {
        const struct thread_use *use = &trace->call->reads->use[u];
        struct looks *own = &looks[use->thread % THREADS];
        if (!covers(trace, use, spot) || is_later(use, spot) || use->writes == USE_ADDS)
            continue;
        if (use->at != spot->at || use->bytes != spot->bytes) {
            most = (struct loss){0}; /* a thread has a part of it for itself */
            break;
        }
        if (!use->writes) {
            *own = (struct looks){{use, own->at[0]}, {stores, own->stores[0]}};
            continue;
        }
        const size_t i = use->writes == USE_SWAPS, others = stores - own->stores[i];
        const struct thread_use *read = own->at[i];
        const bool known =
            read && others && last->launch == use->launch && read->launch == use->launch;
        const double lost =
            known ? noted_number(problem, last->value) - noted_number(problem, use->value) : 0;
        if (lost > most.lost)
            most = (struct loss){use, last, read, lost, others};
        *own = (struct looks){{NULL}, {0}};
        last = use;
        stores++;
    }
    free(looks);
    return most;
}

/* After "Line 14 stores 0 in element 22". */
static void say_loss(const struct trace *trace, const struct loss *loss) {
    const uint32_t thread = loss->store->thread;
    text_add(trace->text, ", where ");
    say_value(trace, loss->before->value);
    text_add(trace->text, " was (thread %u of block %u, which read ", thread % OF_BLOCK,
             thread / OF_BLOCK);
    say_value(trace, loss->read->value);
    text_add(trace->text, " there before others stored %zu time%s).", loss->others,
             loss->others > 1 ? "s" : "");
}

static void say_additions(const struct trace *trace, const struct spot *spot,
                          const struct writers *writers) {
    if (!writers->additions || writers->more)
        return;
    text_add(trace->text, " in %zu addition%s", writers->additions,
             writers->additions > 1 ? "s" : "");
    if (trace->call->reads->array[spot->array].of_block)
        text_add(trace->text, " by block %u", spot->block);
}

/* Of a count that was cleared, and then nothing. It may be that of a block which is right. */
static bool is_untouched(const struct writers *writers, const struct spot *spot) {
    return writers->last == writers->first && writers->last->writes == USE_WRITES && !spot->value;
}

/* The output comes first; then what was read before. */
static bool say_step(const struct trace *trace, struct spot *spot, bool output) {
    const char *what = output ? "bin" : "element";
    const struct writers writers = find_writers(trace, spot);
    const bool counts = trace->call->problem->counting;
    if (!writers.last) {
        say_nobody(trace, &writers);
        return false;
    }
    const struct loss loss = writers.additions ? (struct loss){0} : find_loss(trace, spot);
    const struct thread_use *use = writers.additions ? choose_adder(trace, spot, writers.last)
                                   : loss.store      ? loss.store
                                                     : writers.last;
    if ((!output && counts && is_untouched(&writers, spot)) ||
        say_begin(trace, spot, &writers, output))
        return false;
    const bool named = ends_with(trace, spot->array), first = !trace->text.at[0];
    const bool of_word = writers.additions && use->bytes > spot->bytes;
    const bool of_part = !writers.additions && use->bytes < spot->bytes;
    text_add(trace->text, "%s", text_gap(trace->text));
    noted_say_line(use, trace->call->program, trace->text);
    text_add(trace->text, !writers.additions               ? " stores"
                          : are_elsewhere(trace, &writers) ? " and others add"
                                                           : " adds");
    const bool known = !trace->call->problem->summing || writers.additions <= 1; /* else of bits */
    if (spot->bytes <= sizeof spot->value && !of_part && !writers.more && known) {
        text_add(trace->text, " ");
        say_value(trace, writers.additions ? writers.sum : loss.store ? use->value : spot->value);
    }
    text_add(trace->text, of_part ? " a part of" : writers.additions ? " to" : " in");
    if (output && !counts) {
        text_add(trace->text, " the output");
    } else {
        text_add(trace->text, " %s%s %u", of_word ? "the word that holds " : "", what,
                 spot->at / spot->bytes);
        if (!named)
            say_array(trace, spot->array);
    }
    say_additions(trace, spot, &writers);
    if (loss.store) {
        say_loss(trace, &loss);
        return false;
    }
    const bool more = say_rest(trace, spot, use, &writers, spot);
    if (writers.additions && counts && !of_word &&
        trace->call->places[use->array] == trace->call->problem->counting->bins)
        say_left_out(trace, use, writers.sum, first);
    return more;
}

/* Whether a count is what its thread has read in one element of the same number, or zeros came to
 * zero, and somebody has written that: then it need not be told. */
static bool is_passed_on(const struct trace *trace, const struct spot *spot,
                         const struct spot *next) {
    const struct counting *counting = trace->call->problem->counting;
    const struct writers writers = find_writers(trace, spot);
    if (!counting || !find_writers(trace, next).last || next->bytes > sizeof next->value)
        return false;
    if (!next->value && !spot->value) /* the largest */
        return true;
    const struct thread_use *use =
        writers.additions ? choose_adder(trace, spot, writers.last) : writers.last;
    if (use->bytes != spot->bytes || find_sources(trace, use).count > 1 ||
        next->at / next->bytes != spot->at / spot->bytes)
        return false;
    return writers.additions ? next->value == use->value
                             : count_shown(counting, next->value) == spot->value;
}

/* Bins, or outputs. */
static size_t elements_of(const struct problem *problem, struct shape shape) {
    return problem->counting  ? problem->counting->bins
           : problem->outputs ? problem->outputs(shape)
                              : 1;
}

static bool is_wrong(const struct wrong_call *call, size_t element) {
    const struct problem *problem = call->problem;
    const struct counting *counting = problem->counting;
    char why[256];
    if (problem->outputs)
        return !problem->right((const char *)call->expected + element * problem->expected_bytes,
                               (const char *)call->got + element * problem->output_bytes, why,
                               sizeof why);
    return !counting ||
           count_in(counting, call->expected, element) != count_in(counting, call->got, element);
}

static void say_which(const struct trace *trace, const bool *which, size_t elements,
                      const char *what) {
    const struct wrong_call *call = trace->call;
    const bool as_input = !call->problem->counting && elements == noted_size(call);
    reading_name(which, as_input ? call->shape : (struct shape){elements, 1},
                 call->problem->counting ? "bin" : "output", trace->text);
    text_add(trace->text, " %s.", what);
}

/* Which wrong ones nobody writes; of many outputs else which are wrong. */
static bool say_unwritten(const struct trace *trace, unsigned output, size_t elements,
                          uint8_t bytes) {
    bool *wrong = allocate(2 * elements), *unwritten = wrong + elements;
    for (size_t i = 0; i < elements; i++)
        unwritten[i] = wrong[i] = is_wrong(trace->call, i);
    for (size_t u = 0; u < trace->call->reads->uses; u++) {
        const struct thread_use *use = &trace->call->reads->use[u];
        for (size_t i = use->at / bytes; i * bytes < (size_t)use->at + use->bytes; i++)
            if (use->writes && use->array == output && i < elements)
                unwritten[i] = false;
    }
    const bool some = memchr(unwritten, true, elements), many = trace->call->problem->outputs;
    if (some)
        say_which(trace, unwritten, elements, "written by no kernel");
    else if (many)
        say_which(trace, wrong, elements, "wrong");
    free(wrong);
    return some || many;
}

/* The first that should be 0, else the first, which the verdict names; `elements`: none is. */
static size_t choose_wrong(const struct wrong_call *call, size_t elements) {
    const struct counting *counting = call->problem->counting;
    size_t first = elements;
    for (size_t i = elements; counting && i-- > 0;)
        if (is_wrong(call, i) && (first == elements || !count_in(counting, call->expected, i) ||
                                  count_in(counting, call->expected, first)))
            first = i;
    return counting ? first : 0;
}

/* A byte of the wrong bin, whose thread had read a count there that no byte holds. */
static bool say_cut(const struct trace *trace, unsigned output) {
    const struct counting *counting = trace->call->problem->counting;
    const struct thread_use *use = trace->call->reads->use, *end = noted_end(trace->call->reads);
    for (; counting && use < end; use++) {
        if (!use->writes || use->writes == USE_ADDS || use->bytes > 1 ||
            use->at % counting->bins != trace->wrong)
            continue;
        const struct sources read = find_sources(trace, use);
        if (read.count != 1 || read.of[0]->array == OF_INPUT || read.of[0]->value <= UCHAR_MAX ||
            (uint8_t)read.of[0]->value != use->value)
            continue;
        noted_say_line(use, trace->call->program, trace->text);
        text_add(trace->text, " stores %u in %s %u", use->value,
                 use->array == output ? "bin" : "byte", use->at);
        say_array(trace, use->array);
        say_sources(trace, &read, use->value, 1);
        text_add(trace->text, CUT_TO_A_BYTE);
        return true;
    }
    return false;
}

static void follow(struct trace *trace, unsigned output) {
    enum { MOST_STEPS = 3 };
    const struct problem *problem = trace->call->problem;
    const struct counting *counting = problem->counting;
    const uint8_t bytes = (uint8_t)(counting ? counting->bin_bytes : problem->output_bytes);
    const size_t elements = elements_of(problem, trace->call->shape);
    if (say_unwritten(trace, output, elements, bytes))
        return;
    const size_t wrong = choose_wrong(trace->call, elements);
    if (wrong == elements)
        return;
    trace->wrong = wrong;
    if (say_cut(trace, output))
        return;
    struct spot spot = {output, (uint32_t)wrong * bytes, 0, 0, bytes, 0, trace->call->reads->uses};
    memcpy(&spot.value, (const char *)trace->call->got + wrong * bytes, bytes);
    for (size_t u = 0; u < trace->call->reads->uses; u++)
        if (is_later(&trace->call->reads->use[u], &spot))
            spot.launch = trace->call->reads->use[u].launch;
    for (int step = 0; step < MOST_STEPS; step++) {
        const struct spot of = spot;
        const size_t before = strlen(trace->text.at);
        if (!say_step(trace, &spot, step == 0))
            return;
        if (is_passed_on(trace, &of, &spot))
            trace->text.at[before] = '\0';
    }
}

bool trace_describe(const struct wrong_call *of, struct sentence text) {
    text.at[0] = '\0';
    if (!noted_all(of) ||
        (!of->problem->counting && !of->problem->summing && !of->problem->outputs))
        return false;
    if (totals_no_output(of, text))
        return true;
    struct trace trace = {.call = of, .text = text};
    for (unsigned array = 1; array < USED_ARRAYS; array++)
        if (noted_is_output(of->reads, array))
            follow(&trace, array);
    return text.at[0];
}
