#include "kin.h"

enum { LANES = EMULATOR_WARP, KINS = 256 };

/* The last operations. What is older counts as ordered. */
static struct kin {
    uint32_t number, ordered_below;
    bool is_child;
    struct emulator_origin origin;
} kins[KINS];
static const struct kin *now;

void kin_begin(uint32_t number, uint32_t ordered_below, const struct emulator_origin *origin) {
    struct kin *k = &kins[number % KINS];
    *k = (struct kin){.number = number, .ordered_below = ordered_below, .is_child = origin};
    if (origin)
        k->origin = *origin;
    now = k;
}

bool kin_is_child(void) { return now && now->is_child; }

static const struct kin *find(uint32_t number) {
    const struct kin *k = &kins[number % KINS];
    return k->number == number ? k : NULL;
}

/* Did the parent's access come before it started this child? */
static bool before_start(const struct access *a, const struct emulator_origin *o) {
    if (o->knows_all || o->stream == cudaStreamTailLaunch)
        return true;
    if (a->block != o->block)
        return false;
    return a->thread == o->thread
               ? a->clock <= o->clock
               : a->epoch < o->epoch || (a->thread / LANES == o->thread / LANES &&
                                         a->clock < o->lanes[a->thread % LANES]);
}

/* Is one child of a grid over when another one begins, which was started later? */
static bool sibling_before(const struct emulator_origin *first, const struct emulator_origin *o) {
    if (o->stream == cudaStreamTailLaunch)
        return true;
    return first->block == o->block && first->stream == o->stream &&
           o->stream != cudaStreamFireAndForget;
}

bool kin_before(const struct access *a) {
    for (const struct kin *child = now; child; child = find(child->origin.operation)) {
        if (!child->is_child) { /* the grid that the host launched */
            const struct kin *root = find(a->launch);
            while (root && root->is_child)
                root = find(root->origin.operation);
            return !root || root->number < child->ordered_below;
        }
        uint32_t parent = child->origin.operation;
        if (a->launch == parent)
            return before_start(a, &child->origin);
        const struct kin *other = find(a->launch);
        while (other && other->is_child && other->origin.operation != parent)
            other = find(other->origin.operation);
        if (!other)
            return true;
        if (other->is_child)
            return sibling_before(&other->origin, &child->origin);
    }
    return true;
}
