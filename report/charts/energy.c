/* The chart of energy, a line for each step and baseline: what gnuplot reads of it,
 * PROBLEM-energy.tsv, with times in us and energies in mJ, and PROBLEM-energy.gp, the numbers. */
#include <math.h>

#include "chart.h"
#include "lib/steps.h"

bool has_energy(const struct row *row) {
    return !isnan(row->us) && row->joules > 0 && row->watts > 0;
}

double millijoules(const struct row *row) { return 1000 * row->joules; }

double energy_us(const struct row *row) { return 1e6 * row->joules / row->watts; }

static void select_energies(struct problem *problem) {
    struct energies *energy = &problem->energy;
    for (size_t i = 0; i < problem->mine.count; i++) {
        struct row *row = problem->mine.row[i];
        if (!has_energy(row))
            continue;
        list_row(&energy->rows, row);
        energy->steps += is_step(row);
        energy->idle = larger(energy->idle, row->idle_watts);
        energy->watts = larger(energy->watts, row->watts);
        if (is_step(row) && (!energy->fastest || energy_us(row) < energy_us(energy->fastest)))
            energy->fastest = row;
        if (is_step(row) && (!energy->least || row->joules < energy->least->joules))
            energy->least = row;
    }
}

void write_energy(struct problem *problem) {
    struct energies *energy = &problem->energy;
    struct text data = {0}, numbers = {0};
    double low = NAN, high = NAN;
    select_energies(problem);
    add(&data, "x\tstep\tmillijoules\tus\twatts\n");
    for (size_t i = 0; i < energy->rows.count; i++) {
        const struct row *row = energy->rows.row[i];
        low = smaller(low, millijoules(row));
        high = larger(high, millijoules(row));
        add(&data, "%zu\t%s\t%s\t%s\t%s\n", i + 1, tick_name(row), plain_number(millijoules(row)),
            plain_number(energy_us(row)), plain_number(row->watts));
    }
    add(&numbers, "idle = %s\nwatts = %s\nsteps = %zu\ncolumns = %zu\nlowest = %s\nhighest = %s\n",
        number_or_0(energy->idle), number_or_0(energy->watts), energy->steps, energy->rows.count,
        number_or_0(low), number_or_0(high));
    write_data(problem, "energy.tsv", &data);
    write_data(problem, "energy.gp", &numbers);
}
