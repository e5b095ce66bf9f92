/* A rule about arrays that each thread has of its own. It needs the size of the launch, which the
 * runner tells. */
#include "look.h"

/* Every guess goes through all elements. */
enum { MOST_ELEMENTS = 1 << 24 };

static bool can_guess(const struct look *look) {
    return launch_threads(look->launch) > 0 && look->size && look->size <= MOST_ELEMENTS;
}

/* Thread t of a block has every element i with i / at_once % threads == t. Bin t is what it counted
 * there of that bin. */
static bool fits_own(const struct look *look, size_t at_once) {
    enum { FEW = 3 }; /* where nearly all counts are 0 or full, several rules would fit */
    struct tally tally = tally_begin(look, false);
    size_t counted = 0;
    for (size_t bin = 0; bin < look->problem->counting->bins; bin++)
        counted += look->got[bin] && look->got[bin] < look->problem->counting->most;
    if (counted < FEW)
        return false;
    for (size_t i = 0; i < look->size; i++)
        if (i / at_once % look->launch.threads ==
            look->problem->counting->bin_of(look->window + i * look->problem->element_bytes))
            tally_element(&tally, i, 1);
    return tally_fits(&tally);
}

static struct range find_own(const struct look *look, struct range inside) {
    for (size_t at_once = 1; can_guess(look) && at_once <= 16; at_once *= 2)
        if (look->launch.threads >= look->problem->counting->bins && within(inside, at_once) &&
            fits_own(look, at_once))
            return only(at_once);
    return NO_RANGE;
}

static bool name_own(const struct scene *scene) {
    return say(scene,
               "Bin t has only those %ss that thread t of a block counted itself: what its other "
               "threads counted there is lost. Usual cause: `__shared__` is missing before the "
               "array of counts, so that each thread has an array of its own.",
               scene->problem->element);
}

const struct rule rules_of_threads[] = {
    {OF_COUNTS | OF_PARTS, .find = find_own, .name = name_own},
    {.of = 0},
};
