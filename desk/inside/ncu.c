/* Reads what Nsight Compute counted: the output of `ncu --csv --page raw --print-units base`: among
 * other lines a row of names, a row of units, and a row for each kernel launch. A counter that this
 * version or GPU does not have is left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "profile.h"

#define OF(field) offsetof(struct figures, field)
static const struct counter {
    const char *name;
    size_t offset;
} counters[] = {
    {"launch__registers_per_thread", OF(registers)},
    {"launch__shared_mem_per_block_static", OF(static_shared)},
    {"launch__shared_mem_per_block_dynamic", OF(dynamic_shared)},
    {"launch__waves_per_multiprocessor", OF(waves)},
    {"sm__maximum_warps_per_active_cycle_pct", OF(possible_percent)},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", OF(active_percent)},
    {"gpu__time_duration.sum", OF(time_ns)},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", OF(dram_percent)},
    {"dram__bytes.sum", OF(dram_bytes)},
    {"lts__t_sector_hit_rate.pct", OF(l2_hit_percent)},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", OF(load_requests)},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", OF(load_sectors)},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", OF(store_requests)},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", OF(store_sectors)},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", OF(red_requests)},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", OF(red_sectors)},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", OF(atom_requests)},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", OF(atom_sectors)},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", OF(wavefronts)},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", OF(conflicts)},
    {"smsp__inst_executed_op_shared_atom.sum", OF(shared_atomics)},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", OF(shared_atomic_wavefronts)},
    {"smsp__inst_executed_op_shared_atom_dot_cas.sum", OF(shared_swaps)},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", OF(local_loads)},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", OF(local_stores)},
};

static struct figures nothing_known(void) {
    struct figures figures = {.kernel = "", .grid = "", .block = "", .read_bytes = NAN};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        *(double *)((char *)&figures + counters[i].offset) = NAN;
    return figures;
}

/* The fields of a line, each in quotes; none of a line that was cut short. */
static struct words fields_of(const char *line) {
    line = replaced(line + 1, "\",\"", "\001");
    return matches(line, "\"$") ? pieces_of(without(line, "\"$"), "\001") : (struct words){0};
}

/* "16,318,464"; NAN where it is no number. */
static double number(const char *text) {
    text = replaced(text, ",", "");
    return *text && !text[strspn(text, "-+.0123456789eE")] ? atof(text) : NAN;
}

static void take_field(struct figures *figures, const char *name, const char *value) {
    static const char stall[] = "smsp__average_warps_issue_stalled_";
    const char *end = strstr(name, "_per_issue_active");
    if (strcmp(name, "Kernel Name") == 0)
        figures->kernel = value;
    else if (strcmp(name, "Grid Size") == 0)
        figures->grid = value;
    else if (strcmp(name, "Block Size") == 0)
        figures->block = value;
    else if (begins_with(name, stall) && end) {
        name += strlen(stall);
        double share = number(value);
        append(figures->stall, figures->stalls,
               (struct stall){say("%.*s", (int)(end - name), name), isnan(share) ? 0 : share});
    }
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (strcmp(counters[i].name, name) == 0)
            *(double *)((char *)figures + counters[i].offset) = number(value);
}

/* desk/inside/profile CSV */
int view_ncu(int count, char **words) {
    static const char driver[] = "driver: ";
    struct words names = {0};
    int rows = 0, kernels = 0;
    if (count != 1)
        return 2;
    for (const char **next = lines_of_file(words[0]); *next; next++) {
        const char *line = printable_lines(*next);
        if (begins_with(line, driver))
            printf("Note: %s\n", line + strlen(driver));
        if (*line != '"')
            continue;
        struct words fields = fields_of(line);
        if (++rows == 1)
            names = fields;
        if (rows <= 2 || fields.count != names.count) /* the second has units */
            continue;
        struct figures figures = nothing_known();
        for (size_t i = 0; i < names.count; i++)
            take_field(&figures, names.word[i], fields.word[i]);
        fputs(kernels++ ? "\n" : "", stdout);
        explain(&figures);
    }
    if (!kernels) {
        fputs("profile: Nsight Compute listed no kernel: the step launched none\n", stderr);
        return 3;
    }
    puts("\nEach kernel was counted alone, with empty caches, so overlapping launches do not show "
         "here: the time that\ncounts is that of ./grade.sh. To see what the compiler made of it: "
         "make sass-STEP.");
    return 0;
}
