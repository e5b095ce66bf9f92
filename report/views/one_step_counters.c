/* What report/one-step shows of counters: what costs most, in a few lines. */
#include <math.h>

#include "lib/counters.h"
#include "one_step.h"

enum { MOST_LINES = 4 };
static const double least_share = 0.02; /* of all costs: what costs less is not worth a line */

/* "line 18", "lines 17-20", "lines 12 and 30": of the lines from first on that do the same as it,
 * such as those of an unrolled loop. */
static const char *where(const struct kernel_sum *kernel, size_t count, size_t first) {
    double low = NAN, high = NAN;
    int lines = 0;
    const char *does = what_line_does(kernel->line[first]);
    for (size_t i = first; i < count; i++) {
        double line = kernel->line[i]->is.line;
        if (!(line > 0) || !same(what_line_does(kernel->line[i]), does))
            continue;
        low = fmin(low, line);
        high = fmax(high, line);
        lines++;
    }
    return !lines       ? "an unknown line"
           : lines == 1 ? say("line %.0f", high)
                        : say("lines %.0f%s%.0f", low, lines == 2 ? " and " : "-", high);
}

/* What its lines do. Returns how many lines it took. */
static int put_lines(struct page *page, const struct kernel_sum *kernel, double least, int most) {
    int printed = 0;
    struct map told = {0};
    size_t count = kernel->lines > 0;
    while (count < kernel->lines && kernel->line[count]->cost > least)
        count++;
    for (size_t i = 0; i < count && printed < most; i++)
        if (is_new(&told, what_line_does(kernel->line[i]))) {
            paragraph(page, say("%s: %s", where(kernel, count, i), line_in_words(kernel->line[i])));
            printed++;
        }
    return printed;
}

static void put_kernel(struct page *page, const struct kernel_sum *kernel, const char *gpu) {
    const char *launches =
        kernel->launches > 1 ? say(", %zu launches, the largest", kernel->launches) : "";
    const char *written = kernel->written_bytes > 0.1 * kernel->read_bytes
                              ? say(", writes %s", bytes_in_words(kernel->written_bytes))
                              : "";
    paragraph(page, say("%s%s: %s; reads %s%s", strong(kernel->name), launches,
                        launch_in_words(kernel->largest, gpu), bytes_in_words(kernel->read_bytes),
                        written));
}

void put_counters(struct page *page, const struct row *now) {
    const char *gpu = now->r.counted->gpu;
    struct counted counted = sum_up(now->r.launches, now->r.accesses, gpu);
    const char *margin = page->margin;
    double least = least_share * counted.cost;
    if (counted.kernels)
        blank_line(page);
    int left = MOST_LINES;
    for (size_t k = 0; k < counted.kernels && left > 0; k++) {
        if (k > 0 && !(counted.kernel[k]->cost > least))
            break;
        put_kernel(page, counted.kernel[k], gpu);
        page->margin = say("%s  ", margin);
        left -= 1 + put_lines(page, counted.kernel[k], least, left - 1);
        page->margin = margin;
    }
}
